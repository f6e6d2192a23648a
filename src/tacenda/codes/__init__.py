"""Exemption codes: the reasons in law for withholding a passage, in packs (TOML), proposed by kind, set by people."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from tacenda.errors import PolicyError

_KEYS = {"id", "shown", "title", "text", "labels", "about"}


@dataclass(frozen=True, slots=True)
class Code:
    """One reason.

    id       unique, with its pack: "foia/b6"
    shown    as it stands at the place of a redaction: "(b)(6)"
    labels   kinds of mentions it is proposed for
    about    words of protected entities it is proposed for, in lower case
    """

    id: str
    shown: str
    title: str
    text: str = ""
    labels: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pack:
    """The codes of one law or office."""

    name: str
    title: str
    source: str
    codes: tuple[Code, ...]


def shipped() -> tuple[str, ...]:
    """Return the names of the packs that come with Tacenda."""
    return tuple(sorted(p.name.removesuffix(".toml") for p in _folder().iterdir() if p.name.endswith(".toml")))


def load(name: str) -> Pack:
    """Load a shipped pack by name, or one's own from a .toml file.

    >>> load("foia").codes[5].shown
    '(b)(6)'
    """
    if name.endswith(".toml"):
        try:
            return parse(Path(name).read_text("utf-8"), where=Path(name).name)
        except (OSError, UnicodeDecodeError):
            raise PolicyError(f"{Path(name).name}: the pack of exemption codes cannot be read") from None
    if name not in shipped():
        raise PolicyError(
            f"there is no pack of exemption codes named '{name}'. Available: {', '.join(shipped())}, or a .toml file"
        )
    return parse((_folder() / f"{name}.toml").read_text("utf-8"), where=name)


def parse(text: str, *, where: str) -> Pack:
    """Read a pack; unknown or missing keys are errors."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{where}: not valid TOML ({error})") from None
    name = table.get("name")
    entries = table.get("code")
    if not isinstance(name, str) or not name or "/" in name or not isinstance(entries, list):
        raise PolicyError(f'{where}: a pack of codes needs name = "..." and [[code]] tables')
    codes = tuple(_code(entry, name, where) for entry in entries)
    if len({code.id for code in codes}) != len(codes):
        raise PolicyError(f"{where}: two codes have the same id")
    return Pack(name, str(table.get("title", name)), str(table.get("source", "")), codes)


def propose(label: str, about: Iterable[str], packs: Sequence[Pack]) -> tuple[Code, ...]:
    """Return the codes that fit a mention: what it gives away comes before what kind of thing it is.

    >>> [code.shown for code in propose("PERSON", [], [load("foia")])]
    ['(b)(6)', '(b)(7)(C)']
    """
    words = {word.casefold() for word in about}
    codes = [code for pack in packs for code in pack.codes]
    by_topic = [code for code in codes if words.intersection(code.about)]
    return tuple(dict.fromkeys([*by_topic, *(code for code in codes if label in code.labels)]))


def find(id_: str, packs: Sequence[Pack]) -> Code | None:
    """Return the code of this id."""
    return next((code for pack in packs for code in pack.codes if code.id == id_), None)


def _code(entry: Any, pack: str, where: str) -> Code:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not isinstance(entry.get("title"), str):
        raise PolicyError(f"{where}: every [[code]] needs id and title")
    lists = (entry.get("labels", []), entry.get("about", []))
    if not all(isinstance(given, list) and all(isinstance(word, str) for word in given) for given in lists):
        raise PolicyError(f"{where}: labels and about of a [[code]] are lists of words")
    unknown = sorted(set(entry) - _KEYS)
    if unknown:
        raise PolicyError(f"{where}: unknown key '{unknown[0]}' in [[code]]. Available: {', '.join(sorted(_KEYS))}")
    return Code(
        id=f"{pack}/{entry['id']}",
        shown=str(entry.get("shown", entry["id"])),
        title=entry["title"],
        text=str(entry.get("text", "")),
        labels=tuple(map(str, entry.get("labels", ()))),
        about=tuple(str(word).casefold() for word in entry.get("about", ())),
    )


def _folder() -> Any:
    return resources.files(__name__)
