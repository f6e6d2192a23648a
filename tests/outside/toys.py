"""Parts as a third party writes them: only the model and the errors of Tacenda are imported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tacenda.errors import InputError
from tacenda.model import Annotation, Box, Candidate, Concept, Context, Document, Edit, Mention, Part, Reading, Risk


class Badges:
    """Finds badge numbers such as "BX-1234"."""

    name = "badges"
    _PATTERN = re.compile(r"\bBX-\d{4}\b")

    def annotate(self, document: Document) -> Annotation:
        """Return the badge numbers of a document."""
        return Annotation(
            tuple(
                Mention(*m.span(), m.group(), "BADGE", "identifier", self.name, role="direct")
                for m in self._PATTERN.finditer(document.text)
            )
        )


class LongWords:
    """Takes every word longer than `most` letters for a risk."""

    name = "long_words"
    unit = "letters"
    monotone = False
    guarantee = "No mention left in the text has a word longer than the limit."
    every_word = True

    def __init__(self, *, most: int = 11) -> None:
        self.most = most

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return a risk for each mention with a long word."""
        for number, mention in enumerate(mentions):
            longest = max((len(word) for word in mention.text.split() if word.isalpha()), default=0)
            if longest > self.most:
                yield Risk(self.name, (number,), "length", float(longest), float(self.most), self.unit)


class Stars:
    """Writes a star for each letter."""

    name = "stars"

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        """Return the stars."""
        return [Candidate("*" * len(mention.text), "label", 0.0)]


ABOVE = {"methadone": ("opioid", "drug"), "heroin": ("opioid", "drug"), "opioid": ("drug",)}


class Drugs:
    """A taxonomy with the one method that is required."""

    name = "drugs"

    def generalizations(self, term: str, context: Sequence[str] = ()) -> Sequence[Concept]:
        """Return the rungs above a term, nearest first."""
        names = ABOVE.get(term.lower(), ())
        return [Concept(name, self.name, name, at, 4.0 / at, 2 * at) for at, name in enumerate(names, 1)]


class Minutes:
    """A format of minutes: lines "speaker: what was said"; speakers are labels, what they say is prose."""

    name = "minutes"
    suffixes = (".minutes",)
    magic = (b"MINUTES\n",)

    def open(self, data: bytes, reading: Reading) -> OpenedMinutes:
        """Open minutes."""
        where = reading.name or "minutes"
        if not data.startswith(self.magic[0]):
            raise InputError(f"{where}: minutes begin with a line MINUTES")
        try:
            return OpenedMinutes(data[len(self.magic[0]) :].decode("utf-8"), where)
        except UnicodeDecodeError as error:
            raise InputError(f"{where}: not valid UTF-8 near byte {error.start}") from None

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return the lines in which one of the words stands."""
        lines = data.decode("utf-8", "replace").casefold().split("\n")
        return [f"line {n}" for n, line in enumerate(lines, 1) if any(word.casefold() in line for word in words)]


@dataclass(frozen=True)
class OpenedMinutes:
    """Minutes in memory."""

    text: str = field(repr=False)
    name: str = ""

    def read(self) -> Document:
        """Return the lines as parts."""
        parts, at = [], 0
        for number, line in enumerate(self.text.split("\n"), 1):
            speaker, mark, said = line.partition(": ")
            begin = at + len(speaker) + len(mark)
            if mark:
                parts.append(Part(at, at + len(speaker), "label", f"line {number}, speaker"))
                parts.append(Part(begin, begin + len(said), "prose", f"line {number}"))
            elif line:
                parts.append(Part(at, at + len(line), "prose", f"line {number}"))
            at += len(line) + 1
        return Document(self.text, self.name, parts=tuple(parts))

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the minutes with the edits made."""
        pieces, done = [], 0
        for start, end, new in sorted(edits):
            pieces += [self.text[done:start], new]
            done = end
        return Minutes.magic[0] + "".join([*pieces, self.text[done:]]).encode()

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Minutes have no pages."""
        return ()
