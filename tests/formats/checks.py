"""What every format must keep: shared by the tests of the formats and the benchmark."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from tests.formats.samples import Person

from tacenda.formats import named
from tacenda.model import Edit, Reading

# The whole extension names: a word split by a tab, a soft hyphen or spaces is found too.
GAP = r"[\s\u00ad\-]{0,3}"


def hide(text: str, who: Person, label: str = "[person 1]") -> list[Edit]:
    """Edits that take a person's forms out of a text, as a plan would."""
    forms = [GAP.join(map(re.escape, form)) if form.isalpha() else re.escape(form) for form in who.forms]
    forms.insert(0, rf"{who.first}\s+{who.name}")
    found = re.finditer("|".join(forms), text, re.I)
    return [(m.start(), m.end(), "[address 1]" if "@" in m.group() else label) for m in found]


def spliced(text: str, edits: Sequence[Edit]) -> str:
    pieces, done = [], 0
    for start, end, new in sorted(edits):
        pieces += [text[done:start], new]
        done = end
    return "".join([*pieces, text[done:]])


def bare(text: str) -> str:
    return "".join(text.split())


def sanitized(form: Any, data: bytes, who: Person, *, name: str = "sample") -> tuple[Any, bytes, str]:
    """Hide a person in a file: the document, the file written, and the text that it must have."""
    opened = form.open(data, Reading(name=name))
    document = opened.read()
    edits = hide(document.text, who)
    promised = opened.promised(edits) if hasattr(opened, "promised") else spliced(document.text, edits)
    return document, opened.write(edits), promised


def again(form: Any, data: bytes) -> str:
    """The text of a written file, read as a recipient would."""
    form = form if form.name != "msg" else named("eml")
    return str(form.open(data, Reading()).read().text)


def count(data: bytes, word: str) -> int:
    """Places of a word in an archive, entry by entry and tag by tag, apart from any code of the package."""
    found = 0
    with zipfile.ZipFile(BytesIO(data)) as archive:
        for info in archive.infolist():
            content = archive.read(info)
            found += word in info.filename
            found += content.decode("latin-1").count(word) + content.decode("utf-16-le", "ignore").count(word)
            if content[:2] == b"PK":
                found += count(content, word)
    return found
