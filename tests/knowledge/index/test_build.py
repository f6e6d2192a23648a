from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacenda import term
from tacenda.errors import InputError, KnowledgeError, UsageError
from tacenda.knowledge.index import BuildOptions, Index, build_index, merge_runs, open_index, windows
from tacenda.knowledge.index import build as building
from tacenda.knowledge.index.windows import paragraphs

Make = Callable[..., Index]
Texts = Callable[[int, int], list[str]]


def plain_windows(texts: list[str], most: int) -> list[frozenset[str]]:
    """The windows of texts, straight from the definition: the oracle of the tests below."""
    found: dict[tuple[str, ...], None] = {}
    for text in texts:
        for paragraph in paragraphs(text):
            keys = [token.key for token in term.tokens(paragraph)]
            parts = -(-len(keys) // most)
            for n in range(parts):
                found[tuple(keys[len(keys) * n // parts : len(keys) * (n + 1) // parts])] = None
    return [frozenset(keys) for keys in found]


def test_counts_are_those_of_a_plain_count(make: Make, random_texts: Texts) -> None:
    texts = random_texts(1, 60)
    index = make(texts, most_words=10)
    expected = plain_windows(texts, 10)
    assert index.total == len(expected)
    for word in index.words:
        number = index.words.find(word)
        assert index.postings.windows(number).tolist() == [n for n, held in enumerate(expected) if word in held]
        assert index.postings.counts[number] == sum(word in held for held in expected)


def test_the_file_does_not_depend_on_processes_memory_or_batches(
    tmp_path: Path, random_texts: Texts, monkeypatch: Any
) -> None:
    texts = random_texts(2, 300)
    digests = []
    for name, processes, batch, chunk, keys in (
        ("a", 1, 1 << 20, 10**6, 200),
        ("b", 2, 3000, 100, 200),
        ("c", 1, 500, 50, 1 << 26),
    ):
        monkeypatch.setattr(building, "_BATCH_CHARACTERS", batch)
        monkeypatch.setattr(merge_runs, "_CHUNK_POSTINGS", chunk)
        monkeypatch.setattr(merge_runs, "_BYTES_PER_KEY", keys)
        build_index(tmp_path / name, enumerate(texts), options=BuildOptions(processes=processes, memory_mb=512))
        digests.append((tmp_path / name).read_bytes())
    assert digests[0] == digests[1] == digests[2]


def test_adding_and_merging_give_the_same_bytes_as_building_at_once(tmp_path: Path, random_texts: Texts) -> None:
    texts = random_texts(3, 90)
    one = BuildOptions(processes=1)
    build_index(tmp_path / "all", enumerate(texts), options=one)
    for name, part in (("a", texts[:40]), ("b", texts[40:60]), ("c", texts[60:])):
        build_index(tmp_path / name, enumerate(part), options=one)
    build_index(tmp_path / "merged", (), add_to=[tmp_path / n for n in "abc"], options=one)
    build_index(tmp_path / "added", enumerate(texts[40:]), add_to=[tmp_path / "a"], options=one)
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "all").read_bytes() == (tmp_path / "added").read_bytes()
    assert open_index(tmp_path / "all").meta["windows"] < sum(open_index(tmp_path / n).total for n in "abc")


def test_articles_are_remembered(make: Make) -> None:
    index = make(["red one\nred two", "red one", "blue three\nred four"])
    assert index.article_starts.tolist() == [0, 2]  # the second article was a duplicate
    assert index.postings.windows(index.words.find("red")).tolist() == [0, 1, 3]


@pytest.mark.parametrize(("unit", "expected"), [("window", 5), ("paragraph", 3), ("sentence", 4), ("document", 2)])
def test_the_unit_is_an_option(make: Make, unit: str, expected: int) -> None:
    texts = ["One two three. Four five six.\nSeven eight", "Nine ten eleven twelve"]
    assert make(texts, unit=unit, most_words=3).total == expected


def test_words_over_the_share_keep_their_count_only(make: Make) -> None:
    index = make([f"the {word} x{n}" for n, word in enumerate("abcdefghij")], most_share=0.5)
    found = index.count("the")
    assert (found.number, found.how) == (10, "exact")
    assert index.find("the").everywhere
    with pytest.raises(KnowledgeError, match="final"):
        build_index(index.path.parent / "x", (), add_to=[index.path])


def test_nothing_is_left_behind_when_building_fails(tmp_path: Path) -> None:
    def pieces():
        yield 0, "some text"
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        build_index(tmp_path / "x.tix", pieces(), options=BuildOptions(processes=1))
    assert list(tmp_path.iterdir()) == []


def test_a_collection_without_a_word_is_refused(make: Make) -> None:
    with pytest.raises(InputError, match="no word"):
        make(["", " \n "])


def test_wrong_options_are_named() -> None:
    with pytest.raises(UsageError, match="Available: window"):
        BuildOptions(unit="chapter")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="512"):
        BuildOptions(memory_mb=1)


def test_windows_are_cut_evenly() -> None:
    lengths, parts = windows._window_lengths(np.array([250, 5, 120]), 120)
    assert lengths.tolist() == [83, 83, 84, 5, 120]
    assert parts.tolist() == [3, 1, 1]


def test_like_is_only_added_to_like(make: Make) -> None:
    index = make(["a b c"], unit="sentence")
    with pytest.raises(UsageError, match="same unit and size"):
        build_index(index.path.parent / "x", (), add_to=[index.path])


def test_fingerprints_tell_order_apart() -> None:
    chance = random.Random(5)
    hashes = np.array([chance.getrandbits(64) for _ in range(3)], dtype=np.uint64)
    first, second = windows.fingerprints(hashes[[0, 1, 2, 1, 0, 2]], np.array([3, 3]))
    assert first != second
