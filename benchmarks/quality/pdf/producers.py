"""Make the same five documents with every PDF producer at hand.

A document is a title, paragraphs, rows of a table and lines; a person's words stand in all of them, in the title of
the file, in a link and in a running foot. Producers that are not installed are left out and said so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path

SERIF = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"
LIBERATION = "/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf"


@dataclass(frozen=True)
class Person:
    """Words that must go."""

    first: str
    last: str
    town: str
    mail: str
    phone: str
    file: str

    @property
    def words(self) -> tuple[str, ...]:
        """All of them, the longest first."""
        return (self.mail, self.phone, self.file, self.last, self.first, self.town)


@dataclass(frozen=True)
class Text:
    """One document."""

    title: str
    paragraphs: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[str, ...]
    columns: int = 1


PEOPLE = (
    Person("Zebulon", "Quillfeather", "Vaduz", "zeb.quill@example.org", "+1 916 555 0142", "77-4410-ZQ"),
    Person("Steffi", "Griffiths-Offley", "Fiefbergen", "steffi@griffiths.example", "020 7946 0991", "FI-20.331-X"),
    Person("Waltraud", "Mümmelmann", "Győr", "w.muemmel@example.net", "(415) 555-0133", "A/2231/19"),
    Person("Ilija", "Fjill", "Tîrgu", "il@fj.example", "+44 1632 960 987", "0451-77812"),
    Person("Wanda", "Wollmershäuser-Wu", "Llanfair", "wanda@wollmers.example", "555 0100", "WW 99 12 44"),
)


def texts(p: Person) -> dict[str, Text]:
    """Return the five documents about a person."""
    letter = (
        f"On 14 March 2019 Dr {p.first} {p.last}, a lecturer at the university, was admitted with fever. The office was"
        f" told that {p.last} had first fallen ill in {p.town}, where the family owned a difficult but efficient flat."
        f" The patient can be reached at {p.mail} or by telephone under {p.phone}. The file number {p.file} belongs to"
        " the officer in charge.",
        f"In the affidavit the officer confirms that {p.first} {p.last} offered no objection; the finding was filed. A"
        f" further flight to {p.town} was refused. The office finally affirmed the figure. ",
    )
    rows = (("Name", f"{p.first} {p.last}", "Town", p.town), ("Contact", p.phone, "File", p.file))
    lines = (f"Attention: {p.first} {p.last}", f"Reference {p.file}", "With kind regards", "The office")
    return {
        "letter": Text(f"Report on {p.first} {p.last}", letter, (), lines),
        "form": Text("Admission form", (letter[1],), (*rows, ("Ward", "Four", "Bed", "Eleven"), *rows), lines),
        "columns": Text(f"The case of {p.last}", letter + letter[1:] * 3, (), (), columns=2),
        "case": Text(f"Case {p.file}: {p.last}", (letter * 5)[:9], rows, lines),
        "short": Text("Note", (f"{p.last} called.", "Nothing else was said."), (), (f"{p.first} {p.last}", "Signed")),
    }


def html(text: Text, p: Person, font: str = "DejaVu Serif") -> str:
    """Return a document as a page with a linked address."""
    body = [f"<h1>{escape(text.title)}</h1>", *(f"<p>{escape(t)}</p>" for t in text.paragraphs)]
    cells = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in text.rows)
    body += [f"<table>{cells}</table>"] * bool(cells) + [f"<div>{escape(line)}</div>" for line in text.lines]
    page = "".join(body).replace(escape(p.mail), f'<a href="mailto:{p.mail}">{p.mail}</a>')
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{escape(text.title)}</title><meta name=author"
        f' content="{escape(p.last)}"><style>@page{{size:A4;margin:2.2cm}} body{{font-family:"{font}";font-size:11pt;'
        f"text-align:justify;columns:{text.columns}}} h1{{font-family:'DejaVu Sans';text-align:center}}"
        f"td{{border:1px solid #888;padding:3px}}</style></head><body>{page}</body></html>"
    )


def _run(*command: str | Path, cwd: Path | None = None) -> None:
    subprocess.run(
        [str(c) for c in command], cwd=cwd, check=True, capture_output=True, timeout=180,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip


def _page(text: Text, p: Person, out: Path, font: str = "DejaVu Serif") -> Path:
    path = out.with_suffix(".html")
    path.write_text(html(text, p, font), "utf-8")
    return path


def chromium(text: Text, p: Person, out: Path) -> None:
    """Skia's writer."""
    page = _page(text, p, out)
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={out}")
    _run("chromium", *options, f"file://{page}")


def weasyprint(text: Text, p: Person, out: Path) -> None:
    """WeasyPrint."""
    import weasyprint as printer

    printer.HTML(string=html(text, p, "Liberation Serif")).write_pdf(str(out))


def wkhtmltopdf(text: Text, p: Person, out: Path) -> None:
    """Qt's writer."""
    _run("wkhtmltopdf", "-q", _page(text, p, out), out)


def _office(text: Text, p: Person, out: Path, filter: str) -> None:
    page = _page(text, p, out)
    with tempfile.TemporaryDirectory() as folder:
        profile = f"-env:UserInstallation=file://{folder}/profile"
        _run("soffice", profile, "--headless", "--convert-to", "odt:writer8", "--outdir", folder, page)
        odt = Path(folder) / f"{page.stem}.odt"
        _run("soffice", profile, "--headless", "--convert-to", filter, "--outdir", folder, odt)
        shutil.move(odt.with_suffix(".pdf"), out)


def libreoffice(text: Text, p: Person, out: Path) -> None:
    """LibreOffice as it comes."""
    _office(text, p, out, "pdf:writer_pdf_Export")


def libreoffice_a(text: Text, p: Person, out: Path) -> None:
    """LibreOffice, tagged PDF/A."""
    options = '{"UseTaggedPDF":{"type":"boolean","value":"true"},"SelectPdfVersion":{"type":"long","value":"1"}}'
    _office(text, p, out, f"pdf:writer_pdf_Export:{options}")


def ghostscript(text: Text, p: Person, out: Path) -> None:
    """Chromium's file, distilled again."""
    first = out.with_suffix(".first.pdf")
    chromium(text, p, first)
    _run("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", f"-sOutputFile={out}", first)
    first.unlink()


def linearized(text: Text, p: Person, out: Path) -> None:
    """WeasyPrint's file, linearized by qpdf."""
    first = out.with_suffix(".first.pdf")
    weasyprint(text, p, first)
    _run("qpdf", "--linearize", "--object-streams=disable", first, out)
    first.unlink()


def _reportlab(text: Text, p: Person, out: Path, font: str) -> None:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

    body = ParagraphStyle("b", fontName=font, fontSize=11, leading=14, alignment=4)
    head = ParagraphStyle("h", fontName=font, fontSize=16, leading=22, alignment=1)
    link = f'<a href="mailto:{p.mail}"><u>{p.mail}</u></a>'
    story = [Paragraph(text.title, head), *(Paragraph(t.replace(p.mail, link), body) for t in text.paragraphs)]
    if text.rows:
        story.append(Table([list(row) for row in text.rows], style=[("FONTNAME", (0, 0), (-1, -1), font)]))
    story += [Paragraph(line, body) for line in text.lines]

    def foot(canvas: object, document: object) -> None:
        canvas.setFont(font, 8)  # type: ignore[attr-defined]
        canvas.drawString(60, 20, f"Confidential: {p.last}")  # type: ignore[attr-defined]
        canvas.bookmarkPage(f"p{document.page}")  # type: ignore[attr-defined]
        canvas.addOutlineEntry(f"About {p.last}", f"p{document.page}", 0)  # type: ignore[attr-defined]

    made = SimpleDocTemplate(str(out), title=text.title, author=p.last)
    made.build(story, onFirstPage=foot, onLaterPages=foot)


def reportlab_core(text: Text, p: Person, out: Path) -> None:
    """reportlab with standard fonts."""
    _reportlab(text, p, out, "Times-Roman")


def reportlab_ttf(text: Text, p: Person, out: Path) -> None:
    """reportlab with embedded TrueType."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    pdfmetrics.registerFont(TTFont("DJ", SERIF))
    _reportlab(text, p, out, "DJ")


def fpdf2(text: Text, p: Person, out: Path) -> None:
    """fpdf2 with embedded TrueType."""
    from fpdf import FPDF

    made = FPDF()
    made.set_title(text.title)
    made.add_page()
    made.add_font("L", "", LIBERATION)
    made.set_font("L", size=11)
    for t in (text.title, *text.paragraphs, *("   ".join(row) for row in text.rows), *text.lines):
        made.multi_cell(0, 6, t, align="J", new_x="LMARGIN", new_y="NEXT")
    made.output(str(out))


def cairo(text: Text, p: Person, out: Path) -> None:
    """cairo with its own subsets."""
    import cairocffi

    surface = cairocffi.PDFSurface(str(out), 595, 842)
    context = cairocffi.Context(surface)
    context.select_font_face("DejaVu Serif")
    context.set_font_size(10)
    y = 60
    for t in (text.title, *text.paragraphs, *("   ".join(row) for row in text.rows), *text.lines):
        for line in textwrap.wrap(t, 85):
            if y > 790:
                context.show_page()
                y = 60
            context.move_to(50, y)
            context.show_text(line)
            y += 14
    surface.finish()


def groff(text: Text, p: Person, out: Path) -> None:
    """groff with its own PDF device."""
    source = out.with_suffix(".ms")
    rows = ["\n.br\n".join("   ".join(row) for row in text.rows)] * bool(text.rows)
    blocks = [*text.paragraphs, *rows, "\n.br\n".join(text.lines)]
    source.write_text(f".TL\n{text.title}\n" + "".join(f".LP\n{b}\n" for b in blocks if b), "utf-8")
    with out.open("wb") as held:
        command = ["groff", "-Kutf8", "-Tpdf", "-ms", str(source)]
        subprocess.run(command, stdout=held, stderr=subprocess.DEVNULL, check=True, timeout=120)


def pdflatex(text: Text, p: Person, out: Path) -> None:
    """TeX with Type 1 fonts."""

    def plain(t: str) -> str:
        for char in "&%$#_{}":
            t = t.replace(char, "\\" + char)
        return t

    rows = "".join(" & ".join(map(plain, row)) + r" \\ \hline " for row in text.rows)
    table = rf"\begin{{tabular}}{{|l|l|l|l|}}\hline {rows}\end{{tabular}}" if rows else ""
    source = out.with_suffix(".tex")
    source.write_text(
        r"\documentclass[a4paper,11pt]{article}\usepackage[utf8]{inputenc}\begin{document}"
        rf"\section*{{{plain(text.title)}}}" + "\n\n".join(map(plain, text.paragraphs)) + f"\n\n{table}\n\n"
        + "\n\n".join(map(plain, text.lines)) + r"\end{document}",
        "utf-8",
    )  # fmt: skip
    _run("pdflatex", "-interaction=batchmode", source.name, cwd=out.parent)


PRODUCERS: dict[str, Callable[[Text, Person, Path], None]] = {
    f.__name__: f
    for f in (
        chromium, weasyprint, wkhtmltopdf, libreoffice, libreoffice_a, ghostscript, linearized, reportlab_core,
        reportlab_ttf, fpdf2, cairo, groff, pdflatex,
    )
}  # fmt: skip


def make(folder: Path) -> list[tuple[Path, Person]]:
    """Make all documents that are not there yet; return the files with the person each is about."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for name, producer in PRODUCERS.items():
        for person, kind in zip(PEOPLE, texts(PEOPLE[0]), strict=True):
            out = folder.resolve() / f"{name}-{kind}.pdf"
            if not out.exists():
                try:
                    producer(texts(person)[kind], person, out)
                except Exception as error:  # not installed, or it cannot set these letters
                    print(f"{out.name}: not made ({type(error).__name__})")
                    continue
            found.append((out, person))
    return found
