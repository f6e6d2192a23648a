"""Documents: nothing left of a name in any place, text as promised, hostile files, speed.

    python benchmarks/quality/documents/run.py [places] [converted] [wild] [mutated] [speed] [--mutations 10000]

The samples are those of the tests: written from nothing, with a name in every place that a format has. `wild` takes
pages and mails that lie on the machine (documentation, the test mails of Python); where there are none it says so.
Results are kept in results.json, section by section.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

from tests.formats import samples, samples_msg, samples_open
from tests.formats.checks import again, bare, count, hide, sanitized, spliced
from tests.formats.samples import TWIN, ZEBULON

from benchmarks.quality.documents.mutate import MUTATIONS
from tacenda.errors import TacendaError
from tacenda.formats import named
from tacenda.model import Limits, Reading

RESULTS = Path(__file__).with_name("results.json")
SAMPLES = {
    "docx": samples.docx,
    "xlsx": samples.xlsx,
    "pptx": samples.pptx,
    "odt": samples_open.odt,
    "ods": samples_open.ods,
    "html": lambda who: samples_open.html(who).encode(),
    "eml": samples_open.eml,
    "mbox": samples_open.mbox,
    "msg": lambda who: samples_msg.msg(who, page=samples_open.html(who)),
}
LIMITS = Limits(size=64 << 20, expanded=256 << 20, seconds=20)


def places() -> dict[str, Any]:
    """For each format: places of the name, what is left, whether the text is as promised, whether twins are alike."""
    rows = {}
    for name, make in SAMPLES.items():
        form, data = named(name), make(ZEBULON)
        document, written, promised = sanitized(form, data, ZEBULON)
        raw = count(data, ZEBULON.name) if data[:2] == b"PK" else len(re.findall(ZEBULON.name, data.decode("latin-1")))
        rows[name] = {
            "places_in_the_raw_file": raw,
            "parts_read": len(document.parts),
            "residue": len(form.residue(written, [*ZEBULON.forms])),
            "text_as_promised": bare(again(form, written)) == bare(promised),
            "twins_identical": written == sanitized(form, make(TWIN), TWIN)[1],
            "opens_in_libreoffice": _opens(written, "eml" if name == "msg" else name),
            "left_out": len(document.dropped),
            "ms": round(1000 * _time(lambda form=form, data=data: sanitized(form, data, ZEBULON)), 1),
        }
    return rows


def _opens(data: bytes, name: str) -> bool | str:
    program = shutil.which("soffice")
    if program is None or name in ("eml", "mbox"):
        return "not tried"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"written.{name}"
        path.write_bytes(data)
        command = [program, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "pdf"]
        subprocess.run([*command, "--outdir", folder, str(path)], capture_output=True, timeout=180, check=False)
        return (Path(folder) / "written.pdf").exists()


# What LibreOffice makes of the samples: other programs write the same things in other words and other places.
# It does not load the OpenDocument samples themselves, which hold more than it allows.
CHAINS = (("docx", "docx"), ("docx", "odt"), ("xlsx", "xlsx"), ("xlsx", "ods"), ("pptx", "pptx"))
INSIDE = {
    "tracked changes": rb"<w:(ins|del) |<text:changed-region",
    "comments": rb"<w:comment |<office:annotation |<comment ",
    "charts": rb"<c:chartSpace|<chart:chart ",
    "pivot tables": rb"<pivotTableDefinition|<table:data-pilot-table ",
    "footnotes": rb"<w:footnoteReference|<text:note ",
    "fields": rb"<w:instrText|<text:(author-name|date|user-defined)",
}


def converted() -> dict[str, Any]:
    """Files that LibreOffice wrote: what they hold, what is left of the name, whether the text is as promised."""
    rows: dict[str, Any] = {}
    for source, target in CHAINS:
        data = _converted(SAMPLES[source](ZEBULON), source, target)
        row: dict[str, Any] = {"made": bool(data)}
        if data:
            form = named(target)
            document, written, promised = sanitized(form, data, ZEBULON)
            row |= {
                "holds": {what: n for what, pattern in INSIDE.items() if (n := _inside(data, pattern))},
                "places_in_the_raw_file": count(data, ZEBULON.name),
                "parts_read": len(document.parts),
                "residue": len(form.residue(written, [*ZEBULON.forms])),
                "text_as_promised": bare(again(form, written)) == bare(promised),
                "opens_in_libreoffice": _opens(written, target),
            }
        rows[f"{source} to {target}"] = row
    return rows


def _converted(data: bytes, source: str, target: str) -> bytes:
    program = shutil.which("soffice")
    if program is None:
        return b""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / f"sample.{source}", Path(folder) / "out"
        path.write_bytes(data)
        command = [program, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", target]
        subprocess.run([*command, "--outdir", out, path], capture_output=True, timeout=300, check=False)
        made = out / f"sample.{target}"
        return made.read_bytes() if made.exists() else b""


def _inside(data: bytes, pattern: bytes) -> int:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return sum(len(re.findall(pattern, archive.read(name))) for name in archive.namelist() if name.endswith(".xml"))


def _time(work: Any) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def wild(folder: Path, most: int) -> dict[str, Any]:
    """Files that nobody made for this: all kept reads the same; a word of each is hidden and gone."""
    pages = sorted(p for p in folder.rglob("*.html") if p.is_file()) if folder.exists() else []
    random.Random(16).shuffle(pages)
    tests = Path(json.__file__).parents[1] / "test" / "test_email" / "data"
    mails = sorted(tests.glob("msg_*.txt"))
    return {
        "html": _wild("html", [p for p in pages if p.stat().st_size < 1_000_000][:most]),
        "eml": _wild("eml", mails),
    }


def _wild(name: str, files: list[Path]) -> dict[str, Any]:
    form, seen = named(name), Counter[str]()
    kinds: Counter[str] = Counter()
    for path in files:
        seen["files"] += 1
        try:
            opened = form.open(path.read_bytes(), Reading(limits=LIMITS))
            document = opened.read()
            written = opened.write([])
            seen["all_kept_reads_the_same"] += again(form, written) == document.text
            word = _a_word(document.text)
            edits = [(m.start(), m.end(), "[x]") for m in re.finditer(re.escape(word), document.text)] if word else []
            edits = [e for e in edits if document.part_at(e[0])]
            hidden = opened.write(edits)
            same = bare(again(form, hidden)) == bare(spliced(document.text, edits))
            seen["a_hidden_word_as_promised"] += same
            seen["a_hidden_word_left"] += bool(word and edits and form.residue(hidden, [word]))
        except TacendaError as error:
            seen["refused"] += 1
            kinds[re.sub(r"^document: ", "", str(error))[:80]] += 1
        except Exception as error:
            seen["uncaught"] += 1
            kinds[type(error).__name__] += 1
    return {**seen, "reasons": dict(kinds.most_common(6))}


def _a_word(text: str) -> str:
    """The rarest long capitalized word: the likeliest name."""
    words = Counter(re.findall(r"\b[A-Z][a-z]{7,}\b", text))
    words = Counter({w: n for w, n in words.items() if len(re.findall(w, text, re.I)) == n})
    return min(words, key=lambda w: (words[w], w)) if words else ""


def mutated(total: int) -> dict[str, Any]:
    """Damaged files: each is refused, or read, written and checked; nothing crashes or hangs."""
    chance = random.Random(2016)
    files = {name: make(ZEBULON) for name, make in SAMPLES.items()}
    weights = [w for _, _, w in MUTATIONS]
    rows: dict[str, Counter[str]] = {name: Counter() for name in files}
    slowest, details = 0.0, Counter[str]()
    signal.signal(signal.SIGALRM, _too_long)
    for number in range(total):
        name = list(files)[number % len(files)]
        kind, change, _ = chance.choices(MUTATIONS, weights)[0]
        data = change(files[name], chance)
        start = time.perf_counter()
        signal.alarm(60)
        try:
            outcome = _outcome(name, data)
        except TimeoutError:
            outcome = "over its time"
        except Exception as error:
            outcome = "uncaught"
            details[f"{name}, {kind}: {type(error).__name__}"] += 1
        signal.alarm(0)
        rows[name][outcome] += 1
        slowest = max(slowest, time.perf_counter() - start)
        if number % 1000 == 999:
            print(number + 1, {k: sum(r[k] for r in rows.values()) for k in ("uncaught", "over its time")}, flush=True)
    together = Counter[str]()
    for row in rows.values():
        together.update(row)
    return {
        "files": total,
        "together": dict(together),
        "formats": {name: dict(row) for name, row in rows.items()},
        "slowest_s": round(slowest, 2),
        "uncaught": dict(details),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _too_long(*_: Any) -> None:
    raise TimeoutError


def _outcome(name: str, data: bytes) -> str:
    form = named(name)
    try:
        opened = form.open(data, Reading(limits=LIMITS))
        document = opened.read()
        edits = [e for e in hide(document.text, ZEBULON) if _within(document, e)]
        promised = opened.promised(edits) if hasattr(opened, "promised") else spliced(document.text, edits)
        written = opened.write(edits)
    except TacendaError:
        return "refused"
    try:
        if bare(again(form, written)) != bare(promised):
            return "stopped by the check of the text"
    except TacendaError:
        return "stopped by the check of the text"
    return "stopped by the search" if form.residue(written, [ZEBULON.name]) else "read, written and checked"


def _within(document: Any, edit: tuple[int, int, str]) -> bool:
    part = document.part_at(edit[0])
    return part is not None and edit[1] <= part.end


def speed() -> dict[str, Any]:
    """Time a page (3,000 characters) and memory for 500 pages, each in a process of its own."""
    rows = {}
    for name in ("docx", "odt", "xlsx", "html"):
        done = subprocess.run(
            [sys.executable, __file__, "--one", name], capture_output=True, text=True, check=True, timeout=900
        )
        rows[name] = json.loads(done.stdout)
    return rows


def _one(name: str) -> dict[str, Any]:
    """Read, write, read again and search a file of 500 pages."""
    form, data, pages = named(name), _long(name), 500
    times = []
    for _ in range(3):
        start = time.process_time()
        opened = form.open(data, Reading())
        document = opened.read()
        edits = hide(document.text, ZEBULON)
        written = opened.write(edits)
        assert bare(again(form, written)) == bare(spliced(document.text, edits))
        assert not form.residue(written, [ZEBULON.name])
        times.append(time.process_time() - start)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {
        "pages": pages,
        "characters": len(document.text),
        "edits": len(edits),
        "cpu_ms_a_page": round(1000 * statistics.median(times) / pages, 2),
        "peak_memory_mb": memory,
    }


def _long(name: str) -> bytes:
    """500 pages of 12 paragraphs with 250 characters each, every fourth with the name."""
    texts = [
        f"Paragraph {n} says that the visit of {ZEBULON.first if n % 4 == 0 else 'the lecturer'} "
        f"{ZEBULON.name if n % 4 == 0 else ''} took place as it was planned, with tea and a walk. "
        + "It was quiet. "
        * 9
        for n in range(6000)
    ]
    if name == "docx":
        body = "".join(samples.paragraph(samples.run(t[:40]) + samples.run(t[40:])) for t in texts)
        return samples.pack(
            {
                "[Content_Types].xml": samples.types({"word/document.xml": "wordprocessingml.document.main"}),
                "_rels/.rels": samples.relations(("r1", "officeDocument", "word/document.xml")),
                "word/document.xml": f"{samples.XML}<w:document {samples.W}><w:body>{body}</w:body></w:document>",
            }
        )
    if name == "odt":
        body = "".join(f"<text:p>{t[:40]}<text:span>{t[40:]}</text:span></text:p>" for t in texts)
        return samples_open.package("text", ZEBULON, f"<office:text>{body}</office:text>", "")
    if name == "xlsx":
        cells = "".join(
            f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>{t}</t></is></c><c r="B{n}"><v>{n}</v></c></row>'
            for n, t in enumerate(texts, 1)
        )
        return samples.pack(
            {
                "[Content_Types].xml": samples.types(
                    {
                        "xl/workbook.xml": "spreadsheetml.sheet.main",
                        "xl/worksheets/sheet1.xml": "spreadsheetml.worksheet",
                    }
                ),
                "_rels/.rels": samples.relations(("r1", "officeDocument", "xl/workbook.xml")),
                "xl/workbook.xml": f"{samples.XML}<workbook {samples.S}><sheets>"
                '<sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
                "xl/_rels/workbook.xml.rels": samples.relations(("rId1", "worksheet", "worksheets/sheet1.xml")),
                "xl/worksheets/sheet1.xml": f"{samples.XML}<worksheet {samples.S}><sheetData>{cells}"
                "</sheetData></worksheet>",
            }
        )
    return ("<html><body>" + "".join(f"<p>{t[:40]}<b>{t[40:]}</b></p>" for t in texts) + "</body></html>").encode()


def main() -> None:
    """Run the sections asked for and keep their results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", default=["places", "converted", "wild", "mutated", "speed"])
    parser.add_argument("--mutations", type=int, default=10_000)
    parser.add_argument("--html", type=Path, default=Path("/usr/share/doc"))
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--one", default="")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_one(options.one)))
        return
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    work = {
        "places": places,
        "converted": converted,
        "wild": lambda: wild(options.html, options.pages),
        "mutated": lambda: mutated(options.mutations),
        "speed": speed,
    }
    for section in options.sections:
        results[section] = work[section]()
        print(section, json.dumps(results[section], indent=1))
        RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
