"""The rounds of one plan."""

from __future__ import annotations

import pytest

from tacenda import Document, Policy, Sanitizer

POLICY = 'name = "small"\nannotate = ["patterns"]\nreplace = ["label", "suppress"]\n[risk.entity]\n'


@pytest.mark.parametrize("text", ["Then QuiilfeatherQuillfeather came.", "Then QuiìlfeatherQuillfeather came."])
def test_what_is_laid_bare_beside_a_replacement_is_replaced_too(text: str) -> None:
    # A misspelled name is found as a word of its own; run together with another name it is one only afterwards.
    made = Sanitizer(Policy.from_text(POLICY), force_language=True)
    assert made.sanitize(Document(text, known=("Zebulon Quillfeather",))).text == "Then [person 1][person 2] came."
