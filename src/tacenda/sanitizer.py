"""The sanitizer: the front door of the library. It makes a plan for a document or a case and applies it.

Order of precedence, highest first: known identifiers, protected entities, a reviewer's override, the
allow-list, risk. What ranks higher cannot be undone by what ranks lower, and an override or an
allow-list that keeps a risky term is recorded in the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from tacenda import plan as planning
from tacenda import policy as policies
from tacenda.assembly import Assembly
from tacenda.errors import TacendaError, UsageError
from tacenda.formats import File
from tacenda.language.detect import check_language
from tacenda.model import Action, Annotation, Case, Context, Document, Mention, Plan, Protected, Risk, Sanitized
from tacenda.parallel import ordered, told
from tacenda.plan.applying import apply_case
from tacenda.policy import Policy
from tacenda.protocols import (
    Annotator,
    Chooser,
    CorpusIndex,
    CountSource,
    Embeddings,
    Replacer,
    RiskModel,
    Taxonomy,
)
from tacenda.replace.keys import Key

Source = str | Document | Case


class Sanitizer:
    """Makes and applies plans under one policy. Knowledge is opened on first use.

    policy      a Policy, the name of a shipped one, the path of a .toml file, or several of these to combine
    annotators, risk, replacers   further parts, as names or objects, in addition to those of the policy; an object
                with the name of a part of the policy takes its place, and replacers given are preferred
    chooser     a name or object instead of the policy's
    index, taxonomy, embeddings, service   knowledge instead of what the policy names
    key         for pseudonyms
    force_language   sanitize even what does not look like English

    >>> Sanitizer("identifiers").sanitize("Write to jo@example.org today.").text
    'Write to [e-mail address] today.'
    """

    def __init__(
        self,
        policy: Policy | str | Path | Sequence[Policy | str | Path],
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
        force_language: bool = False,
    ) -> None:
        self.policy = policies.policy_of(policy)
        self.force_language = force_language
        self._how: dict[str, Any] = {
            "annotators": annotators,
            "risk": risk,
            "replacers": replacers,
            "chooser": chooser,
            "index": index,
            "taxonomy": taxonomy,
            "embeddings": embeddings,
            "service": service,
            "key": key,
        }
        self.parts = Assembly(self.policy, **self._how)

    def __reduce__(self) -> Any:
        # Knowledge is opened anew in another process, not sent there.
        return _made, (self.policy, self._how, self.force_language)

    # ---- the four acts -----------------------------------------------------------------------------

    def plan(self, source: Source) -> Plan:
        """Decide what happens to every mention, assess the rewritten text again, and say why."""
        document = flat(source)
        if not self.force_language:
            check_language(document.text, document.id)
        return planning.make_plan(self.parts, document)

    def apply(self, source: Source, plan: Plan) -> Sanitized:
        """Apply a plan to what it was made for, and search the result for every form that must not be in it."""
        if isinstance(source, Case):
            return apply_case(self.parts, source, plan)
        return planning.apply(self.parts, flat(source), plan)

    def sanitize(self, source: Source) -> Sanitized:
        """Plan and apply."""
        return self.apply(source, self.plan(source))

    def override(
        self,
        source: Source,
        plan: Plan,
        number: int,
        *,
        action: Action,
        replacement: str = "",
        by: str = "reviewer",
    ) -> Plan:
        """Return the plan with a reviewer's choice: fitted to its places, assessed again, noted.

        Choices that would bring back a known identifier or a protected form are refused.
        """
        how: dict[str, Any] = {"action": action, "replacement": replacement, "by": by}
        return planning.override(self.parts, flat(source), plan, number, **how)

    def write(self, files: File | Sequence[File], plan: Plan, *, case: Case | None = None) -> list[bytes]:
        """Return the bytes of each file with a plan applied, read again and checked after writing."""
        return planning.write(self.parts, [files] if isinstance(files, File) else files, plan, case=case)

    def pipe(
        self,
        sources: Iterable[Source],
        *,
        jobs: int = 1,
        on_error: Literal["raise", "skip"] = "raise",
    ) -> Iterator[Sanitized | TacendaError]:
        """Sanitize many texts, in several processes if asked; yield the results in order.

        With on_error="skip" a text that fails gives its error instead of a result, and the others go on.
        """
        if on_error not in ("raise", "skip"):
            raise UsageError(f"on_error is '{on_error}'; possible: raise, skip")
        for result in ordered(self._task(), sources, jobs=self._jobs(jobs)):
            if isinstance(result, TacendaError) and on_error == "raise":
                raise result
            yield result

    def _task(self) -> _Task:
        return _Task(self)

    def _jobs(self, jobs: int) -> int:
        # One process asks a search service: the rate it is promised holds for all questions together.
        return 1 if "service" in self.policy.knowledge else jobs

    # ---- what the acts rest on ---------------------------------------------------------------------

    def annotate(self, source: Source) -> Annotation:
        """Find all mentions, with overlaps settled, forms spread and entities tied."""
        return planning.find_mentions(self.parts, flat(source))

    def assess(self, mentions: Sequence[Mention], context: Context) -> tuple[Risk, ...]:
        """Ask every risk model of the policy; forced mentions count as risks too."""
        return planning.assess(self.parts, mentions, context)

    def leaks(self, text: str, source: Source) -> tuple[Mention, ...]:
        """Return every known identifier or protected form that occurs in a text."""
        return planning.leaks(self.parts, text, flat(source))

    @property
    def protected(self) -> tuple[Protected, ...]:
        """The protected entities with all their forms: synonyms and specializations included."""
        return self.parts.protected

    @property
    def index(self) -> CorpusIndex:
        """The index in use."""
        return self.parts.index

    @property
    def taxonomy(self) -> Taxonomy:
        """The taxonomy in use."""
        return self.parts.taxonomy

    def covering(self) -> Sanitizer:
        """Return a sanitizer for outputs with a certificate: no word that the index cannot judge is left."""
        from tacenda.claims import covering

        return Sanitizer(covering(self.policy), **self._how, force_language=self.force_language)

    def certify(self, result: Sanitized, *, private_key: bytes | None = None) -> str:
        """State what holds for an output, in JSON that `tacenda verify` checks without trusting it.

        The policy must protect something, and no word the index cannot judge may be left (see `covering`); a
        certificate that would not hold is not issued. `private_key` (Ed25519, PEM) signs it.
        """
        from tacenda import claims

        where = result.id or "output"
        return claims.certify(result.text, self.policy, self.index, self.taxonomy, private_key=private_key, where=where)


def flat(source: Source) -> Document:
    """Return what was given as one document; a text is welcome wherever a document is."""
    if isinstance(source, str):
        return Document(source)
    return source.flat if isinstance(source, Case) else source


def sanitize(source: Source, policy: Policy | str | Path | Sequence[Policy | str | Path], **options: Any) -> Sanitized:
    """Sanitize one text, document or case under a policy; options are those of `Sanitizer`.

    For many texts make one `Sanitizer` and keep it: it opens its knowledge once.

    >>> sanitize("Call (212) 555-0123.", policy="identifiers").text
    'Call [phone number].'
    """
    return Sanitizer(policy, **options).sanitize(source)


def _made(policy: Policy, how: dict[str, Any], force_language: bool) -> Sanitizer:
    return Sanitizer(policy, **how, force_language=force_language)


class _Task:
    """Sanitizes one source; errors are values."""

    def __init__(self, sanitizer: Sanitizer) -> None:
        self.sanitizer = sanitizer

    def __call__(self, source: Source) -> Sanitized | TacendaError:
        return told(self.sanitizer.sanitize, source, where=flat(source).id)
