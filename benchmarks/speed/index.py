"""Speed of the index: building, opening, counting.

    python -m benchmarks.speed.index --data DIR [--megabytes 600] [--index english.tix] [--only open counts ...]

With more than 512 megabytes the stream is larger than the memory that building may use (the limit is set to 512 MB).

DIR holds k_wiki9k/wiki_full.jsonl.xz and paper_articles/paper_articles.jsonl.gz. Wall and CPU seconds are both given:
on a machine shared with others the wall clock says little. Building is also compared, in the same run, with a plain
Python loop over the same text (regular expression, dictionary of sets, one process).
"""

from __future__ import annotations

import gzip
import json
import lzma
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.speed.figures import Figures, options
from tacenda import term
from tacenda.knowledge.index import BuildOptions, Index, build_index, open_index
from tacenda.knowledge.index.corpus import EMBEDDED

FIGURES = Figures()
PARTS = ("stream", "open", "counts", "vocabulary", "processes", "build")


def timed(run: Callable[[], Any]) -> tuple[Any, float, float]:
    """Result, wall seconds, CPU seconds (children included)."""
    wall, cpu = time.perf_counter(), _cpu()
    result = run()
    return result, time.perf_counter() - wall, _cpu() - cpu


def _cpu() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def texts(data: Path, megabytes: float) -> Iterator[str]:
    """Articles of about so many megabytes; past the end the same again, each paragraph marked so that it counts."""
    left = megabytes * 1e6
    for copy in count():
        with lzma.open(data / "k_wiki9k" / "wiki_full.jsonl.xz", "rt", encoding="utf-8") as lines:
            for line in lines:
                text = json.loads(line)["text"]
                text = text.replace("\n", f"\ncopy{copy} ") if copy else text
                left -= len(text)
                if left < 0:
                    return
                yield text


def plain_python(articles: list[str]) -> int:
    """The peer: what one would write first."""
    word = re.compile(r"\w+")
    held: dict[str, set[int]] = defaultdict(set)
    number = 0
    for text in articles:
        for paragraph in text.split("\n"):
            words = word.findall(paragraph.lower())
            for start in range(0, len(words), 120):
                for one in words[start : start + 120]:
                    held[one].add(number)
                number += 1
    return len(held)


def bench_build(data: Path, megabytes: float = 60.0) -> None:
    """Megabytes a second from memory, against the plain loop."""
    articles = list(texts(data, megabytes))
    size = sum(map(len, articles)) / 1e6
    with tempfile.TemporaryDirectory() as folder:
        _build(Path(folder), "from memory", enumerate(articles), size, 1024)
        _, _, cpu = timed(lambda: plain_python(articles))
        FIGURES.add(f"plain Python, {size:.0f} MB", "build", size / cpu, "MB per CPU second")


def bench_stream(data: Path, megabytes: float) -> None:
    """A stream of text that is larger than the memory allowed."""
    with tempfile.TemporaryDirectory() as folder:
        _build(Path(folder), "xz stream", enumerate(texts(data, megabytes)), megabytes, 512)


def _build(folder: Path, name: str, pieces: Iterator[tuple[int, str]], size: float, memory: int) -> None:
    target = folder / f"{memory}.tix"
    options = BuildOptions(memory_mb=memory, processes=2)
    before = _memory([os.getpid()])
    with Watch() as watch:
        _, wall, cpu = timed(lambda: build_index(target, pieces, options=options))
    name = f"index from {name}, {size:.0f} MB, 2 processes, limit {memory} MB"
    FIGURES.add(name, "build", size / cpu, "MB per CPU second")
    FIGURES.add(name, "build on the clock", size / wall, "MB/s", clock=True)
    FIGURES.add(name, "memory beyond what was held", max(watch.most - before, 0), "MB")
    FIGURES.add(name, "file", target.stat().st_size / 1e6, "MB")


class Watch(threading.Thread):
    """Looks twice a second how much memory this process and its children hold together."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = 0.0
        self._stop_now = threading.Event()

    def __enter__(self) -> Watch:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop_now.set()
        self.join()

    def run(self) -> None:
        """Look until told to stop."""
        while not self._stop_now.wait(0.5):
            here = os.getpid()
            children = [int(n) for f in Path(f"/proc/{here}/task").glob("*/children") for n in f.read_text().split()]
            self.most = max(self.most, _memory([here, *children]))


def _memory(processes: Sequence[int], *, of_file: str = "") -> float:
    """Megabytes that processes hold, what they share counted once; with a name, only what is mapped from that file."""
    held = 0
    for process in processes:
        try:
            lines = Path(f"/proc/{process}/{'smaps' if of_file else 'smaps_rollup'}").read_text().splitlines()
        except OSError:
            continue
        inside = not of_file
        for line in lines:
            if of_file and not line.split(maxsplit=1)[0].endswith(":"):
                inside = line.endswith(of_file)
            elif inside and line.startswith("Pss:"):
                held += int(line.split()[1])
    return held / 1e3


def bench_processes(path: Path | None, processes: int = 100) -> None:
    """Memory of one and of a hundred processes that open the index and count."""
    file = str(path or EMBEDDED)
    only_import = "import sys; from tacenda.knowledge.index import open_index; print(flush=True); sys.stdin.read()"
    count = "i = open_index(sys.argv[1]); i.counts([('HIV', 'mother'), ('city', 'river')]); print(flush=True);"
    for name, code in (("import", only_import), ("count", only_import.replace("print(flush=True);", count))):
        command = [sys.executable, "-c", code, file]
        running: list[subprocess.Popen[bytes]] = []
        for wanted in (1, processes):
            while len(running) < wanted:
                running.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
                running[-1].stdout.readline()  # type: ignore[union-attr]
            numbers = [one.pid for one in running]
            mapped, whole = _memory(numbers, of_file=Path(file).name), _memory(numbers)
            FIGURES.add(f"{wanted} processes that {name}", "index mapped, all together", mapped, "MB")
            FIGURES.add(f"{wanted} processes that {name}", "memory of one", whole / wanted, "MB")
        for one in running:
            one.communicate()


def bench_open(path: Path | None) -> None:
    """Opening, and the first count after it."""
    opened, counted = [], []
    for _ in range(9):
        index, wall, _ = timed(lambda: open_index(path))
        opened.append(wall)
        counted.append(timed(lambda i=index: i.count("HIV"))[1])
    FIGURES.add("index", "open", 1e3 * min(opened), "ms", clock=True)
    FIGURES.add("index", "first count", 1e3 * min(counted), "ms", clock=True)


def document_terms(index: Index, text: str, most: int = 200) -> list[str]:
    """Two hundred terms of a document: its most frequent content words that the index holds."""
    counted = Counter(word for word in term.content_words(text) if len(word) > 2)
    known = (word for word, _ in counted.most_common() if index.count(word).number and not index.find(word).everywhere)
    return [word for word, _ in zip(known, range(most), strict=False)]


def bench_counts(index: Index, name: str, terms: list[str], groups: int) -> None:
    """Group counts a second in the batch call: groups of 2 to 5 with one protected term, and without it."""
    chance = random.Random(7)
    with_entity = [("HIV", *chance.sample(terms, chance.randint(1, 4))) for _ in range(groups)]
    without = [tuple(chance.sample(terms, chance.randint(2, 5))) for _ in range(groups)]
    for label, asked in (("with HIV", with_entity), ("terms only", without)):
        index.counts(asked)
        _, _, cpu = timed(lambda a=asked: index.counts(a))
        FIGURES.add(f"group counts, {name}", label, groups / cpu / 1e6, "M per CPU second")


def bench_vocabulary(index: Index) -> None:
    """One term against the whole vocabulary."""
    timed(lambda: index.against_vocabulary("HIV"))  # makes the turned index unless it is cached
    for asked in ("condom", "HIV", "diabetes", "catholic", "new york", "city"):
        found = index.count(asked).number
        runs = []
        for _ in range(9):
            used = time.process_time()
            index.against_vocabulary(asked)
            runs.append(time.process_time() - used)
        FIGURES.add("against the whole vocabulary", f"{asked}, {found} windows", 1e3 * min(runs), "ms")


def main() -> None:
    """Run all."""
    arguments = options(
        __doc__,
        index={"type": Path},
        megabytes={"type": float, "default": 600.0, "help": "text of the stream"},
        groups={"type": int, "default": 1_000_000},
        only={"nargs": "+", "choices": PARTS, "default": list(PARTS)},
    )
    chosen = arguments.only
    if "stream" in chosen:  # first, while this process holds nothing else
        bench_stream(arguments.data, arguments.megabytes)
    if "open" in chosen:
        bench_open(arguments.index)
    index = open_index(arguments.index)
    with gzip.open(arguments.data / "paper_articles" / "paper_articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    for document in [d for d in documents if len(d["text"]) > 20_000][:4]:
        terms = document_terms(index, document["text"])
        if "counts" in chosen:
            bench_counts(index, document["name"], terms, arguments.groups)
    if "vocabulary" in chosen:
        bench_vocabulary(index)
    if "processes" in chosen:
        bench_processes(arguments.index)
    if "build" in chosen:
        bench_build(arguments.data)
    FIGURES.write(arguments.json)


if __name__ == "__main__":
    main()
