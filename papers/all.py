"""Make every page of docs/papers again, from the data alone.

    python -m papers.all --data DIR [--work DIR] [--only 001 --only 003] [-o docs/papers]

First an index and vectors are made without the documents that are reported on (kept in the working folder, so that
a second run is quicker), then the five papers run one after the other. The data of paper 004 (`actors50`, `tri_reid`)
may not be passed on; whoever has it runs this command and gets its page. See docs/papers/README.md for where each set
comes from.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from pathlib import Path

from papers import pages, summary
from papers.inputs import index_without, vectors_without
from papers.made_with import PAPERS
from papers.source import Given
from tacenda.errors import TacendaError

COUNTING = ("000", "001", "004")


def main(arguments: list[str] | None = None) -> int:
    """Make the pages; say how long each took."""
    parser = argparse.ArgumentParser(prog="python -m papers.all", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with the data")
    parser.add_argument("--work", type=Path, default=Path("out/papers"), help="where the index and vectors are kept")
    parser.add_argument("--only", action="append", choices=PAPERS, help="this paper only (repeatable)")
    parser.add_argument("--chunk", action="store_true", help="find the phrases to train on with the encoder (slower)")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/papers"))
    options = parser.parse_args(arguments)
    chosen = options.only or PAPERS
    try:
        Given(options.data)
        options.work.mkdir(parents=True, exist_ok=True)
        for paper in chosen:
            start = time.process_time()
            pages.write(paper, _given(paper, options), options.output / paper, command=_shown(paper), html=False)
            print(f"paper {paper}: {time.process_time() - start:.0f} s of processor time", flush=True)
        if (options.output / "README.md").is_file():
            summary.write(options.output)
    except TacendaError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _given(paper: str, options: argparse.Namespace) -> Given:
    index = index_without(options.data, options.work) if paper in COUNTING else None
    if paper != "004":
        return Given(options.data, index=index)
    vectors = vectors_without(options.data, options.work, phrases="encoder" if options.chunk else "runs")
    words = vectors_without(options.data, options.work, phrases="none")
    return Given(options.data, index=index, vectors=vectors, words=words)


def _shown(paper: str) -> str:
    return shlex.join(["python", "-m", "papers.all", "--data", "DIR", "--only", paper])


if __name__ == "__main__":
    sys.exit(main())
