"""Diseases and conditions from MONDO, its upper levels curated for use as replacements."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tacenda.knowledge.taxonomy.compile import Node
from tacenda.knowledge.taxonomy.graph import Graph
from tacenda.term import normalize

TOPS = {"MONDO:0700096": "14070360-n", "MONDO:0021178": "14285662-n"}  # human disease, injury
# Classes that order the ontology and say nothing in a sentence: passed through, never offered.
_MAINTENANCE = re.compile(
    r"^(disease (by|of|or|related|arising|associated)\b.*|cancer or benign tumor|neoplastic disease or syndrome|"
    r"primary (viral|bacterial) infectious disease|syndromic disease|idiopathic disease|acute disease|"
    r".* characteristic|rare .*|.*-related tumor|.*\b(isolated|syndromic|autosomal|familial) .*|"
    r"commensal .*|post-.* disorder|[A-Za-z]+(virus|viridae|virinae|virales|ales|aceae) infect.*)$"
)
# Edges that hold for some of what lies below, not for all.
_CUT = {
    ("AIDS", "T-cell immunodeficiency"),
    ("immunodeficiency disease", "hereditary disease"),
    ("sexually transmitted disease", "reproductive system disorder"),
    ("hepatobiliary disorder", "endocrine system disorder"),
    ("liver disorder", "endocrine system disorder"),
    ("preeclampsia", "hereditary disease"),
    ("keratoconus", "hereditary disease"),
    ("mental disorder", "brain disorder"),
    ("pancreas disorder", "endocrine system disorder"),
    ("migraine disorder", "hypnic headache"),
}
_ADDED = {
    "AIDS": ["immunodeficiency disease"],
    "human papilloma virus infection": ["viral sexually transmitted disease"],
}
_UNUSED = re.compile(
    r"disease or disorder|caused |susceptibility|association with|response to|\(disease\)|;|\[|nos$|"
    r"infectious disease$|obsolete|(?-i:^[A-Z0-9-]{7,}$|^[A-Z0-9]{1,3}$)",
    re.I,
)
_NUMBERED = re.compile(r"[ ,]\d+[a-z]{0,2}$", re.I)
_INFECTION = re.compile(r"^(?P<what>.+?)(?: virus)? (?:infection|infectious disease)$")
_MOST = 7
_NAME, _SYNONYM = 9, 2  # a label outweighs the same words as somebody else's synonym
_LENGTH = 60
_CONDITIONS = ("14052046-n", "14034177-n", "14299637-n")  # ill health, physical condition, symptom


def read(path: Path, wordnet: Graph, counts: dict[str, float]) -> tuple[list[Node], dict[int, str]]:
    """Read MONDO as cellxgene-ontology-guide 1.11.1 carries it (unpacked JSON)."""
    terms = {k: v for k, v in json.loads(path.read_text(encoding="utf-8")).items() if not v["deprecated"]}
    kept = [k for k, v in terms.items() if k in TOPS or TOPS.keys() & v["ancestors"].keys()]
    parents = {k: _parents(k, terms) for k in kept}
    has_children = {p for above in parents.values() for p in above}
    kept = sorted(k for k in kept if k in has_children or not _NUMBERED.search(terms[k]["label"]))
    position = {k: i for i, k in enumerate(kept)}
    labels = {terms[k]["label"]: k for k in kept}
    seen = _condition_counts(wordnet, counts)
    nodes = []
    for k in kept:
        label = terms[k]["label"]
        above = [p for p in parents[k] if p in position and (label, terms[p]["label"]) not in _CUT]
        above += [labels[name] for name in _ADDED.get(label, ())]
        lemmas = _lemmas(label, terms[k].get("synonyms") or [], top=k in TOPS)
        own = 1.0 + max(seen.get(normalize(lemma), 0.0) for lemma in lemmas)
        ups = tuple(sorted(position[p] for p in above)) or (() if k in TOPS else (position["MONDO:0700096"],))
        priors = tuple(_NAME if lemma == lemmas[0] else _SYNONYM for lemma in lemmas)
        nodes.append(Node(k[6:], lemmas, ups, own, priors, hidden=bool(_MAINTENANCE.match(label))))
    return nodes, {position[k]: synset for k, synset in TOPS.items()}


def _parents(key: str, terms: dict[str, dict]) -> list[str]:
    if key in TOPS:
        return []
    return [p for p, steps in terms[key]["ancestors"].items() if steps == 1 and p in terms and p != "MONDO:0000001"]


def _lemmas(label: str, synonyms: list[str], *, top: bool) -> tuple[str, ...]:
    """The label and the synonyms people write, without turned or templated forms."""
    if label == "human disease":
        return ("disease", "disorder", "medical condition", "health condition", "illness")
    found = {frozenset(normalize(label).lower().split()): label}
    for synonym in sorted(synonyms, key=lambda s: (len(s), s)):
        words = frozenset(normalize(synonym).lower().split())
        if words and len(synonym) <= _LENGTH and not _UNUSED.search(synonym) and len(found) < _MOST:
            found.setdefault(words, synonym)
    # "HIV" for the HIV infectious disease, "hepatitis C" for the hepatitis C virus infection.
    short = _INFECTION.match(label)
    return tuple(dict.fromkeys([*found.values(), *([short["what"]] if short else [])]))


def _condition_counts(wordnet: Graph, counts: dict[str, float]) -> dict[str, float]:
    """Own counts of WordNet's conditions, by key."""
    found: dict[str, float] = {}
    for node in wordnet.below([wordnet.find_id(id_) for id_ in _CONDITIONS]):
        for lemma in wordnet.lemmas(node):
            key = normalize(lemma)
            found[key] = max(found.get(key, 0.0), counts[wordnet.ids[node]])
    return found
