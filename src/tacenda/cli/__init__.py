"""The command line: thin over the Python API. Each command lives in a module of its own, loaded when called."""

from __future__ import annotations

import importlib

import click

from tacenda import __version__

# name -> (module under tacenda.cli, one-line help): one visible table, so that `--help` imports nothing else.
COMMANDS: dict[str, tuple[str, str]] = {
    "plausible": ("plausible", "Generalize sensitive terms so that t originals are plausible."),
    "generalize": ("generalize", "Show the ladder above a term: each rung with its bits and its volume."),
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"tacenda.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tacenda")
def main() -> None:
    """Make documents safe to share."""
