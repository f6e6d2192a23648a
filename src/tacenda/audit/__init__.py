"""The audit trail: who decided what, when and why, in a form in which nothing can be altered unnoticed.

trail.py writes it, tampering.py finds what was done to it, export.py makes tables of it.
"""

from tacenda.audit.export import FORMS, export
from tacenda.audit.tampering import Fault, Verdict, check
from tacenda.audit.trail import Entry, Trail, read

__all__ = ["FORMS", "Entry", "Fault", "Trail", "Verdict", "check", "export", "read"]
