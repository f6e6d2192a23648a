"""What the experiments need beside the data: an index and vectors made without the documents they report on.

They are made once and kept, each under a name that holds a digest of what it was made from; a new encoder or new
rules for terms make them again.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from papers.actors import lines, load_actors, without
from papers.made_with import data_digest
from papers.source import file_of
from tacenda import term
from tacenda.knowledge.vectors.term_sequences import terms_of
from tacenda.knowledge.vectors.train import Settings, train
from tacenda.studies.sequences import term_sequences

ROOT = Path(__file__).parents[1]
EXCLUDED = ("paper_articles/paper_articles.jsonl.gz", "actors50/actors_dev20.jsonl")
ABSTRACTS = "k_actors/actor_abstracts.jsonl.gz"
LONGEST = 5  # words of a run


def index_without(data: Path, work: Path) -> Path:
    """Return an index of the same collections as the one that ships, without the documents evaluated."""
    excluded = [file_of(data, name, "000") for name in EXCLUDED]
    script = ROOT / "scripts" / "build_index.py"
    path = work / f"k_eval-{_key(str(term.VERSION), *map(_size, excluded))}.tix"
    if not path.is_file():
        asked = [word for name in excluded for word in ("--exclude", str(name))]
        subprocess.run([sys.executable, str(script), str(data), "-o", str(path), *asked], check=True)
    return path


def vectors_without(data: Path, work: Path, *, phrases: str = "runs") -> Path:
    """Return skip-gram vectors of the actors' abstracts without those evaluated.

    phrases     what counts as one term. none: single words; encoder: every noun phrase of the collection, as the paper
                chunks it (four minutes of one core); runs: runs of content words of the evaluated documents, wherever
                the collection holds them, which gives the same terms a vector in seconds

    One thread trains, so that the same collection gives the same vectors.
    """
    collection = file_of(data, ABSTRACTS, "004")
    made_from = data_digest("encoder") if phrases == "encoder" else ""
    path = work / f"actors-{_key(phrases, made_from, str(term.VERSION), _size(collection))}.tvec"
    if not path.is_file():
        actors = load_actors(data)
        texts = [record["text"] for record in without(lines(collection), actors)]
        if phrases == "encoder":
            sequences = term_sequences(texts, processes=os.cpu_count() or 1)
        elif phrases == "runs":
            wanted = {run for actor in actors for run in content_runs(actor.text)}
            sequences = [terms_of(text, found_runs(text, wanted)) for text in texts]
        else:
            sequences = [terms_of(text) for text in texts]
        train(sequences, path, settings=Settings(workers=1))
        told = {"documents": len(texts), "phrases": phrases}
        path.with_suffix(".json").write_text(json.dumps(told) + "\n", encoding="utf-8")
    return path


def content_runs(text: str, longest: int = LONGEST) -> set[tuple[str, ...]]:
    """Return the runs of two and more words of a text with no stop word and no mark of punctuation in between.

    >>> sorted(content_runs("an American film actress, and model"))
    [('american', 'film'), ('american', 'film', 'actress'), ('film', 'actress')]
    """
    found = set()
    for stretch in _stretches(text):
        words = [word for _, _, word in stretch]
        for start in range(len(words)):
            for end in range(start + 2, min(start + longest, len(words)) + 1):
                found.add(tuple(words[start:end]))
    return found


def found_runs(text: str, wanted: set[tuple[str, ...]], longest: int = LONGEST) -> list[tuple[int, int]]:
    """Return where a text holds one of some runs: the longest at each place, from left to right.

    >>> found_runs("She is a film actress.", {("film", "actress")})
    [(9, 21)]
    """
    spans = []
    for stretch in _stretches(text):
        at = 0
        while at < len(stretch):
            for end in range(min(at + longest, len(stretch)), at + 1, -1):
                if tuple(word for _, _, word in stretch[at:end]) in wanted:
                    spans.append((stretch[at][0], stretch[end - 1][1]))
                    at = end - 1
                    break
            at += 1
    return spans


def _stretches(text: str) -> Iterator[list[tuple[int, int, str]]]:
    """Cut a text at stop words and wherever more than a space or a hyphen stands between two words."""
    held: list[tuple[int, int, str]] = []
    for token in term.tokens(text):
        stops = token.word in term.STOP_WORDS
        if held and (stops or text[held[-1][1] : token.start] not in (" ", "-")):
            yield held
            held = []
        if not stops:
            held.append((token.start, token.end, token.word))
    if held:
        yield held


def _size(path: Path) -> str:
    return f"{path.name} {path.stat().st_size}"


def _key(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]
