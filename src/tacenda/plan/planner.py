"""The making of one plan: candidates, choosing, assessing the rewritten text again, deciding.

The rounds end when nothing passes its limit any more; what remains after the last one is suppressed, and the plan
says so. If even that does not help, there is no output.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tacenda import term
from tacenda.assembly import Assembly
from tacenda.errors import GuaranteeError
from tacenda.language import PEOPLE, role_of
from tacenda.model import FORCED, Candidate, Context, Decision, Document, Mention, Note, Plan, Risk
from tacenda.plan import mentions as finding
from tacenda.plan import rewrite
from tacenda.plan.smooth import smooth
from tacenda.protocols import Proving, Settling
from tacenda.things import groups

_MOST_BARE = 20
_ANYBODY = frozenset(("person", "people", "adult", "adults"))
SUPPRESSED = Candidate("[...]", "suppress")


def make_plan(parts: Assembly, document: Document) -> Plan:
    """Decide what happens to every mention of a document, and why."""
    bare: tuple[Mention, ...] = ()
    for _ in range(_MOST_BARE):
        try:
            return Work(parts, document, bare).plan()
        except _LaidBareError as found:
            if set(found.mentions) <= set(bare):
                break
            bare = tuple(dict.fromkeys((*bare, *found.mentions)))
    raise GuaranteeError(
        f"{document.id or 'document'}: a known or protected form would remain in the text, outside everything that was"
        " replaced. No output was written. This is a defect: please report it"
    )


class _LaidBareError(Exception):
    """Replacing something made a form readable beside it: "Thornburiejones" without its "jones"."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        super().__init__("a form was laid bare")
        self.mentions = mentions


@dataclass
class Work:
    """The making of one plan: mentions, their groups, candidates, and the rounds of choosing.

    bare    what another try at this plan laid bare beside what it replaced
    """

    parts: Assembly
    document: Document
    bare: tuple[Mention, ...] = ()

    def __post_init__(self) -> None:
        from tacenda.annotate.subject import describe, find_subject

        annotation = finding.find_mentions(self.parts, self.document, bare=self.bare)
        self.mentions = annotation.mentions
        subject = find_subject(self.document, annotation)
        self.context = Context(
            self.document,
            annotation.sentences,
            rewrite.lines(self.document.text),
            self.parts.protected,
            self.mentions,
            subject,
        )
        self.groups = groups(self.mentions)
        self.allowed = [self._is_allowed(m) for m in self.mentions]
        self.notes: list[Note] = [describe(subject, self.mentions)] if subject else []
        self.notes += [Note("unread", about=what) for what in self.document.unread]
        self.notes += [Note("dropped", about=what) for what in self.document.dropped]
        self.why: dict[int, str] = {}
        self.proof: Note | None = None

    def _is_allowed(self, mention: Mention) -> bool:
        """Tell whether the allow-list keeps a mention; known and protected ones rank above it."""
        if not self.parts.allowed or mention.kind in FORCED:
            return False
        return term.normalize(mention.text).casefold() in self.parts.allowed

    def plan(self) -> Plan:
        first = self._assess(self.mentions)
        risks = list(first)
        options = self._candidates(risks)
        chosen: list[Candidate | None] = [None] * len(self.mentions)
        rounds = 0
        while rounds < self.parts.policy.rounds:
            rounds += 1
            chosen = self._alike(self._choose(options, risks))
            remaining = self._remaining(chosen)
            if not remaining:
                break
            risks += [r for r in remaining if r not in risks]
            options = _narrow(options or self._candidates(risks), chosen, remaining)
            self._extend(options, remaining)
        else:
            chosen = self._give_up(chosen, rounds)
        return self._to_plan(chosen, risks, rounds)

    def _choose(self, options: Sequence[Sequence[Candidate]], risks: Sequence[Risk]) -> Sequence[Candidate | None]:
        chooser = self.parts.chooser
        asked = (self.mentions, options, self._open(risks), self._assess_some, self.context)
        if not isinstance(chooser, Proving):
            return list(chooser.choose(*asked))
        # A chooser that proves how good its choice is says so in a note.
        choice = chooser.solve(*asked)
        self.proof = choice.note
        return list(choice.chosen)

    def _assess(self, mentions: Sequence[Mention]) -> tuple[Risk, ...]:
        return finding.assess(self.parts, mentions, self.context)

    def _open(self, risks: Iterable[Risk]) -> list[Risk]:
        """Risks that something may be done about: not those whose every member the allow-list keeps."""
        return [r for r in risks if not all(self.allowed[i] for i in r.mentions)]

    def _assess_some(self, mentions: Sequence[Mention]) -> list[Risk]:
        return finding.assess_until(self.parts, mentions, self.context, self._open)

    def _assess_open(self, mentions: Sequence[Mention]) -> list[Risk]:
        return self._open(self._assess(mentions))

    def _candidates(self, risks: Iterable[Risk]) -> list[Sequence[Candidate]]:
        """Candidates for every mention that a risk names; suppression is always the last."""
        named = {i for r in risks for i in r.mentions}
        options: list[Sequence[Candidate]] = [()] * len(self.mentions)
        for members in self.groups.values():
            if named.isdisjoint(members) or self.allowed[members[0]]:
                continue
            found = self.candidates_of(self.mentions[members[0]])
            for i in members:
                options[i] = found
        return options

    def candidates_of(self, mention: Mention) -> tuple[Candidate, ...]:
        """What may stand in place of a mention, most preferred first; suppression is always the last."""
        found = [c for r in self.parts.replacers_for(mention) for c in r.candidates(mention, self.context) if c.text]
        if mention.label == "DEM" and not mention.closes:
            # "a Polish national" cannot become "a person national": before a noun only a label reads.
            found = [c for c in found if c.action != "generalize"]
        if mention.label in ("DEM", "TERM", "MISC", "PERSON") and not getattr(self.parts.chooser, "settles", False):
            # Whoever is called by a trade or a creed is a person anyway: "his wife, a person" says nothing.
            anybody = PEOPLE.isdisjoint(term.words(mention.text)[-1:])
            found = [c for c in found if not (anybody and c.action == "generalize" and c.text in _ANYBODY)]
        return (*dict.fromkeys(found), SUPPRESSED)

    def _extend(self, options: list[Sequence[Candidate]], risks: Iterable[Risk]) -> None:
        """Give candidates to mentions that only a later round found risky."""
        for r in risks:
            for i in r.mentions:
                if not options[i] and not self.allowed[i]:
                    options[i] = self.candidates_of(self.mentions[i])

    def _alike(self, chosen: Sequence[Candidate | None]) -> list[Candidate | None]:
        """Treat all mentions of a group alike: the least telling candidate chosen for any of them."""
        result = list(chosen)
        for members in self.groups.values():
            picked = [c for i in members if (c := result[i]) is not None]
            if picked:
                least = min(picked, key=lambda c: (c.bits, c.action == "label", c.text))
                for i in members:
                    result[i] = None if self.allowed[i] else least
        return result

    def _remaining(self, chosen: Sequence[Candidate | None]) -> list[Risk]:
        """Assess the rewritten mentions, and look for forms that must not appear in the new text.

        A chooser that settles what is enough by a promise of its own (t-plausibility) is not asked again by the risk
        models: they only told which mentions are sensitive.
        """
        settled = isinstance(self.parts.chooser, Settling) and self.parts.chooser.settles
        remaining = [] if settled else self._assess_open(rewritten(self.mentions, chosen))
        named = {i for r in remaining for i in r.mentions}
        return remaining + [r for r in self._leaks(chosen) if named.isdisjoint(r.mentions)]

    def _leaks(self, chosen: Sequence[Candidate | None]) -> list[Risk]:
        changed = [i for i, c in enumerate(chosen) if c is not None]
        text, offsets = rewrite.splice(
            self.document.text, [(*self.mentions[i].span, c.text) for i in changed if (c := chosen[i])]
        )
        leaks, bare = [], []
        for leak in finding.leaks(self.parts, text, self.document):
            at = [i for i, o in zip(changed, offsets, strict=True) if o[2] < leak.end and leak.start < o[3]]
            if not at:
                moved = sum((o[1] - o[0]) - (o[3] - o[2]) for o in offsets if o[3] <= leak.start)
                start, end = leak.start + moved, leak.end + moved
                bare.append(replace(leak, start=start, end=end, text=self.document.text[start:end]))
                continue
            leaks.append(Risk("leak", tuple(at), leak.label, 1.0, 0.0, "match"))
        if bare:
            raise _LaidBareError(bare)
        return leaks

    def _give_up(self, chosen: list[Candidate | None], rounds: int) -> list[Candidate | None]:
        """Suppress every member of what still passes its limit, and say so."""
        while remaining := self._remaining(chosen):
            members = {i for r in remaining for i in r.mentions if not self.allowed[i]}
            fresh = {i for i in members if chosen[i] != SUPPRESSED}
            if not fresh:
                raise GuaranteeError(
                    f"{self.document.id or 'document'}: {len(remaining)} risk(s) remain although all they name is"
                    f" suppressed ({', '.join(sorted({r.model for r in remaining}))}). No output was written"
                )
            for i in fresh:
                self.why[i] = "rounds"
                chosen[i] = SUPPRESSED
            chosen = self._alike(chosen)
            self.notes.append(Note("rounds", {"count": len(fresh), "rounds": rounds}))
        return chosen

    def _to_plan(self, chosen: Sequence[Candidate | None], risks: Sequence[Risk], rounds: int) -> Plan:
        named = {i for r in risks for i in r.mentions}
        shown = [i for i in range(len(self.mentions)) if chosen[i] is not None or i in named]
        place = {i: n for n, i in enumerate(shown)}
        of: dict[int, list[int]] = defaultdict(list)
        for number, risk in enumerate(risks):
            for i in risk.mentions:
                of[i].append(number)
        group_of = {i: g for g, members in enumerate(self.groups.values()) for i in members}
        decided = [self._decide(i, chosen[i], group_of[i], tuple(of[i])) for i in shown]
        decisions = self._smoothed(decided, [self.mentions[i] for i in shown])
        output = rewritten(self.mentions, chosen)
        self.notes += [self.proof] if self.proof else []
        self.notes += finding.risk_notes(self.parts, output, self.context)
        kept = sum(1 for i in shown if chosen[i] is None and self.allowed[i])
        if kept:
            self.notes.append(Note("allowed", {"count": kept}))
        return Plan(
            digest=self.document.digest,
            policy=self.parts.policy.name,
            decisions=decisions,
            risks=tuple(_renumbered(r, place) for r in risks),
            notes=tuple(self.notes),
            rounds=rounds,
            protected=tuple(p.entity for p in self.context.protected),
            made=self.parts.provenance(self.document),
        )

    def _smoothed(self, decisions: Sequence[Decision], mentions: Sequence[Mention]) -> tuple[Decision, ...]:
        """Let replacements that stand side by side read together, within a part: in links there is no sentence."""
        clauses = self.parts.policy.replacer.get("suppress", {}).get("clauses", "drop")
        text, parts = self.document.text, self.document.parts
        within = [(part.start, part.end) for part in parts if part.kind in ("prose", "cell")] if parts else None
        roles = [role_of(text, *m.span, tag=m.tag, closes=m.closes) for m in mentions]
        return smooth(text, decisions, clauses=clauses, roles=roles, within=within)

    def _decide(self, i: int, candidate: Candidate | None, group: int, risks: tuple[int, ...]) -> Decision:
        mention = self.mentions[i]
        base = Decision(mention.start, mention.end, mention.label, "keep", kind=mention.kind, group=group, risks=risks)
        if candidate is None:
            return replace(base, why="allowed" if self.allowed[i] else "group")
        why = self.why.get(i) or (mention.kind if mention.kind in FORCED else "risk")
        fit = rewrite.fit_mention(self.document, mention, candidate)
        return replace(
            base, action=candidate.action, replacement=fit.text, why=why, concept=candidate.concept, fixes=fit.fixes
        )


def rewritten(mentions: Sequence[Mention], chosen: Sequence[Candidate | None]) -> list[Mention]:
    """Return the mentions as the output will have them; a suppressed one has no text left to assess."""
    return [
        m if c is None else replace(m, text="" if c.action == "suppress" else c.text, kind="term", vector=None)
        for m, c in zip(mentions, chosen, strict=True)
    ]


def _renumbered(risk: Risk, place: dict[int, int]) -> Risk:
    members = tuple(tuple(place[i] for i in member) for member in risk.members)
    return replace(risk, mentions=tuple(place[i] for i in risk.mentions), members=members)


def _narrow(
    options: Sequence[Sequence[Candidate]], chosen: Sequence[Candidate | None], risks: Iterable[Risk]
) -> list[Sequence[Candidate]]:
    """Strike the candidates that were tried and, with what stands beside them, still told too much."""
    narrowed = list(options)
    for i in {i for r in risks for i in r.mentions}:
        tried = chosen[i]
        if tried is not None and tried in narrowed[i]:
            at = list(narrowed[i]).index(tried)
            narrowed[i] = tuple(narrowed[i][at + 1 :]) or (SUPPRESSED,)
    return narrowed
