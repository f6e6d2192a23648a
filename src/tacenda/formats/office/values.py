"""Numbers and dates of cells: what a format shows of a value, and the value behind what is shown.

Only what is shown may leave: `Shown.value` is the value without the digits, days or times that the format hides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache

BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 14: "m/d/yyyy",
    15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
    22: "m/d/yyyy h:mm", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 41: "#,##0", 42: "$#,##0", 43: "#,##0.00", 44: "$#,##0.00", 45: "mm:ss", 49: "@",
}  # fmt: skip
_TOKEN = re.compile(
    r'"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)[^\]]*\]|'
    r"\[(?:Black|Blue|Cyan|Green|Magenta|Red|White|Yellow|Color\d+)\]",
    re.I,
)
_DATE = re.compile(r"AM/PM|A/P|y+|m+|d+|h+|s+", re.I)
_MONTHS = "January February March April May June July August September October November December".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_PLAIN = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,10})?")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a cell shows, and the value that says no more; None where only text can say it."""

    text: str
    value: Decimal | None


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # literal, digit, point, comma, percent, date
    text: str


def general(value: Decimal) -> str:
    """Show a number as it is.

    >>> general(Decimal("3.0")), general(Decimal("0.1000"))
    ('3', '0.1')
    """
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def plain_number(text: str) -> bool:
    """Tell whether a text is what a number looks like without a format."""
    return bool(_PLAIN.fullmatch(text)) and general(Decimal(text)) == text


def show(raw: str, code: str, *, since_1904: bool = False) -> Shown:
    """Return what a number format shows of a stored value.

    >>> show("123456789", "000-00-0000").text, show("43538", "d mmmm yyyy").text, show("0.256", "0%")
    ('123-45-6789', '14 March 2019', Shown(text='26%', value=Decimal('0.26')))
    """
    try:
        value = Decimal(raw.strip())
    except InvalidOperation:
        return Shown(raw, None)
    if not value.is_finite() or abs(value) >= Decimal(10) ** 300:
        return Shown(raw, None)
    value = value.normalize() if value else Decimal(0)
    tokens = _tokens(_section(code, value))
    if tokens is not None and any(t.kind == "date" for t in tokens):
        return _show_date(value, tokens, since_1904=since_1904)
    if tokens is None or not any(t.kind == "digit" for t in tokens):
        return Shown(_short(value), value)
    text, rounded = _show_number(abs(value) if _signed_section(code, value) else value, tokens)
    return Shown(text, rounded if value >= 0 or not _signed_section(code, value) else -rounded)


def has_words(code: str) -> bool:
    """Tell whether a format adds words of its own, which somebody typed."""
    return any(re.search(r"[^\W\d_]{3,}", a or b or c or "") for a, b, c in _TOKEN.findall(code))


def _short(value: Decimal) -> str:
    exponent = value.as_tuple().exponent  # a letter for infinity and the like
    plain = abs(value) < Decimal(10) ** 15 and isinstance(exponent, int) and exponent > -16
    return general(value) if plain else f"{value:E}"


def _sections(code: str) -> list[str]:
    return re.split(r";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", code)


def _section(code: str, value: Decimal) -> str:
    sections = _sections(code)
    if value < 0 and len(sections) > 1:
        return sections[1]
    if value == 0 and len(sections) > 2:
        return sections[2]
    return sections[0]


def _signed_section(code: str, value: Decimal) -> bool:
    return value < 0 and len(_sections(code)) > 1


@lru_cache(maxsize=256)
def _tokens(section: str) -> tuple[_Token, ...] | None:
    """Take a format apart; None if it is General or of a kind that is shown as General."""
    if section.strip().lower() in ("general", "@", "") or re.search(r"\?/|/\d|E[+-]|\[[hms<>=]", section, re.I):
        return None
    out: list[_Token] = []
    at = 0
    dated = bool(_DATE.search(_TOKEN.sub("", section))) and not re.search(
        "[0#]", _TOKEN.sub("", section).replace(".0", "")
    )
    while at < len(section):
        if match := _TOKEN.match(section, at):
            out.append(_Token("literal", match.group(1) or match.group(2) or match.group(3) or ""))
            at = match.end()
        elif dated and (match := _DATE.match(section, at)):
            out.append(_Token("date", match.group().lower()))
            at = match.end()
        else:
            out.append(_plain_token(section[at]))
            at += 1
    return tuple(out)


def _plain_token(character: str) -> _Token:
    kinds = {"0": "digit", "#": "digit", "?": "digit", ".": "point", ",": "comma", "%": "percent"}
    return _Token(kinds.get(character, "literal"), character)


def _show_number(value: Decimal, tokens: tuple[_Token, ...]) -> tuple[str, Decimal]:
    digits = [i for i, t in enumerate(tokens) if t.kind == "digit"]
    point = next((i for i, t in enumerate(tokens) if t.kind == "point" and i < digits[-1]), len(tokens))
    whole = [i for i in digits if i < point]
    places = len(digits) - len(whole)
    percent = sum(2 for t in tokens if t.kind == "percent")
    rounded = (value.scaleb(percent)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    body = f"{abs(rounded):f}"
    integer, _, fraction = body.partition(".")
    if integer == "0" and whole and all(tokens[i].text == "#" for i in whole):
        integer = ""
    grouped = any(t.kind == "comma" and whole and whole[0] < i < whole[-1] for i, t in enumerate(tokens))
    slots = _spread(integer, [tokens[i].text for i in whole], grouped=grouped)
    filled = dict(zip(whole, slots, strict=True)) | dict(zip([i for i in digits if i > point], fraction, strict=False))
    out = []
    for i, token in enumerate(tokens):
        if token.kind == "digit":
            out.append(filled.get(i, ""))
        elif token.kind != "comma":
            out.append(token.text)
    return ("-" if rounded < 0 else "") + "".join(out).strip(), rounded.scaleb(-percent)


def _spread(integer: str, places: list[str], *, grouped: bool) -> list[str]:
    """Give the digits of a number to the places of its format, from the right; the first takes what is left."""
    if grouped or len(places) == 1:
        width = places.count("0")
        padded = integer.rjust(width, "0")
        text = f"{int(padded):,}".rjust(width, "0") if grouped and padded else padded
        return [text, *[""] * (len(places) - 1)]
    out = []
    for index in range(len(places) - 1, -1, -1):
        if index == 0:
            out.append(integer or ("0" if places[0] == "0" else ""))
        else:
            out.append(integer[-1:] or ("0" if places[index] == "0" else ""))
            integer = integer[:-1]
    return out[::-1]


def _moment(value: Decimal, *, since_1904: bool) -> datetime | None:
    days = value + (1462 if since_1904 else 0)
    if not 0 <= days < 2958466:
        return None
    # Excel counts a 29 February 1900 that never was.
    start = datetime(1899, 12, 30) if days >= 61 else datetime(1899, 12, 31)
    return start + timedelta(days=int(days), seconds=round(float(days % 1) * 86400))


def _serial(moment: datetime, *, since_1904: bool) -> Decimal:
    passed = moment - datetime(1899, 12, 30)
    days = Decimal(passed.days) + Decimal(passed.seconds) / 86400
    days = days if days >= 61 else days - 1
    return (days - (1462 if since_1904 else 0)).quantize(Decimal("0.0000001")).normalize()


def _minutes(tokens: tuple[_Token, ...]) -> set[int]:
    """Indexes of the m's that are minutes: after hours or before seconds."""
    dates = [i for i, t in enumerate(tokens) if t.kind == "date"]
    found = set()
    for at, i in enumerate(dates):
        before = tokens[dates[at - 1]].text[0] if at else ""
        after = tokens[dates[at + 1]].text[0] if at + 1 < len(dates) else ""
        if tokens[i].text[0] == "m" and len(tokens[i].text) <= 2 and (before == "h" or after == "s"):
            found.add(i)
    return found


def _show_date(value: Decimal, tokens: tuple[_Token, ...], *, since_1904: bool) -> Shown:
    moment = _moment(value, since_1904=since_1904)
    if moment is None:
        return Shown(general(value), value)
    minutes = _minutes(tokens)
    half = any(t.text in ("am/pm", "a/p") for t in tokens if t.kind == "date")
    out = [_date_piece(moment, t.text, minute=i in minutes, half=half) if t.kind == "date" else t.text
           for i, t in enumerate(tokens)]  # fmt: skip
    seen = {("n" if i in minutes else t.text[0]) for i, t in enumerate(tokens) if t.kind == "date"}
    return Shown("".join(out).strip(), _as_shown(moment, seen, since_1904=since_1904))


def _as_shown(moment: datetime, seen: set[str], *, since_1904: bool) -> Decimal | None:
    if "y" not in seen:  # the year, or the day of a time, must not travel with it
        return None
    day = datetime(moment.year, moment.month if "m" in seen else 1, moment.day if {"m", "d"} <= seen else 1)
    hours, minutes, seconds = (
        moment.hour if "h" in seen else 0,
        moment.minute if "n" in seen else 0,
        moment.second if "s" in seen else 0,
    )
    moment = day.replace(hour=hours, minute=minutes, second=seconds)
    return _serial(moment, since_1904=since_1904)


def _date_piece(moment: datetime, text: str, *, minute: bool, half: bool) -> str:
    if text in ("am/pm", "a/p"):
        return "AM" if moment.hour < 12 else "PM"
    letter, width = text[0], len(text)
    if letter == "y":
        return f"{moment.year:04}" if width > 2 else f"{moment.year % 100:02}"
    if letter == "m" and not minute:
        month = _MONTHS[moment.month - 1]
        return {1: str(moment.month), 2: f"{moment.month:02}", 3: month[:3], 5: month[0]}.get(width, month)
    if letter == "d":
        day = _DAYS[moment.weekday()]
        return {1: str(moment.day), 2: f"{moment.day:02}", 3: day[:3]}.get(width, day)
    number = {"h": (moment.hour % 12 or 12) if half else moment.hour, "m": moment.minute, "s": moment.second}[letter]
    return f"{number:02}" if width > 1 else str(number)


def value_of(text: str, code: str, *, since_1904: bool = False) -> Decimal | None:
    """Return the value that this format shows as this text, if there is one.

    >>> value_of("21 March 2019", "d mmmm yyyy"), value_of("in 2019", "d mmmm yyyy")
    (Decimal('43545'), None)
    """
    tokens = _tokens(_sections(code)[0])
    if tokens is None:
        return None
    if any(t.kind == "date" for t in tokens):
        found = [_parsed_date(text, tokens, since_1904=since_1904)]
    else:
        found = _parsed_numbers(text, percent=2 * sum(t.kind == "percent" for t in tokens))
    for value in found:
        # Whatever was parsed counts only if the format shows it so.
        if value is not None and show(f"{value:f}", code, since_1904=since_1904) == Shown(text, value):
            return value
    return None


def _parsed_numbers(text: str, *, percent: int) -> list[Decimal | None]:
    digits = re.sub(r"[^\d.]", "", text)
    if not re.fullmatch(r"\d+(\.\d+)?", digits, re.A):
        return []
    value = Decimal(digits).scaleb(-percent)
    return [value, -value]


# What strptime calls the pieces of a date, by letter and width.
_DIRECTIVES = {
    "y": ("%y", "%y", "%Y", "%Y"), "m": ("%m", "%m", "%b", "%B"), "d": ("%d", "%d", "%a", "%A"),
    "h": ("%H",) * 4, "s": ("%S",) * 4, "a": ("%p",) * 4,
}  # fmt: skip


def _parsed_date(text: str, tokens: tuple[_Token, ...], *, since_1904: bool) -> Decimal | None:
    minutes = _minutes(tokens)
    pieces = []
    for i, token in enumerate(tokens):
        if token.kind != "date":
            pieces.append(token.text.replace("%", "%%"))
        elif i in minutes:
            pieces.append("%M")
        else:
            pieces.append(_DIRECTIVES[token.text[0]][min(len(token.text), 4) - 1])
    try:
        return _serial(datetime.strptime(text, "".join(pieces).strip()), since_1904=since_1904)
    except ValueError:
        return None


def as_displayed(raw: str, text: str, *, percent: bool = False) -> Decimal | None:
    """Round a stored value to the digits that a text shows of it; None if the text does not show the value.

    >>> as_displayed("3.14159", "3.14"), as_displayed("1234.5", "$1,234.50"), as_displayed("7", "seven")
    (Decimal('3.14'), Decimal('1234.50'), None)
    """
    match = re.search(r"\d[\d,]*(?:\.(\d+))?", text)
    try:
        value = Decimal(raw)
        if match is None or not value.is_finite():
            return None
        shown = Decimal(match.group().replace(",", "")).scaleb(-2 if percent else 0)
        rounded = value.quantize(shown, ROUND_HALF_UP)
    except InvalidOperation:
        return None
    return rounded if abs(rounded) == shown else None
