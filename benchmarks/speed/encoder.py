"""Speed, load time and memory of the encoder beside a spaCy pipeline, one core, in the same run.

    python -m benchmarks.speed.encoder --data DIR [--spacy PATH] [--documents 40]

"joined" is the whole annotation: encoder and patterns, forms spread, entities tied, overlaps settled.
Each system runs in a process of its own on the same court cases; times are processor time, the ratio is what counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.speed.figures import Figures, options

CHILD = """
import json, resource, sys, time
name, data, path, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
texts = [json.loads(line)["text"] for line in open(data, encoding="utf-8")][:count]
begun = time.process_time()
if name == "encoder":
    from tacenda.annotate.encoder import Encoder
    from tacenda.model import Document
    encoder = Encoder(path or None)
    encoder.annotate(Document("A first sentence."))
    load = time.process_time() - begun
    begun = time.process_time()
    found = sum(len(a.mentions) for a in encoder.annotate_many(map(Document, texts)))
elif name == "joined":
    from tacenda.annotate import combine
    from tacenda.annotate.encoder import Encoder
    from tacenda.annotate.patterns import Patterns
    from tacenda.model import Document
    parts = Encoder(path or None), Patterns()
    def annotate(text):
        document = Document(text)
        return combine(document, [part.annotate(document) for part in parts])
    annotate("A first sentence.")
    load = time.process_time() - begun
    begun = time.process_time()
    found = sum(len(annotate(text).mentions) for text in texts)
else:
    import spacy
    nlp = spacy.load(path)
    nlp("A first sentence.")
    load = time.process_time() - begun
    begun = time.process_time()
    found = sum(len(list(d.noun_chunks)) + len(d.ents) for d in nlp.pipe(texts))
seconds = time.process_time() - begun
words = sum(len(t.split()) for t in texts)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
figures = {"words_per_second": round(words / seconds), "load_seconds": round(load, 3), "memory_mb": round(peak)}
print(json.dumps(figures | {"found": found}))
"""


def main() -> None:
    """Run both, print figures and the ratio."""
    args = options(
        __doc__,
        spacy={"default": "", "help": "path or name of the spaCy pipeline"},
        python={"default": sys.executable, "help": "interpreter that has spaCy"},
        model={"default": "", "help": "folder of the encoder's model, the shipped one by default"},
        documents={"type": int, "default": 40},
    )
    figures = Figures()
    data = str(args.data / "tab_test127/tab_dev40.jsonl")
    single = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    single["PYTHONPATH"] = str(Path(__file__).parents[2] / "src")
    results = {}
    for name, python, path in (
        ("encoder", sys.executable, args.model),
        ("joined", sys.executable, args.model),
        ("spacy", args.python, args.spacy),
    ):
        if name != "spacy" or path:
            command = [python, "-c", CHILD, name, data, path, str(args.documents)]
            results[name] = json.loads(
                subprocess.run(command, env=single, check=True, capture_output=True, text=True).stdout
            )
    for name, found in results.items():
        figures.add(name, "annotation", found["words_per_second"], "words per CPU second")
        figures.add(name, "load, CPU", found["load_seconds"], "s")
        figures.add(name, "memory", found["memory_mb"], "MB")
        if "spacy" in results and name != "spacy":
            rate = found["words_per_second"] / results["spacy"]["words_per_second"]
            figures.add(name, "against spaCy", rate, "x")
    figures.write(args.json)


if __name__ == "__main__":
    main()
