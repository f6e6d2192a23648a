"""The shipped taxonomies asked as one: ladders, senses, volumes, and what no rung may tell."""

from __future__ import annotations

import pickle
import re
import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.knowledge.taxonomy import DATA, ORDER, Taxonomies
from tacenda.term import content_words, normalize

CONTEXT = "uses for phantom limb pain".split()


def names(taxonomy: Taxonomies, term: str, context: str = "", **options: str) -> list[str]:
    return [rung.name for rung in taxonomy.generalizations(term, context.split(), **options)]


def test_paper_003_volumes_on_wordnet(wordnet: Taxonomies) -> None:
    """ "uses marijuana for phantom limb pain" -> "uses soft drug for pain": volumes 4 and 3."""
    drug = {rung.name: rung.volume for rung in wordnet.generalizations("marijuana", CONTEXT)}
    pain = {rung.name: rung.volume for rung in wordnet.generalizations("phantom limb pain", ("uses", "marijuana"))}
    assert (drug["soft drug"], pain["pain"]) == (4, 3)
    assert wordnet.leaves("soft drug") == ("Acapulco gold", "bhang", "hashish", "pot")


def test_the_same_volumes_among_all_taxonomies(shipped: Taxonomies) -> None:
    found = {rung.name: rung.volume for rung in shipped.generalizations("marijuana", CONTEXT)}
    assert found["soft drug"] == 4
    assert next(rung.volume for rung in shipped.generalizations("phantom limb pain")) == 3


def test_the_context_chooses_the_sense_and_says_why(wordnet: Taxonomies) -> None:
    plant, drug = wordnet.sense("marijuana"), wordnet.sense("marijuana", CONTEXT)
    assert plant is not None
    assert drug is not None
    assert (plant.id, plant.why, plant.others) == ("12397210-n", "the most usual sense", 1)
    assert (drug.id, drug.why) == ("02949691-n", "fits the context: uses, pain")


def test_liver_cancer_is_a_carcinoma(wordnet: Taxonomies) -> None:
    assert names(wordnet, "liver cancer")[:2] == ["carcinoma", "cancer"]


@pytest.mark.parametrize(
    ("term", "context", "expected"),
    [
        ("Sacramento", "", ["state capital", "California", "United States", "city", "North America"]),
        ("Paris", "", ["Île-de-France", "national capital", "France"]),
        ("Paris", "a town in Texas", ["Texas", "town", "United States"]),
        ("London", "Canada", ["Ontario", "city", "Canada"]),
        ("California", "", ["United States", "state or province", "North America"]),
        ("France", "", ["Europe", "country in Europe"]),
        ("United States", "", ["North America", "country in North America", "country"]),
        ("Sunni Islam", "", ["Islam", "religion", "belief"]),
        ("Welsh", "", ["British", "European", "person"]),
        ("software developer", "", ["developer", "creator", "person"]),
        ("nurse", "", ["health professional", "professional", "adult", "person"]),
        ("HIV", "", ["viral sexually transmitted disease", "sexually transmitted disease"]),
    ],
)
def test_ladders(shipped: Taxonomies, term: str, context: str, expected: list[str]) -> None:
    assert names(shipped, term, context)[: len(expected)] == expected


def test_the_most_populous_homonym_comes_first(shipped: Taxonomies) -> None:
    assert shipped.sense("Birmingham").above == ("England",)  # type: ignore[union-attr]
    assert shipped.sense("Birmingham", ("United", "States")).above == ("Alabama",)  # type: ignore[union-attr]


def test_lower_case_is_no_place_and_prefer_decides(shipped: Taxonomies) -> None:
    assert shipped.sense("turkey").taxonomy == "wordnet"  # type: ignore[union-attr]
    assert shipped.sense("Turkey").taxonomy == "places"  # type: ignore[union-attr]
    assert shipped.sense("turkey", prefer="places").taxonomy == "places"  # type: ignore[union-attr]
    assert shipped.sense("Man").taxonomy == "wordnet"  # type: ignore[union-attr]
    assert shipped.sense("Bath", prefer="places").above == ("England",)  # type: ignore[union-attr]
    assert [shipped.sense(term).taxonomy for term in ("polish", "Polish", "catholic")] == [  # type: ignore[union-attr]
        "wordnet",
        "groups",
        "groups",
    ]


def test_a_term_that_nobody_holds(shipped: Taxonomies) -> None:
    assert shipped.generalizations("xqzzt glorp") == ()
    assert shipped.sense("xqzzt glorp") is None
    assert shipped.volume("xqzzt glorp") == 0
    assert shipped.bits("") is None


def test_ancestors_are_ids_in_order_of_distance(shipped: Taxonomies) -> None:
    found = shipped.ancestors("phantom limb pain")
    assert found[0] == "wordnet:05724694-n"
    assert found[-1] == "wordnet:00001740-n"


@pytest.mark.parametrize("number", range(len(ORDER)))
def test_no_parent_is_more_informative_or_narrower_than_its_child(shipped: Taxonomies, number: int) -> None:
    graph = shipped.graphs[number]
    child = np.repeat(np.arange(len(graph)), graph.arrays["parent_length"])
    parent = graph.arrays["parent"]
    assert np.all(graph.arrays["bits"][parent] <= graph.arrays["bits"][child])
    assert np.all(graph.arrays["volume"][parent] >= graph.arrays["volume"][child])
    if "kind" in graph.arrays:
        member = np.repeat(np.arange(len(graph)), graph.arrays["kind_length"])
        assert np.all(graph.arrays["bits"][graph.arrays["kind"]] <= graph.arrays["bits"][member])


def test_links_keep_the_order_of_information(shipped: Taxonomies) -> None:
    wordnet = shipped.graphs[-1]
    for graph in shipped.graphs[:-1]:
        for node, synset in graph.links.items():
            same = wordnet.find_id(synset)
            assert graph.arrays["bits"][node] == wordnet.arrays["bits"][same]
            assert graph.extra[synset] + wordnet.arrays["volume"][same] >= graph.arrays["volume"][node]


@pytest.mark.parametrize("number", range(len(ORDER)))
def test_stored_volumes_are_the_distinct_leaves(shipped: Taxonomies, number: int) -> None:
    graph = shipped.graphs[number]
    rng = np.random.default_rng(7)
    for node in rng.choice(len(graph), 60).tolist():
        if node not in graph.kinds:
            assert graph.arrays["volume"][node] == sum(graph.is_leaf(n) for n in graph.below([node]))


@pytest.mark.parametrize("term", ["disease", "person", "location", "belief", "nurse", "entity", "pain"])
def test_combined_volumes_are_the_distinct_leaves(shipped: Taxonomies, term: str) -> None:
    assert shipped.volume(term) == len(shipped.leaves(term)) > 1


@given(st.data())
def test_no_rung_tells_what_it_hides(shipped: Taxonomies, data: st.DataObject) -> None:
    """No digit, no proper name where names are no rungs, no word of the term but its own head, nothing hidden."""
    number = data.draw(st.integers(0, len(shipped.graphs) - 1))
    graph = shipped.graphs[number]
    node = data.draw(st.integers(0, len(graph) - 1))
    for term in graph.lemmas(node)[:2]:
        words = [word.lower() for word in content_words(term)]
        for rung in shipped.ladder((number, node), term):
            told = [word.lower() for word in content_words(rung.name)]
            assert not re.search(r"\d", rung.name)
            assert normalize(rung.name) != normalize(term)
            assert not set(told) & set(words[:-1])
            if len(words) == 1:
                assert words[0] not in told
            if rung.taxonomy in ("wordnet", "diseases", "occupations"):
                assert rung.name == rung.name.lower()


@given(
    st.sampled_from(["HIV", "nurse", "bank", "Paris", "depression", "pot"]), st.lists(st.text(max_size=8), max_size=5)
)
def test_rungs_come_nearest_first_whatever_the_context(shipped: Taxonomies, term: str, context: list[str]) -> None:
    rungs = shipped.generalizations(term, context)
    assert [r.distance for r in rungs] == sorted(r.distance for r in rungs)
    assert rungs == shipped.generalizations(term, context)
    keys = [normalize(r.name) for r in rungs]
    assert len(keys) == len(set(keys))
    assert "entity" in keys


def test_every_alias_points_to_a_concept(shipped: Taxonomies) -> None:
    entries = tomllib.loads((DATA / "aliases.toml").read_text(encoding="utf-8"))["alias"]
    for entry in entries:
        for concept in entry["concepts"]:
            taxonomy, _, name = concept.partition(":")
            graph = shipped.graphs[ORDER.index(taxonomy)]
            assert graph.find_id(name[1:]) >= 0 if name.startswith("#") else graph.senses(normalize(name)), concept


def test_written_in_capitals_or_small_letters(shipped: Taxonomies) -> None:
    assert names(shipped, "hiv") == names(shipped, "HIV")
    assert names(shipped, "ASTHMA") == names(shipped, "asthma")


def test_pickled_as_names_not_as_data(wordnet: Taxonomies) -> None:
    data = pickle.dumps(wordnet)
    assert len(data) < 200
    assert pickle.loads(data).generalizations("pain") == wordnet.generalizations("pain")  # noqa: S301
    with pytest.raises(TypeError, match="open_taxonomy"):
        pickle.dumps(Taxonomies(wordnet.graphs))
