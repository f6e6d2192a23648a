"""The types that travel through the pipeline. All frozen; one type per idea.

    Case(Document(Part...)...) -annotate-> Annotation(Mention...) -assess-> Risk... -choose-> Plan(Decision...)
    -apply-> Sanitized

Nothing here prints source text: `repr` shows offsets and labels only.
"""

from tacenda.model.case import AS_GIVEN, Box, Case, Document, Edit, Layout, Limits, Part, PartKind, Reading, digest
from tacenda.model.decisions import (
    FORCED,
    Action,
    Candidate,
    Concept,
    Decision,
    Explanation,
    Plan,
    Provenance,
    Sanitized,
)
from tacenda.model.mention import LABELS, Annotation, Kind, Mention, Span, Subject
from tacenda.model.reasons import Note, Reason, Vote
from tacenda.model.risk import Context, Protected, Risk

__all__ = [
    "AS_GIVEN",
    "FORCED",
    "LABELS",
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
    "Explanation",
    "Kind",
    "Layout",
    "Limits",
    "Mention",
    "Note",
    "Part",
    "PartKind",
    "Plan",
    "Protected",
    "Provenance",
    "Reading",
    "Reason",
    "Risk",
    "Sanitized",
    "Span",
    "Subject",
    "Vote",
    "digest",
]
