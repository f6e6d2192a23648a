"""Readers of what people marked and of what a tool masked. Every error names file and line.

People's marks: the Text Anonymization Benchmark's JSON (an array, or one object per line), or one object per line
with an id, the text and a list of spans. A tool's masks: `{id: [[start, end, label, replacement], ...]}`, a plan,
a folder of plans, or one object per line with an id and spans.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacenda.errors import InputError
from tacenda.model import digest

ID_KEYS = ("id", "doc_id", "name", "title")
TEXT_KEYS = ("text", "query")
SPAN_KEYS = ("spans", "mentions", "gold_mentions", "gold_sensitive", "phi")
_ROLES = {"DIRECT": "direct", "QUASI": "quasi", "NO_MASK": "none"}


@dataclass(frozen=True, slots=True)
class GoldMention:
    """A stretch that a person marked. role: direct, quasi, none (need not be masked) or "" (not told)."""

    start: int
    end: int
    label: str = ""
    role: str = ""
    entity: str = ""


@dataclass(frozen=True)
class GoldDocument:
    """A text with the marks of one or several annotators."""

    id: str
    text: str = field(repr=False)
    annotators: Mapping[str, tuple[GoldMention, ...]] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Mask:
    """A stretch that a tool masked, and what it wrote instead."""

    start: int
    end: int
    label: str = ""
    replacement: str = field(default="", repr=False)


Masks = dict[str, tuple[Mask, ...]]


def open_text(path: Path) -> str:
    """Read a UTF-8 file, gzipped or not."""
    try:
        raw = path.read_bytes()
        return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or type(error).__name__})") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start})") from None


def records(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield each object of a JSON array or of a JSONL file with the line it begins on."""
    text = open_text(path)
    if text.lstrip()[:1] == "[":
        yield from _array(text, path)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield _object(json.loads(line), path, number), number
            except ValueError:
                raise InputError(f"{path}:{number}: not JSON; each line must be one object") from None


def _array(text: str, path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    decoder, at, line, counted = json.JSONDecoder(), text.index("[") + 1, 1, 0
    while True:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        line, counted = line + text.count("\n", counted, at), at
        if at >= len(text):
            raise InputError(f"{path}:{line}: the array is not closed; the file is cut off")
        if text[at] == "]":
            return
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            raise InputError(f"{path}:{line}: not JSON") from None
        yield _object(value, path, line), line


def _object(value: Any, path: Path, line: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{path}:{line}: expected an object, found {type(value).__name__}")
    return value


def field_of(record: Mapping[str, Any], names: Sequence[str], path: Path, line: int) -> Any:
    """The first of several fields that a record has."""
    for name in names:
        if name in record:
            return record[name]
    raise InputError(f"{path}:{line}: needs one of {', '.join(names)}; found: {', '.join(sorted(record))}")


def read_gold(path: Path) -> list[GoldDocument]:
    """Read the marks of people: Text Anonymization Benchmark JSON, or objects with id, text and spans."""
    found: dict[str, GoldDocument] = {}
    for record, line in records(path):
        name = str(field_of(record, ID_KEYS, path, line))
        text = field_of(record, TEXT_KEYS, path, line)
        if not isinstance(text, str):
            raise InputError(f"{path}:{line}: the text of document {name} is {type(text).__name__}")
        if name in found:
            raise InputError(f"{path}:{line}: document {name} appears in the file twice")
        found[name] = GoldDocument(name, text, _annotators(record, len(text), path, line))
    if not found:
        raise InputError(f"{path}: contains no documents")
    return list(found.values())


def _annotators(record: Mapping[str, Any], length: int, path: Path, line: int) -> dict[str, tuple[GoldMention, ...]]:
    given = record.get("annotations")
    if isinstance(given, dict):
        return {
            str(who): tuple(_mention(m, length, path, line) for m in marks.get("entity_mentions") or ())
            for who, marks in sorted(given.items())
        }
    spans = field_of(record, SPAN_KEYS, path, line)
    return {"gold": tuple(_mention(m, length, path, line) for m in spans)}


def _mention(given: Any, length: int, path: Path, line: int) -> GoldMention:
    if isinstance(given, (list, tuple)):
        start, end = _span(given[0] if given else None, given[1] if len(given) > 1 else None, length, path, line)
        return GoldMention(start, end, str(given[2]) if len(given) > 2 else "")
    if not isinstance(given, dict):
        raise InputError(f"{path}:{line}: a span is {type(given).__name__}, not [start, end, label] or an object")
    start, end = _span(
        given.get("start_offset", given.get("start")), given.get("end_offset", given.get("end")), length, path, line
    )
    label = str(given.get("entity_type") or given.get("label") or given.get("type") or "")
    told = str(given.get("identifier_type") or given.get("role") or "")
    role = _ROLES.get(told.upper(), told.lower())
    if role not in ("direct", "quasi", "none", ""):
        raise InputError(f"{path}:{line}: identifier_type '{told}' is not one of {', '.join(_ROLES)}")
    return GoldMention(start, end, label, role, str(given.get("entity_id") or given.get("entity") or ""))


def _span(start: Any, end: Any, length: int, path: Path, line: int) -> tuple[int, int]:
    whole = isinstance(start, int) and isinstance(end, int)
    if not whole or not 0 <= start < end or (length >= 0 and end > length):
        raise InputError(
            f"{path}:{line}: span {start}-{end} lies outside the text"
            + (f" of {length} characters" if length >= 0 else "")
            + "; offsets count characters from 0, the end is not included"
        )
    return start, end


def replaced(text: str, masks: Sequence[Mask]) -> str:
    """The text as the tool released it; of masks that overlap the first is written.

    >>> replaced("Ann met Bob", [Mask(0, 3, "PERSON", "someone"), Mask(8, 11, "PERSON")])
    'someone met ***'
    """
    parts: list[str] = []
    at = 0
    for mask in sorted(masks, key=lambda m: (m.start, -m.end)):
        if mask.start >= at:
            parts += [text[at : mask.start], mask.replacement or "***"]
        at = max(at, mask.end)
    return "".join([*parts, text[at:]])


def read_classes(path: Path, documents: Sequence[GoldDocument]) -> list[str]:
    """Read the class of each document: objects with an id and a class."""
    found = {
        str(field_of(record, ID_KEYS, path, line)): str(field_of(record, ("class", "label"), path, line))
        for record, line in records(path)
    }
    missing = [document.id for document in documents if document.id not in found]
    if missing:
        raise InputError(
            f"{path}: no class for {len(missing)} of {len(documents)} documents, the first is {missing[0]}"
        )
    return [found[document.id] for document in documents]


def read_masks(path: Path, documents: Sequence[GoldDocument]) -> Masks:
    """Read what a tool masked in these documents: span JSON, a plan, a folder of plans, or JSONL with spans.

    Every document must be there (with an empty list if nothing was masked) and no other.
    """
    texts = {document.id: document.text for document in documents}
    by_digest = {digest(text): name for name, text in texts.items()}
    found: Masks = {}
    for name, spans, where, line in _given_masks(path, by_digest):
        if name not in texts:
            raise InputError(f"{where}:{line}: document {name} is not among the {len(texts)} documents to judge")
        if name in found:
            raise InputError(f"{where}:{line}: document {name} is masked twice")
        found[name] = tuple(_mask(span, len(texts[name]), where, line) for span in spans)
    missing = [name for name in texts if name not in found]
    if missing:
        raise InputError(
            f"{path}: there is no entry for {len(missing)} of {len(texts)} documents; the first is {missing[0]}; "
            "give an empty list where nothing was masked"
        )
    return found


def _given_masks(path: Path, by_digest: Mapping[str, str]) -> Iterator[tuple[str, Sequence[Any], Path, int]]:
    if path.is_dir():
        files = sorted(path.glob("*.json"))
        if not files:
            raise InputError(f"{path}: no .json files in this folder")
        for file in files:
            yield from _given_masks(file, by_digest)
        return
    text = open_text(path)
    try:
        whole = json.loads(text)
    except ValueError:
        whole = None
    if isinstance(whole, dict) and "decisions" in whole:
        yield _plan(whole, path, by_digest)
    elif isinstance(whole, dict) and all(isinstance(value, list) for value in whole.values()):
        for name, spans in whole.items():
            yield name, spans, path, text.count("\n", 0, max(text.find(json.dumps(name)), 0)) + 1
    else:
        for record, line in records(path):
            yield str(field_of(record, ID_KEYS, path, line)), field_of(record, SPAN_KEYS, path, line), path, line


def _plan(plan: Mapping[str, Any], path: Path, by_digest: Mapping[str, str]) -> tuple[str, Sequence[Any], Path, int]:
    fingerprint = plan.get("digest") or plan.get("document_digest") or ""
    name = by_digest.get(str(fingerprint))
    if name is None:
        raise InputError(f"{path}:1: this plan was made for another document than those to judge")
    kept = [d for d in plan["decisions"] if d.get("action") != "keep"]
    return name, [[d.get("start"), d.get("end"), d.get("label", ""), d.get("replacement", "")] for d in kept], path, 1


def _mask(given: Any, length: int, path: Path, line: int) -> Mask:
    if isinstance(given, dict):
        given = [
            given.get("start", given.get("start_offset")),
            given.get("end", given.get("end_offset")),
            given.get("label") or given.get("entity_type") or given.get("type") or "",
            given.get("replacement") or "",
        ]
    if not isinstance(given, (list, tuple)) or len(given) < 2:
        raise InputError(f"{path}:{line}: a mask must be [start, end, label, replacement] or an object with these")
    start, end = _span(given[0], given[1], length, path, line)
    return Mask(start, end, *(str(part) for part in given[2:4]))
