# ruff: noqa: E501
"""The written sentences, and which of them say something about which category.

A line of `texts/` begins with + (discloses the category named above it) or - (shares its words, discloses nothing of
it); = describes the category. What a sentence says of *other* categories nobody wrote down: it counts as saying nothing,
except where the two are close, which is left open.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tacenda.risk.meaning.signs import Category, categories

HERE = Path(__file__).parent
# Sets within which a sentence about one may well tell of another.
CLOSE = (
    ("HIV", "sexually transmitted disease"),
    ("sexually transmitted disease", "sex life", "infidelity"),
    ("sexually transmitted disease", "infertility", "pregnancy"),
    ("substance abuse", "criminal convictions and offences", "gang membership"),
    ("racial or ethnic origin", "religious or philosophical beliefs", "immigration status", "genetic data"),
    ("racial or ethnic origin", "political opinions", "criminal convictions and offences", "immigration status"),
    ("political opinions", "religious or philosophical beliefs", "trade-union membership", "abortion"),
    ("trade-union membership", "dismissal"),
    ("genetic data", "cancer", "adoption", "infertility", "miscarriage", "pregnancy"),
    ("biometric data", "criminal convictions and offences", "immigration status", "genetic data"),
    ("sex life", "sexual orientation", "infidelity", "divorce", "pregnancy", "infertility", "childhood abuse"),
    ("sexual orientation", "transgender identity", "adoption", "surrogacy"),
    ("criminal convictions and offences", "gang membership", "domestic abuse", "childhood abuse", "bankruptcy"),
    ("debt", "bankruptcy", "gambling", "welfare benefits", "homelessness", "wealth"),
    ("divorce", "infidelity", "domestic abuse"),
    ("adoption", "surrogacy", "childhood abuse", "infertility"),
    ("pregnancy", "abortion", "miscarriage", "infertility", "surrogacy"),
    ("a pending merger", "planned layoffs", "wealth"),
    ("dismissal", "resignation", "planned layoffs", "whistleblowing"),
    ("military service", "disability"),
    ("depression", "suicide attempt", "eating disorder", "dementia"),
    ("dyslexia", "autism", "disability", "dementia", "epilepsy"),
    ("disability", "welfare benefits", "epilepsy"),
    ("criminal convictions and offences", "sex life"),
    ("transgender identity", "plastic surgery", "cosmetic procedure"),
    ("bedwetting", "bed-wetting"),
    ("left handedness", "left-handedness"),
    ("product recall", "a product recall", "security gap"),
    (
        "undercover agent",
        "an undercover officer",
        "police informant",
        "witness protection",
        "espionage",
        "planned arrest",
    ),
    (
        "patent filing",
        "a patent not yet filed",
        "trade secret",
        "secret recipe",
        "product launch date",
        "supplier name",
    ),
    ("snoring", "sleep apnea", "snoring and sleep apnea", "obesity", "insomnia"),
    ("stillbirth", "miscarriage", "abortion", "pregnancy", "caesarean", "infertility", "parental leave"),
    ("egg donation", "sterilization", "infertility", "surrogacy", "menopause", "impotence", "sex life"),
    ("custody", "divorce", "paternity", "stepchild", "foster care", "adoption", "domestic abuse", "infidelity"),
    ("cheating partner", "infidelity", "divorce", "sex life", "prenuptial agreement"),
    ("secret wedding", "a secret engagement", "arranged marriage", "prenuptial agreement", "moving abroad"),
    ("exam failure", "poor exam results", "plagiarism", "exam leak", "expulsion from school", "dyslexia", "adhd"),
    ("inheritance", "an inheritance dispute", "lottery win", "wealth", "will contents", "salary", "boat ownership"),
    ("hostile takeover", "a pending merger", "insider trading", "ceo resignation", "resignation", "a drop in profits"),
    ("tax evasion", "insider trading", "expense fraud", "criminal convictions and offences", "hacking", "data breach"),
    ("refugee background", "immigration status", "statelessness", "citizenship by investment", "minority language"),
    ("refugee background", "minority language", "racial or ethnic origin", "arranged marriage"),
    ("veteran status", "military service", "desertion", "ptsd", "troop movement"),
    ("self harm", "suicide attempt", "depression", "euthanasia wish", "burnout"),
    (
        "relative in prison",
        "criminal convictions and offences",
        "planned arrest",
        "firearm ownership",
        "loss of license",
    ),
    ("sect membership", "lodge membership", "astrology belief", "religious or philosophical beliefs", "veganism"),
    ("climate activism", "strike plan", "political opinions", "trade-union membership", "unpaid wages"),
    ("debt", "bankruptcy", "gambling", "unpaid wages", "welfare benefits"),
    ("hospice", "nursing home", "caring for parent", "dementia", "cancer", "euthanasia wish", "will contents"),
    ("home address", "no alarm system", "holiday absence", "house for sale", "childs school", "password disclosure"),
    ("planned layoffs", "ceo resignation", "retirement plan", "dismissal", "workplace accident"),
    ("smoking", "substance abuse"),
    ("vegetarianism", "veganism", "celiac disease", "allergy", "eating disorder"),
    ("stalking", "sexual harassment", "domestic abuse", "witness protection"),
    ("genetic data", "being a twin", "paternity", "down syndrome", "egg donation", "color blindness"),
)
# What is a matter of health too, and what may be.
HEALTH = (
    "HIV", "sexually transmitted disease", "cancer", "depression", "dementia", "epilepsy", "eating disorder",
    "suicide attempt", "disability", "miscarriage", "pregnancy", "infertility", "autism", "deafness", "diabetes", "asthma",
    "migraine", "organ transplant", "color blindness", "sleep apnea", "stoma", "insomnia", "ptsd", "adhd",
    "down syndrome", "stroke", "kidney failure", "allergy", "celiac disease", "impotence", "stillbirth", "hospice", "burnout",
    "bedwetting", "bed-wetting", "snoring and sleep apnea", "self harm",
)  # fmt: skip
MAYBE_HEALTH = (
    *HEALTH, "substance abuse", "genetic data", "sex life", "abortion", "transgender identity", "plastic surgery",
    "dyslexia", "surrogacy", "domestic abuse", "childhood abuse", "gambling", "dismissal", "welfare benefits",
    "homelessness", "military service", "biometric data", "sexual orientation", "religious or philosophical beliefs",
    "stuttering", "obesity", "baldness", "snoring", "hoarding", "phobia", "organ donation", "menopause", "sterilization",
    "egg donation", "caesarean", "caring for parent", "nursing home", "euthanasia wish", "veteran status", "smoking", "doping",
    "workplace accident", "parental leave", "cosmetic procedure", "vegetarianism", "veganism", "clinical trial failure",
    "tattoo", "loss of license", "illiteracy", "left handedness", "left-handedness", "being a twin",
)  # fmt: skip


@dataclass(frozen=True)
class Example:
    """A sentence, the category it was written for, and whether it discloses it."""

    category: str
    discloses: bool
    text: str


# Never trained on where it is measured what a description alone is good for.
HELD_OUT = (
    "pregnancy", "bankruptcy", "adoption", "a pending merger", "dyslexia", "divorce", "gambling", "immigration status",
    "infertility", "domestic abuse",
)  # fmt: skip


def examples() -> list[Example]:
    """All written sentences."""
    return _read()[0]


def _read() -> tuple[list[Example], dict[str, str]]:
    found: list[Example] = []
    described: dict[str, str] = {}
    for path in sorted((HERE / "texts").glob("*.txt")):
        category = ""
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("# "):
                category = line[2:]
            elif line[:2] in ("+ ", "- "):
                found.append(Example(category, line[0] == "+", line[2:].strip()))
            elif line.startswith("= "):
                described[category] = line[2:].strip()
            elif line:
                raise ValueError(f"{path.name}: a line begins with neither '# ', '= ', '+ ' nor '- '")
    return found, described


def all_categories() -> list[Category]:
    """Those with a lexicon first, then those that only a description tells of."""
    told = _read()[1] | tomllib.loads((HERE / "categories.toml").read_text("utf-8"))
    return [*categories(), *(Category(name, text, (name,)) for name, text in told.items())]


def label(example: Example, category: str) -> int | None:
    """1: discloses the category, 0: does not, None: nobody said."""
    if category == example.category:
        return int(example.discloses)
    if category == "health" and example.category in MAYBE_HEALTH:
        return 1 if example.discloses and example.category in HEALTH else None
    if any(category in group and example.category in group for group in CLOSE):
        return None
    if example.category == "health" and example.discloses and category in HEALTH:
        return None
    return 0
