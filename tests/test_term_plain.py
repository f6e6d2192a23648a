"""The fold that keeps case: same dress undone, offsets that lead back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacenda.term import fold, plain_with_offsets


@given(st.text(max_size=60))
def test_plain_folds_to_the_fold_and_offsets_lead_back(text: str) -> None:
    plain, offsets = plain_with_offsets(text)
    if offsets is None:
        assert len(plain) == len(text)
    else:
        assert len(offsets) == len(plain) + 1
        assert offsets[-1] == len(text)
        assert (offsets[1:] >= offsets[:-1]).all()


def test_case_stays_and_dress_goes() -> None:
    plain, offsets = plain_with_offsets("Ｊｏ\u200bhn–Ｓmith")
    assert plain == "John-Smith"
    assert fold(plain) == fold("Ｊｏ\u200bhn–Ｓmith")
    assert offsets is not None
    assert offsets[2] == 3


def test_ascii_is_left_alone() -> None:
    assert plain_with_offsets("John") == ("John", None)
