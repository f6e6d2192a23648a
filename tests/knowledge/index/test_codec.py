import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacenda.knowledge.index import codec
from tacenda.knowledge.index.postings import pack_counts, pack_superblock, unpack_counts

postings = st.lists(st.sets(st.integers(0, 2**32 - 3), min_size=1, max_size=40).map(sorted), min_size=1, max_size=12)


@given(postings)
def test_decode_gives_back_what_encode_was_given(lists: list[list[int]]) -> None:
    lengths = np.array([len(windows) for windows in lists])
    flat = np.array([window for windows in lists for window in windows], dtype=np.uint32)
    block = codec.encode(codec.gaps(flat, lengths))
    assert codec.decode(block, 0, lengths).tolist() == flat.tolist()
    first = 0
    for windows in lists:
        assert codec.decode(block, first, np.array([len(windows)])).tolist() == windows
        first += len(windows)


def test_long_lists_are_encoded_in_segments_without_a_seam(monkeypatch) -> None:
    steps = np.random.default_rng(1).integers(1, 5000, 1000).astype(np.uint32)
    whole = codec.encode(steps)
    monkeypatch.setattr(codec, "_SEGMENT", 7)
    assert codec.decode(codec.encode(steps), 0, np.array([1000])).tolist() == (np.cumsum(steps) - 1).tolist()
    assert codec.decode(whole, 0, np.array([1000])).tolist() == (np.cumsum(steps) - 1).tolist()


@given(st.lists(st.integers(0, 2**40), max_size=50))
def test_counts_round_trip(counts: list[int]) -> None:
    assert unpack_counts(pack_counts(np.array(counts, dtype=np.int64))).tolist() == counts


def test_a_gap_costs_what_its_size_says() -> None:
    # 1,000 gaps of 1: one Huffman symbol, no bits left over; far below a byte each.
    assert len(codec.encode(np.ones(1000, dtype=np.uint32))) < 200


def test_words_without_postings_take_no_block() -> None:
    assert pack_superblock(0, np.array([0, 0]), np.zeros(0, dtype=np.uint32)) == []
