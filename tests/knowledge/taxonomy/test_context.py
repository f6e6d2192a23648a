"""Senses in context: what was learned, and rungs on which the likely senses agree."""

import numpy as np
import pytest

from tacenda import knowledge
from tacenda.errors import KnowledgeError
from tacenda.knowledge.taxonomy.context import DATA, SensesInContext


@pytest.fixture(scope="module")
def taxonomy():
    return knowledge.open_taxonomy()


def above(taxonomy, term, sentence):
    (ref, _), *_ = taxonomy.weigh(term, sentence.split())
    return set(taxonomy._names_above(ref))


@pytest.mark.parametrize(
    ("term", "sentence", "concept"),
    [
        ("bank", "they fished from the muddy of the river near the water", "slope"),
        ("bank", "the refused the loan and closed his savings account", "institution"),
        ("mouse", "click the left button of the computer with the cursor on the screen", "device"),
        ("pitcher", "the threw nine innings for the baseball team", "person"),
    ],
)
def test_the_words_around_decide(taxonomy, term, sentence, concept):
    assert concept in above(taxonomy, term, sentence)


def test_probabilities_add_up_and_the_likeliest_comes_first(taxonomy):
    shares = [share for _, share in taxonomy.weigh("bank", ["river"])]
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)


def test_only_rungs_on_which_the_likely_senses_agree(taxonomy):
    every = [rung.name for rung in taxonomy.generalizations("director")]
    sure = [rung.name for rung in taxonomy.generalizations("director", sure=0.99)]
    assert set(sure) < set(every)
    assert "person" in sure


def test_no_context_and_unknown_synsets_tell_nothing():
    assert SensesInContext().bits([9213565], []) == [None]
    assert SensesInContext().bits([1], ["river"]) == [None]


def test_the_class_of_a_word_is_told_or_left_open():
    assert SensesInContext().class_of(np.zeros(384)) == -1


def test_a_damaged_file_is_refused(tmp_path):
    for file in DATA.glob("senses-*.tax"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    first = tmp_path / "senses-0.tax"
    first.write_bytes(first.read_bytes()[:-9])
    with pytest.raises(KnowledgeError, match="damaged"):
        SensesInContext(tmp_path).bits([9213565], ["river"])
