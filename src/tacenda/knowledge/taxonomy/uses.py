"""What medicines and tests are for: a reader who knows that zidovudine is for HIV needs no count to infer it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tacenda.term import normalize

Stem = tuple[str, tuple[str, ...]]
_ANY = "disease"  # what every medicine is for
_SHORT = 4  # letters up to which a name may be an abbreviation


@dataclass(frozen=True)
class Uses:
    """Names of medicines, tests and signs by what they are for.

    by_use   (uses, the main one first; names as they are written)
    wider    condition -> the wider condition it belongs to, or ""
    stems    endings ("-navir") or beginnings ("cef-") of generic names, longest first, with their uses
    """

    by_use: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    wider: Mapping[str, str] = field(default_factory=dict)
    stems: tuple[Stem, ...] = ()

    @classmethod
    def of(cls, meta: Mapping[str, Any]) -> Uses:
        """Read what a taxonomy file says; nothing where it holds no medicines."""
        table = meta.get("medicines")
        if not table:
            return NO_USES
        by_use = tuple((_words(uses), _words(names)) for uses, names in table["uses"])
        wider = dict(zip(_words(table["wider"]), _words(table["wider"].values()), strict=True))
        return cls(by_use, wider, tuple((_words([stem])[0], _words(uses)) for stem, uses in table["stems"]))

    @cached_property
    def _by_key(self) -> dict[str, tuple[str, ...]]:
        return {normalize(name): uses for uses, names in self.by_use for name in names}

    def of_name(self, term: str) -> tuple[str, ...]:
        """Uses of a name, the main one first, each followed by the wider conditions; empty if it is not listed."""
        return self._with_wider(self._by_key.get(normalize(term), ()))

    @cached_property
    def all_stems(self) -> tuple[Stem, ...]:
        """The stems, each use followed by the wider conditions."""
        return tuple((stem, self._with_wider(uses)) for stem, uses in self.stems)

    def _with_wider(self, uses: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(wider for use in uses for wider in self.and_wider(use)))

    def and_wider(self, condition: str) -> tuple[str, ...]:
        """Return a condition and what it belongs to.

        >>> Uses(wider={"syphilis": "sexually transmitted disease"}).and_wider("syphilis")
        ('syphilis', 'sexually transmitted disease')
        """
        found = [condition]
        while above := self.wider.get(found[-1]):
            found.append(above)
        return tuple(found)

    def signs(self, conditions: Iterable[str]) -> tuple[str, ...]:
        """Names whose main use is one of the conditions, or a kind of one; where disease itself is meant, every one
        but abbreviations ("PT", "CT"), which have too many other meanings unless they hold a number ("HSV2").
        """
        wanted = {normalize(condition) for condition in conditions}
        return tuple(
            name
            for uses, names in self.by_use
            for own in (bool(wanted & {normalize(use) for use in self.and_wider(uses[0])}),)
            for name in names
            if own or (_ANY in wanted and _unmistakable(name))
        )


def _unmistakable(name: str) -> bool:
    return any(map(str.isdigit, name)) or (len(name) > _SHORT and not name.isupper())


def _words(given: Iterable[Any]) -> tuple[str, ...]:
    words = tuple(given)
    if not all(isinstance(word, str) for word in words):
        raise ValueError("not a word")
    return words


NO_USES = Uses()
