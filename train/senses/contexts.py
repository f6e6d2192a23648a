"""Nouns with their senses in their texts, from SemCor, MASC and, where a noun has one sense, plain text.

Plain text is JSONL (.gz or .xz) with a field `text`. Every tenth file of SemCor and MASC is kept for measuring, by the
digest of its name.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TOKEN = re.compile(r"[A-Za-z][\w'’-]*|\d[\d.,]*|[^\w\s]")
TAGGED = re.compile(r"<wf ([^>]*)>([^<]*)</wf>|<punc>([^<]*)</punc>")
FIELD = re.compile(r"(\w+)=(\S+)")
MOST = 40  # instances of one noun from plain text
ENDINGS = (("ies", "y"), ("ses", "s"), ("xes", "x"), ("s", ""))

Span = tuple[int, int, str, list[int]]  # start, end, lemma ("" if it has one sense), right synsets


class WordNet:
    """Lemmas, sense keys and which nouns have one sense only."""

    def __init__(self, folder: Path) -> None:
        self.senses: dict[str, list[int]] = {}
        for line in _lines(folder / "index.noun"):
            fields = line.split()
            self.senses[fields[0]] = [int(offset) for offset in fields[-int(fields[2]) :]]
        self.keys = {
            fields[0]: int(fields[1]) for fields in map(str.split, _lines(folder / "index.sense")) if "%1:" in fields[0]
        }
        others = {line.split()[0] for kind in ("verb", "adj", "adv") for line in _lines(folder / f"index.{kind}")}
        self.single = {
            lemma: found[0]
            for lemma, found in self.senses.items()
            if len(found) == 1 and lemma not in others and len(lemma) > 3 and not lemma[0].isdigit()
        }
        self.irregular = dict(line.split()[:2] for line in _lines(folder / "noun.exc"))

    def one_sense(self, word: str) -> str | None:
        """The lemma of a word that has one sense, None if it has several or none."""
        forms = [word, self.irregular.get(word, "")]
        forms += [word[: -len(end)] + new for end, new in ENDINGS if word.endswith(end)]
        return next((form for form in forms if form in self.single), None)


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text("ascii").splitlines() if not line.startswith(" ")]


def _held(name: str) -> int:
    return int(int(hashlib.md5(name.encode()).hexdigest(), 16) % 10 == 0)


def _joined(words: list[str], spans: list[tuple[int, int, str, list[int]]]) -> tuple[str, list[Span]]:
    text, starts = "", []
    for word in words:
        tight = re.fullmatch(r"[.,;:!?%)\]]+|'s|n't|'", word) or text.endswith(("(", "[", "$"))
        text += "" if tight or not text else " "
        starts.append(len(text))
        text += word
    return text, [(starts[i], starts[j - 1] + len(words[j - 1]), lemma, gold) for i, j, lemma, gold in spans]


def semcor(folder: Path, wordnet: WordNet) -> Iterator[tuple[str, list[Span], int]]:
    """Stretches of SemCor with the synsets of their nouns."""
    for file in sorted(folder.glob("brown[12]/tagfiles/br-*")):
        words: list[str] = []
        spans: list[tuple[int, int, str, list[int]]] = []
        for line in file.read_text(errors="replace").splitlines():
            if line.startswith("</s>") and len(words) > 110:
                yield *_joined(words, spans), _held(file.name)
                words, spans = [], []
            found = TAGGED.search(line)
            if found is None:
                continue
            if found[3] is not None:
                words.append(found[3].replace("``", '"').replace("''", '"'))
                continue
            fields = dict(FIELD.findall(found[1]))
            first = len(words)
            words += found[2].split("_")
            if fields.get("cmd") == "done" and fields.get("lexsn", "").startswith("1:") and "pn" not in fields:
                lemma = fields.get("lemma", "").lower()
                keys = [f"{lemma}%{sense}" for sense in fields["lexsn"].split(";")]
                gold = [wordnet.keys[key] for key in keys if key in wordnet.keys]
                if gold and lemma in wordnet.senses:
                    spans.append((first, len(words), lemma, gold))
        yield *_joined(words, spans), _held(file.name)


def masc(folder: Path, wordnet: WordNet) -> Iterator[tuple[str, list[Span], int]]:
    """Stretches of MASC; its dictionary senses are mapped to synsets."""
    table = {}
    for line in (folder / "manual_map.txt").read_text().splitlines():
        sense, _, keys = line.partition("\t")
        table[sense.split("/")[-1]] = [wordnet.keys[key] for key in keys.split(",") if key in wordnet.keys]
    for file in sorted((folder / "masc").rglob("*.xml")):
        words: list[str] = []
        spans: list[tuple[int, int, str, list[int]]] = []
        for word in ElementTree.parse(file).getroot():
            ends = word.get("break_level") in ("SENTENCE_BREAK", "PARAGRAPH_BREAK")
            if (len(words) > 80 and ends) or len(words) > 170:
                yield *_joined(words, spans), _held(file.name)
                words, spans = [], []
            text = (word.get("text") or "").strip()
            if not text:
                continue
            lemma = word.get("lemma", "").lower().replace(" ", "_")
            own = wordnet.senses.get(lemma, []) if word.get("pos") == "NOUN" else []
            gold = [s for s in table.get((word.get("sense") or "").split("/")[-1], []) if s in own]
            if gold:
                spans.append((len(words), len(words) + 1, lemma, gold))
            words.append(text)
        if words:
            yield *_joined(words, spans), _held(file.name)


def plain(file: Path, wordnet: WordNet, seen: Counter[str]) -> Iterator[tuple[str, list[Span], int]]:
    """Paragraphs with nouns of one sense, at most so many of each noun."""
    opened: Any = {".gz": gzip.open, ".xz": lzma.open}.get(file.suffix, open)
    with opened(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            for text in json.loads(line)["text"].split("\n"):
                tokens = list(TOKEN.finditer(text))
                if 12 < len(tokens) < 200 and (spans := list(_single(tokens, wordnet, seen))):
                    yield text, spans, 0


def _single(tokens: list[re.Match[str]], wordnet: WordNet, seen: Counter[str]) -> Iterator[Span]:
    at = 0
    while at < len(tokens):
        for length in (3, 2, 1):
            part = tokens[at : at + length]
            lemma = wordnet.one_sense("_".join(token[0].lower() for token in part))
            if lemma and (length > 1 or at == 0 or part[0][0].islower()):
                if seen[lemma] < MOST:
                    seen[lemma] += 1
                    yield part[0].start(), part[-1].end(), "", [wordnet.single[lemma]]
                at += length - 1
                break
        at += 1
