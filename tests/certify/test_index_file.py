"""The verifier's own reader of index files gives what the product's reader gives."""

from __future__ import annotations

import random

import pytest

from tacenda.certify.index_file import Collection, DamagedIndex, IndexFile
from tacenda.knowledge.index import build_index, open_index
from tacenda.knowledge.index.corpus import EMBEDDED


@pytest.fixture(scope="module")
def embedded():
    return IndexFile(EMBEDDED), open_index()


def test_the_same_file_read_twice(embedded):
    own, product = embedded
    assert own.digest == product.digest
    assert own.total == product.total
    assert own.article_starts.tolist() == product.article_starts.tolist()
    draw = random.Random(5)
    words = [product.words.word(draw.randrange(int(product.meta["words"]))) for _ in range(150)]
    for word in [*words, "HIV", "the", "patient", "methadone"]:
        number = product.words.find(word)
        assert own.number(word) == number
        assert own.count(word) == product.postings.count(number)
        assert own.is_stored(word) == product.postings.stored(number)
        assert own.windows(word).tolist() == product.postings.windows(number).tolist()
    assert own.count("qqqqqqq") == 0
    assert not len(own.windows("qqqqqqq"))


def test_several_files_are_numbered_through(tmp_path):
    build_index(tmp_path / "a.tix", list(enumerate(["alpha beta", "beta gamma"])))
    build_index(tmp_path / "b.tix", list(enumerate(["gamma delta", "alpha"])))
    both = Collection([IndexFile(tmp_path / "a.tix"), IndexFile(tmp_path / "b.tix")])
    assert both.total == 4
    assert both.windows(("alpha",))[0].tolist() == [0, 3]
    assert both.windows(("gamma", "delta"))[0].tolist() == [1, 2]
    assert both.within(both.windows(("beta",))[0]).windows(("gamma",))[0].tolist() == [1]


@pytest.mark.parametrize("at", [3, 20, 60, -1, -2000])
def test_a_changed_byte_is_found(tmp_path, at):
    build_index(tmp_path / "a.tix", [(i, f"alpha beta{i} gamma delta words of all kinds") for i in range(400)])
    data = bytearray((tmp_path / "a.tix").read_bytes())
    data[at] ^= 1
    (tmp_path / "b.tix").write_bytes(data)
    with pytest.raises((DamagedIndex, ValueError)):
        IndexFile(tmp_path / "b.tix")


def test_a_truncated_file_is_found(tmp_path):
    build_index(tmp_path / "a.tix", [(i, "alpha beta gamma") for i in range(40)])
    data = (tmp_path / "a.tix").read_bytes()
    (tmp_path / "b.tix").write_bytes(data[:-1])
    with pytest.raises(DamagedIndex):
        IndexFile(tmp_path / "b.tix")
