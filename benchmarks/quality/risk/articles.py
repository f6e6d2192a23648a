"""Detection and information kept on the six articles of paper 001 (Tables 1 and 2).

    python benchmarks/quality/risk/articles.py INDEX

INDEX must be built without these articles. The experiment is `papers.paper001`, as `tacenda reproduce 001`
runs it; the labels lie there too, and were made before any flag was seen.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import write

from papers.paper001 import table
from tacenda.knowledge.index import open_index

if __name__ == "__main__":
    found = table(open_index(sys.argv[1]))
    write("articles", {"index": Path(sys.argv[1]).name, "labels": "own, 110 terms an article", "settings": found})
