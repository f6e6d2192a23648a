"""Running text of a MediaWiki XML dump, and the maintenance notes of Wikipedia that are no knowledge."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import IO
from xml.etree import ElementTree

from tacenda.errors import InputError

_INNERMOST = re.compile(r"\{\{[^{}]*\}\}|\{\|(?:(?!\{\||\|\}).)*\|\}", re.DOTALL)
_DROPPED = re.compile(r"<!--.*?-->|<ref[^>/]*/>|<(ref|math|gallery|table|pre|source)\b.*?</\1>", re.DOTALL | re.I)
_FILES = re.compile(r"\[\[(?:file|image|category)\s*:(?:[^\[\]]|\[\[[^\[\]]*\]\])*\]\]", re.I)
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_OUTSIDE_LINK = re.compile(r"\[(?:https?:)?//[^\s\]]*\s*([^\]]*)\]")
_MARKS = re.compile(r"'{2,}|<[^>]{1,200}>|^[*#:;]+|^=+.*=+\s*$|__[A-Z]+__", re.MULTILINE)

_MAINTENANCE = re.compile(
    r"^(?:This|The) (?:article|section|page|list|biography|template|lead|timeline)\b.{0,120}"
    r"\b(?:citations?|cite|sources?|references|improve|cleanup|clean-up|Wikipedia|rewritten|expand|disputed|"
    r"outdated|updated|tone|neutral|verif\w+|incorporates|contains (?:\w+ ){1,4}(?:text|symbols|characters)|"
    r"attention|reorgani[sz]\w+|too long|orphan|translat\w+|layout|is about)\b"
    r"|Please (?:help|improve|add|update|discuss|see the discussion|consider|do not remove)\b"
    r"|may be challenged and removed|Learn how and when to remove|Without proper rendering support"
    r"|additional citations for verification|^Some of this article's"
)


def is_maintenance(paragraph: str) -> bool:
    """Tell whether a paragraph is a note to Wikipedia's editors or readers, not part of the article.

    >>> is_maintenance("This section does not cite any sources. Please help improve this section.")
    True
    """
    return _MAINTENANCE.search(paragraph[:600]) is not None


def without_maintenance(text: str) -> str:
    """Text without its maintenance paragraphs (one paragraph a line)."""
    return "\n".join(line for line in text.split("\n") if not is_maintenance(line))


def read_dump(source: IO[bytes], name: str) -> Iterator[str]:
    """Yield the running text of each article of a dump; redirects and other name spaces are passed over."""
    try:
        for _, element in ElementTree.iterparse(source):
            if element.tag.rpartition("}")[2] != "page":
                continue
            namespace, text = _child(element, "ns"), _child(element, "text")
            redirect = any(child.tag.endswith("redirect") for child in element)
            element.clear()
            if namespace in ("", "0") and text and not redirect:
                yield without_maintenance(plain_text(text))
    except ElementTree.ParseError as error:
        line, column = error.position
        message = f"corpus {name}, line {line}: not well-formed XML (column {column}); the file may be cut off."
        raise InputError(message) from None


def _child(page: ElementTree.Element, name: str) -> str:
    for element in page.iter():
        if element.tag.rpartition("}")[2] == name:
            return element.text or ""
    return ""


def plain_text(wikitext: str) -> str:
    """Running text of wiki markup: templates, tables, references, files and marks removed, links as they read.

    >>> plain_text("'''Ann''' lives in [[Paris, Texas|Paris]].{{cn}}")
    'Ann lives in Paris.'
    """
    text = _DROPPED.sub("", wikitext)
    for _ in range(20):
        text, found = _INNERMOST.subn("", text)
        if not found:
            break
    text = _LINK.sub(r"\1", _FILES.sub("", text))
    return html.unescape(_MARKS.sub("", _OUTSIDE_LINK.sub(r"\1", text)))
