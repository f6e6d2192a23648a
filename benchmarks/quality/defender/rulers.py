"""Utility of manual masking and of the defender on several rulers: which of them gives manual masking 66 %?

    python benchmarks/quality/defender/rulers.py --data DIR --index FILE.tix [-o rulers.json]

Only the text of the first ruler is what was written and attacked; the others value the same masks in other ways.
"""

from __future__ import annotations

import argparse
import ast
import csv
import gzip
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from run import Background, Generalizer, bits_from, chunks, defended, load

from tacenda import term
from tacenda.knowledge.taxonomy import open_taxonomy
from tacenda.measures.report import versions

Span = tuple[int, int]
Spans = Mapping[str, Sequence[Span]]
Bits = Callable[[str], float]
Write = Callable[[str, Span, str], str]  # name of the document, span, its words -> what stands there


def words(text: str) -> list[Span]:
    """Every content word for itself."""
    return [(t.start, t.end) for t in term.tokens(text) if t.word not in term.STOP_WORDS]


def kept(
    texts: Mapping[str, str], units: Mapping[str, Sequence[Span]], masks: Spans, write: Write, bits: Bits
) -> float:
    """Mean share of the bits of the units that is left; what is written counts at most as what it replaced."""
    shares = []
    for name, text in texts.items():
        lost: dict[Span, float] = {}
        total = left = 0.0
        for start, end in units[name]:
            value = bits(text[start:end])
            total += value
            hit = next((m for m in masks[name] if m[0] < end and start < m[1]), None)
            if hit is None:
                left += value
            else:
                lost[hit] = lost.get(hit, 0.0) + value
        for span, most in lost.items():
            new = write(name, span, text[slice(*span)])
            left += min(bits(new), most) if new else 0.0
        shares.append(left / total)
    return sum(shares) / len(shares)


def of_the_authors(path: Path) -> dict[str, str]:
    """The first generalization that the authors of paper 004 list for a term."""
    found: dict[str, str] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for column in ("generalizations", "generalizations2", "generalizations3"):
                held = ast.literal_eval(row[column]) if row[column].startswith("[") else []
                if held:
                    name = held[0].strip("<>").replace("wikicat_", "").replace("wordnet_", "").replace("_", " ")
                    found.setdefault(row["term"].replace("_", " ").lower(), name)
    return found


def main() -> None:
    """Defend the documents, and value the masks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    background, rows, marks, _ = load(given.data)
    texts = {row["name"]: marks[row["name"]]["text"] for row in rows}
    manual = {name: [(m["start"], m["end"]) for m in marks[name]["gold_sensitive"]] for name in texts}
    taxonomy = open_taxonomy()
    terms = {t[s:e] for name, t in texts.items() for s, e in [*chunks(t), *manual[name]]}
    rungs = {words_: [rung.name for rung in taxonomy.generalizations(words_)] for words_ in terms}
    authors = of_the_authors(given.data / "actors50" / "entities_generalizations.csv.gz")
    said = [*(r for held in rungs.values() for r in held), *authors.values(), "name person"]
    bits = bits_from(given.index, [*texts.values(), *said])
    generalize = Generalizer(taxonomy, bits, background)
    out, _ = defended(texts, Background(background), bits, generalize, k=3, margin=0.1)
    written = {(name, m.start, m.end): m.replacement for name, (_, masks) in out.items() for m in masks}
    releases = {
        "manual": manual,
        "defender": {name: [(m.start, m.end) for m in held] for name, (_, held) in out.items()},
    }

    def nearest(words_: str) -> str:
        fit = (r for r in rungs.get(words_, ()) if bits(r) < bits(words_))
        return next(fit, "person" if words_[:1].isupper() else "")

    def stripped(words_: str) -> str:
        return words_.split(maxsplit=1)[1] if len(words_.split()) > 1 else nearest(words_)

    hits = {k.replace("_", " ").lower(): v for k, v in
            json.loads((given.data / "actors50" / "google_hits.json").read_text("utf-8")).items() if v > 0}  # fmt: skip

    def web(words_: str) -> float:
        count = hits.get(" ".join(words_.lower().split()))
        return -math.log2(count / 1e12) if count else bits(words_)

    terms_of = {name: chunks(text) for name, text in texts.items()}
    words_of = {name: words(text) for name, text in texts.items()}
    counted = {name: [(s, e) for s, e in sorted({*manual[name], *((s, e) for _, s, e in marks[name]["np_chunks_spacy"]
                      if not any(a < e and s < b for a, b in manual[name]))})
                      if " ".join(text[s:e].lower().split()) in hits] for name, text in texts.items()}  # fmt: skip
    as_written: Write = lambda name, span, w: written.get((name, *span), generalize(w))  # noqa: E731
    rulers: dict[str, tuple[Spans, Write, Bits]] = {
        "bits of all terms, the rung written (this benchmark's)": (terms_of, as_written, bits),
        "the same, suppressed": (terms_of, lambda *_: "", bits),
        "nearest rung, safe or not": (terms_of, lambda _n, _s, w: nearest(w), bits),
        "the word 'person' for every mask": (terms_of, lambda *_: "person", bits),
        "the generalizations of paper 004's authors": (
            terms_of,
            lambda _n, _s, w: authors.get(w.lower()) or nearest(w),
            bits,
        ),
        "the leftmost word stripped (G(s) of paper 004)": (terms_of, lambda _n, _s, w: stripped(w), bits),
        "bits of all content words, the rung written": (words_of, as_written, bits),
        "bits of all content words, the leftmost word stripped": (words_of, lambda _n, _s, w: stripped(w), bits),
        "web counts of 10^12, phrases that have one, 'person'": (counted, lambda *_: "person", web),
    }
    found = {
        name: {who: round(kept(texts, units, masks, write, value), 3) for who, masks in releases.items()}
        for name, (units, write, value) in rulers.items()
    }
    for name, row in found.items():
        print(f"{name:60} manual {row['manual']:.1%}  defender {row['defender']:.1%}")
    if given.output:
        text = json.dumps({"versions": versions(), "utility": found}, indent=1, sort_keys=True)
        given.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
