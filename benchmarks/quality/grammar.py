"""Draw sanitized sentences for reading: does each still read as English?

    python benchmarks/quality/grammar.py DATA_FOLDER --seed N [--skip EARLIER.json ...] > sample.json

Twenty sentences from each of five collections, at most two from a document, each with at least one generalization or
coarsened date, by the policy named below. `--skip` leaves out sentences drawn before. The verdicts are a reader's;
docs/grammar.md holds a sample with them.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tacenda import policy
from tacenda.errors import TacendaError
from tacenda.model import Document, Sanitized, Span
from tacenda.sanitizer import Sanitizer

POLICIES = {
    "aci_bench": "health",
    "tab_test127": "court",
    "actors50": "person",
    "nvidia_bios": "person",
    "wiki_replace100": "person",
}
EACH, PER_DOCUMENT, LENGTH = 20, 2, 3000


def texts(folder: Path) -> list[str]:
    """The beginnings of all documents of a collection, cut at a sentence end."""
    found = []
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            text = row.get("text") or row["note"]
            found.append(text if len(text) <= LENGTH else text[: text.rfind(". ", 0, LENGTH) + 1])
    return found


def sentences(sanitizer: Sanitizer, text: str) -> Iterator[dict[str, Any]]:
    """Sentences of the output with a generalization or a coarsened date in them."""
    document = Document(text)
    result = sanitizer.sanitize(document)
    actions = {d.span: d.action for d in result.plan.changes}
    for start, end in sanitizer.annotate(document).sentences:
        inside = {span: (a, b) for *span_, a, b in result.offsets if start <= (span := tuple(span_))[0] < end}
        if any(actions.get(span) in ("generalize", "date") for span in inside) and end - start > 25:
            yield {
                "source": [start, end],
                "text": " ".join(output(result, (start, end)).split()),
                "replaced": [result.text[a:b] for span, (a, b) in inside.items() if span in actions],
            }


def output(result: Sanitized, span: Span) -> str:
    """What became of a stretch of the source."""

    def moved(place: int) -> int:
        change = 0
        for start, end, _, new_end in result.offsets:
            if end <= place:
                change = new_end - end
            elif start < place:
                return new_end
        return place + change

    return result.text[moved(span[0]) : moved(span[1])]


def draw(folder: Path, name: str, rng: random.Random, seen: set[str]) -> Iterator[dict[str, Any]]:
    """Twenty sentences of a collection."""
    sanitizer = Sanitizer(policy.load(POLICIES[name]))
    documents = list(enumerate(texts(folder / name)))
    rng.shuffle(documents)
    left = EACH
    for number, text in documents:
        try:
            found = list(sentences(sanitizer, text))
        except TacendaError:
            continue
        rng.shuffle(found)
        fresh = [s for s in found if f"{name}/{number}/{s['source'][0]}" not in seen]
        for sentence in fresh[: min(PER_DOCUMENT, left)]:
            yield {"id": f"{name}/{number}/{sentence['source'][0]}", **sentence}
            left -= 1
        if not left:
            return


def main() -> None:
    """Print the sample."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--skip", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    seen = {row["id"] for file in options.skip for row in json.loads(file.read_text(encoding="utf-8"))}
    rng = random.Random(options.seed)
    sample = [row for name in POLICIES for row in draw(options.data, name, rng, seen)]
    print(json.dumps(sample, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
