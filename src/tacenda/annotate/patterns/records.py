"""Numbers named by the word before them: records, cases, accounts, policies, passports, devices, plates.

The word is the context and says the kind; the form must hold a digit. Each number of the text is looked at
once, with a fixed stretch before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tacenda.annotate.patterns.hit import FULL, LIKELY, VALID, WEAK, Hit

_WINDOW = 56
_NUMBER = re.compile(r"\d+")
_LEFT = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-/.#_"
_RIGHT = re.compile(r"[\w/.#-]{0,40}+")
# Cheap look before the dear one: does any of the words' beginnings stand in the stretch?
_TAIL = (
    r"(?:'s)?(?:\s?(?:numbers?|num|nos?|nr|ids?|identifiers?|code|ref(?:erence)?)\b\.?|\s?#|\s?n°)*"
    r"(?:\s?\([\w\s]{0,12}\))?\s?(?:(?:is|was|are|of|to|under|as|ending(?: in)?|the)\s|[:=]\s?|#|-\s){0,3}\s?[\"'(\[]?$"
)
_LABELS: tuple[tuple[str, str], ...] = (
    ("RECORD", r"mrn|medical records?|(?:hospital|clinic|patient|chart|health|unit|emr|ehr) (?:records?|file|chart)|"
               r"(?:hospital|patient|chart|unit|pt|clinic|accession|specimen|encounter|admission) (?=id|no|num|#)|urn|records?(?= (?:no|num|id|#))"),
    ("ACCOUNT", r"accounts?|acct|a/c|sort code|routing|(?:bank|savings|checking) account|customer (?=id|no|num)|member(?:ship)?(?= (?:id|no|num))|"
                r"insurance|ins|policy|health plan|plan|beneficiary|subscriber|group (?=no|num|id)|medicaid|medicare|hicn|mbi|payer|swift|bic|claim"),
    ("CASE", r"case|docket|application|petition|file|complaint|indictment|cause|appeal|matter|proceedings|decree|"
             r"court ref|crime ref(?:erence)?|incident|report(?= (?:no|num|#|id))"),
    ("PASSPORT", r"passport|travel document"),
    ("LICENSE", r"(?:driv\w{2,6}(?:'s)?|dl|medical|nursing|professional|pilot|gun|state|dea|npi) licen[cs]e|licen[cs]e|"
                r"driv\w{2,6} permit|dl(?= ?(?:no|num|#|:))|certificate|npi|dea|permit"),
    ("PLATE", r"(?:licen[cs]e |number |registration |vehicle )?plates?|registration|vehicle reg(?:istration)?|reg(?= (?:no|num|mark))"),
    ("DEVICE", r"serial|s/n|imei|meid|udi|device(?= (?:id|no|num|serial|identifier))|pacemaker|implant|asset tag|imsi|iccid|lot(?= (?:no|num|#))"),
    ("OTHER_ID", r"(?:employee|student|user|staff|badge|voter|tax|customer|order|invoice|ticket|transaction|booking|reference|"
                 r"tracking|confirmation|reservation|registration|library|access|national id(?:entity)?|identity card|id card|"
                 r"identification) ?(?:card)?|uuid|guid|id|ref|study(?= (?:id|no|num))|trial(?= (?:id|no|num))|(?:finger|retina|voice)prints?(?= (?:id|no|file))"),
)  # fmt: skip
_CUE = re.compile("|".join(rf"(?P<{label}>(?<![A-Za-z])(?:{words}){_TAIL})" for label, words in _LABELS), re.I)
_LOOSE = re.compile(r"(?i)(?<![a-z])(?:records|accounts?|cases?|applications?|nos?|numbers?)\b")
_HINT = re.compile(
    r"(?i)(?:mrn|record|file|chart|urn|acc|a/c|sort|rout|customer|member|ins|policy|plan|benef|subscr|group|medica|hicn|mbi|"
    r"payer|swift|bic|claim|case|docket|applic|petit|compl|indict|cause|appeal|matter|proc|decree|ref|incid|report|passp|"
    r"travel|licen|driv|dl|permit|certif|npi|dea|plate|reg|serial|s/n|im[es]i|meid|udi|device|pacem|impl|asset|iccid|lot|"
    r"id|tick|track|order|invoice|uuid|guid|study|trial|print|transa|book|confirm|patient|pt |hospital|specimen|admission)"
)
_DOCKET = re.compile(r"\d(?<![\w-]\d)\d?+[-:]\d\d[-]?(?:cv|cr|mc|md|bk|CV|CR|MC|MD|BK)-?\d{2,6}+(?:-[A-Z]{2,4}){0,2}")
_APPLICATION = re.compile(r"\d{1,6}/\d{2}(?:\d\d)?(?:/\d{1,4}){0,2}")
_CHAIN = re.compile(r"\s?(?:,|and|&|;|or|to)\s(?:and\s)?(?:no\.?\s)?|\s?[-,]\s?|\s\(and\s")
_PLAIN_PLATE = re.compile(r"[A-Z](?<!\w.)[A-Z]\d\d [A-Z]{3}(?!\w)")
_YEARLIKE = re.compile(r"(?:1[89]|20)\d\d")
_SOFT = {"CASE", "ACCOUNT", "OTHER_ID", "LICENSE", "PLATE", "DEVICE"}


class Number(NamedTuple):
    """A number as written, letters and separators included."""

    start: int
    end: int
    written: str


def numbers(text: str) -> Iterator[Number]:
    """Yield each stretch of letters, digits and joiners that holds a digit."""
    done = 0
    for digits in _NUMBER.finditer(text):
        if digits.start() < done:
            continue
        window = text[max(done, digits.start() - 16) : digits.start()]
        start = digits.start() - (len(window) - len(window.rstrip(_LEFT)))
        end = _RIGHT.match(text, digits.start()).end()  # type: ignore[union-attr]
        done = end
        written = text[start:end]
        start += len(written) - len(written.lstrip("-/.#_"))
        written = written.strip("-/.#_")
        yield Number(start, start + len(written), written)


def find(text: str) -> Iterator[Hit]:
    """Yield numbers that a word before them names."""
    last: Hit | None = None
    for number in numbers(text):
        hit = _chained(text, number, last) or _named(text, number)
        if hit is not None:
            yield hit
            last = hit
    for match in _DOCKET.finditer(text):
        yield Hit(match.start(), match.end(), "CASE", FULL)
    for match in _PLAIN_PLATE.finditer(text):
        yield Hit(match.start(), match.end(), "PLATE", LIKELY)


def _named(text: str, number: Number) -> Hit | None:
    low = max(0, number.start - _WINDOW)
    if not _HINT.search(text, low, number.start):
        return None
    cue = _CUE.search(text, low, number.start)
    if cue is None or cue.lastgroup is None:
        return None
    label = cue.lastgroup
    confidence = _confidence(label, number.written, cue.group())
    return Hit(number.start, number.end, label, confidence) if confidence else None


def _confidence(label: str, written: str, cue: str) -> float:
    """How sure a named number is: short or year-like ones may count something else."""
    digits = sum(c.isdigit() for c in written)
    explicit = re.search(r"(?i)(?:number|num|nos?|nr|id|identifier|ref|mrn|#)\b\.?|[:#=]", cue) is not None
    if digits < 2 or len(written) < 3:
        return 0.0
    if label == "CASE" and _APPLICATION.fullmatch(written):
        return FULL if explicit else VALID
    if _YEARLIKE.fullmatch(written) or (written.isdigit() and digits < 4):
        return WEAK if explicit else 0.0
    if re.fullmatch(r"[\d.,]+", written) and ("." in written or "," in written):
        return 0.0
    if explicit:
        return FULL if digits >= 4 or label == "RECORD" else VALID
    if label in _SOFT:
        return LIKELY if digits >= 5 else 0.0
    return VALID if digits >= 5 else WEAK


def _chained(text: str, number: Number, last: Hit | None) -> Hit | None:
    """Numbers listed after a named one share its name: "nos. 63464/00, 63465/00 and 63466/00"."""
    if last is None or number.start - last.end > 8 or last.label != "CASE":
        return None
    if not _CHAIN.fullmatch(text, last.end, number.start) or not _APPLICATION.fullmatch(number.written):
        return None
    return Hit(number.start, number.end, last.label, last.confidence)
