"""Apply a plan and check what was really written: nothing leaves that the plan did not promise.

    apply   edits into the text, then a search for every form that must not appear
    write   the same for a file: write it, open it again, compare its text with what was promised, search it
            for forms that must not appear, and let the format search all that the file holds for hidden words

Any finding is a GuaranteeError, and nothing is returned.
"""

from __future__ import annotations

from collections.abc import Sequence

from tacenda import serialize
from tacenda.assembly import Assembly, known_digest
from tacenda.errors import GuaranteeError, PlanError, TacendaError
from tacenda.formats import File
from tacenda.model import Case, Document, Edit, Plan, Sanitized
from tacenda.plan.mentions import leaks
from tacenda.plan.rewrite import splice

_STRONG = ("known", "protected", "identifier", "entity")
_SHORTEST = 4  # characters of a word that a search of a whole file can tell from chance


def apply(parts: Assembly, document: Document, plan: Plan) -> Sanitized:
    """Apply a plan to the document it was made for; refuse any other document, policy or known identifiers."""
    check(parts, document, plan)
    result = spliced(document, plan)
    _search(parts, result.text, document)
    return result


def spliced(document: Document, plan: Plan) -> Sanitized:
    """Make the edits of a plan, without any check: for showing what a plan would do."""
    _check_digest(document, plan)
    text, offsets = splice(document.text, plan.edits)
    return Sanitized(text, plan, document.id, offsets)


def apply_case(parts: Assembly, case: Case, plan: Plan) -> Sanitized:
    """Apply a plan to all documents of a case; `texts` holds the text of each."""
    result = apply(parts, case.flat, plan)
    shares = case.split(plan.edits)
    texts = tuple(splice(d.text, share)[0] for d, share in zip(case.documents, shares, strict=True))
    return Sanitized(result.text, plan, case.id, result.offsets, texts)


def check(parts: Assembly, document: Document, plan: Plan) -> None:
    """Refuse a plan of another document, of another policy, or made with other known identifiers."""
    where = document.id or "document"
    _check_digest(document, plan)
    serialize.check_plan(plan, length=len(document.text))
    if plan.made.policy != parts.policy.digest:
        raise PlanError(
            f"{where}: this plan was made under policy '{plan.policy}' (digest {plan.made.policy[:12] or 'missing'}),"
            f" not under '{parts.policy.name}' (digest {parts.policy.digest[:12]}). Apply it under the same policy"
        )
    if plan.made.known != known_digest(document):
        raise PlanError(
            f"{where}: this plan was made with other known identifiers, or with none. Give the same ones, so that the"
            " output can be searched for them"
        )


def _check_digest(document: Document, plan: Plan) -> None:
    if plan.digest != document.digest:
        raise PlanError(
            f"{document.id or 'document'}: this plan was made for another text (digests differ)."
            " Make a plan for this document with 'tacenda plan'"
        )


def _search(parts: Assembly, text: str, document: Document) -> None:
    found = leaks(parts, text, document)
    if found:
        labels = ", ".join(sorted({m.label for m in found}))
        raise GuaranteeError(
            f"{document.id or 'document'}: the output would contain {len(found)} known or protected form(s)"
            f" ({labels}). No output was written. Change the decisions that bring them in"
        )


def write(parts: Assembly, files: Sequence[File], plan: Plan, *, case: Case | None = None) -> list[bytes]:
    """Return the bytes of each file with the plan applied, checked after writing.

    The plan was made for `case` (by default: the documents of the files, in order). Documents of the case beyond
    the files, such as the names of the files, are checked as text and not written.
    """
    held = case or Case(tuple(file.document for file in files))
    check(parts, held.flat, plan)
    _search(parts, splice(held.flat.text, plan.edits)[0], held.flat)
    shares = held.split(plan.edits)
    hidden = _hidden(held.flat, plan)
    return [_written(parts, file, share, held.flat, hidden) for file, share in zip(files, shares, strict=False)]


def _written(parts: Assembly, file: File, edits: Sequence[Edit], whole: Document, hidden: Sequence[str]) -> bytes:
    try:
        data = file.opened.write(edits)
    except TacendaError:
        raise
    except Exception as error:
        # The text of an unforeseen error may quote the document, so only its kind is told.
        raise GuaranteeError(
            f"{file.document.id or 'document'}: could not be written ({type(error).__name__}). No output was written."
            " Please report it"
        ) from None
    check_written(parts, file, data, edits, whole, hidden)
    return data


def check_written(
    parts: Assembly, file: File, data: bytes, edits: Sequence[Edit], whole: Document, hidden: Sequence[str]
) -> None:
    """Open what was written and compare it with what was promised; search it for what must not be in it."""
    where = file.document.id or "document"
    if data or file.document.text:
        read = file.again(data)
        promised = file.promised(edits)
        if _bare(read) != _bare(promised):
            raise GuaranteeError(
                f"{where}: what was written does not read as the plan promised. No output was written. Please report it"
            )
        _search(parts, read, whole)
    left = file.format.residue(data, hidden)
    if left:
        places = ", ".join(dict.fromkeys(left))
        raise GuaranteeError(f"{where}: hidden words would remain in the file ({places}). No output was written")


def _bare(text: str) -> str:
    """A text without white space: a format may set lines and spaces anew."""
    return "".join(text.split())


def _hidden(document: Document, plan: Plan) -> list[str]:
    """The words that were taken away everywhere, by which a whole file can be searched."""
    rest = splice(document.text, plan.edits)[0].casefold()
    words = {document.text[d.start : d.end].strip() for d in plan.changes if d.kind in _STRONG}
    return sorted(w for w in words if sum(map(str.isalnum, w)) >= _SHORTEST and w.casefold() not in rest)
