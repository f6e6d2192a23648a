"""National numbers of persons: checked by python-stdnum and by a word nearby.

Each row: label, form, module of `stdnum` that knows the check digit (empty: none exists), cue, and whether a
valid number is unmistakable by its form alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

from tacenda.annotate.patterns.hit import FULL, LIKELY, VALID, WEAK, Hit, around, within


class Row(NamedTuple):
    """One kind of national number."""

    label: str
    form: re.Pattern[str]
    module: str
    cue: re.Pattern[str]
    unmistakable: bool = False
    alone: float = 0.0


def _row(label: str, form: str, module: str, cue: str, *, unmistakable: bool = False, alone: float = 0.0) -> Row:
    return Row(label, re.compile(form), module, re.compile(rf"(?i)\b(?:{cue})\b"), unmistakable, alone)


_D = r"\d(?<![\w.,/-]\d)"  # a digit that begins a number
_C = r"[A-Z](?<!\w.)"  # a capital that begins a word
_END = r"(?![\w]|[-/]\d|[.,]\d)"
_TAXPAYER = "tax(?:payer)?(?: (?:id|number|no|identification))?|tin|fiscal"
ROWS = (
    _row("SSN", rf"{_D}\d\d[- ]\d\d[- ]\d{{4}}{_END}", "us.ssn", r"ssn|social security|soc\.? sec|ss ?#", alone=VALID),
    _row("SSN", rf"{_D}\d{{8}}{_END}", "us.ssn", r"ssn|social security|soc\.? sec"),
    _row("NHS", rf"{_D}\d\d[ -]?\d{{3}}[ -]?\d{{4}}{_END}", "gb.nhs", r"nhs(?: (?:no|number))?|national health"),
    _row("NATIONAL_ID", rf"{_C}[A-Z] ?\d\d ?\d\d ?\d\d ?[A-D]{_END}", "gb.nino",
         r"ni(?:no)?|national insurance|insurance number", alone=VALID),
    _row("NATIONAL_ID", rf"[XYZ\d](?<![\w.,/-].)\d{{7}}-?[A-Z]{_END}", "es.nif", r"dni|nif|nie|d\.n\.i", alone=LIKELY),
    _row("NATIONAL_ID", rf"[12](?<![\w.,/-].) ?\d\d ?\d\d ?(?:\d\d|2[AB]) ?\d{{3}} ?\d{{3}} ?\d\d{_END}", "fr.nir",
         r"nir|insee|securite sociale|social security|numero de secu\w*", alone=LIKELY),
    _row("NATIONAL_ID", rf"{_C}[A-Z]{{5}}\d\d[A-Z]\d\d[A-Z]\d{{3}}[A-Z]{_END}", "it.codicefiscale",
         r"codice fiscale|fiscal code", unmistakable=True),
    _row("NATIONAL_ID", rf"{_D}\d(?: ?\d{{3}}){{3}}{_END}", "de.idnr", rf"steuer\w*|idnr|{_TAXPAYER}"),
    _row("NATIONAL_ID", rf"[2-9](?<![\w.,/-].)\d{{3}}[ -]?\d{{4}}[ -]?\d{{4}}{_END}", "in_.aadhaar", r"aadhaar|aadhar|uidai|uid"),
    _row("NATIONAL_ID", rf"{_C}[A-Z]{{4}}\d{{4}}[A-Z]{_END}", "in_.pan", r"pan|permanent account|income tax"),
    _row("NATIONAL_ID", rf"{_D}\d\d[ -]?\d{{3}}[ -]?\d{{3}}{_END}", "ca.sin", r"sin|social insurance"),
    _row("NATIONAL_ID", rf"{_D}\d\d ?\d{{3}} ?\d{{3}}{_END}", "au.tfn", r"tfn|tax file"),
    _row("NATIONAL_ID", rf"{_D}\d\d\d ?\d{{5}} ?\d{_END}", "au.medicare", r"medicare"),
    _row("NATIONAL_ID", rf"{_D}\d{{3}}\.?\d\d\.?\d{{3}}{_END}", "nl.bsn", r"bsn|burgerservicenummer|sofinummer"),
    _row("NATIONAL_ID", rf"{_D}\d{{10}}{_END}", "pl.pesel", r"pesel"),
    _row("NATIONAL_ID", rf"{_D}\d\d\.?\d{{3}}\.?\d{{3}}-?\d\d{_END}", "br.cpf", r"cpf"),
    _row("NATIONAL_ID", rf"{_D}\d{{5}}[-+]\d{{4}}{_END}", "se.personnummer", r"personnummer|personal (?:identity )?number",
         alone=LIKELY),
    _row("NATIONAL_ID", rf"{_D}\d{{5}}[-+A]\d{{3}}[0-9A-Z]{_END}", "fi.hetu", r"hetu|henkil\w+", alone=LIKELY),
    _row("NATIONAL_ID", rf"{_D}\d{{5}}[- ]?\d{{4}}{_END}", "dk.cpr", r"cpr", alone=WEAK),
    _row("NATIONAL_ID", rf"{_D}\d{{5}} ?\d{{5}}{_END}", "no.fodselsnummer", r"f\w*dselsnummer|personnummer"),
    _row("NATIONAL_ID", rf"{_D}\d{{6}}[A-Z]{{1,2}}{_END}", "ie.pps", r"ppsn?"),
    _row("NATIONAL_ID", rf"{_D}\d{{8}}{_END}", "pt.nif", r"nif|contribuinte"),
    _row("NATIONAL_ID", rf"{_D}\d\d\.\d\d\.\d\d-\d{{3}}\.\d\d{_END}", "be.nn", r"rijksregister\w*|national number",
         unmistakable=True),
    _row("NATIONAL_ID", rf"756(?<![\w.]...)\.\d{{4}}\.\d{{4}}\.\d\d{_END}", "ch.ssn", r"ahv|avs", unmistakable=True),
    _row("LICENSE", rf"{_C}[A-Z9]{{4}}\d{{6}}[A-Z9]{{2}}[A-Z0-9]{{3}}{_END}", "", r"driv\w+|licen[cs]e|dvla", alone=VALID),
)  # fmt: skip


@cache
def _validator(module: str) -> Callable[[str], bool]:
    check: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
    return check


def find(text: str, start: int, end: int) -> Iterator[Hit]:
    """Yield national numbers of a stretch."""
    for row in ROWS:
        for match in within(row.form, text, start, end):
            confidence = _confidence(row, text, match)
            if confidence:
                yield Hit(match.start(), match.end(), row.label, confidence)


def _confidence(row: Row, text: str, match: re.Match[str]) -> float:
    cue = around(text, match.start(), match.end(), row.cue)
    if not (cue or row.unmistakable or row.alone):
        return 0.0
    if not row.module:
        return FULL if cue else row.alone
    if _validator(row.module)(match.group()):
        return FULL if cue or row.unmistakable else row.alone
    # Mistyped and made-up numbers are identifiers too where the text says what they are.
    dashed = row.label == "SSN" and "-" in match.group()
    return FULL if cue and dashed else LIKELY if cue else 0.0
