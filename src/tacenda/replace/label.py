"""`label`: what kind of thing a mention is: "[medicine]", "[city]", "[person 1]", or a bar, or an exemption code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from tacenda.errors import UsageError
from tacenda.language import LABEL_WORDS
from tacenda.model import Candidate, Context, Mention
from tacenda.protocols import Taxonomy
from tacenda.replace.ladders import Ladders
from tacenda.replace.naming import kind_of
from tacenda.replace.plain_kinds import plain_kind
from tacenda.term import normalize

# Terms are too many to number, and their numbers would tell how many there are.
_UNNUMBERED = frozenset(("TERM", "WORD", "PROTECTED", "QUANTITY", "DEM", "AGE"))
_LEAST = "detail"
_UNCOUNTED = frozenset(("duration", "time"))
_STYLES = ("brackets", "bars", "codes")
BAR = "█" * 5  # of constant length: the original's tells something
_CODE = "(b)(6)"

_Entity = tuple[int, str]
Kinds = dict[str, dict[_Entity, int]]  # for each kind its entities with their numbers


class Label:
    """Replace a mention by its kind.

    Persons are always numbered, other names where the document has several of one kind. Numbers follow the first
    appearance of each entity; mentions tied to no entity are the same entity if they have the same words. Where nothing
    tells the kind, what its words do in the sentence and the field of the document still tell something.

    taxonomy    tells a medicine from a film; without it only the annotator's labels do
    information bits of a word: what a label still tells
    style       "brackets": [medicine]; "bars": a bar of constant length; "codes": an exemption code in brackets
    words       other words for kinds, e.g. {condition = "diagnosis"}
    codes       exemption code of each kind, for the style "codes"; "other" gives that of the rest
    """

    name = "label"

    def __init__(
        self,
        *,
        taxonomy: Taxonomy | None = None,
        information: Callable[[str], float] | None = None,
        style: Literal["brackets", "bars", "codes"] = "brackets",
        words: Mapping[str, str] | None = None,
        codes: Mapping[str, str] | None = None,
    ) -> None:
        if style not in _STYLES:
            raise UsageError(f"style is '{style}'. Available: {', '.join(_STYLES)}.")
        self.ladders = Ladders(taxonomy) if taxonomy is not None else None
        self.information = information
        self.style, self.words, self.codes = style, dict(words or {}), dict(codes or {})
        self._numbered: tuple[Context | None, Kinds, dict[Mention, str]] = (None, {}, {})

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        """Return the label, with its number where one is needed, then a plainer one that nearly always is safe.

        Nothing for a verb or what stands before a noun: no label takes their place, the sentence is rewritten.
        """
        kind = self._kind(mention, context)
        plain = plain_kind(mention, context, kind)
        if self.style == "bars":
            return [Candidate(BAR, "label")]
        if self.style == "codes":
            return [Candidate(f"[{self.codes.get(kind, self.codes.get('other', _CODE))}]", "label")]
        found = [self._labeled(mention, word, context) for word in dict.fromkeys((kind, plain)) if word]
        # Where even the kind would tell what is protected ("[religion]"), there is still something to say.
        least = found and plain != _LEAST and mention.label in _UNNUMBERED
        return [*found, Candidate(f"[{self.words.get(_LEAST, _LEAST)}]", "label")] if least else found

    def _labeled(self, mention: Mention, kind: str, context: Context) -> Candidate:
        bits = self.information(kind) if self.information else 0.0
        return Candidate(f"[{self.words.get(kind, kind)}{self._number(mention, kind, context)}]", "label", bits)

    def _number(self, mention: Mention, kind: str, context: Context) -> str:
        found = self._kinds(context).get(kind, {_entity(mention): 1})
        alone = len(found) < 2 or mention.label in _UNNUMBERED or kind in _UNCOUNTED
        if alone and (mention.label != "PERSON" or kind != LABEL_WORDS["PERSON"]):
            return ""
        return f" {found.get(_entity(mention), len(found) + 1)}"

    def _kinds(self, context: Context) -> Kinds:
        """Entities of each kind in order of first appearance, found once for a document."""
        if self._numbered[0] is not context:
            self._numbered = (context, {}, {})
            found: Kinds = {}
            for one in sorted(context.mentions, key=lambda m: (m.start, m.end)):
                if one.label not in _UNNUMBERED:
                    own = found.setdefault(self._kind(one, context), {})
                    own.setdefault(_entity(one), len(own) + 1)
            self._numbered[1].update(found)
        return self._numbered[1]

    def _kind(self, mention: Mention, context: Context) -> str:
        if self._numbered[0] is not context:
            return kind_of(mention, context, self.ladders)
        known = self._numbered[2]
        if mention not in known:
            known[mention] = kind_of(mention, context, self.ladders)
        return known[mention]


def _entity(mention: Mention) -> _Entity:
    return (mention.entity, "") if mention.entity >= 0 else (-1, normalize(mention.text))
