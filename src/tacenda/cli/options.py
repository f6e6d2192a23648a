"""Options that several commands share, and how they become a sanitizer."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import click

from tacenda import formats
from tacenda import policy as policies
from tacenda.batch import Recipe, atomic
from tacenda.errors import InputError, UsageError
from tacenda.formats import File
from tacenda.model import AS_GIVEN, Layout, Plan, Reading
from tacenda.policy import Policy
from tacenda.protocols import Format, RecordFormat
from tacenda.replace.keys import Key, load_key

Command = Callable[..., Any]
NO_POLICY = Policy(name="")


def output_option(what: str) -> Callable[[Command], Command]:
    """The option for where a result goes; without it, or as "-", standard output."""

    def place(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
        return None if value == "-" else value

    return click.option("-o", "--output", metavar="PATH", callback=place, help=f"{what} (default: standard output).")


def policy_options(command: Command, *, required: bool = True) -> Command:
    """Add --policy, --protect, --subject, --known, --key-file and --force-language, passed on as one `recipe`.

    Where no policy is `required`, none leaves the recipe's without a name.
    """

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
            chosen_policy(policy, protect) if required or policy or protect else NO_POLICY,
            read_key(key_file),
            read_known(known) if known else (),
            force_language,
            subject,
        )
        return command(recipe=recipe, **others)

    _copy_options(wrapper, command)
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
class Input:
    """How input is read: what the options say of its format, fields and encoding."""

    reading: Reading = AS_GIVEN
    format: str = ""
    per_case: Any = ""

    def records(self, file: str) -> tuple[Format, Iterator[File]]:
        """Return the format of a file (standard input for "-") and its records, or the file itself as the only one."""
        data = sys.stdin.buffer.read() if file == "-" else b""
        name = "standard input" if file == "-" else file
        reading = replace(self.reading, name=name)
        if file == "-":
            found = standard_format(self.format, data)
            return found, self._opened(found, lambda: io.BytesIO(data), reading)
        found = formats.format_of(file, format=self.format)
        return found, self._opened(found, lambda: formats.binary(Path(file)), reading)

    def _opened(self, found: Format, opening: Callable[[], BinaryIO], reading: Reading) -> Iterator[File]:
        with opening() as data:
            if isinstance(found, RecordFormat) and self.per_case in ("", "record"):
                yield from (File(found, record, reading) for record in found.records(data, reading))
            else:
                yield File(found, found.open(data.read(), reading), reading)

    def head(self, file: str, found: Format) -> File | None:
        """Return the head of a table in a file, if it has one."""
        if file == "-" or not isinstance(found, RecordFormat) or self.per_case not in ("", "record"):
            return None
        reading = replace(self.reading, name=file)
        with formats.binary(Path(file)) as data:
            head = found.head(data, reading)
        return File(found, head, reading) if head else None


def standard_format(name: str, data: bytes) -> Format:
    """Return the format of standard input: the one named, or the one its first bytes tell, or text."""
    if name:
        return formats.named(name)
    told = [n for n, entry in formats.TABLE.items() if any(data.startswith(m) for m in entry.magic)]
    return formats.named(told[0] if len(told) == 1 else "text")


_SOURCE = (
    click.option("--ocr", is_flag=True, help="Read scanned pages by OCR (needs the program tesseract)."),
    click.option(
        "--layout",
        type=click.Choice(["text", "label", "black"]),
        default="text",
        help="What to put where text was removed from a PDF: the replacement, a framed label, or a black bar.",
    ),
    click.option(
        "--password",
        default="",
        envvar="TACENDA_PASSWORD",
        metavar="WORD",
        help="Password of an encrypted PDF (or TACENDA_PASSWORD in the environment).",
    ),
    click.option("--encoding", default="", metavar="NAME", help="Encoding of the input, if it is not UTF-8."),
    click.option("--known-field", default="", metavar="NAME", help="Field with what is known of the subject."),
    click.option("--keep-field", "keep", multiple=True, metavar="NAME", help="Field to pass on unchanged."),
    click.option("--field", "fields", multiple=True, metavar="NAME", help="Field to sanitize (default: text)."),
    click.option("--case-field", default="", metavar="NAME", help="Records that share this field are one case."),
    click.option(
        "--per-case",
        type=click.Choice(["file", "record", "folder"]),
        help="What is released together (default: a record or row of a table; else a file).",
    ),
    click.option("--subject-field", default="", metavar="NAME", help="Field with the name of the subject."),
    click.option("--format", "format_", metavar="NAME", help="Format of the input, if its name does not say."),
)


def source_options(command: Command) -> Command:
    """Add the options that say how input is read, passed on as one `source`."""

    def wrapper(
        fields: tuple[str, ...],
        keep: tuple[str, ...],
        known_field: str,
        subject_field: str,
        case_field: str,
        per_case: str | None,
        format_: str | None,
        encoding: str,
        password: str,
        layout: Layout,
        ocr: bool,
        **others: Any,
    ) -> Any:
        reading = Reading(
            encoding=encoding,
            password=password,
            layout=layout,
            ocr=ocr,
            fields=fields,
            keep=keep,
            known_field=known_field,
            subject_field=subject_field,
            case_field=case_field,
        )
        return command(source=Input(reading, format_ or "", per_case or ""), **others)

    _copy_options(wrapper, command)
    for option in _SOURCE:
        option(wrapper)
    return wrapper


def _copy_options(wrapper: Any, command: Any) -> None:
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


def policy_of(plan: Plan) -> Policy:
    """Return the policy a plan was made under, if it is made of shipped ones."""
    names = plan.policy.split("+")
    if set(names) <= set(policies.shipped()):
        found = policies.combine([policies.load(name) for name in names])
        if found.digest == plan.made.policy:
            return found
    raise UsageError(f"this plan was made under policy '{plan.policy}'; name it with --policy (or --protect)")


def read_text(path: str, what: str) -> str:
    """Read a small text file of ours; `what` names it in the message."""
    try:
        return Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: the {what} cannot be read ({type(error).__name__})") from None


def _close_quietly() -> None:
    """Let the interpreter not try once more to write what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def put(data: bytes | str, output: str | None) -> None:
    """Write to a file, whole or not at all, or to standard output."""
    raw = data.encode("utf-8") if isinstance(data, str) else data
    if output is None:
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(raw)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            _close_quietly()  # who reads has read enough
        except OSError as error:
            _close_quietly()
            raise InputError(f"standard output: cannot be written ({error.strerror})") from None
        return
    with atomic(Path(output), binary=True) as out:
        out.write(raw)
