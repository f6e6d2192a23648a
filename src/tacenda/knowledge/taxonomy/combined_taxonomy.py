"""Several taxonomies asked as one: an order of preference, aliases, a sense for each mention, one ladder."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from tacenda.knowledge.taxonomy import rungs
from tacenda.knowledge.taxonomy.across import Across
from tacenda.knowledge.taxonomy.context import SensesInContext
from tacenda.knowledge.taxonomy.graph import Graph
from tacenda.knowledge.taxonomy.lookup import BACKBONE, Aliases, Lookup, Option, Ref
from tacenda.knowledge.taxonomy.sense import Sense, overlap, stems
from tacenda.model import Concept
from tacenda.term import normalize

Ladder = Callable[[str], Sequence[Concept]]

# Bits that the name of a place above is worth when the context holds it: the region of "Paris, Texas" decides;
# the document's country outweighs a city up to 32 times as large, a continent one up to 4 times.
_NEAR = {1: 12.0, 2: 5.0}
_FAR = 2.0
_REMEMBERED = 4096
_SETTLEMENTS = frozenset(("town", "village", "city"))
# Weights of how usual a sense is and of the words of its gloss: alone, and beside what the word's state in its sentence
# tells (`_READ`). Chosen on sentences of SemCor, MASC and our own that nothing was trained on, none of them reported.
_PRIOR, _GLOSSES = 0.8, 0.7
_PRIOR_READ, _GLOSSES_READ, _READ = 0.2, 0.2, 0.7


class Taxonomies:
    """Taxonomies in order of preference. Satisfies the protocol `Taxonomy`.

    graphs      the taxonomies, the preferred one first
    aliases     key of what people write -> "taxonomy:term" or "taxonomy:#id" it stands for
    computed    functions that give the ladder of a date, an age or a number, or nothing
    """

    def __init__(
        self,
        graphs: Sequence[Graph],
        *,
        name: str = "default",
        aliases: Aliases | None = None,
        computed: Sequence[Ladder] = (),
    ) -> None:
        self.name = name
        self.graphs = tuple(graphs)
        self._lookup = Lookup(self.graphs, aliases or {})
        self.across = Across(self.graphs, self._lookup)
        self._computed = tuple(computed)
        self.sources: tuple[str, ...] | None = None
        # The same terms come back, in a document and from one to the next.
        self.ladder = lru_cache(maxsize=_REMEMBERED)(self._ladder)
        self._in_context = SensesInContext()
        self._names_above = lru_cache(maxsize=_REMEMBERED)(self._names_above_of)

    def __reduce__(self) -> tuple[Callable[..., Taxonomies], tuple[str, ...]]:
        """Pickle as the names it was opened by: a worker maps the same files, it gets no copy of them."""
        if self.sources is None:
            raise TypeError("only taxonomies made by open_taxonomy can be pickled")
        from tacenda.knowledge.taxonomy import open_taxonomy

        return open_taxonomy, self.sources

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all graphs, in their order, and the aliases."""
        aliases = sorted((key, *map(str, value)) for key, value in self._lookup.aliases.items())
        hashed = hashlib.sha256(repr(aliases).encode())
        for graph in self.graphs:
            hashed.update(f"{graph.name}:{len(graph)}".encode())
            for name in sorted(graph.arrays):
                hashed.update(name.encode() + np.ascontiguousarray(graph.arrays[name]).tobytes())
            hashed.update(repr((sorted(graph.links.items()), graph.medicines.by_use, graph.medicines.stems)).encode())
        return hashed.hexdigest()

    # Looking up

    def senses(self, term: str) -> tuple[Ref, ...]:
        """Every concept a term can mean, the most likely without context first."""
        return tuple(option.ref for option in sorted(self._lookup.options(term), key=lambda o: -o.prior))

    def sense(self, term: str, context: Sequence[str] = (), *, prefer: str = "") -> Sense | None:
        """Choose what a term means here; None if no taxonomy holds it.

        context     words around the mention, or the names of places it belongs to
        prefer      name of a taxonomy to ask first, e.g. "places" for a mention known to be a location
        """
        chosen = self._choose(term, context, prefer)
        return chosen[1] if chosen else None

    def weigh(
        self, term: str, context: Sequence[str] = (), *, prefer: str = "", reading: Any = None
    ) -> tuple[tuple[Ref, float], ...]:
        """Every concept a term can mean with its probability here, the likeliest first."""
        options = self._lookup.options(term, prefer)
        evidence = self._all_evidence(options, context)
        read = reading is not None and len(options) > 1
        prior, glosses = (_PRIOR_READ, _GLOSSES_READ) if read else (_PRIOR, _GLOSSES)
        learned = self._learned(options, reading) if read else [0.0] * len(options)
        bits = {
            option.ref: prior * option.prior + glosses * evidence[option.ref][0] + _READ * told
            for option, told in zip(options, learned, strict=True)
        }
        most = max(bits.values(), default=0.0)
        share = {ref: 2.0 ** (value - most) for ref, value in bits.items()}
        total = sum(share.values())
        return tuple(
            sorted(((ref, value / total) for ref, value in share.items()), key=lambda pair: (-pair[1], pair[0]))
        )

    def _learned(self, options: Sequence[Option], reading: Any) -> list[float]:
        """What the word's state in its sentence tells of each option, in bits; of one it knows nothing of: the mean."""
        number = self._lookup.number.get(BACKBONE, -1)
        synsets = [self._synset(option.ref, number) for option in options]
        found = self._in_context.bits(synsets, reading)
        known = [bits for bits in found if bits is not None]
        mean = sum(known) / len(known) if known else 0.0
        return [mean if bits is None else bits for bits in found]

    def _synset(self, ref: Ref, number: int) -> int:
        """The number of a WordNet synset, or of the nearest one above a concept of another taxonomy; -1 if none."""
        if self.graphs[ref[0]].names or number < 0:
            return -1
        steps = self.across.above([ref])
        near = min(((step, node) for (graph, node), step in steps.items() if graph == number), default=(0, -1))[1]
        return int(self.graphs[number].ids[near].split("-")[0]) if near >= 0 else -1

    def class_of(self, reading: Any) -> int:
        """The broadest class of a word by how an annotator read it (WordNet's lexicographer files); -1: open."""
        return self._in_context.class_of(reading)

    def _all_evidence(
        self, options: Sequence[Option], context: Sequence[str]
    ) -> dict[Ref, tuple[float, tuple[str, ...]]]:
        text = " ".join(context)
        cut, around = stems(text), f" {normalize(text)} "
        return {option.ref: self._evidence(option.ref, cut, around) for option in options}

    def _choose(self, term: str, context: Sequence[str], prefer: str) -> tuple[Ref, Sense] | None:
        options = self._lookup.options(term, prefer)
        if not options:
            return None
        evidence = self._all_evidence(options, context)
        best, *others = sorted(options, key=lambda o: (-o.prior - evidence[o.ref][0], o.ref))
        bits, seen = evidence[best.ref]
        why = self._why(best, others, seen)
        graph, node = self.graphs[best.ref[0]], best.ref[1]
        above = tuple(graph.lemmas(parent)[0] for parent in graph.row("parent", node))
        name = graph.lemmas(node)[0]
        return best.ref, Sense(term, graph.name, graph.ids[node], name, above, why, best.prior + bits, len(others))

    def _why(self, best: Option, others: Sequence[Option], seen: Sequence[str]) -> str:
        if not others:
            return "the only sense"
        if seen:
            return "fits the context: " + ", ".join(dict.fromkeys(seen))
        if best.found == "alias":
            return "the alias table says so"
        if all(other.ref[0] != best.ref[0] for other in others):
            return f"{self.graphs[best.ref[0]].name} comes first"
        return "the most usual sense"

    def _evidence(self, ref: Ref, context: Mapping[str, str], around: str) -> tuple[float, tuple[str, ...]]:
        if not context:
            return 0.0, ()
        graph = self.graphs[ref[0]]
        bits, seen = overlap(graph, ref[1], context)
        if not graph.names:
            return bits, seen
        near = [
            (steps, lemma)
            for node, steps in graph.above([ref[1]]).items()
            for lemma in graph.lemmas(node)
            if steps and lemma[0].isupper() and f" {_key(lemma)} " in around
        ]
        bits += _NEAR.get(min(near)[0], _FAR) if near else 0.0
        return bits, (*(lemma for _, lemma in near), *seen)

    # Climbing

    def generalizations(
        self, term: str, context: Sequence[str] = (), *, prefer: str = "", sure: float = 0.0, reading: Any = None
    ) -> tuple[Concept, ...]:
        """Rungs above a term, nearest first; at the same distance the more informative first.

        sure        least share of the probability of the term's senses that must lie below a rung
        reading     how an annotator read the term in its sentence (`Mention.reading`)
        """
        if computed := self._compute(term):
            return computed
        weighed = self.weigh(term, context, prefer=prefer, reading=reading)
        if not weighed:
            return ()
        ladder = self.ladder(weighed[0][0], term)
        if sure <= 0 or len(weighed) == 1:
            return ladder
        if self.graphs[weighed[0][0][0]].names:
            return self._unless_elsewhere(ladder, weighed)
        mass: dict[str, float] = defaultdict(float)
        for ref, share in weighed:
            for name in self._names_above(ref):
                mass[name] += share
        return tuple(rung for rung in ladder if mass[_key(rung.name)] >= sure)

    def _unless_elsewhere(
        self, ladder: tuple[Concept, ...], weighed: Sequence[tuple[Ref, float]]
    ) -> tuple[Concept, ...]:
        """Which of several places of one name is meant, the gazetteer tells best, unless WordNet knows another place.

        The Pacific is an ocean before it is a town of Missouri.
        """
        known = [self._names_above(ref) for ref, _ in weighed if self.graphs[ref[0]].name == BACKBONE]
        places = [names for names in known if _key("location") in names or _key("body of water") in names]
        kept = [r for r in ladder if r.name not in _SETTLEMENTS or any(_key(r.name) in names for names in places)]
        return tuple(kept) if places else ladder

    def _names_above_of(self, ref: Ref) -> frozenset[str]:
        """Keys of the names of all concepts above one."""
        steps = self.across.above([ref])
        return frozenset(_key(lemma) for (g, n), step in steps.items() if step for lemma in self.graphs[g].lemmas(n))

    def is_computed(self, term: str) -> bool:
        """Tell whether a term is a date, an age or a number, whose ladder is computed."""
        return bool(self._compute(term))

    def _compute(self, term: str) -> tuple[Concept, ...]:
        return next((tuple(rungs_) for ladder in self._computed if (rungs_ := ladder(term))), ())

    def _ladder(self, ref: Ref, term: str = "") -> tuple[Concept, ...]:
        """Rungs above a concept that give nothing away of `term` or of the concept's own names."""
        steps = self.across.above([ref])
        own = self.graphs[ref[0]].lemmas(ref[1])
        term = term or own[0]
        # A synonym in another sense gives away as much: "cannabis" is the drug and, for the plant, its genus.
        own = tuple(dict.fromkeys((*own, *(w for g, n in self.senses(term) for w in self.graphs[g].lemmas(n)))))
        heads = self._heads(steps)
        found: dict[str, Concept] = {}
        for above in sorted(steps, key=lambda r: (steps[r], -self._bits(r), r)):
            if not steps[above] or self.across.is_linked(above) or above[1] in self.graphs[above[0]].hidden:
                continue
            name = self._rung_name(above, term, own, heads)
            if name and _key(name) not in found:
                found[_key(name)] = self._concept(above, name, steps[above])
        return tuple(found.values())

    def _heads(self, steps: Mapping[Ref, int]) -> frozenset[str]:
        """Single words that name a concept above: a phrase may keep such a word as its head."""
        names = (lemma for ref, n in steps.items() if n for lemma in self.graphs[ref[0]].lemmas(ref[1]))
        return frozenset(words[0] for words in map(rungs.lowered, names) if len(words) == 1)

    def _rung_name(self, ref: Ref, term: str, own: Sequence[str], heads: frozenset[str]) -> str:
        graph = self.graphs[ref[0]]
        for lemma in graph.lemmas(ref[1]):
            if not rungs.leaks(lemma, term, own, heads=heads, names=graph.names):
                return lemma
        return ""

    def concept(self, ref: Ref, distance: int = 0) -> Concept:
        """A concept under its own name."""
        return self._concept(ref, self.graphs[ref[0]].lemmas(ref[1])[0], distance)

    def _concept(self, ref: Ref, name: str, distance: int) -> Concept:
        graph = self.graphs[ref[0]]
        return Concept(name, graph.name, graph.ids[ref[1]], distance, self._bits(ref), self._volume(ref))

    def _bits(self, ref: Ref) -> float:
        return float(self.graphs[ref[0]].arrays["bits"][ref[1]])

    def _volume(self, ref: Ref) -> int:
        """Leaves below a concept; below a WordNet concept also those that the other taxonomies add there."""
        graph = self.graphs[ref[0]]
        own = int(graph.arrays["volume"][ref[1]])
        if graph.name != BACKBONE:
            return own
        return own + sum(other.extra.get(graph.ids[ref[1]], 0) for other in self.graphs)

    # Questions of the other stages

    def is_generalization(self, general: str, term: str) -> bool:
        """Tell whether, in some sense of both, `general` lies above `term`."""
        if computed := self._compute(term):
            return normalize(general) in {normalize(rung.name) for rung in computed}
        wanted = set(self.senses(general))
        return any(steps and ref in wanted for ref, steps in self.across.above(self.senses(term)).items())

    def ancestors(self, term: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """Ids "taxonomy:id" of all concepts above the sense chosen, rungs or not, in order of distance."""
        chosen = self._choose(term, context, "")
        if not chosen:
            return ()
        steps = self.across.above([chosen[0]])
        refs = sorted((r for r in steps if steps[r] and not self.across.is_linked(r)), key=lambda r: (steps[r], r))
        return tuple(f"{self.graphs[g].name}:{self.graphs[g].ids[n]}" for g, n in refs)

    def synonyms(self, term: str) -> tuple[str, ...]:
        """Other words for what a term means, in its first sense in each taxonomy that holds it."""
        return self._words(self._meant(term), skip=normalize(term))

    def specializations(self, term: str) -> tuple[str, ...]:
        """Words for everything below what a term means: "hepatitis C" for "hepatitis"."""
        meant = self._meant(term)
        below = self.across.below(meant)
        return self._words([ref for ref in below if below[ref]], skip=normalize(term))

    def uses(self, term: str) -> tuple[str, ...]:
        """What a medicine or test is for, the main use first, each followed by the wider conditions it belongs to."""
        return next((uses for graph in self.graphs if (uses := graph.medicines.of_name(term))), ())

    def signs(self, conditions: Iterable[str]) -> tuple[str, ...]:
        """Medicines, tests and other signs that are mainly for one of these conditions, or for a kind of one."""
        wanted = tuple(conditions)
        return tuple(name for graph in self.graphs for name in graph.medicines.signs(wanted))

    def stems(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Endings ("-navir") or beginnings ("cef-") of generic names, longest first, with what they are for."""
        return tuple(stem for graph in self.graphs for stem in graph.medicines.all_stems)

    def leaves(self, term: str, context: Sequence[str] = ()) -> tuple[str, ...]:
        """Names of the distinct leaves below the sense chosen; the term itself where it is one."""
        chosen = self._choose(term, context, "")
        if not chosen:
            return ()
        below = self.across.below([chosen[0]])
        ends = [r for r in below if self.graphs[r[0]].is_leaf(r[1]) and not self.across.linked_below.get(r)]
        return tuple(sorted(self.graphs[g].lemmas(n)[0] for g, n in ends))

    def volume(self, term: str, context: Sequence[str] = ()) -> int:
        """Number of distinct leaves below the sense chosen (003, Definition 1); 0 if the term is unknown."""
        chosen = self._choose(term, context, "")
        return self._volume(chosen[0]) if chosen else 0

    def bits(self, term: str, context: Sequence[str] = ()) -> float | None:
        """Information of the sense chosen; None if the term is unknown."""
        chosen = self._choose(term, context, "")
        return self._bits(chosen[0]) if chosen else None

    def _meant(self, term: str) -> list[Ref]:
        """Concepts a protected entity stands for: those of the alias table, else the first of each taxonomy."""
        options = sorted(self._lookup.options(term), key=lambda o: -o.prior)
        if aliased := [option.ref for option in options if option.found == "alias"]:
            return aliased
        first: dict[int, Ref] = {}
        for option in options:
            first.setdefault(option.ref[0], option.ref)
        return list(first.values())

    def _words(self, refs: Iterable[Ref], *, skip: str) -> tuple[str, ...]:
        refs = list(refs)
        found = dict.fromkeys(lemma for g, n in refs for lemma in self.graphs[g].lemmas(n))
        for ref in refs:
            found |= dict.fromkeys(self._aliases_of.get(ref, ()))
        return tuple(sorted(word for word in found if normalize(word) != skip))

    @cached_property
    def _aliases_of(self) -> dict[Ref, list[str]]:
        found: dict[Ref, list[str]] = {}
        for key in self._lookup.aliases:
            for ref in self._lookup.aliased(key):
                found.setdefault(ref, []).append(key)
        return found


@lru_cache(maxsize=1 << 16)
def _key(phrase: str) -> str:
    """`normalize`, remembered: the upper rungs come back again and again."""
    return normalize(phrase)
