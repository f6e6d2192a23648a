"""The summaries of actors of paper 004: the documents, what other systems masked in them, and annotations."""

from __future__ import annotations

import difflib
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacenda import term
from tacenda.annotate import combine
from tacenda.measures.detection import detection
from tacenda.measures.gold import GoldDocument, GoldMention, Mask
from tacenda.model import Annotation, Document, Mention

Span = tuple[int, int]
# What the encoder that ships has seen (its model card says so); it stands on every page that reports on the summaries.
SEEN = (
    "The encoder that ships has not learned from the marks of these summaries, which may not be redistributed "
    "(GPL-3.0); it has read abstracts of other actors, most of them without labels, and summaries written in their "
    "manner."
)
_TAG = re.compile(r"\{([A-Z]+)\[(.*?)\]\}")
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Actor:
    """An actor's summary with the authors' marks, noun phrases, and the masks of other systems."""

    id: str
    title: str
    text: str
    gold: tuple[Span, ...]
    phrases: tuple[Span, ...]
    systems: Mapping[str, tuple[Span, ...]]
    types: Mapping[str, tuple[str, ...]]

    @property
    def name(self) -> str:
        """The actor's name, without what tells two articles of one name apart."""
        return self.title.split(" (")[0]

    def document(self, subject: bool = False) -> Document:
        """The document as Tacenda reads it."""
        return Document(self.text, self.id, subject=self.name if subject else "")


def open_text(path: Path) -> Iterator[str]:
    """Lines of a file, gzipped or not."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as source:
        yield from source


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Records of a JSONL file."""
    return map(json.loads, open_text(path))


def load_actors(data: Path) -> list[Actor]:
    """The 20 summaries for development, with the masks of other systems as the authors left them."""
    masked = {r["name"]: r for r in lines(data / "tri_reid" / "anonymized_dev.jsonl")}
    actors = []
    for r in lines(data / "actors50" / "actors_dev20.jsonl"):
        text = r["text"]
        found = {f"NER{n}": list(inline_spans(text, r[f"stanford_ner{n}"])) for n in (3, 4, 7)}
        other = masked.get(r["title"].split(" (")[0], {})
        for name, key in (("Presidio", "presidio_abstract"), ("word2vec of the authors", "word2vec_t=0.25_abstract")):
            if key in other:
                found[name] = list(masked_spans(text, other[key]))
        systems = {name: tuple(span for span, _ in held) for name, held in found.items()}
        types = {name: tuple(kind for _, kind in held) for name, held in found.items()}
        gold = tuple((g["start"], g["end"]) for g in r["gold_sensitive"])
        phrases = tuple(near(text, *phrase) for phrase in r["np_chunks_spacy"])
        actors.append(Actor(r["doc_id"], r["title"], text, gold, tuple(p for p in phrases if p), systems, types))
    return actors


def near(text: str, words: str, start: int, end: int) -> Span | None:
    """The place of some words whose offsets may be off by a few characters."""
    for off in (0, -1, 1, -2, 2, -3, 3):
        if text[start + off : end + off] == words:
            return start + off, end + off
    return None


def inline_spans(text: str, tagged: str) -> Iterator[tuple[Span, str]]:
    """Spans and types of inline tags like {PERSON[Ann_Lee]}, found again in the text in order."""
    at = 0
    for kind, words in _TAG.findall(tagged):
        pattern = r"\s*".join(re.escape(w) for w in words.replace("``", '"').replace("''", '"').split("_") if w)
        found = re.compile(pattern).search(text, at)
        if found:
            yield found.span(), kind
            at = found.end()


def masked_spans(text: str, masked: str) -> Iterator[tuple[Span, str]]:
    """Spans of a text that a masked copy of it no longer has, word by word, and what the copy says there."""
    old = [m.span() for m in _WORD.finditer(text)]
    a = [text[s:e].lower() for s, e in old]
    said = _WORD.findall(masked)
    b = [w.lower() for w in said]
    for kind, i, j, k, n in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind in ("replace", "delete") and any(w[0].isalnum() for w in a[i:j]):
            yield (old[i][0], old[j - 1][1]), " ".join(w for w in said[k:n] if w[0].isalnum())


def shingles(text: str) -> set[tuple[str, ...]]:
    """Runs of five words."""
    words = term.words(text)
    return {tuple(words[i : i + 5]) for i in range(len(words) - 4)}


def without(records: Iterable[dict[str, Any]], actors: Sequence[Actor]) -> list[dict[str, Any]]:
    """The records of a collection that are none of the evaluated documents: by id, by title, and by text."""
    ids, titles = {a.id for a in actors}, {a.title.lower() for a in actors} | {a.name.lower() for a in actors}
    texts = [shingles(a.text) for a in actors]
    kept = []
    for record in records:
        if record["doc_id"] in ids or record["title"].replace("_", " ").lower() in titles:
            continue
        own = shingles(record["text"])
        if not any(len(own & t) > max(5, 0.2 * min(len(own), len(t))) for t in texts):
            kept.append(record)
    return kept


class Annotations:
    """Annotates from a file of mentions made beforehand: {id: {mentions: [[start, end, label, kind, role], ...]}}."""

    name = "encoder"

    def __init__(self, path: Path) -> None:
        self._held: dict[str, Any] = json.loads(path.read_text("utf-8"))

    def annotate(self, document: Document) -> Annotation:
        """The mentions of the document of that id; offsets of several documents are moved along."""
        mentions: list[Mention] = []
        sentences: list[Span] = []
        base = 0
        for name in document.id.split("+"):
            held = self._held[name]
            for start, end, label, kind, role, *confidence in held["mentions"]:
                s, e = start + base, end + base
                sure = confidence[0] if confidence else 1.0
                mentions.append(Mention(s, e, document.text[s:e], label, kind, "encoder", sure, role=role))
            sentences += [(s + base, e + base) for s, e in held["sentences"]]
            base += len(held["text"]) + 1
        return Annotation(tuple(mentions), tuple(sentences))


def annotators(path: Path | None) -> list[Any]:
    """The encoder (or annotations made beforehand) and the patterns."""
    from tacenda import registry

    first = Annotations(path) if path else registry.find("annotate", "encoder")(vectors=True)
    return [first, registry.find("annotate", "patterns")()]


def annotate(document: Document, parts: Sequence[Any]) -> Annotation:
    """Annotate as a sanitizer does."""
    return combine(document, [part.annotate(document) for part in parts], confidence=0.5)


def scores(actors: Sequence[Actor], masks: Mapping[str, Sequence[Span]]) -> dict[str, Any]:
    """Precision, recall and F1 by term as the paper counts (mean over documents), and by token."""
    gold = [GoldDocument(a.id, a.text, {"authors": tuple(GoldMention(*s) for s in a.gold)}) for a in actors]
    found = detection(gold, {a.id: [Mask(*s) for s in masks[a.id]] for a in actors})
    term_ = [round(v, 4) for v in found.macro["term"]]
    token = found.micro["token"]
    return {
        "term": dict(zip(("precision", "recall", "f1"), term_, strict=True)),
        "token": {k: round(getattr(token, k), 4) for k in ("precision", "recall", "f1")},
        "masked_terms": round(sum(len(masks[a.id]) for a in actors) / len(actors), 1),
    }
