"""The pages of the papers fit what ships: they were made with this encoder, this index, these taxonomies, this code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from papers import made_with, summary
from papers.made_with import PAPERS, code_digest, data_digest, digests

PAGES = Path(__file__).parents[1] / "docs" / "papers"


@pytest.mark.parametrize("paper", PAPERS)
def test_a_page_was_made_with_what_ships(paper: str) -> None:
    held = json.loads((PAGES / paper / f"{paper}.json").read_text("utf-8"))["made_with"]
    old = sorted(name for name, digest in digests(paper).items() if held.get(name) != digest)
    assert not old, f"paper {paper} is older than {old}: run `python -m papers.all --data DIR --only {paper}`"
    page = (PAGES / paper / f"{paper}.md").read_text("utf-8")
    assert all(f"| {name} | {digest} |" in page for name, digest in held.items())


def test_the_table_of_claims_fits_the_pages(tmp_path: Path) -> None:
    for paper in PAPERS:
        (tmp_path / paper).mkdir()
        (tmp_path / paper / f"{paper}.json").write_bytes((PAGES / paper / f"{paper}.json").read_bytes())
    readme = (PAGES / "README.md").read_text("utf-8")
    (tmp_path / "README.md").write_text(readme, encoding="utf-8")
    summary.write(tmp_path)
    assert (tmp_path / "README.md").read_text("utf-8") == readme


def test_a_digest_follows_contents_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data" / "encoder"
    folder.mkdir(parents=True)
    monkeypatch.setattr(made_with.resources, "files", lambda name: tmp_path)
    (folder / "model.onnx").write_bytes(b"one")
    first = data_digest("encoder")
    (folder / "NOTICE.md").write_text("whose it is")
    assert data_digest("encoder") == first
    (folder / "model.onnx").write_bytes(b"two")
    assert data_digest("encoder") != first


def test_code_of_a_paper_is_what_it_imports() -> None:
    assert made_with._modules("paper001") >= {"paper001", "articles001", "marks", "source"}
    assert "paper004" not in made_with._modules("paper001")
    assert len({code_digest(paper) for paper in PAPERS}) == len(PAPERS)
