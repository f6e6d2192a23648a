"""The table of docs/papers/README.md: every claim of the five papers, their figure, ours, and how the two compare."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacenda.measures.report import Table, markdown

START, END = "<!-- table: written by papers.all -->", "<!-- end of the table -->"
NEAR = 0.03
Numbers = Mapping[str, Any]


@dataclass(frozen=True)
class Claim:
    """A claim of a paper.

    printed     the paper's figure (a share, where it is a number)
    ours        takes our figure from the numbers of the page
    up          True: more is better, False: less is better, None: not comparable
    why         what the difference comes from, or why no comparison is fair
    """

    paper: str
    what: str
    printed: float | str
    ours: Callable[[Numbers], float | str]
    up: bool | None
    why: str

    def verdict(self, found: float | str) -> str:
        """Say same, better, worse or not comparable."""
        if self.up is None or isinstance(found, str) or isinstance(self.printed, str):
            return "not comparable"
        if abs(found - self.printed) <= NEAR:
            return "same"
        return "better" if (found > self.printed) == self.up else "worse"


def _term(row: str, key: str) -> Callable[[Numbers], float | str]:
    return lambda n: float(n["table1"][row]["term"][key]) if row in n["table1"] else "not run"


def _article(alpha: str, key: str, way: str = "single terms") -> Callable[[Numbers], float]:
    return lambda n: float(n["articles"][way][alpha]["mean"][key])


def _utility(row: str) -> Callable[[Numbers], float | str]:
    return lambda n: float(n["table6"][row]["generalization"]) if row in n["table6"] else "not run"


def _worst(version: str) -> Callable[[Numbers], float]:
    return lambda n: max(map(float, n["table7"][version].values()))


def _order(index: str) -> Callable[[Numbers], str]:
    def order(n: Numbers) -> str:
        held = {name: next(p for p in points if p["asked"] == 0.1)[index] for name, points in n["by_strategy"].items()}
        return " > ".join(sorted(held, key=lambda name: -held[name]))

    return order


_OTHER_MARKS = "other documents and other marks: summaries of actors"
_SIMULATED = "our log is simulated; the paper's may not be redistributed"
CLAIMS = (
    Claim(
        *("000", "only influenza + blood transfusion tells t_DR of AIDS (Table 3)", "9.97 bits"),
        lambda n: "no evidence",
        *(None, "our index holds no window with all three; the figures agree with the formulas on fitted counts only"),
    ),
    Claim("000", "Ψ within documents, recall (Table 5)", 0.879, lambda n: n["table_5"]["Ψ, whole document"]["recall"],
          None, _OTHER_MARKS),
    Claim("000", "Ψ within documents, precision (Table 5)", 0.631,
          lambda n: n["table_5"]["Ψ, whole document"]["precision"], None, _OTHER_MARKS),
    Claim("000", "recall of ζ alone (Table 6)", 0.489, lambda n: n["table_6"]["ζ: three types of entities"]["recall"],
          None, _OTHER_MARKS + ", most of them no entities"),
    Claim("000", "recall of Ψ(ζ) (Table 6)", 0.931, lambda n: n["table_6"]["Ψ(ζ), whole document"]["recall"], None,
          _OTHER_MARKS + "; that Ψ adds much recall for some precision is the same"),
    Claim("001", "precision at α = 1 (Table 1)", 0.967, _article("1", "precision"), True,
          "our labels, an index of windows instead of Bing"),
    Claim("001", "recall at α = 1 (Table 1)", 0.087, _article("1", "recall"), True,
          "an entity counts with all its names and kinds, so that its own names are found at once"),
    Claim("001", "F at α = 1.5 (Table 1)", 0.793, _article("3/2", "F"), True,
          "what hardly occurs outside the article has no evidence in half a million windows"),
    Claim("001", "F at α = 2 (Table 1)", 0.810, _article("2", "F"), True, "the same"),
    Claim("001", "information kept by redaction, α = 2 (Table 2)", 0.388, _article("2", "redaction"), True,
          "fewer phrases are taken out"),
    Claim("001", "information kept by sanitization, α = 2 (Table 2)", 0.708, _article("2", "sanitization"), True,
          "our generalizations are assessed again as words and concepts, and give up earlier; no SNOMED or ODP"),
    Claim("002", "accuracy of the classifier", 0.78, lambda n: n["classifier"]["accuracy"], None, _SIMULATED),
    Claim("002", "correlation of SPI with JSD over k", "weak",
          lambda n: f"{n['correlations']['SPI as printed and JSD']:.3f}", None,
          _SIMULATED + ", and has no popular sensitive queries"),
    Claim("002", "SPI by strategy (Figure 2)", "no PPP > k-anonymous > only PPP", _order("SPI as printed"), None,
          "at 10 % released; as printed the index rewards the wrong release (errata)"),
    Claim("002", "SPI of what is withheld, by strategy", "–", _order("SPI withheld"), None, "ours; at 10 % released"),
    Claim("002", "PEL does not depend on strategy", "the same", _order("PEL"), None,
          "all three within a few hundredths: as the paper says"),
    Claim("003", "exhaustive search, 20 words", "hours",
          lambda n: f"{1000 * n['seconds']['t-PAT exact (ours)']['16384'][1]:.1f} ms", None, "an exact solver: better"),
    Claim("003", "LUBS finds the best answer", "almost always", lambda n: f"{n['lub_search']['optimal']:.0%} of draws",
          None, "worse than claimed, against a proven optimum"),
    Claim("004", "F1 of the paper's method (Table 1)", 0.817, _term("similarity, trained, t = .25", "f1"), True,
          "our vectors have not seen the documents; four of five phrases are marked, so that masking all is near"),
    Claim("004", "F1 without noun phrases (Table 1)", 0.690,
          _term("similarity, trained without phrases, t = .25", "f1"), True,
          "single words, and a name known by its last word only"),
    Claim("004", "F1 of our own types (not in the paper)", 0.817, _term("entity", "f1"), True,
          "other annotators of the same text; the encoder has not learned from these marks"),
    Claim("004", "F1 with ready-made vectors (Table 5, best)", 0.762,
          _term("similarity, static table, t from other documents", "f1"), True,
          "near the figure of masking every phrase: says little about the vectors"),
    Claim("004", "kept by generalization (Table 6)", 0.850, _utility("similarity, trained"), True,
          "we mask more, and forbid categories such as '1975 births'"),
    Claim("004", "re-identified after manual masking (Table 7)", 0.02, _worst("manual"), None,
          "their text, our worst attacker: the risk was understated"),
    Claim("004", "re-identified after the paper's method (Table 7)", 0.10, _worst("word2vec_t=0.25"), None,
          "their text, our worst attacker"),
    Claim("004", "re-identified, policy person (not in the paper)", "–", _worst("ours: policy person"), None,
          "our text, our worst attacker, the whole background"),
)  # fmt: skip


def write(folder: Path) -> None:
    """Write the table into the README, from the numbers of the pages beside it."""
    pages = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("00?/00?.json"))}
    numbers = {paper: page["result"] for paper, page in pages.items() if "made_with" in page}
    rows = []
    for claim in CLAIMS:
        if claim.paper in numbers:
            found = claim.ours(numbers[claim.paper])
            rows.append(
                (
                    f"[{claim.paper}]({claim.paper}.md)",
                    claim.what,
                    claim.printed,
                    found,
                    claim.verdict(found),
                    claim.why,
                )
            )
    table = markdown(Table(("paper", "claim", "paper's figure", "ours", "compared", "why"), tuple(rows)))
    readme = folder / "README.md"
    text = readme.read_text("utf-8")
    before, rest = text.split(START)
    readme.write_text(f"{before}{START}\n\n{table}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")
