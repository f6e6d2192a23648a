"""Tacenda makes documents safe to share.

It finds what can be inferred, replaces instead of blacking out, and proves what it claims:

>>> import tacenda
>>> policy = tacenda.load_policy("identifiers")
>>> policy.name
'identifiers'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public name -> module; imported when first used, so that `import tacenda` stays light.
_PUBLIC = {
    "Annotation": "model",
    "Candidate": "model",
    "Concept": "model",
    "Context": "model",
    "Decision": "model",
    "Document": "model",
    "Mention": "model",
    "Plan": "model",
    "Policy": "policy",
    "Protected": "model",
    "Risk": "model",
    "Sanitized": "model",
    "Sanitizer": "sanitizer",
    "TacendaError": "errors",
    "combine_policies": "policy:combine",
    "load_policy": "policy:load",
    "open_file": "read",
    "plan_from_json": "serialize",
    "plan_to_json": "serialize",
    "shipped_policies": "policy:shipped",
}

__all__ = ["__version__", *_PUBLIC]

if TYPE_CHECKING:  # the same names once more, for type checkers and editors
    from tacenda.errors import TacendaError as TacendaError
    from tacenda.model import Annotation as Annotation
    from tacenda.model import Candidate as Candidate
    from tacenda.model import Concept as Concept
    from tacenda.model import Context as Context
    from tacenda.model import Decision as Decision
    from tacenda.model import Document as Document
    from tacenda.model import Mention as Mention
    from tacenda.model import Plan as Plan
    from tacenda.model import Protected as Protected
    from tacenda.model import Risk as Risk
    from tacenda.model import Sanitized as Sanitized
    from tacenda.policy import Policy as Policy
    from tacenda.policy import combine as combine_policies  # noqa: F401
    from tacenda.policy import load as load_policy  # noqa: F401
    from tacenda.policy import shipped as shipped_policies  # noqa: F401
    from tacenda.read import open_file as open_file
    from tacenda.sanitizer import Sanitizer as Sanitizer
    from tacenda.serialize import plan_from_json as plan_from_json
    from tacenda.serialize import plan_to_json as plan_to_json


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'tacenda' has no attribute '{name}'")
    module, _, attribute = _PUBLIC[name].partition(":")
    value = getattr(importlib.import_module(f"tacenda.{module}"), attribute or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
