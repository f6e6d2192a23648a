"""Count the words of a collection, for `distil_vectors.py`: one `word<TAB>count` a line, most frequent first.

    python scripts/count_words.py CORPUS... -o counts.tsv

Words are those of `tacenda.term`; a word seen less than five times is left out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from tacenda import term
from tacenda.knowledge.index.read_collection import read_pieces

LEAST = 5


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("corpus", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    keys: Counter[str] = Counter()
    written: Counter[str] = Counter()
    for _, text in read_pieces(options.corpus):
        words, as_written = term.written_words(text)
        (written if as_written else keys).update(words)
    for word, count in written.items():
        keys[term.written_key(word)] += count
    ranked = sorted((w for w in keys if keys[w] >= LEAST), key=lambda w: (-keys[w], w))
    options.output.write_text("".join(f"{word}\t{keys[word]}\n" for word in ranked), "utf-8")


if __name__ == "__main__":
    main()
