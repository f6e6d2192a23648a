"""The types that travel through the pipeline. All frozen; one type per idea.

    Case(Document(Part...)...) -annotate-> Annotation(Mention...) -assess-> Risk... -choose-> Plan(Decision...)
    -apply-> Sanitized

Nothing here prints source text: `repr` shows offsets and labels only.
"""

from tacenda.model.case import Box, Case, Document, Edit, Layout, Limits, Part, PartKind, Reading, digest
from tacenda.model.mention import Annotation, Kind, Mention, Span, Subject
from tacenda.model.plan import Action, Candidate, Concept, Decision, Plan, Sanitized
from tacenda.model.risk import Context, Protected, Risk

__all__ = [
    "Action",
    "Annotation",
    "Box",
    "Candidate",
    "Case",
    "Concept",
    "Context",
    "Decision",
    "Document",
    "Edit",
    "Kind",
    "Layout",
    "Limits",
    "Mention",
    "Part",
    "PartKind",
    "Plan",
    "Protected",
    "Reading",
    "Risk",
    "Sanitized",
    "Span",
    "Subject",
    "digest",
]
