"""How the policy `health` treats medicines, tests and signs, and how much it touches in texts that tell nothing.

    python -m benchmarks.quality.health.run --data DATA [--split dev|test] [--output results.json]

Each entry of lists/*.tsv stands in two plain sentences. Typical of a protected condition: cleared means that its words
are in neither output. Ordinary: kept means that both sentences come out as they were. A third of the entries, chosen by
a digest of the name, is kept apart: it is also measured with a table of medicines from which exactly these names were
taken out, which says what the index, the stems of generic names and the surroundings do for a name nobody listed.

lists/b and lists/c were written before the table was widened by classes: b was looked at on the way, c was measured
before and after and not looked at in between. lists/d and lists/e were written by another writer on one day, before
the table was seen, and parted by a digest: d was looked at on the way, e was measured before and after.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tacenda import Document, Sanitizer, load_policy, term
from tacenda.knowledge import open_taxonomy

HERE = Path(__file__).parent
TYPICAL = ("hiv", "std", "substances")
FRAMES = {
    "medicine": ("He has been taking {} since the spring.", "The patient was given {} and will return in two weeks."),
    "test": ("The {} was done last week.", "We discussed the result of her {} at length."),
    "sign": ("She was seen for {} last month.", "His history includes {} and a broken arm."),
}


def entries(name: str, which: str = "") -> list[tuple[str, str]]:
    """Kind and name of each entry of a list: the first ones, or one of lists "b" to "e"."""
    lines = (HERE / "lists" / which / f"{name}.tsv").read_text("utf-8").splitlines()
    return [(kind, entry) for kind, _, entry in (line.partition("\t") for line in lines)]


def is_apart(name: str) -> bool:
    """A third of all names, fixed by their digest."""
    return hashlib.sha256(name.encode()).digest()[0] % 3 == 0


def remains(name: str, output: str) -> bool:
    """Tell whether the words of a name stand in a row in a text."""
    return f" {term.normalize(name)} " in f" {term.normalize(output)} "


def missed(sanitizer: Sanitizer, listed: list[tuple[str, str]]) -> list[str]:
    """Entries that remain in one of their sentences."""
    found = []
    for kind, name in listed:
        texts = [frame.format(name) for frame in FRAMES[kind]]
        if any(remains(name, sanitizer.sanitize(Document(text)).text) for text in texts):
            found.append(name)
    return found


def touched(sanitizer: Sanitizer, listed: list[tuple[str, str]]) -> list[str]:
    """Entries of which one sentence changed."""
    found = []
    for kind, name in listed:
        texts = [frame.format(name) for frame in FRAMES[kind]]
        if any(sanitizer.sanitize(Document(text)).text != text for text in texts):
            found.append(name)
    return found


def without_apart() -> Sanitizer:
    """The sanitizer with a table of medicines that lacks the entries kept apart, and all of list "c"."""
    apart = {term.normalize(name) for kind in TYPICAL for _, name in entries(kind) if is_apart(name)}
    apart |= {term.normalize(name) for kind in TYPICAL for _, name in entries(kind, "c")}
    taxonomy = open_taxonomy()
    graphs = []
    for graph in taxonomy.graphs:
        uses = graph.medicines
        left = tuple((use, tuple(n for n in names if term.normalize(n) not in apart)) for use, names in uses.by_use)
        if graph.name != "medicines":
            graphs.append(replace(graph, medicines=replace(uses, by_use=left)))
    lesser = type(taxonomy)(graphs, aliases=taxonomy._lookup.aliases, computed=taxonomy._computed)
    table = next(graph.medicines for graph in taxonomy.graphs if graph.name == "medicines")
    left = tuple((use, tuple(n for n in names if term.normalize(n) not in apart)) for use, names in table.by_use)
    # The ladders of medicines go too: a name that is not listed has none.
    lesser.graphs = (replace(lesser.graphs[0], medicines=replace(table, by_use=left)), *lesser.graphs[1:])
    return Sanitizer(load_policy("health"), taxonomy=lesser)


def notes(data: Path, split: str) -> Iterator[tuple[str, str]]:
    """Harmless texts: clinical notes, e-mails and reviews; the dev split to choose by, the other to report."""
    which = {"dev": ("train_notes.jsonl", "ewt_train.conllu.gz"), "test": ("valid_notes.jsonl", "ewt_dev.conllu.gz")}
    for line in (data / "aci_bench" / which[split][0]).read_text("utf-8").splitlines():
        yield "clinical notes", json.loads(line)["note"]
    kind, sentences = "", list[str]()
    with gzip.open(data / "ud_ewt" / which[split][1], "rt", encoding="utf-8") as file:
        for line in file:
            if line.startswith("# newdoc id = "):
                if sentences and kind in ("email", "reviews"):
                    yield kind, " ".join(sentences)
                kind, sentences = line[14:].split("-")[0].strip(), []
            elif line.startswith("# text = "):
                sentences.append(line[9:].strip())
    if sentences and kind in ("email", "reviews"):
        yield kind, " ".join(sentences)


def touched_words(sanitizer: Sanitizer, data: Path, split: str) -> dict[str, Any]:
    """Words under a changed stretch, of all words."""
    counts: dict[str, list[int]] = {}
    for kind, text in notes(data, split):
        plan = sanitizer.plan(Document(text))
        changed = sum(len(term.words(text[d.start : d.end])) for d in plan.changes)
        row = counts.setdefault(kind, [0, 0, 0])
        row[0], row[1], row[2] = row[0] + 1, row[1] + changed, row[2] + len(term.words(text))
    return {
        kind: {"texts": n, "words": words, "touched": changed, "share": round(changed / words, 4)}
        for kind, (n, changed, words) in sorted(counts.items())
    }


def _list(sanitizer: Sanitizer, lesser: Sanitizer, which: str) -> dict[str, Any]:
    """Figures of a list that was written before the table was widened."""
    report: dict[str, Any] = {}
    for name in TYPICAL:
        listed = entries(name, which)
        left = missed(sanitizer, listed)
        report[name] = {"entries": len(listed), "cleared": round(1 - len(left) / len(listed), 3), "remain": left}
        if which == "c":
            report[name]["cleared_unlisted"] = round(1 - len(missed(lesser, listed)) / len(listed), 3)
    listed = entries("ordinary", which)
    changed = touched(sanitizer, listed)
    report["ordinary"] = {"entries": len(listed), "kept": round(1 - len(changed) / len(listed), 3), "touched": changed}
    return report


def measure(data: Path, split: str) -> dict[str, Any]:
    """All figures."""
    sanitizer, lesser = Sanitizer(load_policy("health"), force_language=True), without_apart()
    report: dict[str, Any] = {"split": split}
    for name in TYPICAL:
        listed = entries(name)
        apart = [entry for entry in listed if is_apart(entry[1])]
        left, left_apart = missed(sanitizer, listed), missed(lesser, apart)
        report[name] = {
            "entries": len(listed),
            "cleared": round(1 - len(left) / len(listed), 3),
            "remain": left,
            "apart": len(apart),
            "apart_cleared_unlisted": round(1 - len(left_apart) / len(apart), 3),
            "apart_remain": left_apart,
        }
    listed = entries("ordinary")
    changed = touched(sanitizer, listed)
    kept = round(1 - len(changed) / len(listed), 3)
    report["ordinary"] = {"entries": len(listed), "kept": kept, "touched": changed}
    for which in ("b", "c", "d", "e"):
        report[f"list {which}"] = _list(sanitizer, lesser, which)
    report["harmless texts"] = touched_words(sanitizer, data, split)
    return report


def main() -> None:
    """Measure and print, or write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--split", choices=["dev", "test"], default="dev")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    text = json.dumps(measure(options.data, options.split), indent=1, ensure_ascii=False) + "\n"
    options.output.write_text(text, "utf-8") if options.output else print(text)


if __name__ == "__main__":
    main()
