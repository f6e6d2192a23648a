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


def index_without(data: Path, work: Path) -> Path:
    """Return an index of the same collections as the one that ships, without the documents evaluated."""
    excluded = [file_of(data, name, "000") for name in EXCLUDED]
    script = ROOT / "scripts" / "build_index.py"
    path = work / f"k_eval-{_key(script.read_bytes(), str(term.VERSION), *map(_size, excluded))}.tix"
    if not path.is_file():
        asked = [word for name in excluded for word in ("--exclude", str(name))]
        subprocess.run([sys.executable, str(script), str(data), "-o", str(path), *asked], check=True)
    return path


def vectors_without(data: Path, work: Path, *, phrases: bool = True) -> Path:
    """Return skip-gram vectors of the actors' abstracts without those evaluated; as the paper trains them.

    One thread trains, so that the same collection gives the same vectors. Beside them lies a note of which encoder
    found the phrases: they are kept when the encoder changes, and the page then says so.
    """
    collection = file_of(data, ABSTRACTS, "004")
    path = work / f"actors-{_key(str(phrases), str(term.VERSION), _size(collection))}.tvec"
    if not path.is_file():
        texts = [record["text"] for record in without(lines(collection), load_actors(data))]
        if phrases:
            sequences = term_sequences(texts, processes=os.cpu_count() or 1)
        else:
            sequences = [terms_of(text) for text in texts]
        made_by = {"documents": len(texts), "phrases by encoder": data_digest("encoder") if phrases else None}
        path.with_suffix(".json").write_text(json.dumps(made_by) + "\n", encoding="utf-8")
        train(sequences, path, settings=Settings(workers=1))
    return path


def _size(path: Path) -> str:
    return f"{path.name} {path.stat().st_size}"


def _key(*parts: str | bytes) -> str:
    return hashlib.sha256(b"\0".join(p if isinstance(p, bytes) else p.encode() for p in parts)).hexdigest()[:8]
