"""Tacenda makes documents safe to share.

It finds what can be inferred, replaces instead of blacking out, and proves what it claims:

>>> import tacenda
>>> tacenda.sanitize("Write to jo@example.org today.", policy="identifiers").text
'Write to [e-mail address] today.'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public name -> module (and attribute, if it has another name there); imported when first used, so that
# `import tacenda` stays light.
_PUBLIC = {
    "Annotation": "model",
    "Candidate": "model",
    "Case": "model",
    "Concept": "model",
    "Context": "model",
    "Decision": "model",
    "Document": "model",
    "Explanation": "model",
    "GuaranteeError": "errors",
    "InputError": "errors",
    "KnowledgeError": "errors",
    "Mention": "model",
    "Note": "model",
    "Part": "model",
    "Plan": "model",
    "PlanError": "errors",
    "Policy": "policy",
    "PolicyError": "errors",
    "Protected": "model",
    "Reading": "model",
    "Reason": "model",
    "Risk": "model",
    "Sanitized": "model",
    "Sanitizer": "sanitizer",
    "TacendaError": "errors",
    "UsageError": "errors",
    "combine_policies": "policy:combine",
    "load_policy": "policy:load",
    "measure": "studies.measurements",
    "open_file": "formats",
    "open_index": "knowledge",
    "open_taxonomy": "knowledge",
    "plan_from_json": "serialize",
    "plan_to_json": "serialize",
    "read": "formats",
    "sanitize": "sanitizer",
    "sanitize_folder": "batch",
    "shipped_policies": "policy:shipped",
    "verify": "claims",
}

__all__ = ["__version__", *_PUBLIC]

if TYPE_CHECKING:  # the same names once more, for type checkers and editors
    from tacenda.batch import sanitize_folder as sanitize_folder
    from tacenda.claims import verify as verify
    from tacenda.errors import GuaranteeError as GuaranteeError
    from tacenda.errors import InputError as InputError
    from tacenda.errors import KnowledgeError as KnowledgeError
    from tacenda.errors import PlanError as PlanError
    from tacenda.errors import PolicyError as PolicyError
    from tacenda.errors import TacendaError as TacendaError
    from tacenda.errors import UsageError as UsageError
    from tacenda.formats import open_file as open_file
    from tacenda.formats import read as read
    from tacenda.knowledge import open_index as open_index
    from tacenda.knowledge import open_taxonomy as open_taxonomy
    from tacenda.model import Annotation as Annotation
    from tacenda.model import Candidate as Candidate
    from tacenda.model import Case as Case
    from tacenda.model import Concept as Concept
    from tacenda.model import Context as Context
    from tacenda.model import Decision as Decision
    from tacenda.model import Document as Document
    from tacenda.model import Explanation as Explanation
    from tacenda.model import Mention as Mention
    from tacenda.model import Note as Note
    from tacenda.model import Part as Part
    from tacenda.model import Plan as Plan
    from tacenda.model import Protected as Protected
    from tacenda.model import Reading as Reading
    from tacenda.model import Reason as Reason
    from tacenda.model import Risk as Risk
    from tacenda.model import Sanitized as Sanitized
    from tacenda.policy import Policy as Policy
    from tacenda.policy import combine as combine_policies  # noqa: F401
    from tacenda.policy import load as load_policy  # noqa: F401
    from tacenda.policy import shipped as shipped_policies  # noqa: F401
    from tacenda.sanitizer import Sanitizer as Sanitizer
    from tacenda.sanitizer import sanitize as sanitize
    from tacenda.serialize import plan_from_json as plan_from_json
    from tacenda.serialize import plan_to_json as plan_to_json
    from tacenda.studies.measurements import measure as measure


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'tacenda' has no attribute '{name}'")
    module, _, attribute = _PUBLIC[name].partition(":")
    value = getattr(importlib.import_module(f"tacenda.{module}"), attribute or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
