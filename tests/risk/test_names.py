"""The names of an entity are counted the same way by the risk models and by the verifier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacenda.knowledge import open_index, open_taxonomy
from tacenda.model import Protected
from tacenda.risk.alpha_c import AlphaC


@pytest.fixture(scope="module")
def model() -> AlphaC:
    return AlphaC(index=open_index(), taxonomy=open_taxonomy())


@pytest.mark.parametrize(
    "entity", ["alcoholism", "HIV", "hepatitis", "substance abuse", "homosexuality", "Catholicism"]
)
def test_a_recount_of_the_names_gives_the_same_windows(entity: str, model: AlphaC) -> None:
    (secret,) = model.secrets((Protected(entity),))
    index: Any = open_index()
    windows = [np.asarray(index.find(name).windows, dtype=np.int64) for name in secret.counted]
    assert len(np.unique(np.concatenate(windows))) == len(secret.windows)
