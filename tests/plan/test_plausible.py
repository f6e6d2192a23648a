"""t-plausibility inside the product: the number of plausible originals is what a plan is accepted by."""

from __future__ import annotations

import pytest

from tacenda import GuaranteeError, Policy, Sanitizer

SENTENCE = "A Sacramento resident purchased marijuana for the lumbar pain caused by liver cancer."
POLICY = """
name = "plausible"
annotate = ["encoder"]
replace = ["generalize", "suppress"]
choose = "plausibility"

[words]
mask = ["Sacramento", "marijuana", "lumbar pain", "liver cancer"]

[chooser.plausibility]
t = {t}
"""


@pytest.mark.parametrize("t", [1, 10, 50, 200_000])
def test_the_sentence_of_the_paper_keeps_its_shape(t: int) -> None:
    sanitizer = Sanitizer(Policy.from_text(POLICY.format(t=t)))
    plan = sanitizer.plan(SENTENCE)
    text = sanitizer.apply(SENTENCE, plan).text
    assert "[" not in text
    assert not any(word in text for word in ("Sacramento", "marijuana", "lumbar pain", "liver cancer"))
    note = next(n for n in plan.notes if n.kind == "plausible")
    assert note.numbers["originals"] >= note.numbers["wanted"] == t


def test_an_unreachable_t_is_an_error_that_says_what_can_be_reached() -> None:
    with pytest.raises(GuaranteeError, match="largest t that can be reached"):
        Sanitizer(Policy.from_text(POLICY.format(t=10**40))).plan(SENTENCE)
