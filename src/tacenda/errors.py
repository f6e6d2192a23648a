"""Every exception Tacenda raises on purpose.

    TacendaError                 root; str() never holds source text
    ├── UsageError               the call itself is wrong (unknown option, contradictory arguments)
    ├── InputError               a document cannot be read (missing, binary, encoding, broken line)
    ├── PolicyError              a policy names something that does not exist or contradicts itself
    ├── KnowledgeError           an index, taxonomy, model or service is missing, damaged or unreachable
    ├── PlanError                a plan does not fit: another document, another version, overlapping decisions
    └── GuaranteeError           the guarantee asked for could not be met; nothing was written

Each class has an `exit_code`, the one the command line ends with (docs/reference/exit-codes.md).
A message says what happened, where, what exists and what to do next.
"""

from __future__ import annotations


class TacendaError(Exception):
    """Root of all errors raised on purpose; its message never holds source text."""

    exit_code = 1


class UsageError(TacendaError):
    """The call is wrong: an unknown option, or arguments that contradict each other."""

    exit_code = 2


class InputError(TacendaError):
    """A document cannot be read."""

    exit_code = 3


class PolicyError(TacendaError):
    """A policy names something that does not exist, or contradicts itself."""

    exit_code = 4


class KnowledgeError(TacendaError):
    """An index, taxonomy, model or service is missing, damaged or unreachable."""

    exit_code = 5


class PlanError(TacendaError):
    """A plan does not fit the document, this version, or itself."""

    exit_code = 6


class GuaranteeError(TacendaError):
    """The guarantee asked for could not be met; no output was written."""

    exit_code = 7
