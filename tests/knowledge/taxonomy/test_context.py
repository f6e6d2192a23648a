"""Senses in context: what was learned, and rungs on which the likely senses agree."""

import numpy as np
import pytest

from tacenda import knowledge
from tacenda.annotate.encoder import Encoder
from tacenda.errors import KnowledgeError
from tacenda.knowledge.taxonomy.context import DATA, SensesInContext
from tacenda.model import Document


@pytest.fixture(scope="module")
def taxonomy():
    return knowledge.open_taxonomy()


@pytest.fixture(scope="module")
def encoder():
    return Encoder()


def reading(encoder, term, sentence):
    mentions = encoder.annotate(Document(sentence)).mentions
    return next(m.reading for m in mentions if m.text.split()[-1] == term)


@pytest.mark.parametrize(
    ("term", "sentence", "concept"),
    [
        ("bank", "They fished from the muddy bank of the river.", "slope"),
        ("bank", "The bank refused the loan and closed his savings account.", "institution"),
        ("mouse", "She clicked the left button of the mouse to move the cursor on the screen.", "device"),
        ("pitcher", "The pitcher threw nine innings for the baseball team.", "person"),
        ("CT", "The CT of the head was normal.", "activity"),
    ],
)
def test_the_sentence_decides(taxonomy, encoder, term, sentence, concept):
    (ref, _), *_ = taxonomy.weigh(term, sentence.split(), reading=reading(encoder, term, sentence))
    assert concept in taxonomy._names_above(ref)


def test_probabilities_add_up_and_the_likeliest_comes_first(taxonomy):
    shares = [share for _, share in taxonomy.weigh("bank", ["river"])]
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)


def test_only_rungs_on_which_the_likely_senses_agree(taxonomy):
    every = [rung.name for rung in taxonomy.generalizations("director")]
    sure = [rung.name for rung in taxonomy.generalizations("director", sure=0.99)]
    assert set(sure) < set(every)
    assert "person" in sure


def test_an_unknown_synset_tells_nothing():
    assert SensesInContext().bits([1], np.ones(384)) == [None]


def test_the_class_of_a_word_is_told_or_left_open():
    assert SensesInContext().class_of(np.zeros(384)) == -1


def test_a_damaged_file_is_refused(tmp_path):
    for file in DATA.glob("senses-*.tax"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    first = tmp_path / "senses-0.tax"
    first.write_bytes(first.read_bytes()[:-9])
    with pytest.raises(KnowledgeError, match="damaged"):
        SensesInContext(tmp_path).bits([9213565], np.ones(384))
