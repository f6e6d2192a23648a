"""The shipped model on small texts: what it must find, and that nothing breaks it."""

import json
import pickle
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.annotate.encoder import Encoder
from tacenda.errors import KnowledgeError
from tacenda.model import Document

ENCODER = Encoder()
CASE = (
    "The applicant, Mr Zdravko Kelmendi, was born in 1962 and lives in Pristina. He works as a bus driver.\n\n"
    "On 3 May 2001 the Lublin Regional Court fined him EUR 2,000 (case no. 31443/96)."
)


def found(text: str, kind: str = "entity") -> dict[str, str]:
    return {m.text: m.label for m in ENCODER.annotate(Document(text)).mentions if m.kind == kind}


def test_finds_typed_entities():
    entities = found(CASE)
    assert entities["Mr Zdravko Kelmendi"] == "PERSON"
    assert entities["Pristina"] == "LOC"
    assert entities["Lublin Regional Court"] == "ORG"
    assert entities["3 May 2001"] == "DATETIME"
    assert entities["31443/96"] == "CODE"


def test_name_is_a_direct_identifier():
    roles = {m.text: m.role for m in ENCODER.annotate(Document(CASE)).mentions if m.kind == "entity"}
    assert roles["Mr Zdravko Kelmendi"] == "direct"
    assert roles["Pristina"] == "quasi"


def test_made_up_names_in_lower_case_are_found():
    text = "patient name: orvella trusk. seen on 3/4/2019 in hobbleford."
    masked = " ".join(m.text for m in ENCODER.annotate(Document(text)).mentions if m.role in ("direct", "quasi"))
    assert "trusk" in masked
    assert "3/4/2019" in masked


def test_diseases_with_names_are_no_people():
    text = "What is the first-line treatment of Parkinson's disease in patients with Crohn's disease?"
    assert not [m for m in ENCODER.annotate(Document(text)).mentions if m.role in ("direct", "quasi")]


def test_terms_have_no_determiner_and_no_pronoun():
    terms = found("She wrote a long letter to the old doctor about his broken leg.", "term")
    assert {"long letter", "old doctor", "broken leg"} <= set(terms)
    assert "She" not in terms


def test_sentences():
    text = "The cat sat down. It was tired.\n\nA heading\n\nThe dog came in."
    spans = ENCODER.annotate(Document(text)).sentences
    assert [text[a:b] for a, b in spans] == ["The cat sat down.", "It was tired.", "A heading", "The dog came in."]


def test_tags():
    assert [tag for _, _, tag in ENCODER.tag("The old man sleeps.")] == ["DET", "ADJ", "NOUN", "VERB", "PUNCT"]
    assert ENCODER.tag("I can't", [(0, 1), (2, 4), (4, 7)])[0] == (0, 1, "PRON")


def test_vectors_are_unit_and_related_phrases_are_near():
    encoder = Encoder(vectors=True)

    def vector(phrase: str) -> np.ndarray:
        text = f"He was told about the {phrase} by the doctor."
        return next(m.vector for m in encoder.annotate(Document(text)).mentions if m.text == phrase)

    a, b, c = vector("heart attack"), vector("myocardial infarction"), vector("wooden table")
    assert np.linalg.norm(a) == pytest.approx(1, abs=1e-3)
    assert a @ b > a @ c


def test_same_input_same_output_also_in_company():
    documents = [Document(CASE), Document("Anna Smith met Bob."), Document(CASE * 30)]
    together = list(ENCODER.annotate_many(documents))
    alone = [ENCODER.annotate(d) for d in documents]
    assert together == alone


def test_pickles_as_its_path():
    copy = pickle.loads(pickle.dumps(ENCODER))  # noqa: S301 (our own bytes)
    assert copy.path == ENCODER.path
    assert "_session" not in vars(copy)


def test_missing_folder_is_told(tmp_path):
    with pytest.raises(KnowledgeError, match="vocabulary"):
        Encoder(tmp_path).annotate(Document("x"))


@settings(max_examples=25, deadline=None)
@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_is_annotated_with_true_offsets(text):
    annotation = ENCODER.annotate(Document(text))
    assert all(text[m.start : m.end] == m.text and m.text for m in annotation.mentions)
    assert all(0 <= a < b <= len(text) for a, b in annotation.sentences)


@pytest.mark.parametrize("text", ["", " \n", "\ud800\udfff", "\x00" * 50, "a" * 5000, "(" * 3000, "😀" * 200])
def test_hostile_input(text):
    ENCODER.annotate(Document(text))


def test_time_is_linear_in_length():
    def seconds(times: int) -> float:
        begun = time.process_time()
        ENCODER.annotate(Document(CASE * times))
        return time.process_time() - begun

    seconds(5)
    assert seconds(120) < 8 * seconds(30) + 0.5


def test_shipped_files_stay_small():
    folder = Path(ENCODER.path)
    assert sum(f.stat().st_size for f in folder.iterdir()) <= 23_000_000
    assert set(json.loads((folder / "config.json").read_text())["thresholds"]["mask"]) == {
        "PERSON", "LOC", "ORG", "DATETIME", "CODE", "DEM", "QUANTITY", "MISC",
    }  # fmt: skip
