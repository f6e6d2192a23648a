from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tacenda.knowledge.index import Index, open_index
from tacenda.knowledge.index.forward import cache_folder

Make = Callable[..., Index]
Texts = Callable[[int, int], list[str]]


@pytest.mark.parametrize("writable", [True, False])
def test_one_term_against_the_vocabulary(
    make: Make, random_texts: Texts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writable: bool
) -> None:
    folder = tmp_path / "cache"
    if not writable:
        folder.write_text("a file where the folder should be")
    monkeypatch.setenv("TACENDA_CACHE", str(folder))
    made = make(random_texts(4, 80), most_share=0.5)
    for index in (made, open_index(made.path)):
        for term in ("HIV", "city", ("HIV", "blood test")):
            counts = index.against_vocabulary(term)
            windows = set(index.find(term).windows.tolist())
            for number, word in enumerate(index.words):
                stored = index.postings.stored(number)
                both = windows & set(index.postings.windows(number).tolist())
                assert counts[number] == (len(both) if stored else -1), word
    assert folder.is_dir() is writable


def test_a_broken_cache_is_made_again(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACENDA_CACHE", str(tmp_path / "cache"))
    index = make(["a b", "a c"])
    assert index.against_vocabulary("b").tolist() == [1, 1, 0]
    (path,) = cache_folder().iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    assert open_index(index.path).against_vocabulary("b").tolist() == [1, 1, 0]
