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

from tacenda.annotate.patterns.hit import FULL, LIKELY, VALID, WEAK, Hit, within
from tacenda.language.around import words_before


class Row(NamedTuple):
    """One kind of national number."""

    label: str
    form: re.Pattern[str]
    module: str
    cues: frozenset[str]
    unmistakable: bool = False
    alone: float = 0.0


def _row(label: str, form: str, module: str, cues: str, *, unmistakable: bool = False, alone: float = 0.0) -> Row:
    return Row(label, re.compile(form), module, frozenset(cues.split()), unmistakable, alone)


_D = r"\d(?<![\w.,/-]\d)"  # a digit that begins a number
_C = r"[A-Z](?<!\w.)"  # a capital that begins a word
_LETTERS = re.compile(r"[a-z]{2,}")
_BEFORE, _AFTER = 40, 16  # how far a cue may stand
_END = r"(?![\w]|[-/]\d|[.,]\d)"
ROWS = (
    _row("SSN", rf"{_D}\d\d[- ]\d\d[- ]\d{{4}}{_END}", "us.ssn", "ssn social soc", alone=VALID),
    _row("SSN", rf"{_D}\d{{8}}{_END}", "us.ssn", "ssn social soc"),
    _row("NHS", rf"{_D}\d\d[ -]?\d{{3}}[ -]?\d{{4}}{_END}", "gb.nhs", "nhs"),
    _row("NATIONAL_ID", rf"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z](?<!\w.)[A-CEGHJ-NPR-TW-Z]"
         rf" ?\d\d ?\d\d ?\d\d ?[A-D]{_END}", "",
         "ni nino national insurance", alone=VALID),
    _row("NATIONAL_ID", rf"[XYZ\d](?<![\w.,/-].)\d{{7}}-?[A-Z]{_END}", "es.nif", "dni nif nie", alone=LIKELY),
    _row("NATIONAL_ID", rf"[12](?<![\w.,/-].) ?\d\d ?\d\d ?(?:\d\d|2[AB]) ?\d{{3}} ?\d{{3}} ?\d\d{_END}", "fr.nir",
         "nir insee securite social secu", alone=LIKELY),
    _row("NATIONAL_ID", rf"{_C}[A-Z]{{5}}\d\d[A-Z]\d\d[A-Z]\d{{3}}[A-Z]{_END}", "it.codicefiscale",
         "codice fiscale fiscal", unmistakable=True),
    _row("NATIONAL_ID", rf"{_D}\d(?: ?\d{{3}}){{3}}{_END}", "de.idnr",
         "steuer steuerid steuernummer identifikationsnummer idnr tax taxpayer tin"),
    _row("NATIONAL_ID", rf"[2-9](?<![\w.,/-].)\d{{3}}[ -]?\d{{4}}[ -]?\d{{4}}{_END}", "in_.aadhaar",
         "aadhaar aadhar uidai uid"),
    _row("NATIONAL_ID", rf"{_C}[A-Z]{{4}}\d{{4}}[A-Z]{_END}", "in_.pan", "pan permanent tax"),
    _row("NATIONAL_ID", rf"{_D}\d\d[ -]?\d{{3}}[ -]?\d{{3}}{_END}", "ca.sin", "sin social"),
    _row("NATIONAL_ID", rf"{_D}\d\d ?\d{{3}} ?\d{{3}}{_END}", "au.tfn", "tfn tax"),
    _row("NATIONAL_ID", rf"{_D}\d{{3}}\.?\d\d\.?\d{{3}}{_END}", "nl.bsn", "bsn burgerservicenummer sofinummer"),
    _row("NATIONAL_ID", rf"{_D}\d{{10}}{_END}", "pl.pesel", "pesel"),
    _row("NATIONAL_ID", rf"{_D}\d\d\.?\d{{3}}\.?\d{{3}}-?\d\d{_END}", "br.cpf", "cpf"),
    _row("NATIONAL_ID", rf"{_D}\d{{5}}[-+]\d{{4}}{_END}", "se.personnummer", "personnummer personal",
         alone=LIKELY),
    _row("NATIONAL_ID", rf"{_D}\d{{5}}[-+A]\d{{3}}[0-9A-Z]{_END}", "fi.hetu", "hetu henkilotunnus", alone=LIKELY),
    _row("NATIONAL_ID", rf"{_D}\d{{5}}[- ]?\d{{4}}{_END}", "dk.cpr", "cpr", alone=WEAK),
    _row("NATIONAL_ID", rf"{_D}\d{{5}} ?\d{{5}}{_END}", "no.fodselsnummer", "fodselsnummer personnummer"),
    _row("NATIONAL_ID", rf"{_D}\d{{6}}[A-Z]{{1,2}}{_END}", "ie.pps", "pps ppsn"),
    _row("NATIONAL_ID", rf"{_D}\d{{8}}{_END}", "pt.nif", "nif contribuinte"),
    _row("NATIONAL_ID", rf"{_D}\d\d\.\d\d\.\d\d-\d{{3}}\.\d\d{_END}", "be.nn", "rijksregisternummer national",
         unmistakable=True),
    _row("NATIONAL_ID", rf"756(?<![\w.]...)\.\d{{4}}\.\d{{4}}\.\d\d{_END}", "ch.ssn", "ahv avs", unmistakable=True),
    _row("LICENSE", rf"{_C}[A-Z9]{{4}}\d{{6}}[A-Z9]{{2}}[A-Z0-9]{{3}}{_END}", "",
         "driver drivers driving licence license dvla", alone=VALID),
)  # fmt: skip


@cache
def _validator(module: str) -> Callable[[str], bool]:
    check: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
    return check


def find(text: str, start: int, end: int) -> Iterator[Hit]:
    """Yield national numbers of a stretch."""
    nearby = frozenset(_LETTERS.findall(text[max(0, start - _BEFORE) : end + _AFTER].lower()))
    for row in ROWS:
        if not (row.alone or row.unmistakable) and row.cues.isdisjoint(nearby):
            continue
        for match in within(row.form, text, start, end):
            confidence = _confidence(row, text, match)
            if confidence:
                yield Hit(match.start(), match.end(), row.label, confidence)


def _confidence(row: Row, text: str, match: re.Match[str]) -> float:
    stop = min(len(text), match.end() + _AFTER)
    cue = not row.cues.isdisjoint(words_before(text, stop, stop - match.start() + _BEFORE))
    if not row.module:
        return FULL if cue else row.alone
    if _validator(row.module)(match.group()):
        return FULL if cue or row.unmistakable else row.alone
    # Mistyped and made-up numbers are identifiers too where the text says what they are.
    dashed = row.label == "SSN" and "-" in match.group()
    return FULL if cue and dashed else LIKELY if cue else 0.0
