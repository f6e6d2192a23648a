"""Options that several commands share, and how they become a sanitizer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from tacenda import policy as policies
from tacenda.errors import InputError, UsageError
from tacenda.model import Document
from tacenda.policy import Policy
from tacenda.read import Source, open_bytes, open_file
from tacenda.replace.keys import Key, load_key
from tacenda.sanitizer import Sanitizer

Command = Callable[..., Any]


def output_option(what: str) -> Callable[[Command], Command]:
    """The option for where a result goes; without it, or as "-", standard output."""

    def place(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
        return None if value == "-" else value

    return click.option("-o", "--output", metavar="PATH", callback=place, help=f"{what} (default: standard output).")


@dataclass(frozen=True)
class Recipe:
    """Everything a worker process needs to make the same sanitizer: what the options say."""

    policy: Policy
    key: Key | None = None
    known: tuple[str, ...] = ()
    force_language: bool = False
    subject: str = ""

    def sanitizer(self) -> Sanitizer:
        """Make the sanitizer; knowledge is opened on first use."""
        return Sanitizer(self.policy, key=self.key, force_language=self.force_language)

    def with_known(self, document: Document) -> Document:
        """Add what is known of the subject from the command line to what the record says."""
        return replace(document, known=document.known + self.known, subject=self.subject or document.subject)


def covering(recipe: Recipe) -> Recipe:
    """Return the recipe for an output with a certificate: no word that the index cannot judge is left."""
    settings = {**recipe.policy.risk.get("alpha_c", {}), "covered": True}
    return replace(recipe, policy=replace(recipe.policy, risk={**recipe.policy.risk, "alpha_c": settings}))


def policy_options(command: Command) -> Command:
    """Add --policy, --protect, --subject, --known, --key-file and --force-language, passed on as one `recipe`."""

    def wrapper(
        policy: tuple[str, ...],
        protect: tuple[str, ...],
        known: str | None,
        key_file: str | None,
        force_language: bool,
        subject: str,
        **others: Any,
    ) -> Any:
        recipe = Recipe(
            chosen_policy(policy, protect),
            read_key(key_file),
            read_known(known) if known else (),
            force_language,
            subject,
        )
        return command(recipe=recipe, **others)

    _dress(wrapper, command)
    for option in (
        click.option("--force-language", is_flag=True, help="Sanitize even if the text does not look like English."),
        click.option(
            "--key-file", metavar="FILE", help="Secret key for pseudonyms (or TACENDA_KEY in the environment)."
        ),
        click.option(
            "--known", metavar="FILE", help="What is known of the subject (names, dates, numbers): all masked."
        ),
        click.option("--subject", default="", metavar="NAME", help="Protect this person only, not the others named."),
        click.option("--protect", metavar="TERM", multiple=True, help="Protect this too; may be repeated."),
        click.option("-p", "--policy", metavar="NAME", multiple=True, help="Shipped policy or .toml file; repeatable."),
    ):
        option(wrapper)
    return wrapper


@dataclass(frozen=True)
class Reading:
    """How input is read: what the options say of its format, fields and encoding."""

    fields: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    known_field: str = ""
    format: str = ""
    encoding: str = ""

    def open(self, file: str | Path) -> Source:
        """Open a file, or standard input for "-"."""
        how: dict[str, Any] = {
            "fields": self.fields,
            "keep": self.keep,
            "known_field": self.known_field,
            "encoding": self.encoding,
        }
        if str(file) == "-":
            return open_bytes(sys.stdin.buffer.read(), format=self.format or "text", **how)
        return open_file(file, format=self.format, **how)


def source_options(command: Command) -> Command:
    """Add the options that say how input is read, passed on as one `reading`."""

    def wrapper(
        fields: tuple[str, ...],
        keep: tuple[str, ...],
        known_field: str,
        format_: str | None,
        encoding: str,
        **others: Any,
    ) -> Any:
        return command(reading=Reading(fields, keep, known_field, format_ or "", encoding), **others)

    _dress(wrapper, command)
    for option in (
        click.option("--encoding", default="", metavar="NAME", help="Encoding of the input, if it is not UTF-8."),
        click.option("--known-field", default="", metavar="NAME", help="Field with what is known of the subject."),
        click.option("--keep-field", "keep", multiple=True, metavar="NAME", help="Field to pass on unchanged."),
        click.option("--field", "fields", multiple=True, metavar="NAME", help="Field to sanitize (default: text)."),
        click.option("--format", "format_", type=click.Choice(["text", "jsonl", "csv"]), help="Format of the input."),
    ):
        option(wrapper)
    return wrapper


def _dress(wrapper: Any, command: Any) -> None:
    """Give a wrapper the name, the help and the options of the command it stands for."""
    wrapper.__name__, wrapper.__doc__ = command.__name__, command.__doc__
    wrapper.__click_params__ = getattr(command, "__click_params__", [])


def chosen_policy(names: tuple[str, ...], protect: tuple[str, ...]) -> Policy:
    """Combine the policies named and what --protect adds."""
    chosen = [policies.load(name) for name in names]
    if protect:
        chosen.append(policies.protecting(protect))
    if not chosen:
        raise UsageError(
            "say what to protect: --policy NAME or --protect TERM."
            f" Policies that come with Tacenda: {', '.join(policies.shipped())}"
        )
    return policies.combine(chosen)


def read_key(path: str | None) -> Key | None:
    """Read the key from its file or from the environment; None where neither is given."""
    if path is None and not os.environ.get("TACENDA_KEY"):
        return None
    return load_key(Path(path) if path else None)


def read_known(path: str) -> tuple[str, ...]:
    """Read known identifiers from a file."""
    from tacenda.annotate import parse_known

    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: known identifiers cannot be read ({type(error).__name__})") from None
    return parse_known(text, path)
