"""Files with one person's name in every place that their format has for text, written from nothing.

`Person` gives the name; two persons make two files that differ in it only. The name stands whole, split over runs,
in attributes, in names of parts and entries, in properties, in pictures, and in what readers never show.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass

XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
RELS = OFFICE + "/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "r": RELS,
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
        "xdr": "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing",
    }.items()
)
W = f'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" {SPACES}'
S = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" {SPACES}'
P = f'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" {SPACES}'
MAIN = "application/vnd.openxmlformats-officedocument."


@dataclass(frozen=True)
class Person:
    """A name to hide, in the forms that files hold it in."""

    first: str
    start: str  # of the surname
    rest: str
    address: str

    @property
    def name(self) -> str:
        return self.start + self.rest

    @property
    def forms(self) -> tuple[str, ...]:
        return (self.address, f"{self.first} {self.name}", self.name, self.first)


ZEBULON = Person("Zebulon", "Quill", "feather", "zeb.quill@example.org")
TWIN = Person("Ann", "Vandersl", "ootenkamp", "annie@mail.example.com")


def pack(entries: dict[str, str | bytes], *, comment: str = "", stored: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = comment.encode()
        for name, content in entries.items():
            data = content if isinstance(content, bytes) else content.encode()
            archive.writestr(name, data, zipfile.ZIP_STORED if name == stored else zipfile.ZIP_DEFLATED)
    return out.getvalue()


def png(comment: str) -> bytes:
    """A red point with a remark in it."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\xff\0\0")
    remark = b"Author\0" + comment.encode()
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (chunk(b"IHDR", head), chunk(b"tEXt", remark), chunk(b"IDAT", pixels), chunk(b"IEND", b""))
    )


def relations(*rows: tuple[str, str, str]) -> str:
    """Relationships: (id, kind or full type, target); a target with a scheme is outside."""
    out = []
    for key, kind, target in rows:
        outside = ' TargetMode="External"' if ":" in target else ""
        full = kind if kind.startswith("http") else f"{RELS}/{kind}"
        out.append(f'<Relationship Id="{key}" Type="{full}" Target="{target}"{outside}/>')
    return f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{"".join(out)}</Relationships>'


def types(overrides: dict[str, str]) -> str:
    defaults = {"rels": "application/vnd.openxmlformats-package.relationships+xml", "xml": "application/xml",
                "png": "image/png", "bin": "application/octet-stream", "vml": "application/vml"}  # fmt: skip
    rows = [f'<Default Extension="{e}" ContentType="{t}"/>' for e, t in defaults.items()]
    rows += [f'<Override PartName="/{n}" ContentType="{MAIN}{t}+xml"/>' for n, t in overrides.items()]
    return f'{XML}<Types xmlns="{PACKAGE}/content-types">{"".join(rows)}</Types>'


def properties(who: Person) -> dict[str, str | bytes]:
    n = who.name
    core = (
        f'<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>On {n}</dc:title><dc:creator>{n}</dc:creator><dc:subject>{n}</dc:subject>"
        f"<cp:keywords>{n}</cp:keywords><cp:lastModifiedBy>{n}</cp:lastModifiedBy></cp:coreProperties>"
    )
    app = f'<Properties xmlns="{OFFICE}/extended-properties"><Company>{n}</Company><Manager>{n}</Manager></Properties>'
    custom = (
        f'<Properties xmlns="{OFFICE}/custom-properties"><property fmtid="x" pid="2" name="{n}">'
        f'<vt:lpwstr xmlns:vt="{OFFICE}/docPropsVTypes">{n}</vt:lpwstr></property></Properties>'
    )
    return {"docProps/core.xml": XML + core, "docProps/app.xml": XML + app, "docProps/custom.xml": XML + custom,
            "docProps/thumbnail.png": png(n)}  # fmt: skip


def root_relations(main: str) -> str:
    return relations(
        ("r1", "officeDocument", main),
        ("r2", f"{PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
        ("r3", "extended-properties", "docProps/app.xml"),
        ("r4", "custom-properties", "docProps/custom.xml"),
        ("r5", f"{PACKAGE}/relationships/metadata/thumbnail", "docProps/thumbnail.png"),
    )


def chart(who: Person, sheet: str = "Sheet1") -> str:
    n = who.name
    return (
        f"{XML}<c:chartSpace {SPACES}><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>Visits of {who.start}</a:t></a:r>"
        f"<a:r><a:t>{who.rest}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:layout/><c:barChart>"
        f'<c:barDir val="col"/><c:ser><c:idx val="0"/><c:order val="0"/><c:tx><c:strRef><c:f>\'{sheet}\'!$B$1</c:f><c:strCache>'
        f'<c:ptCount val="1"/><c:pt idx="0"><c:v>Series {n}</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef>'
        f'<c:f>\'{sheet}\'!$A$2:$A$2</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>{n}</c:v></c:pt></c:strCache>'
        f"</c:strRef></c:cat><c:val><c:numRef><c:f>'{sheet}'!$B$2:$B$2</c:f><c:numCache><c:formatCode>General</c:formatCode>"
        '<c:ptCount val="1"/><c:pt idx="0"><c:v>3</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>'
        '<c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling/><c:delete val="0"/>'
        '<c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:delete val="0"/>'
        '<c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart>'
        f'<c:externalData r:id="rIdBook"/></c:chartSpace>'
    )


# Word


def run(text: str, extra: str = "") -> str:
    return f'<w:r w:rsidR="00A77B3C">{extra}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(inner: str) -> str:
    return f"<w:p>{inner}</w:p>"


def text_box(who: Person) -> str:
    n, inner = who.name, paragraph(run(f"Box on {who.name}."))
    shape = (
        f'<w:drawing><wp:inline><wp:extent cx="2000000" cy="600000"/><wp:docPr id="7" name="Box {n}" descr="Box about {n}" '
        f'title="{n}"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">'
        '<wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2000000" cy="600000"/></a:xfrm>'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx><w:txbxContent>{inner}</w:txbxContent></wps:txbx>'
        "<wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing>"
    )
    old = (
        f'<w:pict><v:shape id="{n}" style="width:150pt;height:40pt" alt="alt {n}" o:title="{n}"><v:textbox>'
        f"<w:txbxContent>{inner}</w:txbxContent></v:textbox></v:shape></w:pict>"
    )
    return (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps">{shape}</mc:Choice><mc:Fallback>{old}</mc:Fallback>'
        "</mc:AlternateContent></w:r>"
    )


def inline_object(who: Person, uri: str, content: str) -> str:
    n = who.name
    return paragraph(
        f'<w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="9" name="{n}" descr="Picture of {n}">'
        f'<a:hlinkClick r:id="rIdMail" tooltip="Go to {n}"/></wp:docPr><a:graphic><a:graphicData uri="{uri}">{content}'
        "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )


def docx_body(who: Person) -> str:
    n, first = who.name, who.first
    when = 'w:date="2024-01-01T00:00:00Z"'
    picture = inline_object(
        who,
        "http://schemas.openxmlformats.org/drawingml/2006/picture",
        f'<pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="{n}.png" descr="{n}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>'
        '<a:blip r:embed="rIdImg"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/>'
        '<a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>',
    )
    graph = inline_object(who, "http://schemas.openxmlformats.org/drawingml/2006/chart", '<c:chart r:id="rIdChart"/>')
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="{0}"/></w:ffData></w:fldChar></w:r>'
        '<w:r><w:instrText xml:space="preserve"> HYPERLINK "mailto:{1}" \\o "{0}" </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        + run("by field {0}")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    ).format(n, who.address)
    return "".join(
        (
            paragraph(
                run(f"On 14 March 2019 Dr {first} ") + run(who.start, "<w:rPr><w:b/></w:rPr>") + "<w:proofErr/>"
                + run(who.rest, "<w:rPr><w:i/></w:rPr>") + run(", a lecturer, was admitted.")
            ),
            paragraph(
                f'<w:ins w:id="1" w:author="{n}" {when}>{run(f"Inserted note on {n}.")}</w:ins>'
                f'<w:del w:id="2" w:author="{n}" {when}><w:r><w:delText>Deleted words on {n}.</w:delText></w:r></w:del>'
            ),
            paragraph(
                f'<w:moveFrom w:id="3" w:author="x" {when}>{run(f"Moved {n}.")}</w:moveFrom>'
                f'<w:moveTo w:id="4" w:author="x" {when}>{run(f"Moved {n}.")}</w:moveTo>'
            ),
            paragraph(f'<w:hyperlink r:id="rIdMail" w:tooltip="Write to {n}">{run("Write to him")}</w:hyperlink>'),
            paragraph(f'<w:hyperlink w:anchor="to_{n}">{run("See above")}</w:hyperlink>'),
            paragraph(field),
            paragraph(f'<w:fldSimple w:instr=" AUTHOR {n} ">{run(n)}</w:fldSimple>'),
            paragraph(
                f'<w:commentRangeStart w:id="0"/>{run("A passage with a remark.")}<w:commentRangeEnd w:id="0"/>'
                '<w:r><w:commentReference w:id="0"/></w:r><w:r><w:footnoteReference w:id="2"/></w:r>'
                '<w:r><w:endnoteReference w:id="2"/></w:r>'
            ),
            f'<w:sdt><w:sdtPr><w:alias w:val="{n}"/><w:tag w:val="{n}"/><w:dropDownList><w:listItem w:displayText="{n}" '
            f'w:value="{n}"/></w:dropDownList></w:sdtPr><w:sdtContent>{paragraph(run(f"Control: {n}."))}</w:sdtContent></w:sdt>',
            f'<w:customXml w:element="{n}"><w:customXmlPr><w:attr w:name="a" w:val="{n}"/></w:customXmlPr>'
            f'{paragraph(run(f"Tagged {n}."))}</w:customXml>',
            paragraph(run("Before the box ") + text_box(who) + run(" after the box")),
            paragraph(f'<w:bookmarkStart w:id="5" w:name="to_{n}"/>{run("Marked")}<w:bookmarkEnd w:id="5"/>'),
            paragraph(run(f"hidden {n}", "<w:rPr><w:vanish/></w:rPr>") + run(" seen again")),
            paragraph(
                run(f"and {who.start}") + "<w:r><w:softHyphen/></w:r>" + run(f"{who.rest}, and {first}")
                + "<w:r><w:tab/></w:r>" + run(n)
            ),
            paragraph("<w:r>" + "".join(f'<w:sym w:font="Symbol" w:char="F0{ord(c):02X}"/>' for c in n) + "</w:r>"),
            f'<w:tbl><w:tblPr><w:tblStyle w:val="{n}Table"/><w:tblCaption w:val="Table of {n}"/>'
            f'<w:tblDescription w:val="About {n}"/></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/>'
            f'</w:tblGrid><w:tr><w:tc><w:tcPr/>{paragraph(run("Name"))}</w:tc><w:tc><w:tcPr/>{paragraph(run("Role"))}</w:tc></w:tr>'
            f'<w:tr><w:tc><w:tcPr/>{paragraph(run(f"{first} {n}"))}</w:tc><w:tc><w:tcPr/>{paragraph(run("Lecturer"))}</w:tc></w:tr></w:tbl>',
            paragraph(
                f'<w:pPr><w:pStyle w:val="{n}Style"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'
                f'<w:r><w:rPr><w:rPrChange w:id="9" w:author="{n}" {when}><w:rPr/></w:rPrChange></w:rPr><w:t>Formatted.</w:t></w:r>'
            ),
            paragraph(
                f'<w:r><w:pict><v:shape style="width:9pt;height:9pt"><v:textpath string="Art {n}"/></v:shape></w:pict></w:r>'
            ),
            paragraph(
                f'<w:r><w:object><v:shape style="width:9pt;height:9pt"/><o:OLEObject Type="Embed" ProgID="{n}" '
                'r:id="rIdOle"/></w:object></w:r>'
            ),
            '<w:altChunk r:id="rIdChunk"/>',
            picture,
            graph,
            '<w:sectPr><w:headerReference w:type="default" r:id="rIdH"/><w:footerReference w:type="default" r:id="rIdF"/>'
            '<w:pgSz w:w="11906" w:h="16838"/></w:sectPr>',
        )
    )  # fmt: skip


def docx(who: Person) -> bytes:
    n = who.name

    def notes(word: str) -> str:
        rules = "".join(
            f'<w:{word} w:type="{kind}" w:id="{at}">{paragraph(f"<w:r><w:{kind}/></w:r>")}</w:{word}>'
            for at, kind in enumerate(("separator", "continuationSeparator"))
        )
        return f'{rules}<w:{word} w:id="2">{paragraph(run(f"{word} on {n}."))}</w:{word}>'

    entries: dict[str, str | bytes] = {
        "[Content_Types].xml": types(
            {f"word/{part}.xml": f"wordprocessingml.{kind}" for part, kind in (
                ("document", "document.main"), (f"header_{n}", "header"), ("footer1", "footer"), ("footnotes", "footnotes"),
                ("endnotes", "endnotes"), ("comments", "comments"), ("settings", "settings"), ("styles", "styles"),
                ("numbering", "numbering"), ("glossary/document", "document.glossary"))}
            | {"word/charts/chart1.xml": "drawingml.chart", "word/theme/theme1.xml": "theme"}
        ),
        "_rels/.rels": root_relations("word/document.xml"),
        "word/document.xml": f'{XML}<w:document {W} mc:Ignorable="w14"><w:body>{docx_body(who)}</w:body></w:document>',
        "word/_rels/document.xml.rels": relations(
            ("rIdH", "header", f"header_{n}.xml"), ("rIdF", "footer", "footer1.xml"), ("rIdFn", "footnotes", "footnotes.xml"),
            ("rIdEn", "endnotes", "endnotes.xml"), ("rIdC", "comments", "comments.xml"), ("rIdS", "settings", "settings.xml"),
            ("rIdSt", "styles", "styles.xml"), ("rIdN", "numbering", "numbering.xml"), ("rIdT", "theme", "theme/theme1.xml"),
            ("rIdG", "glossaryDocument", "glossary/document.xml"), ("rIdX", "customXml", "../customXml/item1.xml"),
            ("rIdImg", "image", f"media/{n}.png"), ("rIdOle", "oleObject", "embeddings/object1.bin"),
            ("rIdChunk", "aFChunk", "chunk.html"), ("rIdChart", "chart", "charts/chart1.xml"),
            ("rIdMail", "hyperlink", f"mailto:{who.address}?subject={n}"),
        ),
        f"word/header_{n}.xml": f"{XML}<w:hdr {W}>{paragraph(run(f'File of {who.first} ') + run(n))}</w:hdr>",
        "word/footer1.xml": f"{XML}<w:ftr {W}>{paragraph(run(f'Footer {n}'))}</w:ftr>",
        "word/footnotes.xml": f"{XML}<w:footnotes {W}>{notes('footnote')}</w:footnotes>",
        "word/endnotes.xml": f"{XML}<w:endnotes {W}>{notes('endnote')}</w:endnotes>",
        "word/comments.xml": f'{XML}<w:comments {W}><w:comment w:id="0" w:author="{n}" w:initials="{n}">'
        f"{paragraph(run(f'Remark on {n}.'))}</w:comment></w:comments>",
        "word/settings.xml": f'{XML}<w:settings {W}><w:attachedTemplate r:id="rIdT"/><w:docVars><w:docVar w:name="{n}" '
        f'w:val="{n}"/></w:docVars></w:settings>',
        "word/_rels/settings.xml.rels": relations(("rIdT", "attachedTemplate", f"file:///C:/Users/{n}/letter.dotx")),
        "word/styles.xml": f'{XML}<w:styles {W}><w:style w:type="paragraph" w:styleId="{n}Style"><w:name w:val="Style of {n}"/>'
        f'<w:aliases w:val="{n}"/></w:style><w:style w:type="table" w:styleId="{n}Table"><w:name w:val="{n}"/></w:style></w:styles>',
        "word/numbering.xml": f'{XML}<w:numbering {W}><w:abstractNum w:abstractNumId="0"><w:name w:val="{n}"/><w:lvl w:ilvl="0">'
        f'<w:numFmt w:val="decimal"/><w:lvlText w:val="{n} %1."/></w:lvl></w:abstractNum><w:num w:numId="1">'
        '<w:abstractNumId w:val="0"/></w:num></w:numbering>',
        "word/theme/theme1.xml": f'{XML}<a:theme {SPACES} name="{n}"><a:themeElements/></a:theme>',
        "word/glossary/document.xml": f"{XML}<w:glossaryDocument {W}><w:docParts>{n}</w:docParts></w:glossaryDocument>",
        "word/charts/chart1.xml": chart(who),
        "word/charts/_rels/chart1.xml.rels": relations(("rIdBook", "package", "../embeddings/book.xlsx")),
        "word/embeddings/book.xlsx": pack({f"{n}.xml": f"<x>{n}</x>"}),
        "word/embeddings/object1.bin": n.encode("utf-16-le"),
        "word/chunk.html": f"<p>{n}</p>",
        "customXml/item1.xml": f"<x><name>{n}</name></x>",
        f"word/media/{n}.png": png(n),
        **properties(who),
    }  # fmt: skip
    return pack(entries, comment=f"by {n}")


# Excel


def xlsx(who: Person) -> bytes:
    n, sheet = who.name, f"{who.name} data"

    def text(reference: str, index: int) -> str:
        return f'<c r="{reference}" t="s"><v>{index}</v></c>'

    shared = [f"<t>{head}</t>" for head in ("Name", "Born", "Visits", "Note")]
    shared += [f"<t>{who.first} {n}</t>", f"<r><t>see {who.start}</t></r><r><rPr><b/></rPr><t>{who.rest}</t></r>",
               f"<t>_x{ord(n[0]):04X}_{n[1:]}</t>", "<t>Other</t>"]  # fmt: skip
    strings = "".join(f"<si>{s}<rPh sb='0' eb='1'><t>{n}</t></rPh></si>" for s in shared)
    rows = [
        "".join(text(f"{letter}1", at) for at, letter in enumerate("ABCD")),
        f'{text("A2", 4)}<c r="B2" s="1"><v>26000.25</v></c><c r="C2" s="3"><v>3.14159</v></c>{text("D2", 5)}'
        f'<c r="E2" t="str"><f>CONCATENATE("{n}"," x")</f><v>{n} x</v></c><c r="F2" s="4"><v>5</v></c>',
        f'{text("A3", 6)}<c r="B3" s="2"><v>26000</v></c><c r="C3"><f>SUM(\'{sheet}\'!C2:C2)</f><v>7</v></c>'
        f'<c r="D3" t="inlineStr"><is><t>inline {n}</t></is></c>',
        f'{text("A4", 7)}<c r="C4" t="b"><v>1</v></c>',
    ]
    body = "".join(f'<row r="{at}">{row}</row>' for at, row in enumerate(rows, 1))
    worksheet = (
        f'{XML}<worksheet {S}><sheetPr codeName="{n}"/><sheetData>{body}</sheetData><sheetProtection password="AAAA"/>'
        f'<scenarios><scenario name="{n}" user="{n}" comment="{n}"/></scenarios>'
        f'<autoFilter ref="A1:D4"><filterColumn colId="0"><filters><filter val="{n}"/></filters></filterColumn></autoFilter>'
        f'<customSheetViews><customSheetView guid="x"><oddHeader>{n}</oddHeader></customSheetView></customSheetViews>'
        f'<conditionalFormatting sqref="A2"><cfRule type="containsText" text="{n}" priority="1"><formula>"{n}"</formula></cfRule>'
        f'</conditionalFormatting><dataValidations count="1"><dataValidation type="list" prompt="{n}" error="{n}" sqref="E2">'
        f'<formula1>"{n},Other"</formula1></dataValidation></dataValidations>'
        f'<hyperlinks><hyperlink ref="A4" r:id="rIdMail" tooltip="Write to {n}" display="{n}"/>'
        f'<hyperlink ref="A3" location="\'{sheet}\'!A1"/></hyperlinks>'
        f'<headerFooter><oddHeader>&amp;L&amp;"Arial"&amp;12Header {n}&amp;RPage &amp;P</oddHeader><oddFooter>&amp;C{n}</oddFooter>'
        '</headerFooter><drawing r:id="rIdD"/><legacyDrawing r:id="rIdV"/><tableParts count="1"><tablePart r:id="rIdT"/>'
        "</tableParts></worksheet>"
    )
    drawing = (
        f"{XML}<xdr:wsDr {SPACES}><xdr:twoCellAnchor><xdr:from><xdr:col>6</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>1</xdr:row>"
        "<xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>9</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>9</xdr:row>"
        f'<xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:sp macro="{n}" textlink="{n}"><xdr:nvSpPr><xdr:cNvPr id="2" name="{n}" '
        f'descr="{n}" title="{n}"/><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></a:xfrm>'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr><xdr:txBody><a:bodyPr/><a:p><a:r><a:t>Shape {n}</a:t></a:r></a:p>'
        "</xdr:txBody></xdr:sp><xdr:clientData/></xdr:twoCellAnchor>"
        "<xdr:twoCellAnchor><xdr:from><xdr:col>6</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>10</xdr:row><xdr:rowOff>0</xdr:rowOff>"
        "</xdr:from><xdr:to><xdr:col>9</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>19</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>"
        f'<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="3" name="{n}"/><xdr:cNvGraphicFramePr/>'
        '</xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></xdr:xfrm><a:graphic><a:graphicData '
        'uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart r:id="rIdC"/></a:graphicData></a:graphic>'
        "</xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>"
    )
    table = (
        f'{XML}<table {S} id="1" name="{n}" displayName="{n}" ref="A1:D4" comment="{n}"><autoFilter ref="A1:D4"/>'
        '<tableColumns count="4">'
        + "".join(f'<tableColumn id="{at}" name="{head}" totalsRowLabel="{n}"><calculatedColumnFormula>"{n}"'
                  "</calculatedColumnFormula></tableColumn>" for at, head in enumerate(("Name", "Born", "Visits", "Note"), 1))
        + f'</tableColumns><tableStyleInfo name="{n}"/></table>'
    )  # fmt: skip
    styles = (
        f'{XML}<styleSheet {S}><numFmts count="2"><numFmt numFmtId="164" formatCode="d\\ mmmm\\ yyyy"/>'
        f'<numFmt numFmtId="165" formatCode="&quot;{n}&quot;\\ 0"/></numFmts><fonts count="1"><font><name val="Arial"/></font></fonts>'
        '<fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders>'
        '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="17"/>'
        '<xf numFmtId="2"/><xf numFmtId="165"/></cellXfs>'
        f'<cellStyles count="1"><cellStyle name="{n}" xfId="0"/></cellStyles></styleSheet>'
    )
    workbook = (
        f'{XML}<workbook {S}><workbookPr codeName="{n}"/><sheets><sheet name="{sheet}" sheetId="1" r:id="rId1"/>'
        f'<sheet name="Hidden" sheetId="2" state="veryHidden" r:id="rId2"/></sheets><externalReferences>'
        f'<externalReference r:id="rIdE"/></externalReferences><definedNames><definedName name="{n}" comment="{n}">'
        f'\'{sheet}\'!$A$2</definedName></definedNames><pivotCaches><pivotCache cacheId="1" r:id="rIdP"/></pivotCaches></workbook>'
    )
    entries: dict[str, str | bytes] = {
        "[Content_Types].xml": types(
            {f"xl/{part}.xml": f"spreadsheetml.{kind}" for part, kind in (
                ("workbook", "sheet.main"), ("worksheets/sheet1", "worksheet"), (f"worksheets/{n}", "worksheet"),
                ("styles", "styles"), ("sharedStrings", "sharedStrings"), ("tables/table1", "table"), ("comments1", "comments"),
                ("pivotCache/def", "pivotCacheDefinition"), ("externalLinks/link1", "externalLink"))}
            | {"xl/drawings/drawing1.xml": "drawing", "xl/charts/chart1.xml": "drawingml.chart"}
        ),
        "_rels/.rels": root_relations("xl/workbook.xml"),
        "xl/workbook.xml": workbook,
        "xl/_rels/workbook.xml.rels": relations(
            ("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId2", "worksheet", f"worksheets/{n}.xml"),
            ("rIdS", "styles", "styles.xml"), ("rIdX", "sharedStrings", "sharedStrings.xml"),
            ("rIdP", "pivotCacheDefinition", "pivotCache/def.xml"), ("rIdE", "externalLink", "externalLinks/link1.xml"),
        ),
        "xl/worksheets/sheet1.xml": worksheet,
        "xl/worksheets/_rels/sheet1.xml.rels": relations(
            ("rIdMail", "hyperlink", f"mailto:{who.address}?subject={n}"), ("rIdD", "drawing", "../drawings/drawing1.xml"),
            ("rIdV", "vmlDrawing", "../drawings/vml.vml"), ("rIdT", "table", "../tables/table1.xml"),
            ("rIdC", "comments", "../comments1.xml"),
        ),
        f"xl/worksheets/{n}.xml": f'{XML}<worksheet {S}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>{n}</t></is></c></row>'
        "</sheetData></worksheet>",
        "xl/sharedStrings.xml": f"{XML}<sst {S}>{strings}</sst>",
        "xl/styles.xml": styles,
        "xl/tables/table1.xml": table,
        "xl/drawings/drawing1.xml": drawing,
        "xl/drawings/_rels/drawing1.xml.rels": relations(("rIdC", "chart", "../charts/chart1.xml")),
        "xl/drawings/vml.vml": f"<xml>{n}</xml>",
        "xl/charts/chart1.xml": chart(who, sheet),
        "xl/comments1.xml": f"{XML}<comments {S}><authors><author>{n}</author></authors><commentList><comment ref='A2' authorId='0'>"
        f"<text><t>{n}</t></text></comment></commentList></comments>",
        "xl/pivotCache/def.xml": f'{XML}<pivotCacheDefinition {S} refreshedBy="{n}"><cacheFields><cacheField name="{n}"><sharedItems>'
        f'<s v="{n}"/></sharedItems></cacheField></cacheFields></pivotCacheDefinition>',
        "xl/externalLinks/link1.xml": f"{XML}<externalLink {S}><externalBook><sheetNames><sheetName val='{n}'/></sheetNames>"
        "</externalBook></externalLink>",
        **properties(who),
    }  # fmt: skip
    return pack(entries, comment=n)


# PowerPoint


def shape(number: int, who: Person, text: str, *, placeholder: str = "") -> str:
    n = who.name
    mark = f'<p:ph type="{placeholder}"/>' if placeholder else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{n} {number}" descr="About {n}" title="{n}"/><p:cNvSpPr/><p:nvPr>{mark}</p:nvPr>'
        '</p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
        f"</a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p>{text}</a:p></p:txBody></p:sp>"
    )


def pptx(who: Person) -> bytes:
    n = who.name

    def slide(word: str, shapes: str, after: str = "") -> str:
        return (
            f'{XML}<p:{word} {P}><p:cSld name="{n}"><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name="{n}"/><p:cNvGrpSpPr/><p:nvPr/>'
            f"</p:nvGrpSpPr><p:grpSpPr/>{shapes}</p:spTree></p:cSld>{after}</p:{word}>"
        )

    def row(*cells: str) -> str:
        inner = "".join(
            f"<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>"
            for text in cells
        )
        return f'<a:tr h="300000">{inner}</a:tr>'

    frame = (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="8" name="{n}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
        '<p:xfrm><a:off x="0" y="0"/><a:ext cx="9000" cy="9000"/></p:xfrm><a:graphic><a:graphicData uri="{0}">{1}</a:graphicData>'
        "</a:graphic></p:graphicFrame>"
    )
    table = frame.format(
        "http://schemas.openxmlformats.org/drawingml/2006/table",
        '<a:tbl><a:tblPr firstRow="1"/><a:tblGrid><a:gridCol w="3000"/><a:gridCol w="3000"/></a:tblGrid>'
        f"{row('Name', 'Note')}{row(f'{who.first} {n}', 'Visit')}</a:tbl>",
    )
    graph = frame.format("http://schemas.openxmlformats.org/drawingml/2006/chart", '<c:chart r:id="rIdC"/>')
    picture = (
        f'<p:pic><p:nvPicPr><p:cNvPr id="9" name="{n}.png" descr="Portrait of {n}"><a:hlinkClick r:id="rIdMail" tooltip="To {n}"/>'
        '</p:cNvPr><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rIdImg"/><a:stretch><a:fillRect/></a:stretch>'
        '</p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
        "</a:prstGeom></p:spPr></p:pic>"
    )
    split = f"<a:r><a:t>Case of {who.start}</a:t></a:r><a:r><a:rPr b='1'/><a:t>{who.rest}</a:t></a:r><a:br/><a:r><a:t>2019</a:t></a:r>"
    plain = f"<a:r><a:t>{n} was admitted.</a:t></a:r>"
    linked = f'<a:r><a:rPr><a:hlinkClick r:id="rIdMail" tooltip="Write to {n}"/></a:rPr><a:t>Write</a:t></a:r><a:fld type="datetime"><a:t>{n}</a:t></a:fld>'
    timing = f'<p:timing><p:tnLst><p:par><p:cTn id="1"><p:childTnLst><p:cmd cmd="{n}"/></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>'
    names = [("presentation", "presentation.main"), ("slides/slide1", "slide"), (f"slides/{n}", "slide"),
             ("slideLayouts/layout1", "slideLayout"), ("slideMasters/master1", "slideMaster"), ("notesSlides/n1", "notesSlide"),
             ("notesMasters/m1", "notesMaster"), ("comments/c1", "comments"), ("commentAuthors", "commentAuthors"),
             ("tags/tag1", "tags")]  # fmt: skip
    entries: dict[str, str | bytes] = {
        "[Content_Types].xml": types(
            {f"ppt/{part}.xml": f"presentationml.{kind}" for part, kind in names}
            | {"ppt/theme/theme1.xml": "theme", "ppt/theme/theme2.xml": "theme", "ppt/charts/chart1.xml": "drawingml.chart"}
        ),
        "_rels/.rels": root_relations("ppt/presentation.xml"),
        "ppt/presentation.xml": f'{XML}<p:presentation {P}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rIdM"/></p:sldMasterIdLst>'
        '<p:notesMasterIdLst><p:notesMasterId r:id="rIdN"/></p:notesMasterIdLst>'
        '<p:sldIdLst><p:sldId id="256" r:id="rId1"/><p:sldId id="257" r:id="rId2"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/>'
        f'<p:notesSz cx="6858000" cy="9144000"/><p:custShowLst><p:custShow name="{n}" id="0"/></p:custShowLst>'
        f'<p:extLst><p:ext uri="x"><x name="{n}">{n}</x></p:ext></p:extLst></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(
            ("rIdM", "slideMaster", "slideMasters/master1.xml"), ("rId1", "slide", "slides/slide1.xml"),
            ("rId2", "slide", f"slides/{n}.xml"), ("rIdN", "notesMaster", "notesMasters/m1.xml"),
            ("rIdA", "commentAuthors", "commentAuthors.xml"), ("rIdTh", "theme", "theme/theme1.xml"),
        ),
        "ppt/slides/slide1.xml": slide("sld", shape(2, who, split) + shape(3, who, linked) + table + graph + picture, timing),
        "ppt/slides/_rels/slide1.xml.rels": relations(
            ("rIdL", "slideLayout", "../slideLayouts/layout1.xml"), ("rIdNo", "notesSlide", "../notesSlides/n1.xml"),
            ("rIdC", "chart", "../charts/chart1.xml"), ("rIdImg", "image", f"../media/{n}.png"), ("rIdCo", "comments", "../comments/c1.xml"),
            ("rIdTag", "tags", "../tags/tag1.xml"), ("rIdMail", "hyperlink", f"mailto:{who.address}?subject={n}"),
        ),
        f"ppt/slides/{n}.xml": slide("sld", shape(2, who, plain)).replace("<p:sld ", '<p:sld show="0" '),
        f"ppt/slides/_rels/{n}.xml.rels": relations(("rIdL", "slideLayout", "../slideLayouts/layout1.xml")),
        "ppt/slideLayouts/layout1.xml": slide("sldLayout", shape(2, who, plain, placeholder="title") + shape(3, who, plain)),
        "ppt/slideLayouts/_rels/layout1.xml.rels": relations(("rIdM", "slideMaster", "../slideMasters/master1.xml")),
        "ppt/slideMasters/master1.xml": slide(
            "sldMaster", shape(2, who, plain, placeholder="title") + shape(3, who, plain),
            '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" '
            'accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst>'
            '<p:sldLayoutId id="2147483649" r:id="rIdL"/></p:sldLayoutIdLst>',
        ),
        "ppt/slideMasters/_rels/master1.xml.rels": relations(
            ("rIdL", "slideLayout", "../slideLayouts/layout1.xml"), ("rIdT", "theme", "../theme/theme1.xml")
        ),
        "ppt/notesSlides/n1.xml": slide("notes", shape(2, who, f"<a:r><a:t>Notes on {n}.</a:t></a:r>")),
        "ppt/notesSlides/_rels/n1.xml.rels": relations(
            ("rIdS", "slide", "../slides/slide1.xml"), ("rIdM", "notesMaster", "../notesMasters/m1.xml")
        ),
        "ppt/notesMasters/m1.xml": slide(
            "notesMaster", shape(2, who, plain),
            '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" '
            'accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>',
        ),
        "ppt/notesMasters/_rels/m1.xml.rels": relations(("rIdT", "theme", "../theme/theme2.xml")),
        "ppt/theme/theme1.xml": theme(n), "ppt/theme/theme2.xml": theme(n),
        "ppt/charts/chart1.xml": chart(who),
        "ppt/charts/_rels/chart1.xml.rels": relations(("rIdBook", "package", "../embeddings/book.xlsx")),
        "ppt/embeddings/book.xlsx": pack({"a.xml": n}),
        f"ppt/media/{n}.png": png(n),
        "ppt/comments/c1.xml": f'{XML}<p:cmLst {P}><p:cm authorId="0"><p:text>{n}</p:text></p:cm></p:cmLst>',
        "ppt/commentAuthors.xml": f'{XML}<p:cmAuthorLst {P}><p:cmAuthor id="0" name="{n}" initials="{n}"/></p:cmAuthorLst>',
        "ppt/tags/tag1.xml": f'{XML}<p:tagLst {P}><p:tag name="{n}" val="{n}"/></p:tagLst>',
        **properties(who),
    }  # fmt: skip
    return pack(entries, comment=n)


def theme(n: str) -> str:
    colors = "".join(f'<a:{c}><a:srgbClr val="445566"/></a:{c}>' for c in (
        "dk1", "lt1", "dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6", "hlink", "folHlink"))  # fmt: skip
    font = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>'
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>"
    return (
        f'{XML}<a:theme {SPACES} name="{n}"><a:themeElements><a:clrScheme name="{n}">{colors}</a:clrScheme><a:fontScheme name="{n}">'
        f'<a:majorFont>{font}</a:majorFont><a:minorFont>{font}</a:minorFont></a:fontScheme><a:fmtScheme name="{n}"><a:fillStyleLst>'
        f"{fill * 3}</a:fillStyleLst><a:lnStyleLst>{f'<a:ln>{fill}</a:ln>' * 3}</a:lnStyleLst><a:effectStyleLst>{effect * 3}"
        f"</a:effectStyleLst><a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
    )
