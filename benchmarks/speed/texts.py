"""Texts for benchmarks: clinical notes where the collections are at hand, else letters made up of names and facts."""

from __future__ import annotations

import json
import random
from pathlib import Path

_FIRST = "Ann Robert Maria James Susan Omar Elena Victor Grace Daniel Ruth Pablo".split()
_LAST = "Porter Hill Alvarez Okafor Lindqvist Moreau Castellano Whitfield Brandt Nakamura".split()
_PLACES = "Sacramento Leeds Chicago Oak Park Bristol Rotterdam".split()
_FACTS = (
    "was admitted on {day} March 20{year:02d} with a cough that had lasted for three weeks.",
    "lives in {place} and can be reached at ({area}) 555-01{year:02d} or by mail to {mail}@example.org.",
    "takes metformin twice a day and asked whether it could be stopped before the operation.",
    "told the nurse that nobody at home smokes, and that the dog sleeps in the kitchen.",
    "was seen by Dr. {first} {last}, who ordered an X-ray and found nothing unusual.",
    "works as a teacher in {place} and has two children, both at school.",
    "will come back in six weeks; the results of the blood test are expected by then.",
)


def notes(data: Path | None, count: int) -> list[str]:
    """Return so many notes: paragraphs of real ones, or made-up ones that are the same on every machine."""
    if data and (data / "aci_bench" / "train_notes.jsonl").exists():
        lines = (data / "aci_bench" / "train_notes.jsonl").read_text("utf-8").splitlines()
        parts = [p.strip() for line in lines for p in json.loads(line)["note"].split("\n\n")]
        long = [p for p in parts if len(p) > 200]
        return [long[n % len(long)] for n in range(count)]
    drawn = random.Random(11)
    return [_note(drawn) for _ in range(count)]


def _note(drawn: random.Random) -> str:
    who = f"{drawn.choice(_FIRST)} {drawn.choice(_LAST)}"
    told = []
    for number, fact in enumerate(drawn.sample(_FACTS, 4)):
        filled = fact.format(
            day=drawn.randint(1, 28), year=drawn.randint(10, 25), place=drawn.choice(_PLACES),
            area=drawn.randint(201, 989), mail=who.split()[0].lower(), first=drawn.choice(_FIRST),
            last=drawn.choice(_LAST),
        )  # fmt: skip
        told.append(f"{who if number == 0 else 'The patient'} {filled}")
    return " ".join(told)
