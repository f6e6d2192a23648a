"""Results of each kind as sections of a report: which numbers stand out, which tables and plots go with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from tacenda.measures import plots
from tacenda.measures.attack.guess import GuessReport
from tacenda.measures.attack.suite import AttackReport, Result, wilson
from tacenda.measures.detection import LEVELS, Detection
from tacenda.measures.logs import Sweep
from tacenda.measures.report import Cell, Section, Table
from tacenda.measures.sensitivity import CrossValidation
from tacenda.measures.spi import Privacy
from tacenda.measures.utility import TermChange, TextUtility

Row = tuple[Cell, ...]


def _detection_tables(found: Mapping[str, Detection]) -> tuple[Table, ...]:
    """Scores by level, by role of the identifiers, and by type; the last two only where they are known."""
    first = next(iter(found.values()))
    rows: list[Row] = []
    roles: list[Row] = []
    for tool, one in found.items():
        for level in LEVELS:
            micro, macro = one.micro[level], one.macro[level]
            rows.append((tool, level, micro.precision, micro.recall, micro.f1, *macro))
        for role, scores in one.by_role.items():
            roles.append((tool, role, *(scores[level].recall for level in ("token", "mention", "entity"))))
    counts: list[Row] = []
    for name, by_level in first.by_type.items():
        recalls = (one.by_type[name]["entity"].recall for one in found.values())
        counts.append((name, int(by_level["mention"].gold), *recalls))
    columns = ("tool", "level", "precision", "recall", "F1", "macro precision", "macro recall", "macro F1")
    tables = [Table(columns, tuple(rows))]
    if roles:
        tables.append(Table(("tool", "identifiers", "token recall", "mention recall", "entity recall"), tuple(roles)))
    if counts:
        tables.append(Table(("type", "mentions", *(f"entity recall, {tool}" for tool in found)), tuple(counts)))
    return tuple(tables)


def detection_section(found: Mapping[str, Detection]) -> Section:
    """Precision and recall of one tool or several."""
    first = next(iter(found.values()))
    types = list(dict.fromkeys(name for one in found.values() for name in one.by_type))
    bars = {
        name: {tool: one.by_type[name]["mention"].recall for tool, one in found.items() if name in one.by_type}
        for name in types
    }
    weighted = tuple((f"information-weighted precision, {tool}", one.weighted_precision) for tool, one in found.items())
    return Section(
        "Detection",
        (
            "An entity counts as found only if all its mentions are masked. Micro figures add up all counts; macro "
            "figures are means over documents.",
        ),
        (
            ("documents", first.documents),
            ("annotators", first.annotators),
            ("Fleiss' kappa of the annotators", first.kappa),
            *(weighted if len(found) < 5 else ()),
        ),
        _detection_tables(found),
        (plots.bar_plot(bars, title="Recall by type", x_label="recall of mentions"),) if bars else (),
    )


def utility_section(found: Mapping[str, Sequence[TextUtility]], extra: Mapping[str, Mapping[str, float]]) -> Section:
    """Information kept by one tool or several, in all and by type of what was masked."""
    rows: list[tuple[str, Cell, Cell, Cell, Cell, Cell]] = []
    for tool, texts in found.items():
        changes = [change for text in texts for change in text.changes]
        before, after = sum(t.bits_before for t in texts), sum(t.bits_after for t in texts)
        kept = sum(t.kept for t in texts) / len(texts)
        rows.append((tool, kept, after / before if before else 1.0, *per_term(changes)))
    columns = ("tool", "information kept", "all texts together", "masks", "kept per mask", "cosine per mask")
    names = list(dict.fromkeys(name for held in extra.values() for name in held))
    more = Table(("tool", *names), tuple((tool, *(held.get(name) for name in names)) for tool, held in extra.items()))
    types = Table(("tool", "type", "masks", "kept per mask", "cosine per mask"), tuple(_by_type(found)), _PER_MASK)
    return Section(
        "Utility",
        ("Information is the sum of the bits of all terms left, a replacement counting at most as what it replaced.",),
        tables=(Table(columns, tuple(rows)), *((more,) if names else ()), *((types,) if types.rows else ())),
        plots=(
            plots.bar_plot(
                {row[0]: {"information kept": float(row[1] or 0)} for row in rows},
                title="Information kept",
                x_label="share of the bits of the original",
            ),
        ),
    )


_PER_MASK = (
    "Kept per mask: bits of the replacement over those of what it replaced. Cosine: how close the two are in "
    "meaning, 0 where nothing was written"
)


def per_term(changes: Sequence[TermChange]) -> tuple[Cell, Cell, Cell]:
    """Number of masks, share of their bits that is left, and mean cosine of replaced and replacement."""
    alike = [change.similarity for change in changes if change.similarity is not None]
    before = sum(change.bits_before for change in changes)
    return (
        len(changes),
        sum(change.bits_after for change in changes) / before if before > 0 else None,
        sum(alike) / len(alike) if alike else None,
    )


def _by_type(found: Mapping[str, Sequence[TextUtility]]) -> Iterator[Row]:
    for tool, texts in found.items():
        changes = [change for text in texts for change in text.changes]
        for label in sorted({change.label for change in changes if change.label}):
            yield tool, label, *per_term([change for change in changes if change.label == label])


def tradeoff_section(
    points: Mapping[str, tuple[float, float]], *, privacy: str, over: str = "setting", title: str = ""
) -> Section:
    """Privacy against utility, one point for each setting; settings that are numbers (α, t) are joined to a curve."""
    joined: dict[float, tuple[float, float]] = {}
    with suppress(ValueError):
        joined = {float(name): point for name, point in points.items()}
    order = sorted(joined)
    against: plots.Series = {f"{over} {name}": [point] for name, point in points.items()}
    if joined:
        against = {f"{over} from {order[0]:g} to {order[-1]:g}": [joined[value] for value in order]}
    drawn = [
        plots.line_plot(
            against,
            title="Privacy against utility",
            x_label="information kept",
            y_label=privacy,
            y_range=(0.0, 1.0),
            lines=bool(joined),
        )
    ]
    if joined:
        both = {"information kept": 0, privacy: 1}
        drawn.append(
            plots.line_plot(
                {name: [(value, joined[value][at]) for value in order] for name, at in both.items()},
                title=f"Privacy and utility over {over}",
                x_label=over,
                y_label="share",
                y_range=(0.0, 1.0),
            )
        )
    rows = sorted(points.items(), key=lambda one: float(one[0])) if joined else points.items()
    return Section(
        title or "Privacy against utility",
        (),
        tables=(Table((over, "information kept", privacy), tuple((k, u, p) for k, (u, p) in rows)),),
        plots=tuple(drawn),
    )


def privacy_section(found: Mapping[str, Privacy]) -> Section:
    """SPI and its kin of a release, by level or by release."""
    columns = ("", "SPI as printed", "SPI withheld", "JSD", "KLD", "WKLD", "PEL %", "impressions %")
    rows = tuple(
        (name, p.spi_printed, p.spi_withheld, p.jsd, p.kld, p.wkld, p.pel, p.impressions) for name, p in found.items()
    )
    first = next(iter(found.values()))
    return Section(
        "Privacy of the collection",
        (
            "0: the release shows what the original showed; 1: nothing in common. SPI as printed in paper 002 weighs "
            "an item by 1 − sensitivity whichever way its share changed, so it rewards withholding harmless items; the "
            "index of what is withheld falls with every sensitive item that is released: 1 if none is, 0 if all are.",
            f"KLD and WKLD are means over the users for whom they are finite ({first.users - first.kld_infinite_users} "
            f"of {first.users} in the first row).",
        ),
        (
            ("users", first.users),
            ("users of whom nothing is released", first.users_without_release),
            ("SPI, withheld", first.spi_withheld),
        ),
        (Table(columns, rows),),
        (
            plots.bar_plot(
                {
                    name: {"SPI as printed": p.spi_printed, "SPI withheld": p.spi_withheld, "JSD": p.jsd}
                    for name, p in found.items()
                },
                title="Privacy indices",
                x_label="index (bits)",
            ),
        ),
    )


def _attack_table(
    backgrounds: Sequence[float], names: Sequence[str], held: Mapping[tuple[str, float], Result]
) -> Table:
    """Each attacker at each background, with its ranks at the largest."""
    most = backgrounds[-1]
    rows: tuple[Row, ...] = tuple(
        (
            name,
            *(held[name, b].top1 for b in backgrounds),
            held[name, most].median_rank,
            held[name, most].mean_reciprocal_rank,
        )
        for name in names
    )
    columns = ("attacker", *(f"at {b:.0%}" for b in backgrounds), "median rank", "mean 1/rank")
    told = "Share of documents whose subject is named first, by how much of the background the attacker knows"
    return Table(columns, rows, told)


def attack_section(report: AttackReport, *, title: str = "Re-identification") -> Section:
    """Re-identification by every attacker, with the worst of them."""
    backgrounds = sorted({r.background for r in report.results})
    names = list(dict.fromkeys(r.attacker for r in report.results))
    held = {(r.attacker, r.background): r for r in report.results}
    worst = report.worst(backgrounds[-1])
    low, high = wilson(worst.top1, report.documents)
    return Section(
        title,
        (
            f"{report.documents} documents against {report.candidates} candidates; a guess at random is right in "
            f"{report.chance:.2%} of the cases. The strongest attacker, {worst.attacker}, is right in {worst.top1:.0%} "
            f"(95 % interval {low:.0%} to {high:.0%}); at least one of them in {report.by_any(backgrounds[-1]):.0%}.",
            "A stronger attacker or one with more background may do better.",
        ),
        (
            ("worst attacker", worst.top1),
            ("median rank it gives", worst.median_rank),
            ("chance", report.chance),
        ),
        (_attack_table(backgrounds, names, held),),
        (
            plots.line_plot(
                {
                    **{name: [(100 * b, held[name, b].top1) for b in backgrounds] for name in names},
                    "chance": [(100 * b, report.chance) for b in backgrounds],
                },
                title="Attack by background",
                x_label="background known to the attacker, %",
                y_label="named first",
                y_range=(0.0, 1.0),
            ),
        ),
    )


def guess_section(report: GuessReport) -> Section:
    """What a guesser with an index fills in."""
    return Section(
        "Filling the masks",
        (f"{report.masks} masks; of {report.unreachable} the guesser does not know the term that stood there.",),
        (("filled right", report.top1), ("among the first ten", report.top10), ("chance", report.chance)),
    )


def sensitivity_section(found: CrossValidation) -> Section:
    """Cross-validation of the sensitivity classifier."""
    return Section(
        "Sensitivity classifier",
        (f"Naive Bayes over binary bags of words, {found.folds}-fold cross-validation, {found.documents} documents.",),
        (
            ("accuracy", found.accuracy),
            ("precision", found.precision),
            ("recall", found.recall),
            ("F1", found.f1),
            ("accuracy of always saying the commoner kind", found.majority),
        ),
    )


def k_section(curve: Sweep) -> Section:
    """Figure 1 of paper 002."""
    names = [name for name in curve if name != "k"]
    rows = tuple((int(k), *(curve[name][i] for name in names)) for i, k in enumerate(curve["k"]))
    return Section(
        "Releasing only what k users wrote",
        tables=(Table(("k", *names), rows),),
        plots=(
            plots.line_plot(
                {name: list(zip(curve["k"], curve[name], strict=True)) for name in names},
                title="SPI, JSD, PEL and impressions by k",
                x_label="k (logarithmic)",
                y_label="value",
                log_x=True,
                y_range=(0.0, max(1.0, *(v for name in names for v in curve[name] if v == v))),
            ),
        ),
    )


def strategy_section(curves: Mapping[str, Sequence[tuple[float, float]]], name: str) -> Section:
    """Figure 2 of paper 002, with the index as printed or of what is withheld."""
    rows = tuple((strategy, x, y) for strategy, points in curves.items() for x, y in points)
    return Section(
        f"SPI {name} by what is released",
        (
            "A k-anonymous release shows at most the share asked, and often less, since many texts leave at one k: "
            "compare strategies at equal impressions.",
        ),
        tables=(Table(("strategy", "impressions %", f"SPI {name}"), rows),),
        plots=(
            plots.line_plot(
                curves,
                title=f"SPI {name} by strategy",
                x_label="released impressions, %",
                y_label=f"SPI {name}",
                y_range=(0.0, 1.0),
            ),
        ),
    )
