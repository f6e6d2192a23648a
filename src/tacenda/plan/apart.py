"""One thing, one name; two things, two: "a film" named again is "the film", and another one "another film"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tacenda.language import HEAD_NOUNS
from tacenda.model import Decision

ARTICLE = re.compile(r"(an?) ", re.I)
_NAME = re.compile(r"[A-Z][\w'’-]{2,}")
_LABEL = re.compile(r"\[([^\[\]]+?)\]")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def changed(decisions: Sequence[Decision]) -> list[int]:
    """Return the places of the decisions that put something into the text."""
    return [i for i, d in enumerate(decisions) if d.changes and d.replacement]


def bare(replacement: str) -> str:
    """Return the words of a replacement without brackets and article.

    >>> bare("[two conditions]"), bare("A film")
    ('two conditions', 'film')
    """
    found = _LABEL.fullmatch(replacement)
    body = found[1] if found else replacement
    own = ARTICLE.match(body)
    return (body[own.end() :] if own else body).casefold()


def told_apart(text: str, made: list[Decision]) -> list[Decision]:
    """ "A film" named again is "the film"; another one is "another film"; of several, each has its place in order.

    Names that share a word may be one thing ("Norway", "the Kingdom of Norway"): they are not told apart.
    """
    order: dict[str, list[int]] = {}
    names: dict[int, set[str]] = {}
    for i in changed(made):
        if _is_named(made[i]):
            order.setdefault(bare(made[i].replacement), [])
            names.setdefault(made[i].group, set()).update(_own_words(text[made[i].start : made[i].end]))
            if made[i].group not in order[bare(made[i].replacement)]:
                order[bare(made[i].replacement)].append(made[i].group)
    seen: set[int] = set()
    for i in changed(made):
        decision, body = made[i], bare(made[i].replacement)
        own = ARTICLE.match(decision.replacement)
        if not _is_named(decision) or own is None:
            seen.add(decision.group)
            continue
        groups = order[body]
        if decision.group in seen:
            place = groups.index(decision.group)
            which = "the" if len(groups) == 1 else f"the {_ORDINALS[place]}" if place < len(_ORDINALS) else ""
        else:
            earlier = groups[: groups.index(decision.group)]
            alike = any(names[decision.group] & names[group] for group in earlier)
            which = "another" if earlier and not alike else ""
        seen.add(decision.group)
        if which:
            which = which.capitalize() if own[1][0].isupper() else which
            made[i] = replace(decision, replacement=f"{which} {decision.replacement[own.end() :]}")
    return made


def _own_words(name: str) -> set[str]:
    """The words of a name that are not just nouns of its kind: of "the Kingdom of Norway" the last."""
    return {word for word in _NAME.findall(name) if word.casefold() not in HEAD_NOUNS}


def _is_named(decision: Decision) -> bool:
    """Tell whether a decision stands for a thing with a name, which readers keep apart from others of its kind."""
    return decision.action == "generalize" and decision.kind == "entity" and decision.label in ("MISC", "ORG", "LOC")
