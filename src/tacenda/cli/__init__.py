"""The command line: thin over the Python API. Each command lives in a module of its own, loaded when called."""

from __future__ import annotations

import importlib
import signal
import sys
import threading
import warnings
from typing import Any

import click

from tacenda import __version__
from tacenda.errors import TacendaError

# name -> (module under tacenda.cli, one-line help): one visible table, so that `--help` imports nothing else.
COMMANDS: dict[str, tuple[str, str]] = {
    "sanitize": ("sanitize", "Sanitize files, folders or standard input."),
    "plan": ("plan", "Write down what would be done to a document, and why."),
    "apply": ("apply", "Apply a plan to its document."),
    "explain": ("explain", "Show before, after, and the reason for every change."),
    "verify": ("verify", "Check a certificate against an output."),
    "spans": ("spans", "Write the spans found in a JSONL file, for evaluation tools."),
    "policies": ("policies", "List the policies that come with Tacenda, or print one."),
    "key": ("key", "Make a secret key for pseudonyms."),
    "restore": ("restore", "Undo the replacements in a text, with its vault and the key."),
    "generalize": ("generalize", "Show the ladder above a term: each rung with its bits and its volume."),
    "plausible": ("plausible", "Generalize sensitive terms so that t originals are plausible."),
    "measure": ("measure", "Measure detection, utility, privacy and re-identification of any tool's output."),
    "reproduce": ("reproduce", "Run a paper's experiments on your data, next to the paper's own figures."),
    "serve": ("serve", "Serve REST, Presidio's routes and the review page."),
    "audit": ("audit", "Check an audit trail, or export it."),
    "index": ("index", "Count terms, alone and together, in a collection."),
    "vectors": ("vectors", "Vectors of phrases: train, inspect, compare, calibrate."),
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

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            # Before click takes it for an error of the program.
            click.echo(f"{click.style('tacenda:', fg='red', bold=True)} interrupted", err=True)
            sys.exit(130)
        except (TacendaError, click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            # A traceback could show source text, so only the kind of error is told.
            raise TacendaError(
                f"internal error ({type(error).__name__}); processing stopped. Please report it"
            ) from None

    def main(self, *args: Any, **kwargs: Any) -> Any:
        # Asked to end, a run puts its files away as it does when it is interrupted; started again, it goes on.
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _end)
        # One place turns errors into a message and an exit code; a traceback could show source text.
        usual, warnings.formatwarning = warnings.formatwarning, _one_line
        try:
            return super().main(*args, **kwargs)
        except TacendaError as error:
            fail(error)
        finally:
            warnings.formatwarning = usual


def _end(*_: Any) -> None:
    sys.exit(143)


def _one_line(message: Warning | str, *_: Any, **__: Any) -> str:
    return f"tacenda: warning: {message}\n"


def fail(error: TacendaError) -> None:
    """Print an error on standard error and leave with its exit code."""
    click.echo(f"{click.style('tacenda:', fg='red', bold=True)} {error}", err=True)
    sys.exit(error.exit_code)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="tacenda")
def main() -> None:
    """Make documents safe to share: find what can be inferred, replace it, and prove what is claimed."""
