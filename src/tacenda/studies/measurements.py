"""Measurements that bring rooms together: what tools masked, judged with the index, vectors and attackers at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacenda.errors import InputError
from tacenda.measures import sections
from tacenda.measures.gold import GoldDocument, Mask, Masks, read_gold, replaced
from tacenda.measures.report import Section
from tacenda.model import Sanitized, digest

if TYPE_CHECKING:
    from tacenda.measures.attack import AttackReport
    from tacenda.measures.detection import Detection


@dataclass(frozen=True)
class Measured:
    """How well outputs hide what people marked, and how much of the information they keep.

    detection   every score, by token, mention, term and entity
    utility     share of the information each text keeps, in the order of the outputs
    """

    detection: Detection
    kept: tuple[float, ...]

    @property
    def recall(self) -> float:
        """Share of the marked entities whose every mention is hidden."""
        return self.detection.micro["entity"].recall

    @property
    def precision(self) -> float:
        """Share of the hidden tokens that somebody marked."""
        return self.detection.micro["token"].precision

    @property
    def utility(self) -> float:
        """Mean share of the information that the texts keep."""
        return sum(self.kept) / len(self.kept)


def measure(results: Sanitized | Iterable[Sanitized], *, gold: str | Path | Sequence[GoldDocument]) -> Measured:
    """Compare sanitized texts with what people marked in the originals; they are matched by the plan's digest."""
    from tacenda.measures.detection import detection
    from tacenda.measures.utility import text_utility

    held = [results] if isinstance(results, Sanitized) else list(results)
    marked = read_gold(Path(gold)) if isinstance(gold, (str, Path)) else list(gold)
    by_digest = {digest(document.text): document for document in marked}
    absent = [r.id or "a text" for r in held if r.plan.digest not in by_digest]
    if absent or not held:
        raise InputError(f"{absent[0] if absent else 'nothing'}: the gold standard contains no document with this text")
    documents = [by_digest[r.plan.digest] for r in held]
    masks = {
        d.id: [Mask(c.start, c.end, c.label, c.replacement) for c in r.plan.changes]
        for d, r in zip(documents, held, strict=True)
    }
    bits = bits_of(None, [d.text for d in documents] + [r.text for r in held])
    kept = tuple(text_utility(d.text, masks[d.id], bits).kept for d in documents)
    return Measured(detection(documents, masks, bits=bits), kept)


def bits_of(reference: Path | None, texts: Sequence[str]) -> Callable[[str], float]:
    """Information of a term: from a reference collection, else from the index that comes with Tacenda."""
    from tacenda import term
    from tacenda.knowledge.index import open_index
    from tacenda.measures.gold import TEXT_KEYS, field_of, records
    from tacenda.measures.utility import count_documents, word_bits

    if reference is not None:
        held = (str(field_of(record, TEXT_KEYS, reference, line)) for record, line in records(reference))
        return word_bits(*count_documents(held))
    words = {word for text in texts for word in term.words(text)}
    forms = sorted({form for word in words for form in (word, term.singular(word), term.plural(word))})
    index = open_index()
    counts = index.counts([[form] for form in forms])
    return word_bits({form: n for form, n in zip(forms, counts, strict=True) if n}, index.total)


def utility_of(
    documents: Sequence[GoldDocument],
    tools: dict[str, Masks],
    reference: Path | None,
    clusters: int | None,
    classes: Path | None,
) -> tuple[Section, dict[str, Any]]:
    """Measure what texts keep; return the section and the numbers."""
    from tacenda.knowledge import open_vectors
    from tacenda.measures import utility as measures
    from tacenda.measures.gold import read_classes

    labels = read_classes(classes, documents) if classes else None
    written = [m.replacement for held in tools.values() for spans in held.values() for m in spans]
    bits = bits_of(reference, [*(document.text for document in documents), *written])
    vectors = open_vectors().vectors
    before = [d.text for d in documents]
    found, extra, result = {}, {}, {}
    for tool, held in tools.items():
        found[tool] = [measures.text_utility(d.text, held[d.id], bits, vectors=vectors) for d in documents]
        after = [replaced(d.text, held[d.id]) for d in documents]
        cosines = [measures.bag_cosine(*pair) for pair in zip(before, after, strict=True)]
        extra[tool] = {"cosine of the words": sum(cosines) / len(cosines)}
        if clusters:
            extra[tool]["clusters, adjusted Rand"] = measures.clustering_agreement(before, after, clusters=clusters)
        if labels:
            said = measures.classifier_agreement(before, after, labels)
            extra[tool] |= {f"classifier, {name.replace('_', ' ')}": value for name, value in said.items()}
        changes = [change for text in found[tool] for change in text.changes]
        _, kept, cosine = sections.per_term(changes)
        result[tool] = {"information_kept": [text.kept for text in found[tool]], **extra[tool],
                        "kept_per_mask": kept, "cosine_per_mask": cosine}  # fmt: skip
    return sections.utility_section(found, extra), result


def all_attackers(*, encoder: bool) -> dict[str, Any]:
    """The attackers of the suite, with vectors, and with the encoder where asked."""
    from tacenda.measures.attack import ATTACKERS
    from tacenda.studies import attackers

    return ATTACKERS | {"vectors": attackers.vectors()} | ({"encoder": attackers.encoder()} if encoder else {})


def backgrounds_of(shares: Sequence[float]) -> list[float]:
    """Shares in percent as parts, or the usual three."""
    from tacenda.measures.attack.suite import BACKGROUNDS

    return [share / 100 for share in shares] or list(BACKGROUNDS)


def detection_of(
    documents: Sequence[GoldDocument], tools: dict[str, Masks], reference: Path | None, combine: Any = "each"
) -> tuple[Section, dict[str, Detection]]:
    """Score what tools masked; return the section and the scores."""
    from tacenda.measures.detection import detection

    bits = bits_of(reference, [document.text for document in documents])
    found = {tool: detection(documents, held, bits=bits, combine=combine) for tool, held in tools.items()}
    return sections.detection_section(found), found


def attacks_on(
    documents: Sequence[GoldDocument],
    tools: dict[str, Masks],
    background: Path,
    shares: Sequence[float],
    *,
    seed: int,
    encoder: bool,
) -> dict[str, AttackReport]:
    """Attack what each tool made of documents whose ids are the names of their subjects."""
    from tacenda.measures.attack import read_candidates, run_attacks

    candidates, attackers, parts = read_candidates(background), all_attackers(encoder=encoder), backgrounds_of(shares)
    return {
        tool: run_attacks(
            [(d.id, replaced(d.text, held[d.id])) for d in documents],
            candidates,
            attackers=attackers,
            backgrounds=parts,
            seed=seed,
        )
        for tool, held in tools.items()
    }
