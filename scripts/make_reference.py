"""Write docs/reference from the code: commands, policy keys, parts, public names. Run by `make docs`."""

from __future__ import annotations

import inspect
import re
import sys
from functools import cached_property
from pathlib import Path

import click

import tacenda
from tacenda import policy, registry
from tacenda.cli import COMMANDS, main

HERE = Path(__file__).resolve().parent.parent / "docs" / "reference"
_WIDTH = 100


def cli_page() -> str:
    """Return the help text of every command."""
    parts = ["# Command line\n", "Made from `tacenda COMMAND --help` by `make docs`.\n"]
    for path, command in _commands():
        context = click.Context(
            command, info_name=path, max_content_width=_WIDTH, terminal_width=_WIDTH, help_option_names=["-h", "--help"]
        )
        parts.append(f"## {path}\n\n```\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def _commands() -> list[tuple[str, click.Command]]:
    found: list[tuple[str, click.Command]] = [("tacenda", main)]
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        found.append((f"tacenda {name}", command))
        if isinstance(command, click.Group):
            found += [(f"tacenda {name} {sub}", c) for sub, c in command.commands.items()]
    return found


def policy_page() -> str:
    """Return a table of policy keys and of the parts they can name, with their settings."""
    parts = ["# Policy files\n", "A policy is a TOML file. Unknown keys are errors. Made by `make docs`.\n"]
    parts.append(
        "| key | meaning |\n|---|---|\n" + "\n".join(f"| `{k}` | {v} |" for k, v in policy.KEYS.items()) + "\n"
    )
    for kind in registry.PARTS:
        parts.append(f"## {kind}\n")
        for name in registry.PARTS[kind]:
            part = registry.find(kind, name)
            accepted = [p for p in inspect.signature(part).parameters.values() if p.name not in _INJECTED]
            settings = ", ".join(f"`{p.name}` = {p.default!r}" for p in accepted if p.default is not p.empty)
            doc = inspect.getdoc(part) or ""
            parts.append(f"**{name}**: {doc.splitlines()[0]}" + (f" Settings: {settings}." if settings else "") + "\n")
    return "\n".join(parts)


_INJECTED = ("index", "taxonomy", "embeddings", "information", "key", "service", "given")


def api_page() -> str:
    """Return the public names with their signatures and docstrings."""
    parts = ["# Python API\n", "The public names of `tacenda`, with signatures. Made by `make docs`.\n"]
    for name in tacenda.__all__:
        thing = getattr(tacenda, name)
        if name.startswith("__"):
            continue
        parts.append(f"## {name}\n\n{_signature(name, thing)}{_doc(thing)}")
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            methods = [_method(name, method, held) for method, held in vars(thing).items() if _is_shown(method, held)]
            parts += [*methods, ""] if methods else []
    return "\n".join(parts).rstrip() + "\n"


def _signature(name: str, thing: object) -> str:
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return f"Exit code {thing.exit_code}. " if hasattr(thing, "exit_code") else ""
    try:
        shown = str(inspect.signature(thing))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    return f"```\n{_plain(name + shown)}\n```\n\n"


def _plain(signature: str) -> str:
    """Leave out what only the interpreter wants to know: quotes around annotations, modules, objects as defaults."""
    signature = re.sub(r"(: |-> )(?:'([^']*)'|\"([^\"]*)\")", lambda m: m[1] + (m[2] or m[3]), signature)
    signature = re.sub(r"<[\w. ]+ object at 0x\w+>|<factory>|<function [^>]*>", "...", signature)
    signature = re.sub(r"(?<== )[A-Z]\w*\((?:[^()]|\([^()]*\))*\)", "...", signature)
    signature = signature.removesuffix(" -> None")
    if len(signature) <= _WIDTH:
        return signature
    name, _, rest = signature.partition("(")
    inside, _, result = rest.rpartition(")")
    return f"{name}(\n    " + ",\n    ".join(_split(inside)) + f"\n){result}"


def _split(arguments: str) -> list[str]:
    """Split arguments at the commas outside brackets."""
    found, depth = [""], 0
    for character in arguments:
        depth += (character in "[(") - (character in "])")
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return [argument.strip() for argument in found]


def _doc(thing: object) -> str:
    text = inspect.getdoc(thing) or ""
    first, _, rest = text.partition("\n\n")
    block = f"\n```\n{rest.strip()}\n```\n" if rest.strip() else ""
    return " ".join(first.split()) + "\n" + block


def _is_shown(name: str, held: object) -> bool:
    public = isinstance(held, (property, classmethod, cached_property)) or inspect.isfunction(held)
    function = getattr(held, "fget", None) or getattr(held, "func", None) or getattr(held, "__func__", held)
    return public and not name.startswith("_") and bool(getattr(function, "__doc__", None))


def _method(owner: str, name: str, held: object) -> str:
    function = getattr(held, "fget", None) or getattr(held, "func", None) or getattr(held, "__func__", held)
    doc = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    if isinstance(held, (property, cached_property)):
        return f"- `{owner}.{name}`: {doc}"
    shown = str(inspect.signature(function)).replace("(self, ", "(").replace("(self)", "()").replace("(cls, ", "(")
    return f"- `{' '.join(_plain(name + shown).split())}`: {doc}".replace("( ", "(").replace(" )", ")")


PAGES = {"cli.md": cli_page, "policy.md": policy_page, "api.md": api_page}


def main_pages(folder: Path) -> None:
    """Write all pages."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (folder / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main_pages(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
    sys.stdout.write(f"wrote {', '.join(PAGES)}\n")
