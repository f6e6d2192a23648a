"""What a page was made with: digests of the data that ships and of the code of the experiment.

A page of figures is only worth as much as its fit to what ships. The digests stand on the page and in its JSON;
`tests/test_paper_pages.py` fails when one no longer fits.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

HERE = Path(__file__).parent
PAPERS = ("000", "001", "002", "003", "004")
# What each paper's figures depend on, beside the code: folders and files of the data that ships.
USES: dict[str, tuple[str, ...]] = {
    "000": ("encoder", "english", "taxonomies"),
    "001": ("encoder", "english", "taxonomies", "senses"),
    "002": ("taxonomies/diseases.tax", "taxonomies/wordnet.tax"),
    "003": ("taxonomies/wordnet.tax",),
    "004": ("encoder", "english", "taxonomies", "senses", "vectors"),
}
NAMES = {"english": "index", "taxonomies/wordnet.tax": "wordnet", "taxonomies/diseases.tax": "diseases"}


def digests(paper: str) -> dict[str, str]:
    """Return the digest of everything that ships and that a paper's figures depend on."""
    found = {NAMES.get(name, name): data_digest(name) for name in USES[paper]}
    return {**found, "code": code_digest(paper)}


def data_digest(name: str) -> str:
    """Digest of a file or folder of the data that ships, without licenses, notices and cards: they only describe it."""
    root = Path(str(resources.files("tacenda"))) / "data" / name
    if root.is_file():
        return file_digest([root])
    return file_digest(p for p in root.rglob("*") if p.is_file() and not _describes(p))


def _describes(path: Path) -> bool:
    return path.name.startswith(("LICENSE", "NOTICE")) or path.suffix == ".md"


def code_digest(paper: str) -> str:
    """Digest of a paper's module, of the modules of `papers` that it uses, and of the labels where it uses them."""
    modules = _modules(f"paper{paper}")
    files = [HERE / f"{name}.py" for name in modules]
    if "marks" in modules:
        files += (HERE / "labels").glob("*.json")
    return file_digest(files)


def file_digest(files: Iterable[Path]) -> str:
    """First 16 hex digits of a SHA-256 over names and contents of files, in order of their names."""
    total = hashlib.sha256()
    for path in sorted(files, key=lambda one: one.name):
        total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


def _modules(name: str) -> set[str]:
    """Names of the modules of `papers` that a module imports, itself included, all the way down."""
    found: set[str] = set()
    open_ = [name]
    while open_:
        one = open_.pop()
        if one in found or not (HERE / f"{one}.py").is_file():
            continue
        found.add(one)
        for node in ast.walk(ast.parse((HERE / f"{one}.py").read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "papers":
                open_ += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("papers."):
                open_.append((node.module or "").split(".")[1])
    return found - {"made_with", "pages"}
