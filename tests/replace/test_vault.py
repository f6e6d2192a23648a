"""The vault: only the key opens it, any change is found, the same mapping gives the same bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.errors import InputError, PlanError
from tacenda.replace import keys, vault

pytest.importorskip("cryptography")

KEY = keys.Key(bytes(range(32)))

OUTPUT = "Harry Lawson lives in Silverwick."
ENTRIES = [vault.Entry(22, 32, "Sacramento"), vault.Entry(0, 12, "John Smith")]


def test_round_trip_and_same_bytes():
    sealed = vault.seal(OUTPUT, ENTRIES, KEY)
    assert vault.restore(OUTPUT, sealed, KEY) == "John Smith lives in Sacramento."
    assert sealed == vault.seal(OUTPUT, ENTRIES, KEY)
    assert b"Smith" not in sealed
    assert "Smith" not in repr(ENTRIES)


@given(st.data())
def test_any_changed_bit_is_found(data):
    sealed = bytearray(vault.seal(OUTPUT, ENTRIES, KEY))
    place = data.draw(st.integers(0, len(sealed) - 1))
    sealed[place] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(InputError):
        vault.restore(OUTPUT, bytes(sealed), KEY)


def test_another_key_another_text_a_cut_vault():
    sealed = vault.seal(OUTPUT, ENTRIES, KEY)
    with pytest.raises(InputError, match="another key"):
        vault.restore(OUTPUT, sealed, keys.Key(bytes(32)))
    with pytest.raises(PlanError, match="another text"):
        vault.restore(OUTPUT + " ", sealed, KEY)
    with pytest.raises(InputError):
        vault.restore(OUTPUT, sealed[:20], KEY)
    with pytest.raises(InputError, match="not a Tacenda vault"):
        vault.restore(OUTPUT, b"", KEY)
