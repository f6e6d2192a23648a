"""Write docs/reference from the code: commands, policy keys, parts, public names. Run by `make docs`."""

from __future__ import annotations

import inspect
import sys
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
    """Return the public names with their signatures and first lines."""
    parts = ["# Python API\n", "The public names of `tacenda`. Made by `make docs`.\n"]
    for name in tacenda.__all__:
        thing = getattr(tacenda, name)
        if name.startswith("__"):
            continue
        doc = (inspect.getdoc(thing) or "").splitlines()[0]
        parts.append(f"## {name}\n\n{doc}\n")
        if inspect.isclass(thing):
            for method, function in inspect.getmembers(thing, inspect.isfunction):
                if not method.startswith("_") and function.__doc__:
                    parts.append(f"- `{method}`: {function.__doc__.splitlines()[0]}")
            parts.append("")
    return "\n".join(parts)


PAGES = {"cli.md": cli_page, "policy.md": policy_page, "api.md": api_page}


def main_pages(folder: Path) -> None:
    """Write all pages."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (folder / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main_pages(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
    sys.stdout.write(f"wrote {', '.join(PAGES)}\n")
