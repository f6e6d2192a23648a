"""The same for OpenDocument, HTML and mail."""

from __future__ import annotations

import base64
from email.message import EmailMessage

from tests.formats.samples import XML, Person, docx, pack, png

ODF = "urn:oasis:names:tc:opendocument:xmlns:"
SPACES = " ".join(
    [f'xmlns:{p}="{ODF}{w}:1.0"' for p, w in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"), ("style", "style"), ("form", "form"),
        ("meta", "meta"), ("number", "datastyle"), ("svg", "svg-compatible"), ("fo", "xsl-fo-compatible"), ("script", "script"))]
    + ['xmlns:xlink="http://www.w3.org/1999/xlink"', 'xmlns:dc="http://purl.org/dc/elements/1.1/"', 'xmlns:loext="urn:x-loext"',
       'xmlns:calcext="urn:x-calcext"']
)  # fmt: skip


def package(kind: str, who: Person, body: str, styles: str) -> bytes:
    n = who.name
    media = f"application/vnd.oasis.opendocument.{kind}"
    listed = "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="{t}"/>'
        for name, t in (
            ("/", media),
            ("content.xml", "text/xml"),
            ("styles.xml", "text/xml"),
            (f"Pictures/{n}.png", "image/png"),
        )
    )
    content = (
        f'{XML}<office:document-content {SPACES} office:version="1.2"><office:scripts><office:script script:language="x">{n}'
        f'</office:script></office:scripts><office:automatic-styles><style:style style:name="{n}" style:family="paragraph" '
        f'style:parent-style-name="My_{n}"/><number:date-style style:name="N1"><number:text>{n}</number:text></number:date-style>'
        f"</office:automatic-styles><office:body>{body}</office:body></office:document-content>"
    )
    sheet = (
        f'{XML}<office:document-styles {SPACES} office:version="1.2"><office:styles><style:style style:name="My_{n}" '
        f'style:display-name="My {n}" style:family="paragraph"/><text:list-style style:name="L1"><text:list-level-style-number '
        f'text:level="1" style:num-prefix="{n} " style:num-format="1"/></text:list-style></office:styles><office:automatic-styles>'
        '<style:page-layout style:name="pm1"/></office:automatic-styles><office:master-styles><style:master-page '
        f'style:name="Standard" style:display-name="{n}" style:page-layout-name="pm1">{styles}</style:master-page>'
        "</office:master-styles></office:document-styles>"
    )
    return pack(
        {
            "mimetype": media,
            "content.xml": content,
            "styles.xml": sheet,
            "meta.xml": f"{XML}<office:document-meta {SPACES}><office:meta><dc:creator>{n}</dc:creator><dc:title>{n}</dc:title>"
            f'<meta:initial-creator>{n}</meta:initial-creator><meta:user-defined meta:name="{n}">{n}</meta:user-defined>'
            "</office:meta></office:document-meta>",
            "settings.xml": f"<settings>{n}</settings>",
            "manifest.rdf": f"<rdf>{n}</rdf>",
            "Thumbnails/thumbnail.png": png(n),
            f"Pictures/{n}.png": png(n),
            "Object 1/content.xml": f"<x>{n}</x>",
            "META-INF/manifest.xml": f'{XML}<manifest:manifest xmlns:manifest="{ODF}manifest:1.0">{listed}</manifest:manifest>',
        },
        stored="mimetype",
        comment=n,
    )


def odt(who: Person) -> bytes:
    n = who.name
    frame = (
        f'<draw:frame draw:name="{n}" svg:width="3cm" svg:height="1cm" text:anchor-type="as-char"><draw:image '
        f'xlink:href="Pictures/{n}.png"/><svg:title>Picture of {n}</svg:title><svg:desc>{n}</svg:desc></draw:frame>'
    )
    box = f'<draw:frame draw:name="{n} box" svg:width="3cm"><draw:text-box><text:p>Box on {n}</text:p></draw:text-box></draw:frame>'
    thing = f'<draw:frame draw:name="o"><draw:object xlink:href="./Object 1"/><svg:desc>{n}</svg:desc></draw:frame>'
    note = (
        f'<text:note text:note-class="footnote"><text:note-citation text:label="{n}">1</text:note-citation><text:note-body>'
        f"<text:p>Note on {n}</text:p></text:note-body></text:note>"
    )
    remark = (
        f"<office:annotation office:name='{n}'><dc:creator>{n}</dc:creator><text:p>{n}</text:p></office:annotation>"
    )
    fields = (
        f'<text:author-name>{n}</text:author-name><text:user-defined text:name="{n}">{n}</text:user-defined>'
        f'<text:placeholder text:description="{n}">{n}</text:placeholder><text:hidden-text text:string-value="{n}" '
        f'text:condition="{n}">{n}</text:hidden-text><text:variable-set text:name="{n}" office:string-value="{n}">{n}</text:variable-set>'
        f'<text:bookmark-ref text:ref-name="{n}">{n}</text:bookmark-ref><text:page-number>1</text:page-number>'
    )
    marks = (
        f'<text:bookmark text:name="{n}"/><text:reference-mark text:name="{n}"/><text:toc-mark text:string-value="{n}"/>'
        f'<text:alphabetical-index-mark text:string-value="{n}" text:key1="{n}"/><text:change text:change-id="c1"/>'
    )
    body = (
        f'<office:text><office:forms><form:form form:name="{n}"/></office:forms><text:tracked-changes><text:changed-region '
        f'text:id="c1"><text:deletion><office:change-info><dc:creator>{n}</dc:creator></office:change-info><text:p>Deleted {n}</text:p>'
        f'</text:deletion></text:changed-region></text:tracked-changes><text:variable-decls><text:variable-decl text:name="{n}"/>'
        f'</text:variable-decls><text:user-field-decls><text:user-field-decl text:name="{n}" office:string-value="{n}"/>'
        "</text:user-field-decls>"
        f'<text:h text:outline-level="1">Report on {n}</text:h><text:p text:style-name="{n}">Dr {who.first} {who.start}<text:span>{who.rest}'
        f'</text:span> was<text:s text:c="3"/>ill.{marks}{note}</text:p><text:p>{fields}</text:p>'
        f'<text:p>{who.first}<text:tab/>{n}<text:line-break/>next <text:a xlink:href="mailto:{who.address}?subject={n}" office:title="{n}" '
        f'office:name="{n}">write</text:a> and <text:a xlink:href="#{n}">see {n}</text:a>{remark}</text:p><text:p>{frame}{box}{thing}</text:p>'
        f'<text:list text:style-name="L1"><text:list-item><text:p>Item {n}</text:p></text:list-item></text:list>'
        f'<text:section text:name="{n}" text:protection-key="{n}"><text:section-source xlink:href="{n}.odt"/><text:p>In {n}</text:p></text:section>'
        f"<text:p><text:ruby><text:ruby-base>{n}</text:ruby-base><text:ruby-text>{n}</text:ruby-text></text:ruby></text:p>"
        f'<table:table table:name="{n}"><table:title>{n}</table:title><table:desc>{n}</table:desc><table:table-column/><table:table-row>'
        "<table:table-cell><text:p>Name</text:p></table:table-cell><table:table-cell><text:p>Role</text:p></table:table-cell></table:table-row>"
        f"<table:table-row><table:table-cell><text:p>{who.first} {n}</text:p></table:table-cell><table:table-cell><text:p>Lecturer</text:p>"
        f'</table:table-cell></table:table-row></table:table><loext:unknown loext:what="{n}">{n}</loext:unknown></office:text>'
    )
    styles = f"<style:header><text:p>File of {n}</text:p></style:header><style:footer><text:p>Footer {n}</text:p></style:footer>"
    return package("text", who, body, styles)


def ods(who: Person) -> bytes:
    n = who.name

    def cell(text: str, attributes: str = 'office:value-type="string"', more: str = "") -> str:
        return f"<table:table-cell {attributes}>{more}<text:p>{text}</text:p></table:table-cell>"

    remark = f"<office:annotation><dc:creator>{n}</dc:creator><text:p>{n}</text:p></office:annotation>"
    rows = [
        cell("Name") + cell("Born") + cell("Visits") + cell("Note"),
        cell(f"{who.first} {n}", more=remark)
        + cell("14 March 1971", 'office:value-type="date" office:date-value="1971-03-14T05:00:00"')
        + cell("3.14", 'office:value-type="float" office:value="3.14159"')
        + cell(f"{who.start}<text:span>{who.rest}</text:span>", f'office:value-type="string" office:string-value="{n}" table:formula="of:={n}"'),
        cell(n, f'office:value-type="string" calcext:value-type="{n}" table:content-validation-name="{n}"')
        + cell("March 1971", 'office:value-type="date" office:date-value="1971-03-14"') + cell("7", 'office:value-type="float" office:value="7"')
        + cell(f'<text:a xlink:href="mailto:{who.address}?subject={n}">mail {n}</text:a>'),
    ]  # fmt: skip
    body = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    shapes = (
        f'<table:shapes><draw:frame draw:name="{n}"><draw:text-box><text:p>Shape {n}</text:p></draw:text-box><svg:title>{n}</svg:title>'
        f'<svg:desc>{n}</svg:desc></draw:frame><draw:frame draw:name="{n} 2"><draw:object xlink:href="./Object 1"/></draw:frame>'
        f'<draw:frame draw:name="{n} 3"><draw:image xlink:href="Pictures/{n}.png"/></draw:frame></table:shapes>'
    )
    more = "".join(
        f'<table:named-range table:name="{n}{at}" table:base-cell-address="$\'{n} data\'.$A$1" table:cell-range-address="{n}"/>'
        for at in range(5)
    )
    content = (
        f"<office:spreadsheet><table:tracked-changes><table:cell-content-change><dc:creator>{n}</dc:creator></table:cell-content-change>"
        f'</table:tracked-changes><table:content-validations><table:content-validation table:name="{n}" table:condition="{n}">'
        f'<table:help-message table:title="{n}"><text:p>{n}</text:p></table:help-message><table:error-message table:title="{n}">'
        f"<text:p>{n}</text:p></table:error-message></table:content-validation></table:content-validations>"
        f'<table:table table:name="{n} data" table:print-ranges="\'{n} data\'.A1:B2" table:style-name="{n}">{shapes}<table:table-column/>'
        f'{body}</table:table><table:table table:name="Hidden" table:display="false"><table:table-column/><table:table-row>{cell(n)}'
        f"</table:table-row></table:table><table:named-expressions>{more}</table:named-expressions>"
        f'<table:database-ranges><table:database-range table:name="{n}"/></table:database-ranges><table:data-pilot-tables>'
        f'<table:data-pilot-table table:name="{n}"/></table:data-pilot-tables><table:dde-links><table:dde-link>'
        f'<office:dde-source office:dde-topic="{n}" office:dde-item="{n}"/></table:dde-link></table:dde-links></office:spreadsheet>'
    )
    styles = (
        f"<style:header><text:p>File of {n}</text:p></style:header><style:footer><text:p>{n}</text:p></style:footer>"
    )
    return package("spreadsheet", who, content, styles)


def html(who: Person) -> str:
    n = who.name
    picture = base64.b64encode(png(n)).decode()
    return f"""<!DOCTYPE html>
<!-- {n} --><html lang="en" data-who="{n}"><head><title>Case of {n}</title><meta name="author" content="{n}">
<meta property="og:title" content="{n}"><link rel="author" href="https://example.org/{n}" title="{n}"><base target="{n}">
<style>.{n} {{ content: "{n}" }}</style><script>var who = "{n}"; /* {n} */</script>
<script type="application/ld+json">{{"name": "{n}"}}</script><noscript>{n}</noscript></head>
<body id="{n}" class="{n}" onload="go('{n}')" style="font-family: '{n}'; color: red"><!--[if mso]> {n} <![endif]-->
<h1 id="top_{n}" class="{n}">Report on {n}</h1>
<p title="About {n}" aria-label="{n}" data-note="{n}">Dr {who.first} <b>{who.start}</b><i>{who.rest}</i> was&nbsp;ill;
{who.first}
   {n} said so. <a href="mailto:{who.address}?subject={n}" title="To {n}" ping="{n}" target="{n}" rel="{n}">write</a>
<a href="https://example.org/people/%{ord(n[0]):02X}{n[1:]}?q={n}">profile</a> <a href="#top_{n}" name="{n}">up</a> <a href="javascript:alert('{n}')">x</a></p>
<p hidden>{n}</p><p style="display:none">{n}</p><div style="visibility: hidden">{n}</div><input type="hidden" name="{n}" value="{n}">
<form action="https://example.org/{n}" name="{n}"><label for="{n}">Name of {n}</label><input name="{n}" value="{n}" placeholder="{n}">
<textarea name="{n}" placeholder="{n}">{n}</textarea><select name="{n}"><optgroup label="{n}"><option value="{n}" label="{n}">{n}</option></optgroup>
</select><button name="{n}" value="{n}">{n}</button><datalist><option>{n}</option></datalist></form>
<img src="data:image/png;base64,{picture}" alt="Picture of {n}" longdesc="{n}" srcset="{n}.png 2x"><img src="{n}.png" alt="{n}" usemap="#{n}">
<map name="{n}"><area alt="{n}" href="{n}"></map>
<svg><title>{n}</title><text>{n}</text></svg><math><mi>{n}</mi></math><canvas>{n}</canvas><template><p>{n}</p></template>
<iframe srcdoc="{n}" src="{n}" title="{n}">{n}</iframe><object data="{n}">{n}</object><video src="{n}.mp4" title="{n}"><track label="{n}"></video>
<table summary="Table of {n}"><caption>{n}</caption><tr><th abbr="{n}">Name</th><th>Role</th></tr>
<tr><td>{who.first} {n}</td><td headers="{n}">Lecturer</td></tr></table>
<blockquote cite="https://example.org/{n}">{n}</blockquote><q cite="{n}">said {n}</q> <del cite="{n}">{n}</del> <time datetime="{n}">then</time>
<details><summary>{n}</summary>{n}</details><custom-tag name="{n}">{n}</custom-tag><pre>  {n}
   {n}</pre><ruby>{n}<rt>{n}</rt></ruby>loose {n}<br>end</body></html>"""


def mail(who: Person) -> EmailMessage:
    n = who.name
    inner = EmailMessage()
    inner["From"] = f"{who.first} {n} <{who.address}>"
    inner["Subject"] = f"Re: {n}"
    inner["Message-ID"] = f"<{n}.1@host>"
    inner.set_content(f"Dear {n},\nhello\n-- \n{n}\n")
    message = EmailMessage()
    message["From"] = f"{who.first} {n} <{who.address}>"
    message["To"] = f'"{n}, {who.first}" <{who.address}>, Steffi <s@example.org>'
    message["Cc"] = f"{n} <{who.address}>"
    message["Reply-To"] = who.address
    message["Subject"] = f"About {n} – the file"
    message["Date"] = "Mon, 01 Jan 2024 00:00:00 +0000"
    for key in ("Message-ID", "References", "In-Reply-To"):
        message[key] = f"<{n}@host>"
    for key in (
        "X-Sender",
        "Received",
        "Return-Path",
        "Organization",
        "X-Mailer",
        "Thread-Topic",
        "DKIM-Signature",
        "List-Id",
    ):
        message[key] = f"from {n}.local"
    message.set_content(f"Dear Steffi,\n\n{n} was ill.\n> On 1 Jan {who.first} {n} wrote:\n> {n}\n", cte="base64")
    page = html(who).replace(f'src="{n}.png"', f'src="cid:{n}@host"')
    message.add_alternative(page, subtype="html")
    body = message.get_payload()[1]
    body.add_related(png(n), maintype="image", subtype="png", cid=f"<{n}@host>", filename=f"{n}.png")
    message.add_attachment(inner)
    kind = "vnd.openxmlformats-officedocument.wordprocessingml.document"
    message.add_attachment(docx(who), maintype="application", subtype=kind, filename=f"{n} é report.docx")
    message.add_attachment(f"Name,Note\n{n},ill\n".encode(), maintype="text", subtype="csv", filename=f"{n}.csv")
    message.add_attachment(f"Notes on {n}.\n", filename="notes.txt")
    message.add_attachment(n.encode(), maintype="application", subtype="ms-tnef", filename="winmail.dat")
    message.preamble = f"preamble {n}"
    message.epilogue = f"epilogue {n}"
    return message


def eml(who: Person) -> bytes:
    return bytes(mail(who))


def mbox(who: Person) -> bytes:
    second = EmailMessage()
    second["From"] = "Steffi <s@example.org>"
    second["To"] = f"{who.first} {who.name} <{who.address}>"
    second["Subject"] = f"Re: About {who.name} – the file"
    second["In-Reply-To"] = f"<{who.name}@host>"
    second.set_content(f"Dear {who.first},\n\nFrom here on {who.name} is well.\nFrom now.\n")
    third = EmailMessage()
    third["From"] = "Else <e@example.org>"
    third["Subject"] = "Something else"
    third.set_content("Nothing.\n")
    out = b""
    for message in (mail(who), second, third):
        data = bytes(message).replace(b"\r\n", b"\n").replace(b"\nFrom ", b"\n>From ")
        out += f"From {who.name}@host Mon Jan  1 00:00:00 2024\n".encode() + data + b"\n"
    return out
