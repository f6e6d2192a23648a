"""Write the office files and the mail of examples/: a letter, a table of visits, a mail that carries the letter.

Everything in them is invented. The files are the same whenever they are written.
"""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
OFFICE = "http://schemas.openxmlformats.org"
RELATIONS = f"{OFFICE}/officeDocument/2006/relationships"
KIND = "application/vnd.openxmlformats-officedocument."
LETTER = [
    "Harbor View Clinic, 18 Quay Street, Portland, Maine",
    "14 March 2019",
    "Re: Mr. Thomas Abernathy, born 3 May 1971, MRN 4471902",
    "Dear Dr. Whitcomb,",
    "Thank you for seeing Mr. Abernathy, who teaches chemistry at Deering High School. He was treated for pneumocystis "
    "pneumonia in January; his CD4 count is 180 and he has started antiretroviral therapy.",
    "Please write to him at tom.abernathy@example.org or call (207) 555-0142.",
    "Yours sincerely,",
    "Helen Marsh, MD",
]
VISITS = [
    ("Name", "Date of birth", "Phone", "Visits", "Last visit"),
    ("Thomas Abernathy", 26056, "(207) 555-0142", 4, 43538),
    ("Rosa Delgado", 29847, "(207) 555-0178", 2, 43541),
    ("Fox", 24000, "(207) 555-0119", 7, 43545),
]


def pack(entries: dict[str, str]) -> bytes:
    """Return an archive without dates."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), XML + content)
    return out.getvalue()


def relations(*rows: tuple[str, str]) -> str:
    """Return relationships (kind, target), numbered."""
    inner = "".join(
        f'<Relationship Id="rId{n}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(rows, 1)
    )
    return f'<Relationships xmlns="{OFFICE}/package/2006/relationships">{inner}</Relationships>'


def types(parts: dict[str, str]) -> str:
    """Return the types of parts."""
    rows = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    rows += "".join(f'<Override PartName="/{n}" ContentType="{KIND}{t}+xml"/>' for n, t in parts.items())
    return f'<Types xmlns="{OFFICE}/package/2006/content-types">{rows}</Types>'


def letter() -> bytes:
    """A Word letter with a header, a tracked change and a comment."""
    space = f'xmlns:w="{OFFICE}/wordprocessingml/2006/main" xmlns:r="{RELATIONS}"'
    who = 'w:id="1" w:author="Helen Marsh" w:date="2019-03-14T09:00:00Z"'
    body = "".join(f'<w:p><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>' for text in LETTER)
    body = body.replace(
        "Mr. Abernathy, who", 'Mr. Aber</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">nathy, who'
    )
    change = (
        f"<w:p><w:del {who}><w:r><w:delText>His husband Peter will come along.</w:delText></w:r></w:del>"
        '<w:commentRangeStart w:id="0"/><w:r><w:t>cc: file</w:t></w:r><w:commentRangeEnd w:id="0"/>'
        '<w:r><w:commentReference w:id="0"/></w:r></w:p>'
    )
    remark = (
        f"<w:comment {who.replace('1', '0', 1)}><w:p><w:r><w:t>Abernathy called twice.</w:t></w:r></w:p></w:comment>"
    )
    return pack(
        {
            "[Content_Types].xml": types(
                {f"word/{n}.xml": f"wordprocessingml.{t}" for n, t in (
                    ("document", "document.main"), ("header1", "header"), ("comments", "comments"))}
            ),
            "_rels/.rels": relations(("officeDocument", "word/document.xml")),
            "word/document.xml": f'<w:document {space}><w:body>{body}{change}<w:sectPr><w:headerReference w:type="default" '
            'r:id="rId1"/></w:sectPr></w:body></w:document>',
            "word/_rels/document.xml.rels": relations(("header", "header1.xml"), ("comments", "comments.xml")),
            "word/header1.xml": f"<w:hdr {space}><w:p><w:r><w:t>Confidential: Abernathy, Thomas</w:t></w:r></w:p></w:hdr>",
            "word/comments.xml": f"<w:comments {space}>{remark}</w:comments>",
        }
    )  # fmt: skip


def visits() -> bytes:
    """An Excel table of visits, with dates that are numbers and a sum that is a formula."""
    space = f'xmlns="{OFFICE}/spreadsheetml/2006/main" xmlns:r="{RELATIONS}"'
    rows = []
    for number, row in enumerate(VISITS, 1):
        cells = ""
        for letter_, value in zip("ABCDE", row, strict=True):
            style = ' s="1"' if letter_ in "BE" and number > 1 else ""
            text = f't="inlineStr"><is><t>{value}</t></is>' if isinstance(value, str) else f"><v>{value}</v>"
            cells += f'<c r="{letter_}{number}"{style} {text}</c>'.replace(" >", ">")
        rows.append(f'<row r="{number}">{cells}</row>')
    rows.append('<row r="5"><c r="D5"><f>SUM(D2:D4)</f><v>13</v></c></row>')
    return pack(
        {
            "[Content_Types].xml": types(
                {f"xl/{n}.xml": f"spreadsheetml.{t}" for n, t in (
                    ("workbook", "sheet.main"), ("worksheets/sheet1", "worksheet"), ("styles", "styles"))}
            ),
            "_rels/.rels": relations(("officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f'<workbook {space}><sheets><sheet name="Visits" sheetId="1" r:id="rId1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml")),
            "xl/styles.xml": f'<styleSheet {space}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>'
            '<fonts count="1"><font><name val="Arial"/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/>'
            '</borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="164" '
            'applyNumberFormat="1"/></cellXfs></styleSheet>',
            "xl/worksheets/sheet1.xml": f"<worksheet {space}><sheetData>{''.join(rows)}</sheetData></worksheet>",
        }
    )  # fmt: skip


def mail() -> bytes:
    """A mail in plain text and HTML that carries the letter."""
    message = EmailMessage()
    message["From"] = "Helen Marsh <helen.marsh@harborview.example>"
    message["To"] = "George Whitcomb <g.whitcomb@example.org>"
    message["Subject"] = "Referral of Thomas Abernathy"
    message["Date"] = "Thu, 14 Mar 2019 09:12:00 -0400"
    message["Message-ID"] = "<4471902@harborview.example>"
    text = "Dear George,\n\nattached is my letter on Tom Abernathy. His number is (207) 555-0142.\n\nHelen\n"
    message.set_content(text)
    inner = "".join(f"<p>{line}</p>" for line in text.split("\n\n"))
    message.add_alternative(f"<html><body>{inner}<!-- Abernathy --></body></html>", subtype="html")
    kind = "vnd.openxmlformats-officedocument.wordprocessingml.document"
    message.add_attachment(letter(), maintype="application", subtype=kind, filename="Abernathy referral.docx")
    # Fixed boundaries: the file is the same whenever it is written.
    message.set_boundary("=_outer")
    message.get_payload()[0].set_boundary("=_inner")  # type: ignore[union-attr]
    return bytes(message)


def main() -> None:
    """Write the three files."""
    for name, data in (("referral.docx", letter()), ("visits.xlsx", visits()), ("message.eml", mail())):
        (EXAMPLES / name).write_bytes(data)
        print(name, len(data))


if __name__ == "__main__":
    main()
