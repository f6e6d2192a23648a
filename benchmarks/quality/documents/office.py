"""Office files that other people made: every seventh distinct word is removed from each, and the result is looked at.

    python benchmarks/quality/documents/office.py FOLDER [--libreoffice]

FOLDER may hold anything, such as unpacked source distributions of libraries that read office files; the same file is
taken once. "Refused for a word of the format": the word stands in any file of that kind ("paragraph", "sheet"), so the
product writes nothing where it must go. Counts by format and by the program that the file names go to office.json; no
name or text of a file does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import tempfile
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.formats.checks import again, bare, sanitized, spliced
from tests.formats.samples import ZEBULON

from benchmarks.quality.documents.run import SAMPLES
from benchmarks.quality.pdf.run import isolated
from tacenda.errors import TacendaError
from tacenda.formats import named
from tacenda.model import Document, Edit, Limits, Reading

RESULTS = Path(__file__).with_name("office.json")
FORMATS = ("docx", "xlsx", "pptx", "odt", "ods", "msg", "eml")
_PROGRAM = re.compile(rb"<Application>([^<]{1,60})|<meta:generator>([^<]{1,60})")
Rows = list[dict[str, Any]]


def files(folder: Path) -> Iterator[Path]:
    """Yield every distinct file of these formats."""
    seen = set()
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower().lstrip(".") in FORMATS and path.is_file():
            digest = hashlib.sha256(path.read_bytes()).digest()
            if digest not in seen:
                seen.add(digest)
                yield path


def program(path: Path) -> str:
    """Name the program that a file says it was written by, without its version."""
    try:
        with zipfile.ZipFile(path) as archive:
            held = b"".join(archive.read(n) for n in archive.namelist() if n in ("docProps/app.xml", "meta.xml"))
    except (OSError, zipfile.BadZipFile, RuntimeError):
        return "not a zip archive"
    found = _PROGRAM.search(held)
    name = (found[1] or found[2]).decode("utf-8", "replace") if found else ""
    return re.split(r"[/\d$]", name)[0].strip() or "not said"


def chosen(document: Document) -> list[str]:
    """Every seventh distinct word of four letters or more, forty at the most."""
    return sorted({w for p in document.parts for w in re.findall(r"[^\W\d_]{4,}", document.text[p.start : p.end])})[
        ::7
    ][:40]


@cache
def plain(name: str) -> bytes:
    """A file of the format that holds none of these words in its text: what is found in it is what the format says."""
    return sanitized(named(name), SAMPLES[name](ZEBULON), ZEBULON)[1]


def edits(document: Document, words: list[str]) -> list[Edit]:
    """Replace these words wherever they stand, also inside others; a link that holds one goes."""
    pattern = re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))), re.I)
    found: list[Edit] = []
    for part in document.parts:
        hits = list(pattern.finditer(document.text, part.start, part.end))
        if part.kind == "uri":
            found += [(part.start, part.end, "")] if hits else []
        else:
            found += [(m.start(), m.end(), "[x]") for m in hits]
    return found


def tried(item: tuple[Path, Path]) -> dict[str, Any]:
    """What becomes of one file; its output is written into a folder."""
    path, out = item
    kind = path.suffix.lower().lstrip(".")
    row: dict[str, Any] = {"format": kind, "program": program(path)}
    form = named(kind)
    try:
        opened = form.open(path.read_bytes(), Reading(name="file", limits=Limits(seconds=60)))
        document = opened.read()
    except TacendaError as error:
        return row | {"refused": re.sub(r"\d+", "N", str(error).split(": ", 1)[-1])[:70]}
    words = chosen(document)
    if not words:
        return row | {"without words": 1}
    changes = edits(document, words)
    promise = getattr(opened, "promised", None)  # names of sheets and columns are fitted to their limits
    try:
        promised = promise(changes) if promise else spliced(document.text, changes)
        written = opened.write(changes)
        form = named("eml") if kind == "msg" else form
        same = bare(again(form, written)) == bare(promised)
        left = [word for word in words if form.residue(written, [word])] if form.residue(written, words) else []
        own = [word for word in left if form.residue(plain(form.name), [word])]
    except TacendaError as error:
        return row | {"refused": re.sub(r"\d+", "N", str(error).split(": ", 1)[-1])[:70]}
    (out / f"{hashlib.sha256(written).hexdigest()[:16]}.{form.name}").write_bytes(written)
    return row | {
        "written": 1,
        "edits": len(changes),
        "as promised": int(same),
        "with residue": int(len(left) > len(own)),
        "refused for a word of the format": int(bool(own)),
    }


def opening(folder: Path) -> int:
    """Count the outputs that LibreOffice can turn into a PDF."""
    office = [str(p) for p in sorted(folder.iterdir()) if p.suffix.lstrip(".") in FORMATS[:5]]
    with tempfile.TemporaryDirectory() as made:
        for at in range(0, len(office), 20):
            command = [str(shutil.which("soffice")), f"-env:UserInstallation=file://{made}/profile", "--headless"]
            command += ["--convert-to", "pdf", "--outdir", f"{made}/pdf", *office[at : at + 20]]
            subprocess.run(command, capture_output=True, timeout=900, check=False)
        return sum(1 for _ in Path(made).glob("pdf/*.pdf"))


def counted(rows: Rows, by: str) -> dict[str, dict[str, int]]:
    """Sum the rows by one of their fields."""
    found: dict[str, Counter[str]] = {}
    for row in rows:
        into = found.setdefault(row[by], Counter())
        into["files"] += 1
        into.update(
            {
                k: 1 if k in ("refused", "uncaught", "hang", "crash") else v
                for k, v in row.items()
                if k not in ("format", "program")
            }
        )
    return {name: dict(found[name]) for name in sorted(found)}


def main() -> None:
    """Try all files and keep the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--libreoffice", action="store_true", help="also open what was written with LibreOffice")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        rows: Rows = []
        for path in files(given.folder):
            row = isolated(tried, (path, out), 120)
            rows.append({"format": path.suffix.lower().lstrip("."), "program": program(path)} | row)
            if {"uncaught", "hang", "crash"} & {*row} or row.get("with residue") or row.get("as promised") == 0:
                print(path.name, row, flush=True)
        found: dict[str, Any] = {"by format": counted(rows, "format"), "by program": counted(rows, "program")}
        found["why refused"] = dict(Counter(r["refused"] for r in rows if "refused" in r).most_common())
        if given.libreoffice:
            office = sum(1 for p in out.iterdir() if p.suffix.lstrip(".") in FORMATS[:5])
            found["libreoffice"] = {"given": office, "opened": opening(out)}
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
