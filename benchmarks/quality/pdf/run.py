"""Measure PDF redaction: what is left, what is lost, what widths tell, how long it takes.

    python benchmarks/quality/pdf/run.py producers --work DIR        # 13 producers, 5 documents each
    python benchmarks/quality/pdf/run.py corpus --corpus DIR         # public torture files
    python benchmarks/quality/pdf/run.py twins --work DIR            # inputs that differ only in the name
    python benchmarks/quality/pdf/run.py widths [--names 3000]       # needs faker for the surnames
    python benchmarks/quality/pdf/run.py speed                       # ms a page, memory of 500 pages
    python benchmarks/quality/pdf/run.py mutations --corpus DIR [--count 2000]

Each writes its part of results.json beside this file.
"""

from __future__ import annotations

import argparse
import collections
import importlib
import json
import logging
import multiprocessing
import random
import re
import resource
import signal
import statistics
import time
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from typing import Any

from benchmarks.quality.pdf import looking
from tacenda.errors import TacendaError
from tacenda.formats.pdf import Pdf
from tacenda.formats.pdf.opened import OpenedPdf
from tacenda.model import Document, Edit, Limits, Reading

RESULTS = Path(__file__).with_name("results.json")
REPLACED = "[removed]"


def edits(document: Document, words: tuple[str, ...]) -> list[Edit]:
    """Replace every word in text, and take away every link that holds one."""
    spaced = (r"\s*".join(re.escape(c) for c in word if not c.isspace()) for word in words)
    pattern = re.compile("|".join(spaced), re.I)
    found: list[Edit] = []
    for part in document.parts:
        hits = list(pattern.finditer(document.text, part.start, part.end))
        if part.kind == "uri" and hits:
            found.append((part.start, part.end, ""))
        elif part.kind != "uri":
            found += [(m.start(), m.end(), REPLACED) for m in hits]
    return found


def promised(text: str, changes: list[Edit]) -> str:
    """Return the text that must be read in the output."""
    pieces, at = [], 0
    for start, end, new in sorted(changes):
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])


def characters(text: str) -> collections.Counter[str]:
    """Count all that is not white space."""
    return collections.Counter(c for c in unicodedata.normalize("NFKC", text) if not c.isspace())


# producers


def producers(args: argparse.Namespace) -> dict[str, Any]:
    """Residue in extractors, raw search and OCR; kept words; pixels outside altered lines."""
    from benchmarks.quality.pdf.producers import make

    # With --only the other producers keep the figures they have.
    rows: dict[str, Any] = json.loads(RESULTS.read_text("utf-8"))["producers"]["by_producer"] if args.only else {}
    rows = {name: row for name, row in rows.items() if name not in args.only.split(",")}
    for path, person in make(args.work / "made"):
        if args.only and path.stem.split("-")[0] not in args.only.split(","):
            continue
        data = path.read_bytes()
        opened, refused = OpenedPdf(data, Reading(name=path.name)), 0
        try:
            document = opened.read()
        except TacendaError:  # what cannot be read as text is read by recognition
            opened, refused = OpenedPdf(data, Reading(name=path.name, ocr=True)), 1
            document = opened.read()
        forms = {*person.words, *map(looking.folded, person.words)} if refused else set(person.words)
        changes = edits(document, tuple(sorted(forms, key=len, reverse=True)))
        out = opened.write(changes)
        written = args.work / "out" / path.name
        written.parent.mkdir(exist_ok=True)
        written.write_bytes(out)
        left = looking.extracted(written, person.words) + list(Pdf().residue(out, person.words))
        seen = looking.recognized(out, person.words) if args.ocr else []
        lost = 0 if refused else looking.lost_words(path, written, person.words)
        pixels = looking.changed_pixels(opened, out)
        row = {
            "edits": len(changes), "residue": len(left), "ocr": len(seen), "kept_words_lost": lost,
            "pixels_outside": pixels, "pages": len(opened.source.pages), "pictures": len(opened.pictured),
            "read_by_ocr": refused,
        }  # fmt: skip
        print(path.stem, row, left[:3], seen[:3], list(opened.pictured.values())[:2])
        producer = path.stem.split("-")[0]
        rows.setdefault(producer, collections.Counter()).update(row)
    totals: collections.Counter[str] = collections.Counter()
    for row in rows.values():
        totals.update(row)
    return {"files": sum(1 for _ in (args.work / "out").glob("*.pdf")), **totals, "by_producer": rows}


# corpus


def torture(path: Path) -> dict[str, Any]:
    """Remove every seventh distinct word of a file; tell what became of it."""
    data, row = path.read_bytes(), dict[str, Any](file=path.name)
    try:
        opened = OpenedPdf(data, Reading(name="file", limits=Limits(seconds=60)))
        document = opened.read()
    except TacendaError as error:
        return row | {"refused": re.sub(r"\d+", "N", str(error).split(": ", 1)[-1])[:60]}
    prose = [document.text[p.start : p.end] for p in document.parts if p.kind == "prose"]
    words = sorted({w for t in prose for w in re.findall(r"[^\W\d_]{4,}", t)})[::7][:40]
    if not words:
        return row
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, words)) + r")\b", re.I)
    changes: list[Edit] = []
    for part in document.parts:
        hits = list(pattern.finditer(document.text, part.start, part.end))
        if part.kind == "uri":
            changes += [(part.start, part.end, "")] if hits else []
        else:
            changes += [(m.start(), m.end(), "[x]") for m in hits]
    row["words"] = len(words)
    try:
        out = opened.write(changes)
    except TacendaError as error:
        return row | {"failed": str(error).split(": ", 1)[-1][:60]}
    want, got = promised(document.text, changes), Pdf().open(out, Reading(name="out")).read().text
    return row | {
        "pictured": sorted(set(opened.pictured.values())), "residue": len(Pdf().residue(out, words)),
        "kept": characters(want).total(), "lost": (characters(want) - characters(got)).total(),
    }  # fmt: skip


def load_libraries() -> None:
    """Import once what every process would import again."""
    for name in (
        "fontTools.subset",
        "fontTools.fontBuilder",
        "pdfminer.pdfinterp",
        "pikepdf",
        "pypdfium2",
        "PIL.Image",
    ):
        importlib.import_module(name)


def isolated(work: Callable[[Any], dict[str, Any]], item: Any, seconds: float) -> dict[str, Any]:
    """Run in a process of its own; a crash or a hang is an answer too."""
    context = multiprocessing.get_context("fork")
    queue: Any = context.Queue()

    def body() -> None:
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        # Processor time: on a busy machine the clock says nothing about the file.
        resource.setrlimit(resource.RLIMIT_CPU, (round(seconds), round(seconds) + 1))
        try:
            queue.put(work(item))
        except BaseException as error:
            queue.put({"uncaught": type(error).__name__})

    process = context.Process(target=body)
    process.start()
    answer, end = dict[str, Any](), time.monotonic() + 20 * seconds
    while not answer:
        alive = process.is_alive()
        try:
            answer = queue.get(timeout=0.5)
        except Empty:
            if not alive:
                answer = {"hang": 1} if process.exitcode == -signal.SIGXCPU else {"crash": process.exitcode}
            elif time.monotonic() > end:
                answer = {"hang": 1}
    process.join(1)
    if process.is_alive():
        process.kill()
    return answer


def corpus(args: argparse.Namespace) -> dict[str, Any]:
    """All files of the corpus."""
    load_libraries()
    rows = [isolated(torture, path, 120) for path in sorted(args.corpus.glob("*.pdf"))]
    worded = [r for r in rows if "words" in r]
    written = [r for r in worded if "residue" in r]
    count: Callable[[str], int] = lambda key: sum(key in r for r in rows)  # noqa: E731
    return {
        "files": len(rows), "uncaught": count("uncaught") + count("crash"), "hangs": count("hang"),
        "refused": count("refused"), "why_refused": _tally(r["refused"] for r in rows if "refused" in r),
        "with_words": len(worded), "in_place": sum(not r["pictured"] for r in written),
        "with_pictures": sum(bool(r["pictured"]) for r in written), "failed_check": count("failed"),
        "files_with_residue": sum(r["residue"] > 0 for r in written), "kept": sum(r["kept"] for r in written),
        "lost": sum(r["lost"] for r in written),
        "why_pictures": _tally(why for r in written for why in r["pictured"]),
        "share_in_place": round(sum(not r["pictured"] for r in written) / max(1, len(worded)), 3),
    }  # fmt: skip


def _tally(items: Any) -> dict[str, int]:
    return dict(collections.Counter(items).most_common(12))


# twins and widths


def twins(args: argparse.Namespace) -> dict[str, Any]:
    """Two inputs from each producer that differ only in the name: are the outputs the same bytes?"""
    from benchmarks.quality.pdf.producers import PRODUCERS, Text

    pairs = (("Zebulon", "Quillfeather"), ("Waldemar", "Mitterlehner"))
    folder = args.work / "twins"
    folder.mkdir(parents=True, exist_ok=True)
    same: dict[str, bool] = {}
    for name, producer in PRODUCERS.items():
        outputs = set()
        for first, last in pairs:
            path = folder.resolve() / f"{name}-{first}.pdf"
            text = Text("A note", TWIN_PARAGRAPHS, (), (f"Signed by {first} {last} on Monday", "The office"))
            text = Text(text.title, tuple(t.format(first=first, last=last) for t in text.paragraphs), (), text.lines)
            try:
                producer(text, looking.nobody(), path)
            except Exception:
                break
            outputs.add(_replaced(path.read_bytes(), (f"{first} {last}", last)))
        else:
            same[name] = len(outputs) == 1
            print(name, same[name])
    return {"producers": len(same), "identical": sum(same.values()), "differ": sorted(k for k in same if not same[k])}


TWIN_PARAGRAPHS = ("{first} {last} called the office.", "Nothing was said of {last}.", "The line is short enough.")


def _replaced(data: bytes, words: tuple[str, ...]) -> bytes:
    opened = OpenedPdf(data, Reading(name="twin"))
    return opened.write(edits(opened.read(), words))


def widths(args: argparse.Namespace) -> dict[str, Any]:
    """Of how many surnames does the output leave open which one was removed?"""
    import bisect

    from fontTools.ttLib import TTFont
    from tests.formats.pdf import making

    from benchmarks.quality.pdf.producers import SERIF

    names = looking.surnames()
    table = TTFont(SERIF)
    codes, advances, em = table.getBestCmap(), table["hmtx"], table["head"].unitsPerEm
    exact = {n: sum(advances[codes[ord(c)]][0] for c in n) / em * 11 for n in names}
    ordered = sorted(exact.values())
    kept = statistics.median(
        bisect.bisect_right(ordered, w + 0.01) - bisect.bisect_left(ordered, w - 0.01) for w in exact.values()
    )
    drawn = random.Random(0).sample(names, min(args.names, len(names)))
    classes: collections.Counter[bytes] = collections.Counter()
    line = "In March Dr {} was admitted to the hospital"
    for name in drawn:
        data = making.letter([line.format(name), *FILLING], kind="truetype", justified=True)
        classes[_replaced(data, (name,))] += 1
    left = statistics.median(size for size in classes.values() for _ in range(size)) / len(drawn) * len(names)
    return {
        "surnames": len(names), "tried": len(drawn), "different_outputs": len(classes),
        "median_left_by_a_kept_gap": kept, "median_left": round(left),
    }  # fmt: skip


FILLING = ("with fever and a long letter that nobody read", "until the officer in charge asked what it was")


# speed and damage


def speed(args: argparse.Namespace) -> dict[str, Any]:
    """Processor time of reading, writing with its checks, and searching; most memory of a long file."""
    from benchmarks.quality.pdf.producers import PEOPLE, make

    rows = []
    for path, person in make(args.work / "made"):
        if path.stem.endswith("-case"):
            data = path.read_bytes()
            if path.stem.startswith("ghostscript"):  # refused: its ligatures have a wrong Unicode
                continue
            for turn in range(2):  # the first one loads libraries
                start = time.process_time()
                opened = OpenedPdf(data, Reading(name="file"))
                document = opened.read()
                read = time.process_time()
                out = opened.write(edits(document, person.words))
                wrote = time.process_time()
                Pdf().residue(out, person.words)
                pages = len(opened.source.pages)
                if turn:
                    rows.append([1000 * t / pages for t in (read - start, wrote - read, time.process_time() - wrote)])
    medians = [round(statistics.median(column), 1) for column in zip(*rows, strict=True)]
    long = looking.long_file(500)
    opened = OpenedPdf(long, Reading(name="long", limits=Limits(seconds=3_000)))
    opened.write(edits(opened.read(), PEOPLE[0].words))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"ms_a_page": dict(zip(("read", "write", "search"), medians, strict=True)), "mb_for_500_pages": memory}


def damaged(item: tuple[bytes, int]) -> dict[str, Any]:
    """Read and write a damaged file."""
    data, seed = item
    chance = random.Random(seed)
    try:
        opened = OpenedPdf(looking.damage(data, chance), Reading(name="file", limits=Limits(seconds=20)))
        document = opened.read()
        start = len(document.text) // 2
        part = document.part_at(start)
        out = opened.write([(start, min(start + 6, part.end), "[x]")] if part and part.kind == "prose" else [])
    except TacendaError as error:
        return {"refused": type(error).__name__}
    return {"written": len(out)}


def mutations(args: argparse.Namespace) -> dict[str, Any]:
    """Damaged files: bits flipped, pieces cut, moved and doubled, numbers made huge, references made circular."""
    load_libraries()
    seeds = [p.read_bytes() for p in sorted(args.corpus.glob("*.pdf")) if p.stat().st_size < 30_000]
    answers: collections.Counter[str] = collections.Counter()
    for number in range(args.count):
        answers.update(isolated(damaged, (seeds[number % len(seeds)], number), 40).keys())
    return {"files": args.count, **{k: answers[k] for k in ("written", "refused", "uncaught", "crash", "hang")}}


def main() -> None:
    """Run one part and keep its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = {f.__name__: f for f in (producers, corpus, twins, widths, speed, mutations)}
    parser.add_argument("part", choices=parts)
    parser.add_argument("--work", type=Path, default=Path("pdf-benchmark"))
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--names", type=int, default=3000)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--only", default="", help="these producers, with commas between")
    parser.add_argument("--no-ocr", dest="ocr", action="store_false")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    found = parts[args.part](args)
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    results[args.part] = found
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", "utf-8")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
