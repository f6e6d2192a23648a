"""The parts a policy names, made: annotators, risk models, replacers, chooser, and the knowledge they ask for.

Everything is made when it is first used. A part gets what its signature asks for by name (`index`, `taxonomy`,
`key`, ...); its other parameters are settings of the policy.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacenda import __version__, registry, sources, term
from tacenda.errors import PolicyError, UsageError
from tacenda.model import Document, Mention, Protected, Provenance, digest
from tacenda.policy import Policy, load, shipped
from tacenda.protocols import (
    Annotator,
    Chooser,
    CorpusIndex,
    CountSource,
    Digested,
    Embeddings,
    FullTaxonomy,
    Replacer,
    RiskModel,
    Taxonomy,
    TextStates,
)
from tacenda.replace.keys import Key

if TYPE_CHECKING:
    from tacenda.risk.counts import Counts

# What a part gets if it asks for it by name; everything else is a setting of the policy.
INJECTED = ("index", "taxonomy", "embeddings", "information", "key", "service", "given", "encoder")
# Risk models that find nothing unless an entity is protected.
_OF_PROTECTED = frozenset(("alpha_c", "meaning", "service"))


class Assembly:
    """The parts of one policy. Parts given as names or objects come in addition to those the policy names; an object
    that has the name of one of them takes its place.

    annotators  further annotators; risk: further risk models; replacers: preferred to those of the policy
    chooser     instead of the policy's
    index, taxonomy, embeddings, service    knowledge instead of what the policy names
    """

    def __init__(
        self,
        policy: Policy,
        *,
        annotators: Sequence[str | Annotator] = (),
        risk: Sequence[str | RiskModel] = (),
        replacers: Sequence[str | Replacer] = (),
        chooser: str | Chooser | None = None,
        index: CorpusIndex | None = None,
        taxonomy: Taxonomy | None = None,
        embeddings: Embeddings | None = None,
        service: CountSource | None = None,
        key: Key | None = None,
    ) -> None:
        self.policy, self.key = policy, key
        self._more = {"annotate": tuple(annotators), "risk": tuple(risk), "replace": tuple(replacers)}
        self._given_chooser = chooser
        self._index, self._taxonomy, self._embeddings, self._service = index, taxonomy, embeddings, service

    # ---- knowledge ---------------------------------------------------------------------------------

    @cached_property
    def index(self) -> CorpusIndex:
        """The index given, or those the policy names taken as one, or the embedded one."""
        from tacenda import knowledge

        named = self.policy.knowledge.get("index", [])
        return self._index or knowledge.open_index(*([named] if isinstance(named, str) else named))

    @cached_property
    def taxonomy(self) -> FullTaxonomy:
        """The taxonomy given, with what it lacks, or those the policy names before the embedded ones."""
        from tacenda import knowledge
        from tacenda.knowledge.taxonomy.complete import complete

        if self._taxonomy is not None:
            return complete(self._taxonomy)
        return knowledge.open_taxonomy(*self.policy.knowledge.get("taxonomies", ()))

    @cached_property
    def embeddings(self) -> Embeddings:
        """The vectors given, or those the policy names, or the embedded ones."""
        from tacenda import knowledge

        opened: Embeddings = self._embeddings or knowledge.open_vectors(self.policy.knowledge.get("vectors"))
        return opened

    @cached_property
    def service(self) -> CountSource:
        """The counts given, or the search service the policy names; nobody is asked unless it names one."""
        return self._service or sources.open_service(self.policy.knowledge.get("service"), self._where)

    @property
    def given(self) -> tuple[Protected, ...]:
        """The protected entities as the policy gives them."""
        return self.policy.protect

    @cached_property
    def protected(self) -> tuple[Protected, ...]:
        """The protected entities with all their forms: synonyms and specializations included."""
        expanded = tuple(map(self._expanded, self.policy.protect))
        if "meaning" not in self.policy.risk or self.certifies:
            return expanded
        from tacenda.risk.meaning.signs import without_everyday

        return tuple(without_everyday(p) for p in expanded)

    def _expanded(self, entry: Protected) -> Protected:
        """Expand a protected entity; those of shipped policies, which take seconds, are kept in the cache folder.

        What a user protects is not: it may say more than a cache folder should hold.
        """
        from tacenda.knowledge.kept import kept
        from tacenda.risk.protected import expand

        def fresh() -> Protected:
            # The index decides which names count: taxonomies also know "acid" and "Elvis" as names of drugs.
            return expand(entry, self._counts, self.taxonomy)

        files = _digest(self.index), _digest(self.taxonomy)
        if not all(files) or entry.counted is not None or entry not in _shipped_entities():
            return fresh()
        asked = ("expansion", *files, _code_digest(), repr(entry))
        forms, counted, signs = kept(asked, lambda: _names(fresh()))
        return replace(entry, forms=tuple(forms), counted=tuple(counted), signs=tuple(signs))

    @cached_property
    def _counts(self) -> Counts:
        from tacenda.risk.counts import Counts

        return Counts(self.index, "alpha_c")

    @property
    def certifies(self) -> bool:
        """Whether the output is meant for a certificate: every word counts, whatever a sentence means by it."""
        return bool(self.policy.risk.get("alpha_c", {}).get("covered"))

    @cached_property
    def _diseases(self) -> Any:
        from tacenda import knowledge

        return knowledge.open_taxonomy("diseases")

    def is_disease(self, phrase: str) -> bool:
        """Tell whether a phrase names a disease, so that "Friedreich ataxia" names nobody."""
        return bool(self._diseases.senses(phrase))

    @cached_property
    def _medicines(self) -> Any:
        from tacenda import knowledge

        return knowledge.open_taxonomy("medicines")

    def is_medicine(self, phrase: str) -> bool:
        """Tell whether a phrase is the name of a medicine, so that "Warfarin" is nobody's."""
        return bool(self._medicines.senses(phrase))

    # ---- parts -------------------------------------------------------------------------------------

    @cached_property
    def annotators(self) -> tuple[Annotator, ...]:
        """The annotators, in order."""
        from tacenda.annotate.encoder import Encoder

        made = self._parts("annotate", self.policy.annotate, self.policy.annotator)
        if "encoder" in self._asked_for:
            for part in made:
                if isinstance(part, TextStates):
                    part.keeps_states = True
        for part in made:
            if isinstance(part, Encoder):
                part.reads_terms = self._may_replace_terms
        return made

    @property
    def _may_replace_terms(self) -> bool:
        """Whether a noun phrase that is no entity may be at risk, so that it matters how it was read."""
        others = self.policy.protect or self._more["risk"] or set(self.policy.risk) != {"entity"}
        return bool(others) or "TERM" in self.policy.risk["entity"].get("labels", ("TERM",))

    @cached_property
    def encoder(self) -> TextStates:
        """The encoder among the annotators, whose states others may read too; else one of its own."""
        found = next((part for part in self.annotators if isinstance(part, TextStates)), None)
        made: TextStates = found or self.make("annotate", "encoder", {})
        return made

    @cached_property
    def risk_models(self) -> tuple[RiskModel, ...]:
        """The risk models."""
        idle = sorted(_OF_PROTECTED.intersection(self.policy.risk))
        if idle and not self.policy.protect:
            raise PolicyError(
                f"{self._where}: {idle[0]} looks for what gives away a protected entity, and none is named:"
                ' add [[protect]] with entity = "...", or --protect TERM'
            )
        return self._parts("risk", tuple(self.policy.risk), self.policy.risk)

    @cached_property
    def chooser(self) -> Chooser:
        """The chooser."""
        chosen = self._given_chooser or self.policy.choose
        chooser: Chooser = self._part("choose", chosen, self.policy.chooser)
        return chooser

    @cached_property
    def _replacers(self) -> dict[str, Replacer]:
        policy = self.policy
        wanted = dict.fromkeys((*policy.replace, *(n for order in policy.replace_by.values() for n in order)))
        return {name: self._part("replace", name, policy.replacer) for name in wanted}

    @cached_property
    def _preferred(self) -> list[Replacer]:
        return [self._part("replace", one, self.policy.replacer) for one in self._more["replace"]]

    def replacers_for(self, mention: Mention) -> list[Replacer]:
        """Return the replacers for a mention, most preferred first."""
        order = self.policy.replace_by.get(mention.label, self.policy.replace)
        return [*self._preferred, *(self._replacers[name] for name in order)]

    @cached_property
    def word_matchers(self) -> tuple[Annotator, ...]:
        """Matchers of what the policy names: protected entities, words and expressions."""
        from tacenda.annotate import word_matchers

        return word_matchers(self.protected, self.policy.mask, self.policy.patterns)

    def forced_matchers(self, document: Document) -> tuple[Annotator, ...]:
        """Return matchers of all that must be found: what is known of the subject, and what the policy names."""
        from tacenda.annotate import Known

        values = (*document.known, *filter(None, (document.subject,)))
        known = (Known(values),) if values else ()
        return (*known, *self.word_matchers)

    @cached_property
    def allowed(self) -> frozenset[str]:
        """The words of the allow-list, folded."""
        return frozenset(term.normalize(word).casefold() for word in self.policy.allow)

    # ---- provenance --------------------------------------------------------------------------------

    @cached_property
    def _made_with(self) -> Provenance:
        models = [digest_ for part in self.annotators if (digest_ := _digest(part))]
        asked = self._asked_for
        return Provenance(
            policy=self.policy.digest,
            index=_digest(self.index) if asked & {"index", "information"} else "",
            taxonomy=_digest(self.taxonomy) if "taxonomy" in asked else "",
            encoder=" ".join(models),
            versions=f"tacenda {__version__}, term {term.VERSION}",
        )

    @property
    def _asked_for(self) -> set[str]:
        """What the parts of the policy ask for by name, whether or not one of them was made yet."""
        policy = self.policy
        orders = (policy.replace, *policy.replace_by.values())
        named = [("risk", n) for n in policy.risk] + [("replace", n) for order in orders for n in order]
        named.append(("choose", policy.choose))
        asked = {p for kind, n in dict.fromkeys(named) for p in inspect.signature(registry.find(kind, n)).parameters}
        return asked | ({"index", "taxonomy"} if policy.protect else set())

    def provenance(self, document: Document) -> Provenance:
        """Return what a plan for a document was made with; ask when it is made."""
        return replace(self._made_with, known=known_digest(document))

    # ---- making ------------------------------------------------------------------------------------

    @property
    def _where(self) -> str:
        return f"policy '{self.policy.name}'"

    def _parts(self, kind: str, names: Sequence[str], settings: Any) -> tuple[Any, ...]:
        """Make the parts of the policy and those given; an object takes the place of a part with its name."""
        given = {one if isinstance(one, str) else one.name: one for one in self._more[kind]}
        wanted = {**{name: name for name in names}, **given}
        return tuple(self._part(kind, one, settings) for one in wanted.values())

    def _part(self, kind: str, part: Any, settings: Any) -> Any:
        return self.make(kind, part, dict(settings.get(part, {}))) if isinstance(part, str) else part

    def make(self, kind: str, name: str, settings: dict[str, Any]) -> Any:
        """Make a part by its name, with what it asks for."""
        where = self._where
        factory = registry.find(kind, name, where=where)
        accepted = inspect.signature(factory).parameters
        for key in settings:
            if key not in accepted or key in INJECTED:
                available = tuple(p for p in accepted if p not in INJECTED)
                raise PolicyError(registry.unknown_name(f"setting of {name}", key, available, where=where))
        for what in INJECTED:
            if what in accepted:
                settings[what] = self.index.information if what == "information" else getattr(self, what)
        if settings.get("key", 0) is None and accepted["key"].default is inspect.Parameter.empty:
            raise UsageError(
                f"{where}: {name} needs a secret key: a key file, or TACENDA_KEY in the environment"
                " ('tacenda key new' makes one)"
            )
        if "unknown" in accepted and "unknown" not in settings:
            settings["unknown"] = self.policy.unknown
        absent = [p.name for p in accepted.values() if p.default is p.empty and p.name not in settings and not _open(p)]
        if absent:
            table = {"annotate": "annotator", "replace": "replacer", "choose": "chooser"}.get(kind, kind)
            raise PolicyError(f"{where}: {name} needs {' and '.join(absent)}: set it in [{table}.{name}]")
        try:
            return factory(**settings)
        except (TypeError, ValueError) as error:
            raise PolicyError(f"{where}, {name}: {error}") from None


def _names(entry: Protected) -> tuple[Sequence[str], ...]:
    return entry.forms, entry.counted or (), entry.signs


@cache
def _shipped_entities() -> frozenset[Protected]:
    return frozenset(entry for name in shipped() for entry in load(name).protect)


@cache
def _code_digest() -> str:
    """Digest of the code that expands entities and of what it asks: another version may answer otherwise."""
    here = Path(__file__).parent
    rooms = (
        "term.py",
        "folding.py",
        "language",
        "risk/protected.py",
        "risk/counts.py",
        "knowledge/taxonomy",
        "knowledge/index",
    )
    files = [file for room in rooms for file in sorted((here / room).rglob("*.py")) or [here / room]]
    return digest("\n".join(hashlib.sha256(file.read_bytes()).hexdigest() for file in files))


def _open(parameter: inspect.Parameter) -> bool:
    """Tell whether a parameter takes any number of arguments, also none."""
    return parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)


def _digest(part: object) -> str:
    return str(part.digest) if isinstance(part, Digested) else ""


def known_digest(document: Document) -> str:
    """Digest of what is known of a document's subject, bound to the document; "" if nothing is."""
    values = sorted({*document.known, *filter(None, (document.subject,))})
    return digest("\n".join((document.digest, *values))) if values else ""
