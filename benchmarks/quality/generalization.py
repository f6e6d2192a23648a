"""What generalization keeps where suppression keeps nothing, and how its rungs compare with those people choose.

    python benchmarks/quality/generalization.py DATA_FOLDER [--index INDEX]

DATA_FOLDER holds actors50, aci_bench and wiki_replace100; INDEX (default: the embedded one) gives the information.
For actors50 it should not have been built from these very articles. Everything is printed and written to
generalization.json. The measures, and what they do not say, are in docs/replacing.md.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tacenda import knowledge, policy
from tacenda.language import HEAD_NOUNS, KIND_ENDINGS, LABEL_WORDS, PLAINER_LABELS, RUNG_LABELS, UNIT_LABELS
from tacenda.model import Annotation, Candidate, Context, Document, Mention, Plan, Protected, Span
from tacenda.replace.date_shift import Dates
from tacenda.replace.generalization import Generalize
from tacenda.replace.label import Label
from tacenda.risk.alpha_c import AlphaC
from tacenda.sanitizer import Sanitizer
from tacenda.term import fold, normalize, singular, words

HERE = Path(__file__).parent
MEDICAL = frozenset(("drug", "medicine", "disease", "disorder", "illness", "symptom", "infection"))


def rows(folder: Path, pattern: str = "*.jsonl") -> Iterator[dict[str, Any]]:
    """Lines of the JSONL files of a folder."""
    for file in sorted(folder.glob(pattern)):
        with file.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


class Measure:
    """Sums the information of terms: outside the masked spans, in them, and what replacements keep of it."""

    def __init__(self, index: Any) -> None:
        self.information = index.information
        self.outside = self.masked = self.kept = 0.0
        self.spans = self.with_rung = 0
        self.said = 0.0

    def span(self, text: str, replacement: str | None, label: str = "") -> None:
        """Count a masked span; a replacement keeps its own information, never more than the original's.

        label   the kind that the label says where there is no replacement; counted apart
        """
        original = self.information(text)
        self.spans += 1
        self.with_rung += replacement is not None
        self.masked += original
        self.kept += min(original, self.information(replacement)) if replacement else 0.0
        self.said += 0.0 if replacement or not label else min(original, self.information(label))

    def rest(self, mentions: Iterable[Mention], spans: Sequence[Span], text: str) -> None:
        """Count the terms (noun phrases and entities) that are left, cut where a masked span cuts them."""
        for mention in mentions:
            for start, end in outside(mention.span, spans):
                self.outside += self.information(text[start:end])

    def row(self) -> dict[str, float]:
        """The figures, in points of the information of all terms of the texts."""
        total = self.outside + self.masked
        return {
            "spans": self.spans,
            "with a rung": self.with_rung,
            "suppression keeps": round(100 * self.outside / total, 1),
            "generalization keeps": round(100 * (self.outside + self.kept) / total, 1),
            "difference": round(100 * self.kept / total, 1),
            "kept of the spans": round(100 * self.kept / self.masked, 1),
            "difference with what labels say": round(100 * (self.kept + self.said) / total, 1),
        }


class Labels:
    """The kind a label says of a mention."""

    def __init__(self, taxonomy: Any) -> None:
        self.label = Label(taxonomy=taxonomy)

    def kind(self, mention: Mention, context: Context) -> str:
        """Return the first label without brackets and number; empty where there is none."""
        first = next(iter(self.label.candidates(mention, context)), None)
        return first.text.strip("[]").rstrip("0123456789 ") if first else ""


def outside(span: Span, taken: Sequence[Span]) -> list[Span]:
    """What is left of a span beside others.

    >>> outside((0, 10), [(2, 4), (9, 12)])
    [(0, 2), (4, 9)]
    """
    pieces = [span]
    for start, end in taken:
        pieces = [
            piece
            for low, high in pieces
            for piece in ((low, min(high, start)), (max(low, end), high))
            if piece[0] < piece[1]
        ]
        pieces = list(dict.fromkeys(pieces))
    return pieces


def phrases(sanitizer: Sanitizer, document: Document) -> Annotation:
    """Noun phrases and entities: a policy that looks at every word has the others as mentions, too."""
    found = sanitizer.annotate(document)
    return replace(found, mentions=tuple(m for m in found.mentions if m.label != "WORD"))


def labelled(span: Span, text: str, found: Sequence[Mention]) -> Mention:
    """A gold span with the label of the mention that covers most of it; TERM where none covers three fifths."""
    start, end = span
    best = max(found, key=lambda m: (min(m.end, end) - max(m.start, start), -m.start), default=None)
    shared = min(best.end, end) - max(best.start, start) if best else 0
    label = best.label if best and shared >= 0.6 * (end - start) else "TERM"
    return Mention(start, end, text[start:end], label, "term" if label == "TERM" else "entity")


def actors(folder: Path, sanitizer: Sanitizer) -> dict[str, Any]:
    """Information kept on the gold spans: by the nearest rung, and by the nearest that passes alpha_c for the actor."""
    index: Any = sanitizer.index
    generalize = Generalize(sanitizer.taxonomy, information=index.information)
    model = AlphaC(index=index, taxonomy=sanitizer.taxonomy, groups=False, unknown="keep")
    free, safe, years, labels = Measure(index), Measure(index), Dates(finest="decade"), Labels(sanitizer.taxonomy)
    for row in rows(folder):
        document = Document(row["text"])
        annotation = phrases(sanitizer, document)
        spans = sorted({(s["start"], s["end"]) for s in row["gold_sensitive"]})
        protected = (Protected(row["title"].split(" (")[0]),)
        context = Context(document, annotation.sentences, mentions=annotation.mentions)
        for span in spans:
            mention = labelled(span, document.text, annotation.mentions)
            source: Any = years if mention.label == "DATETIME" else generalize
            found = list(source.candidates(mention, context))
            free.span(mention.text, found[0].text if found else None, labels.kind(mention, context))
            passing = (c.text for c in found if passes(c, mention, model, replace(context, protected=protected)))
            safe.span(mention.text, next(passing, None))
        for measure in (free, safe):
            measure.rest(annotation.mentions, spans, document.text)
    return {"nearest rung": free.row(), "nearest rung below the limit": safe.row()}


def passes(candidate: Candidate, mention: Mention, model: AlphaC, context: Context) -> bool:
    """Tell whether a rung alone tells less than half of the information of who is protected."""
    return not list(model.assess([replace(mention, text=candidate.text, kind="term", vector=None)], context))


def notes(folder: Path, sanitizer: Sanitizer) -> dict[str, Any]:
    """The same on clinical notes, for all names of diseases, symptoms and drugs."""
    index: Any = sanitizer.index
    generalize = Generalize(sanitizer.taxonomy, information=index.information)
    measure, labels = Measure(index), Labels(sanitizer.taxonomy)
    for row in rows(folder, "valid*.jsonl"):
        document = Document(row["note"])
        annotation = phrases(sanitizer, document)
        context = Context(document, annotation.sentences, mentions=annotation.mentions)
        masked = []
        for mention in annotation.mentions:
            ladder = sanitizer.taxonomy.generalizations(mention.text.split()[-1])
            if not MEDICAL.isdisjoint(
                rung.name for rung in [*sanitizer.taxonomy.generalizations(mention.text), *ladder]
            ):
                first = next(iter(generalize.candidates(mention, context)), None)
                measure.span(mention.text, first.text if first else None, labels.kind(mention, context))
                masked.append(mention.span)
        measure.rest(annotation.mentions, masked, document.text)
    return {"nearest rung": measure.row()}


def health(folder: Path, sanitizer: Sanitizer) -> dict[str, float]:
    """What the policy 'health' masks in clinical notes, with the replacements the product chooses."""
    index: Any = sanitizer.index
    measure = Measure(index)
    for row in rows(folder, "valid*.jsonl"):
        document = Document(row["note"])
        plan = sanitizer.plan(document)
        for decision in plan.changes:
            told = decision.replacement if decision.action in ("generalize", "date") else None
            measure.span(document.text[decision.start : decision.end], told)
        measure.rest(phrases(sanitizer, document).mentions, [d.span for d in plan.changes], document.text)
    return measure.row()


class Given:
    """Plans with the mentions that the annotators of a data set marked, and the sentences the encoder finds."""

    def __init__(self, sanitizer: Sanitizer) -> None:
        self.sanitizer = sanitizer

    def plan(self, document: Document, given: tuple[Mention, ...]) -> Plan:
        """Return a plan for these mentions and no others."""

        def find(parts: Any, text: Document, **_: Any) -> Annotation:
            return Annotation(given, parts.annotators[0].annotate(text).sentences)

        with patch("tacenda.plan.mentions.find_mentions", find):
            return self.sanitizer.plan(document)


def human_rungs(folder: Path, sanitizer: Given) -> dict[str, Any]:
    """How often the product's choice is the human's or one step from it, on each half of the documents."""
    halves: tuple[dict[str, Counter[str]], ...] = ({}, {})
    for number, row in enumerate(sorted(rows(folder), key=lambda row: row["doc_id"])):
        for annotation in row["annotations"].values():
            compare(row["text"], annotation["entity_mentions"], sanitizer, halves[number % 2])
    return {name: shares(half) for name, half in zip(("first half", "second half"), halves, strict=True)}


def compare(text: str, marked: Sequence[dict[str, Any]], sanitizer: Given, found: dict[str, Counter[str]]) -> None:
    """Sanitize the spans a person masked, and compare each replacement with those the person chose."""
    wanted = {(m["start_offset"], m["end_offset"]): m for m in marked if m.get("replacement")}
    entities = {name: i for i, name in enumerate(dict.fromkeys(m["entity_id"] for m in wanted.values()))}
    given = tuple(
        Mention(start, end, text[start:end], m["entity_type"], "entity", entity=entities[m["entity_id"]])
        for (start, end), m in sorted(wanted.items())
    )
    for decision in sanitizer.plan(Document(text), given).decisions:
        mark = wanted[decision.span]
        ladders = list(mark["replacement"]["generalizations"].values())
        for chosen in mark["replacement"]["generalization_selection"]:
            steps = [distance(decision.replacement, chosen, ladder) for ladder in ladders if chosen in ladder]
            if not steps:
                continue
            ours = plain(decision.replacement)
            on_ladder = ours == "" or any(ours in map(plain, ladder) for ladder in ladders if chosen in ladder)
            for kind in (mark["entity_type"], "all"):
                counter = found.setdefault(kind, Counter())
                counter["cases"] += 1
                counter["same"] += min(steps) == 0
                counter["one step"] += min(steps) <= 1
                counter["one step by wording alone"] += min(steps) <= 1 and on_ladder
                # Where no ladder is about the thing, the person chose nothing; "a museum" says no more than "[museum]".
                told = chosen == NOTHING and ours in SAID
                counter["one step or a plain kind"] += min(steps) <= 1 or told


FAR = 99
NOTHING = "***"
# What says only of which kind a thing is: the last rung before nothing at all.
KINDS = frozenset("person/place/location/organization/organisation/date/description/name/quantity/term/work".split("/"))
# Labels of the vocabulary: each says of which kind a thing is, and no more.
LABELS = frozenset(
    (
        *LABEL_WORDS.values(),
        *RUNG_LABELS.values(),
        *KIND_ENDINGS.values(),
        *PLAINER_LABELS.values(),
        *("title", "nationality", "time", "degree", "status", "detail", "personal detail", "proper name"),
        "abbreviation",
    )
)
# What else says no more than the kind, with or without brackets.
SAID = LABELS | frozenset(HEAD_NOUNS) | {"state capital", "national capital", "capital"}
MEASURED = frozenset((*UNIT_LABELS.values(), "number"))


def distance(ours: str, chosen: str, ladder: Sequence[str]) -> int:
    """Steps between our replacement and the human's on the human's ladder; FAR if ours is not on it.

    Wordings are brought to one form: articles, numbers of labels and plurals go; "date in the 1970s" is "the 1970s",
    "X" and "$X" are "[quantity]", "PERSON 1" is "[person 1]". A replacement that only says the kind ("organization",
    "[place 2]") and is not on the ladder stands right before "***": one step from it.

    >>> distance("the 1970s", "date in the 1970s", ["1972", "date in the 1970s", "***"])
    0
    >>> distance("[organisation 2]", "***", ["brand", "***"]), distance("a city", "***", ["brand", "***"])
    (1, 99)
    """
    places = [plain(rung) for rung in ladder]
    mine = plain(ours)
    if mine in places:
        return abs(places.index(mine) - ladder.index(chosen))
    if mine == "":
        return len(ladder) - 1 - ladder.index(chosen)
    if mine in KINDS or (ours.startswith("[") and mine in LABELS):
        return 1 if chosen == NOTHING else len(ladder) - 1 - ladder.index(chosen)
    return FAR


SAME = {
    "organisation": "organization",
    "human": "person",
    "location": "place",
    "x": "quantity",
    "creative work": "work",
    "$x": "quantity",
}


# Words that tell one thing of a kind from another; they say nothing of the kind.
ORDER = frozenset("a an the another first second two three four five six seven".split())


def plain(rung: str) -> str:
    """A wording without article, label brackets, number of a label, plural."""
    text = fold(rung).strip("()").strip("[]").strip()
    if text in (NOTHING, "...", "…"):
        return ""
    if text.startswith("date in the "):
        return normalize(text.removeprefix("date in "))
    parts = [
        part
        for part in text.removeprefix("in ").split()
        if part not in ORDER and not (part.isdigit() and len(part) < 4)
    ]
    bare = " ".join(singular(part) for part in parts) if parts else text
    if rung.strip("()").startswith("[") and (bare in MEASURED or " ".join(parts) in MEASURED):
        return "quantity"
    return SAME.get(bare, normalize(bare) if words(bare) else bare)


def shares(found: dict[str, Counter[str]]) -> dict[str, dict[str, float]]:
    """Counts as shares of the cases."""
    names = ("same", "one step", "one step by wording alone", "one step or a plain kind")
    return {
        kind: {"cases": c["cases"], **{name: round(c[name] / c["cases"], 3) for name in names}}
        for kind, c in sorted(found.items())
    }


def main() -> None:
    """Print and write all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--only", nargs="*", choices=("actors50", "aci_bench", "health", "wiki_replace100"))
    options = parser.parse_args()
    index, taxonomy = knowledge.open_index(options.index), knowledge.open_taxonomy()
    person = Sanitizer(policy.load("person"), index=index, taxonomy=taxonomy)
    tables: dict[str, Callable[[], Any]] = {
        "actors50": lambda: actors(options.data / "actors50", person),
        "aci_bench": lambda: notes(options.data / "aci_bench", person),
        "health": lambda: health(options.data / "aci_bench", Sanitizer(policy.load("health"), index=index)),
        "wiki_replace100": lambda: human_rungs(
            options.data / "wiki_replace100", Given(Sanitizer(policy.load("person"), index=index, taxonomy=taxonomy))
        ),
    }
    kept = HERE / "generalization.json"
    for name, table in tables.items():
        if not options.only or name in options.only:
            found = table()
            print(json.dumps({name: found}, indent=1), flush=True)
            held = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
            kept.write_text(json.dumps(held | {name: found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
