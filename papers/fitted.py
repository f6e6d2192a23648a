"""A collection fitted by hand to Tables 1 to 3 of paper 000.

The paper prints information and PMI, not counts. These counts were looked for until the printed figures came out
(within .025 bits): they show that the figures agree with each other and with the formulas, and nothing about AIDS.
"""

from __future__ import annotations

from collections.abc import Iterable

AIDS, IMMUNE = "acquired immunodeficiency syndrome", "immune system"
WORDS = {"i": "influenza", "t": "blood transfusion", "p": "patient"}
WINDOWS = 66_913
# Windows that hold exactly these of i, t, p: with AIDS, with the immune system, with neither.
HELD = {
    AIDS: {"ip": 1, "itp": 3},
    IMMUNE: {"itp": 16, "ip": 4, "tp": 1, "i": 8, "t": 1, "p": 28, "": 14},
    "": {"itp": 6, "it": 25, "ip": 86, "tp": 40, "i": 189, "t": 25, "p": 967},
}


def windows() -> list[str]:
    """Return the windows of the collection as texts."""
    lines: list[str] = []
    for secret, parts in HELD.items():
        for letters, number in parts.items():
            held = " ".join([secret, *(WORDS[letter] for letter in letters)])
            lines += [f"{held} number{len(lines) + i}" for i in range(number)]
    return lines + [f"number{i}" for i in range(len(lines), WINDOWS)]


def count(secret: str, terms: Iterable[str]) -> int:
    """Return how many windows hold a secret ("": any or none) and all of some terms.

    >>> count(AIDS, []), count(AIDS, ["influenza", "patient"]), count("", ["blood transfusion"])
    (4, 4, 117)
    """
    wanted = {letter for letter, word in WORDS.items() if word in terms}
    chosen = HELD.values() if secret == "" else [HELD[secret]]
    return sum(number for parts in chosen for letters, number in parts.items() if wanted <= set(letters))
