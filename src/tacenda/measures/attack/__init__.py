"""Attackers that try to undo a release: who is this text about, and what stood under this mask?

An attacker is a function from the background it knows and the texts it sees to a score for each text and candidate.
None of them is the sanitizer's own: a text is safe only against the strongest one tried, and against that only.
"""

from tacenda.measures.attack.candidates import Candidates, read_candidates, read_targets
from tacenda.measures.attack.guess import GuessReport, guess_masks
from tacenda.measures.attack.learning import learned_sentences
from tacenda.measures.attack.matching import ATTACKERS, mean_rows, nearest_sentences
from tacenda.measures.attack.suite import AttackReport, Result, run_attacks

__all__ = [
    "ATTACKERS",
    "AttackReport",
    "Candidates",
    "GuessReport",
    "Result",
    "guess_masks",
    "learned_sentences",
    "mean_rows",
    "nearest_sentences",
    "read_candidates",
    "read_targets",
    "run_attacks",
]
