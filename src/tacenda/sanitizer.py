"""The sanitizer: makes a plan for a document and applies it.

    read -> annotate -> assess -> choose -> Plan -> apply -> measure

Order of precedence, highest first: known identifiers, protected entities, a reviewer's override, the
allow-list, risk. What ranks higher cannot be undone by what ranks lower, and an override or an
allow-list that keeps a risky term is recorded in the plan.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tacenda import registry, rewrite, serialize, sources, term
from tacenda.errors import PlanError, PolicyError, UsageError
from tacenda.language.detect import check_language
from tacenda.model import Annotation, Context, Document, Mention, Plan, Protected, Risk, Sanitized
from tacenda.planning import FORCED, Work
from tacenda.policy import Policy
from tacenda.policy import to_dict as policy_data
from tacenda.protocols import Annotator, Chooser, CorpusIndex, CountSource, Embeddings, Replacer, RiskModel, Taxonomy
from tacenda.replace.keys import Key

if TYPE_CHECKING:
    from tacenda.certify.certificate import Certificate

# What a part gets from the sanitizer if it asks for it by name; everything else is a setting of the policy.
_INJECTED = ("index", "taxonomy", "embeddings", "information", "key", "service", "given")


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
        service: CountSource | None = None,
        key: Key | None = None,
        force_language: bool = False,
    ) -> None:
        self.policy = policy
        self.force_language = force_language
        self._index, self._taxonomy, self._embeddings, self.key = index, taxonomy, embeddings, key
        self._service = service
        self._allowed = frozenset(term.normalize(word).casefold() for word in policy.allow)

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
        work = Work(self, document)
        return work.plan()

    def annotate(self, document: Document) -> Annotation:
        """Find all mentions, with overlaps settled, forms spread and entities tied."""
        from tacenda.annotate import combine

        found = [annotator.annotate(document) for annotator in self._annotators]
        joined = combine(
            document,
            found,
            forced=self._forced_matchers(document),
            confidence=self.policy.confidence,
            is_disease=self._is_disease,
        )
        if not (self.policy.protect or any(getattr(model, "every_word", False) for model in self._risk_models)):
            return joined
        # What is protected can be inferred from any word, also from one that no annotator marked.
        from tacenda.language import FUNCTION_WORDS
        from tacenda.risk.terms import remaining_words

        words = remaining_words(document.text, joined.mentions)
        if not self.policy.risk.get("alpha_c", {}).get("covered"):
            # Only a certificate speaks of function words; by themselves they tell a reader nothing.
            words = [word for word in words if term.fold(word.text) not in FUNCTION_WORDS]
        return replace(joined, mentions=tuple(sorted((*joined.mentions, *words), key=lambda m: m.start)))

    def assess(self, mentions: Sequence[Mention], context: Context) -> tuple[Risk, ...]:
        """Ask every risk model of the policy; forced mentions count as risks too."""
        risks = [_forced_risk(i, m) for i, m in enumerate(mentions) if m.kind in FORCED and m.text]
        from tacenda.risk.combine import of_subject, vote

        found = [risk for model in self._risk_models for risk in model.assess(mentions, context)]
        if self.policy.vote:
            found = vote(found, self.policy.vote, self.policy.vote_rule)
        return tuple(risks + of_subject(found, context.subject))

    def risk_notes(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        """What risk models have to say of an output besides its risks: what they could not assess."""
        telling: list[Any] = [model for model in self._risk_models if hasattr(model, "notes")]
        return [line for model in telling for line in model.notes(mentions, context)]

    @cached_property
    def protected(self) -> tuple[Protected, ...]:
        """The protected entities with all their forms: synonyms and specializations included."""
        from tacenda.risk.counts import Counts
        from tacenda.risk.protected import expand

        # The index decides which names count: taxonomies also know "acid" and "Elvis" as names of drugs.
        taxonomy: Any = self.taxonomy
        counts = Counts(self.index, "alpha_c")
        return tuple(expand(p, counts, taxonomy) for p in self.policy.protect)

    def leaks(self, text: str, document: Document) -> tuple[Mention, ...]:
        """Return every known identifier or protected form that stands in a text."""
        probe = Document(text)
        return tuple(m for matcher in self._forced_matchers(document) for m in matcher.annotate(probe).mentions)

    # ---- parts, made from their names in the policy -----------------------------------------------

    @cached_property
    def index(self) -> CorpusIndex:
        """The index given, or those the policy names taken as one, or the embedded one."""
        from tacenda import knowledge

        named = self.policy.knowledge.get("index", [])
        return self._index or knowledge.open_index(*([named] if isinstance(named, str) else named))

    @cached_property
    def taxonomy(self) -> Taxonomy:
        """The taxonomy given, or those the policy names before the embedded ones."""
        from tacenda import knowledge

        return self._taxonomy or knowledge.open_taxonomy(*self.policy.knowledge.get("taxonomies", ()))

    def _is_disease(self, phrase: str) -> bool:
        return bool(self._diseases.senses(phrase))

    @cached_property
    def _diseases(self) -> Any:
        from tacenda import knowledge

        return knowledge.open_taxonomy("diseases")

    @cached_property
    def service(self) -> CountSource:
        """The counts given, or the search service the policy names; nobody is asked unless it names one."""
        where = f"policy '{self.policy.name}'"
        return self._service or sources.open_service(self.policy.knowledge.get("service"), where)

    @property
    def given(self) -> tuple[Protected, ...]:
        """The protected entities as the policy gives them."""
        return self.policy.protect

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
        if not self._allowed or mention.kind in FORCED:
            return False
        return term.normalize(mention.text).casefold() in self._allowed


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
