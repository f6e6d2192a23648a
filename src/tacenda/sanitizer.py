"""The sanitizer: makes a plan for a document and applies it.

    read -> annotate -> assess -> choose -> Plan -> apply -> measure

Order of precedence, highest first: known identifiers, protected entities, a reviewer's override, the
allow-list, risk. What ranks higher cannot be undone by what ranks lower, and an override or an
allow-list that keeps a risky term is recorded in the plan.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tacenda import registry, rewrite, serialize, term
from tacenda.errors import GuaranteeError, PlanError, PolicyError, UsageError
from tacenda.model import Annotation, Candidate, Context, Decision, Document, Mention, Plan, Protected, Risk, Sanitized
from tacenda.policy import Policy
from tacenda.policy import to_dict as policy_data
from tacenda.protocols import Annotator, Chooser, CorpusIndex, Embeddings, Replacer, RiskModel, Taxonomy
from tacenda.read import check_language
from tacenda.replace.keys import Key

if TYPE_CHECKING:
    from tacenda.certify.certificate import Certificate

SUPPRESSED = Candidate("[...]", "suppress")
_FORCED = ("known", "protected")
# What a part gets from the sanitizer if it asks for it by name; everything else is a setting of the policy.
_INJECTED = ("index", "taxonomy", "embeddings", "information", "key")


class Sanitizer:
    """Makes and applies plans under one policy. Knowledge is opened on first use.

    >>> from tacenda import Document, Policy
    >>> policy = Policy.from_text('''
    ... name = "mail"
    ... annotate = ["patterns"]
    ... [risk.entity]
    ... labels = ["EMAIL"]
    ... ''')
    >>> Sanitizer(policy).sanitize(Document("Write to jo@example.org today.")).text
    'Write to [e-mail address] today.'
    """

    def __init__(
        self,
        policy: Policy,
        *,
        index: CorpusIndex | None = None,
        taxonomy: Taxonomy | None = None,
        embeddings: Embeddings | None = None,
        key: Key | None = None,
        force_language: bool = False,
    ) -> None:
        self.policy = policy
        self.force_language = force_language
        self._index, self._taxonomy, self._embeddings, self.key = index, taxonomy, embeddings, key
        self._allowed = frozenset(term.normalise(word).casefold() for word in policy.allow)

    def sanitize(self, document: Document) -> Sanitized:
        """Plan and apply."""
        return self.apply(document, self.plan(document))

    def apply(self, document: Document, plan: Plan) -> Sanitized:
        """Apply a plan to the document it was made for."""
        return apply(document, plan)

    def certify(self, result: Sanitized) -> Certificate:
        """State what holds of an output, in a form that `tacenda verify` checks without trusting it.

        The policy must protect something, and with `covered = true` for alpha_c no unknown word is left, without
        which the verifier answers "not covered".
        """
        from tacenda.certify.certificate import Claim, certify
        from tacenda.risk.alpha_c import AlphaC

        model = next((m for m in self._risk_models if isinstance(m, AlphaC)), None)
        if model is None or not self.policy.protect:
            raise UsageError(
                f"policy '{self.policy.name}': a certificate is about protected entities: add [[protect]] or --protect"
            )
        index: Any = self.index
        kept = [note for note in result.plan.notes if " kept " in note]
        unknown = ["terms unknown to the index are kept (unknown = keep)"] if self.policy.unknown == "keep" else []
        return certify(
            result.text,
            policy=policy_data(self.policy),
            claims=[Claim(**claim) for claim in model.claims(self.protected)],
            rule=model.stated_rule(),
            total=model.counts.total,
            index_digest=index.digest,
            taxonomy_digest=getattr(self.taxonomy, "digest", ""),
            not_covered=[*kept, *unknown],
        )

    def plan(self, document: Document) -> Plan:
        """Decide what happens to every mention, assess the rewritten text again, and say why."""
        if not self.force_language:
            check_language(document.text, document.id)
        work = _Work(self, document)
        return work.plan()

    def annotate(self, document: Document) -> Annotation:
        """Find all mentions, with overlaps settled, forms spread and entities tied."""
        from tacenda.annotate import combine

        found = [annotator.annotate(document) for annotator in self._annotators]
        joined = combine(document, found, forced=self._forced_matchers(document), confidence=self.policy.confidence)
        if not (self.policy.protect or any(getattr(model, "every_word", False) for model in self._risk_models)):
            return joined
        # What is protected can be inferred from any word, also from one that no annotator marked.
        from tacenda.risk.terms import remaining_words

        words = remaining_words(document.text, joined.mentions)
        return replace(joined, mentions=tuple(sorted((*joined.mentions, *words), key=lambda m: m.start)))

    def assess(self, mentions: Sequence[Mention], context: Context) -> tuple[Risk, ...]:
        """Ask every risk model of the policy; forced mentions count as risks too."""
        risks = [_forced_risk(i, m) for i, m in enumerate(mentions) if m.kind in _FORCED and m.text]
        from tacenda.risk.combine import of_subject, vote

        found = [risk for model in self._risk_models for risk in model.assess(mentions, context)]
        if self.policy.vote:
            found = vote(found, self.policy.vote, self.policy.vote_rule)
        return tuple(risks + of_subject(found, context.subject))

    @cached_property
    def protected(self) -> tuple[Protected, ...]:
        """The protected entities with all their forms: synonyms and specialisations included."""
        return tuple(replace(p, forms=self._forms(p)) for p in self.policy.protect)

    def leaks(self, text: str, document: Document) -> tuple[Mention, ...]:
        """Return every known identifier or protected form that stands in a text."""
        probe = Document(text)
        return tuple(m for matcher in self._forced_matchers(document) for m in matcher.annotate(probe).mentions)

    def _forms(self, p: Protected) -> tuple[str, ...]:
        from tacenda.risk.counts import Counts
        from tacenda.risk.protected import expand

        # The index decides which names count: taxonomies also know "acid" and "Elvis" as names of drugs.
        taxonomy: Any = self.taxonomy
        return expand(p, Counts(self.index, "alpha_c"), taxonomy).written

    # ---- parts, made from their names in the policy -----------------------------------------------

    @cached_property
    def index(self) -> CorpusIndex:
        """The index given, or the one the policy names, or the embedded one."""
        from tacenda import knowledge

        return self._index or knowledge.open_index(self.policy.knowledge.get("index"))

    @cached_property
    def taxonomy(self) -> Taxonomy:
        """The taxonomy given, or those the policy names before the embedded ones."""
        from tacenda import knowledge

        return self._taxonomy or knowledge.open_taxonomy(*self.policy.knowledge.get("taxonomies", ()))

    @cached_property
    def _annotators(self) -> tuple[Annotator, ...]:
        settings = self.policy.annotator
        return tuple(self._make("annotate", name, dict(settings.get(name, {}))) for name in self.policy.annotate)

    @cached_property
    def _risk_models(self) -> tuple[RiskModel, ...]:
        return tuple(self._make("risk", name, dict(s)) for name, s in self.policy.risk.items())

    @cached_property
    def _replacers(self) -> dict[str, Replacer]:
        policy = self.policy
        wanted = dict.fromkeys((*policy.replace, *(n for order in policy.replace_by.values() for n in order)))
        return {name: self._make("replace", name, dict(policy.replacer.get(name, {}))) for name in wanted}

    @cached_property
    def _chooser(self) -> Chooser:
        name = self.policy.choose
        chooser: Chooser = self._make("choose", name, dict(self.policy.chooser.get(name, {})))
        return chooser

    def replacers_for(self, mention: Mention) -> list[Replacer]:
        """Return the replacers for a mention, most preferred first."""
        order = self.policy.replace_by.get(mention.label, self.policy.replace)
        return [self._replacers[name] for name in order]

    def _make(self, kind: str, name: str, settings: dict[str, Any]) -> Any:
        where = f"policy '{self.policy.name}'"
        factory = registry.find(kind, name, where=where)
        accepted = inspect.signature(factory).parameters
        for key in settings:
            if key not in accepted or key in _INJECTED:
                available = tuple(p for p in accepted if p not in _INJECTED)
                raise PolicyError(registry.unknown_name(f"setting of {name}", key, available, where=where))
        for what in _INJECTED:
            if what in accepted:
                settings[what] = self.index.information if what == "information" else getattr(self, what)
        if settings.get("key", 0) is None and accepted["key"].default is inspect.Parameter.empty:
            raise UsageError(f"{where}: {name} needs a key: --key-file or TACENDA_KEY ('tacenda key new' makes one)")
        if "unknown" in accepted and "unknown" not in settings:
            settings["unknown"] = self.policy.unknown
        try:
            return factory(**settings)
        except (TypeError, ValueError) as error:
            raise PolicyError(f"{where}, {name}: {error}") from None

    @cached_property
    def embeddings(self) -> Embeddings:
        """The vectors given, or those the policy names, or the embedded ones."""
        from tacenda import knowledge

        opened: Embeddings = self._embeddings or knowledge.open_vectors(self.policy.knowledge.get("vectors"))
        return opened

    @cached_property
    def _word_matchers(self) -> tuple[Annotator, ...]:
        from tacenda.annotate import word_matchers

        return word_matchers(self.protected, self.policy.mask, self.policy.patterns)

    def _forced_matchers(self, document: Document) -> tuple[Annotator, ...]:
        from tacenda.annotate import Known

        values = (*document.known, *filter(None, (document.subject,)))
        known = (Known(values),) if values else ()
        return (*known, *self._word_matchers)

    def is_allowed(self, mention: Mention) -> bool:
        """Tell whether the allow-list keeps a mention; known and protected ones rank above it."""
        return mention.kind not in _FORCED and term.normalise(mention.text).casefold() in self._allowed


def apply(document: Document, plan: Plan) -> Sanitized:
    """Apply a plan to the document it was made for; refuse any other."""
    if plan.digest != document.digest:
        raise PlanError(
            f"{document.id or 'document'}: this plan was made for another text (digests differ)."
            " Make a plan for this document with 'tacenda plan'"
        )
    serialize.check_plan(plan)
    edits = [(d.start, d.end, d.replacement) for d in plan.decisions if d.changes]
    text, offsets = rewrite.splice(document.text, [*edits, *plan.fixes])
    return Sanitized(text, plan, document.id, offsets)


def _forced_risk(index: int, mention: Mention) -> Risk:
    discloses = mention.source if mention.kind == "protected" and mention.source != "spread" else "identity"
    return Risk(model=mention.kind, mentions=(index,), discloses=discloses, score=1.0, limit=0.0, unit="match")


@dataclass
class _Work:
    """The making of one plan: mentions, their groups, candidates, and the rounds of choosing."""

    sanitizer: Sanitizer
    document: Document

    def __post_init__(self) -> None:
        from tacenda.annotate.subject import describe, find_subject

        annotation = self.sanitizer.annotate(self.document)
        self.mentions = annotation.mentions
        subject = find_subject(self.document, annotation)
        self.context = Context(
            self.document,
            annotation.sentences,
            rewrite.paragraphs(self.document.text),
            self.sanitizer.protected,
            self.mentions,
            subject,
        )
        self.groups = _group(self.mentions)
        self.allowed = [self.sanitizer.is_allowed(m) for m in self.mentions]
        self.notes: list[str] = [describe(subject, self.mentions)] if subject else []
        self.why: dict[int, str] = {}

    def plan(self) -> Plan:
        first = self._assess(self.mentions)
        risks = list(first)
        options = self._candidates(risks)
        chosen: list[Candidate | None] = [None] * len(self.mentions)
        rounds = 0
        while rounds < self.sanitizer.policy.rounds:
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
        chooser = self.sanitizer._chooser
        return chooser.choose(self.mentions, options, self._open(risks), self._assess_open, self.context)

    def _assess(self, mentions: Sequence[Mention]) -> tuple[Risk, ...]:
        return self.sanitizer.assess(mentions, self.context)

    def _open(self, risks: Iterable[Risk]) -> list[Risk]:
        """Risks that something may be done about: not those whose every member the allow-list keeps."""
        return [r for r in risks if not all(self.allowed[i] for i in r.mentions)]

    def _assess_open(self, mentions: Sequence[Mention]) -> list[Risk]:
        return self._open(self._assess(mentions))

    def _candidates(self, risks: Iterable[Risk]) -> list[Sequence[Candidate]]:
        """Candidates for every mention that a risk names; suppression is always the last."""
        named = {i for r in risks for i in r.mentions}
        options: list[Sequence[Candidate]] = [()] * len(self.mentions)
        for members in self.groups.values():
            if named.isdisjoint(members) or self.allowed[members[0]]:
                continue
            found = self._candidates_of(self.mentions[members[0]])
            for i in members:
                options[i] = found
        return options

    def _candidates_of(self, mention: Mention) -> tuple[Candidate, ...]:
        found = [
            c for r in self.sanitizer.replacers_for(mention) for c in r.candidates(mention, self.context) if c.text
        ]
        if mention.label == "DEM" and not mention.closes:
            # "a Polish national" cannot become "a person national": before a noun only a label reads.
            found = [c for c in found if not c.noun]
        return (*dict.fromkeys(found), SUPPRESSED)

    def _extend(self, options: list[Sequence[Candidate]], risks: Iterable[Risk]) -> None:
        """Give candidates to mentions that only a later round found risky."""
        for r in risks:
            for i in r.mentions:
                if not options[i] and not self.allowed[i]:
                    options[i] = self._candidates_of(self.mentions[i])

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
        """Assess the rewritten mentions, and look for forms that must not appear in the new text."""
        remaining = self._assess_open(rewritten(self.mentions, chosen))
        named = {i for r in remaining for i in r.mentions}
        return remaining + [r for r in self._leaks(chosen) if named.isdisjoint(r.mentions)]

    def _leaks(self, chosen: Sequence[Candidate | None]) -> list[Risk]:
        changed = [i for i, c in enumerate(chosen) if c is not None]
        text, offsets = rewrite.splice(
            self.document.text, [(*self.mentions[i].span, c.text) for i in changed if (c := chosen[i])]
        )
        leaks = []
        for leak in self.sanitizer.leaks(text, self.document):
            at = [i for i, o in zip(changed, offsets, strict=True) if o[2] < leak.end and leak.start < o[3]]
            if not at:
                raise GuaranteeError(
                    f"{self.document.id or 'document'}: a form of '{leak.label}' would remain in the text, outside"
                    " everything that was replaced. No output was written. This is a defect: please report it"
                )
            leaks.append(Risk("leak", tuple(at), leak.label, 1.0, 0.0, "match"))
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
            self.notes.append(f"{len(fresh)} mention(s) were suppressed because risks remained after {rounds} rounds")
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
        decisions, fixes = [], []
        for i in shown:
            decision, fix = self._decide(i, chosen[i], group_of[i], tuple(of[i]))
            decisions.append(decision)
            fixes += [fix] if fix else []
        kept = sum(1 for i in shown if chosen[i] is None and self.allowed[i])
        if kept:
            self.notes.append(f"the allow-list kept {kept} mention(s) that a risk model flagged")
        return Plan(
            digest=self.document.digest,
            policy=self.sanitizer.policy.name,
            decisions=tuple(decisions),
            risks=tuple(_renumbered(r, place) for r in risks),
            fixes=tuple(f for f in fixes if not any(d.changes and d.start < f[1] and f[0] < d.end for d in decisions)),
            notes=tuple(self.notes),
            rounds=rounds,
            protected=tuple(p.entity for p in self.context.protected),
        )

    def _decide(
        self, i: int, candidate: Candidate | None, group: int, risks: tuple[int, ...]
    ) -> tuple[Decision, tuple[int, int, str] | None]:
        mention = self.mentions[i]
        base = Decision(mention.start, mention.end, mention.label, "keep", kind=mention.kind, group=group, risks=risks)
        if candidate is None:
            return replace(base, why="allowed" if self.allowed[i] else "group"), None
        why = self.why.get(i) or (mention.kind if mention.kind in _FORCED else "risk")
        whole = candidate.noun and mention.opens and mention.closes
        fit = rewrite.fit(self.document.text, mention.start, mention.end, candidate.text, whole=whole)
        return (
            replace(base, action=candidate.action, replacement=fit.text, why=why, concept=candidate.concept),
            fit.fix,
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


def _group(mentions: Sequence[Mention]) -> dict[tuple[str, str | int], list[int]]:
    """Group mentions that must be treated alike: one entity, or one term."""
    groups: dict[tuple[str, str | int], list[int]] = defaultdict(list)
    for i, m in enumerate(mentions):
        groups[("entity", m.entity) if m.entity >= 0 else (m.label, term.normalise(m.text))].append(i)
    return groups


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
