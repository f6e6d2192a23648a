"""Every artifact that ships has a datasheet, and its digest is that of the file."""

from __future__ import annotations

import hashlib
import re
import shutil
import tomllib
from pathlib import Path

import pytest

import tacenda
from tacenda import Document
from tacenda.annotate.encoder.annotator import DATA as ENCODER
from tacenda.annotate.encoder.annotator import Encoder
from tacenda.errors import KnowledgeError

ROOT = Path(__file__).parents[1]
DATA = Path(tacenda.__file__).parent / "data"
KINDS = (".tix", ".tax", ".toml", ".tvec", ".onnx", ".txt", ".npy", ".npz")
ROW = re.compile(r"^\| `([\w./-]+)` \| `([0-9a-f]{64})` \|$", re.M)
SHEETS = {file: digest for page in (ROOT / "docs/data").glob("*.md") for file, digest in ROW.findall(page.read_text())}


@pytest.mark.parametrize("file", sorted(SHEETS))
def test_the_digest_is_that_of_the_file(file):
    assert hashlib.sha256((DATA / file).read_bytes()).hexdigest() == SHEETS[file], (
        f"bring the datasheet of {file} up to date"
    )


def test_every_artifact_has_one():
    shipped = {
        path.relative_to(DATA).as_posix()
        for folder in ("english", "taxonomies", "vectors", "encoder", "senses", "meaning")
        for path in (DATA / folder).iterdir()
        if path.suffix in (".tix", ".tax", ".toml", ".tvec", ".onnx", ".txt", ".npy", ".npz")
        and not path.name.startswith("LICENSE")
    }
    assert shipped == set(SHEETS)


def test_license_files_are_named():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "THIRD_PARTY.md" in project["license-files"]
    third = (ROOT / "THIRD_PARTY.md").read_text()
    for folder in (path for path in DATA.iterdir() if path.is_dir() and any(path.glob("NOTICE*"))):
        assert f"data/{folder.name}" in third


@pytest.mark.parametrize("name", ["vocabulary.txt", "model.onnx"])
def test_an_encoder_file_that_breaks_off_is_an_error(tmp_path, name):
    for path in ENCODER.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path / path.name)
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(KnowledgeError, match="checksum differs"):
        Encoder(tmp_path).annotate(Document("John Smith lives in Paris."))
