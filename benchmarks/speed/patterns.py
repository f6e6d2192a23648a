"""Speed of identifiers, matching, known values and merge: ordinary text beside DataFog, then hostile text up to 10 MB.

    python -m benchmarks.speed.patterns [--data DIR] [--megabytes 10]

Times are processor time of one core; compare the ratio to the peer of the same run, not absolute figures.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from benchmarks.speed.figures import Figures, options
from tacenda.annotate.gazetteer import Gazetteer
from tacenda.annotate.known import Known
from tacenda.annotate.patterns import Patterns
from tacenda.annotate.spread import spread
from tacenda.model import Document, Mention

ORDINARY = (
    "The applicant, Mr John Smith, was born in 1962 and lives in Leeds. On 12 March 1999 he lodged an application "
    "(no. 36244/06) with the Court under Article 34 of the Convention. The Government were represented by their Agent. "
    "The hearing took place in public, and neither party asked for further evidence to be taken by the Chamber. "
)
DENSE = (
    "Mail a.b@example.org, +1 202-456-1111 (SSN: 219-09-1234) on 12/03/2019 at 10.0.0.255, IBAN GB82 WEST 1234 5698 "
    "7654 32, card 4539 1488 0343 6467; MRN: RC-78965, 1234 Elm St, Chicago, IL 60601. "
)
HOSTILE = {"dense identifiers": DENSE, "digits": "1", "at signs": "@", "dots": ".", "numbers": "12 ", "a@": "a@",
           "colons": ":", "capitals": "A1"}  # fmt: skip


FIGURES = Figures()


def timed(name: str, work: Callable[[], object], characters: int) -> float:
    """Run once; million characters per CPU second."""
    begun = time.process_time()
    work()
    seconds = time.process_time() - begun
    return characters / max(seconds, 1e-9) / 1e6


def told(name: str, work: Callable[[], object], characters: int) -> None:
    """Run once and note the rate."""
    FIGURES.add(
        name, f"{characters / 1e6:g} M characters", timed(name, work, characters), "M characters per CPU second"
    )


def ordinary(texts: list[str]) -> None:
    """Patterns on ordinary text, beside DataFog where it is installed."""
    characters = sum(map(len, texts))
    patterns = Patterns()
    patterns.annotate(Document(texts[0]))
    unit = "M characters per CPU second"
    ours = max(
        timed("patterns, ordinary text", lambda: [patterns.annotate(Document(t)) for t in texts], characters)
        for _ in range(3)
    )
    FIGURES.add("patterns", "ordinary text", ours, unit)
    try:
        from datafog.processing.text_processing.regex_annotator import RegexAnnotator
    except ImportError:
        return
    annotator = RegexAnnotator()
    theirs = max(
        timed("DataFog, ordinary text", lambda: [annotator.annotate_with_spans(t) for t in texts], characters)
        for _ in range(3)
    )
    FIGURES.add("DataFog", "ordinary text", theirs, unit)
    FIGURES.add("patterns", "against DataFog", ours / theirs, "x")


def main() -> None:
    """Run all parts."""
    given = options(__doc__, megabytes={"type": float, "default": 10})
    texts = [ORDINARY * 40] * 25
    if given.data:
        lines = (given.data / "tab_test127" / "tab_dev40.jsonl").read_text("utf-8").splitlines()
        texts = [json.loads(line)["text"] for line in lines]
    ordinary(texts)
    size = int(given.megabytes * 1e6)
    text = (ORDINARY * (size // len(ORDINARY) + 1))[:size]
    listed = Gazetteer.of_words([f"listed phrase {i}" for i in range(20_000)])
    told("gazetteer, 20,000 phrases", lambda: listed.annotate(Document(text)), size)
    known = Known(["John Smith", "birth date: 1962-05-01", "MRN: 4471-9823", "address: 14 Birch Lane, Leeds"])
    told("known values", lambda: known.annotate(Document(text)), size)
    said = [Mention(18, 28, "John Smith", "PERSON", "entity", entity=0)]
    told("spread of a name, with merge", lambda: spread(text, said), size)
    patterns = Patterns()
    for name, unit in HOSTILE.items():
        hostile = (unit * (size // len(unit) + 1))[:size]
        for part in (hostile[: size // 4], hostile):
            told(f"patterns, {name}", lambda part=part: patterns.annotate(Document(part)), len(part))
    FIGURES.write(given.json)


if __name__ == "__main__":
    main()
