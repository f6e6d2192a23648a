"""Mend what an annotator read wrongly, by the words around: trades in a field of roles, codes cut in two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tacenda.annotate.entities import PERSON_LABELS
from tacenda.language import ACCOUNT_IN_PATH, CELL_ENDS, DISEASE_CODE, DISEASE_CODE_CUE, ROLE_FIELD, TRADES
from tacenda.model import Mention
from tacenda.term import fold

_NEAR = 70


def mended(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Yield the mentions without trades in role fields and codes of diseases."""
    codes = [match.span() for match in DISEASE_CODE.finditer(text)]
    for mention in mentions:
        if mention.kind != "entity":
            yield mention
        elif mention.label in PERSON_LABELS:
            if not _is_trade(text, mention):
                yield mention
        elif mention.label == "CODE":
            yield from _whole_code(text, mention, codes)
        elif mention.label != "MISC" or not ACCOUNT_IN_PATH.search(text, max(0, mention.start - 1), mention.end):
            yield mention  # a path is no name; the account in it is found by its form


def _is_trade(text: str, mention: Mention) -> bool:
    """Tell whether a lone "Porter" says what somebody does: in a field or column of roles."""
    before = text[max(0, mention.start - _NEAR) : mention.start]
    listed = fold(mention.text) in TRADES and CELL_ENDS.match(text, mention.end)
    return bool(listed and ROLE_FIELD.search(before))


def _whole_code(text: str, mention: Mention, codes: Iterable[tuple[int, int]]) -> Iterator[Mention]:
    """Yield a code as it is; one of a disease whole, or not at all where the text says that it is one."""
    around = next(((a, b) for a, b in codes if a <= mention.start and mention.end <= b), None)
    if around is None:
        yield mention
    elif not DISEASE_CODE_CUE.search(text[max(0, around[0] - _NEAR) : around[0]]):
        yield replace(mention, start=around[0], end=around[1], text=text[around[0] : around[1]])


def one_label(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Let what is a person's name in one place be one in all: "T-Bone", then "T-Bone" in quotes."""
    held = tuple(mentions)
    names = {m.text for m in held if m.label == "PERSON" and m.kind != "term" and m.text[:1].isupper()}
    return tuple(
        replace(m, label="PERSON", role="direct")
        if m.kind == "entity" and m.label in ("MISC", "CODE") and m.text in names
        else m
        for m in held
    )
