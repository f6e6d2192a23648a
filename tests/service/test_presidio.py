"""Presidio's contract: requests written from it, and its own anonymizer as the judge of ours."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tacenda.service.operators import BadParameter, Result, anonymize, deanonymize
from tacenda.service.presidio import NAMES, labels_of

TEXT = "Daniel Okafor lives in Sacramento. Mail daniel@example.org or call (916) 555-0142."


def ask(client: TestClient, **body: Any) -> Any:
    return client.post("/analyze", json={"language": "en", **body})


def test_analyze_has_the_shape_of_presidio(client: TestClient) -> None:
    answer = ask(client, text=TEXT)
    assert answer.status_code == 200
    found = answer.json()
    assert {tuple(one) for one in found} == {("entity_type", "start", "end", "score", "analysis_explanation")}
    spans = {one["entity_type"]: TEXT[one["start"] : one["end"]] for one in found}
    assert spans["PERSON"] == "Daniel Okafor"
    assert spans["EMAIL_ADDRESS"] == "daniel@example.org"
    assert spans["PHONE_NUMBER"] == "(916) 555-0142"
    assert spans["LOCATION"] == "Sacramento"
    assert all(one["analysis_explanation"] is None and 0 <= one["score"] <= 1 for one in found)


def test_a_list_of_texts_gives_a_list_of_lists(client: TestClient) -> None:
    found = ask(client, text=[TEXT, "Nothing here."]).json()
    assert len(found) == 2
    assert found[0]
    assert found[1] == []


def test_options_of_analyze(client: TestClient) -> None:
    only = ask(client, text=TEXT, entities=["EMAIL_ADDRESS"]).json()
    assert {one["entity_type"] for one in only} == {"EMAIL_ADDRESS"}
    allowed = ask(client, text=TEXT, allow_list=["Sacramento"]).json()
    assert "LOCATION" not in {one["entity_type"] for one in allowed}
    allowed = ask(client, text=TEXT, allow_list=["sac.*"], allow_list_match="regex").json()
    assert "LOCATION" not in {one["entity_type"] for one in allowed}
    told = ask(client, text=TEXT, return_decision_process=True).json()
    assert told[0]["analysis_explanation"]["recognizer"]
    assert ask(client, text=TEXT, score_threshold=1.01).json() == []
    recognizer = {
        "name": "badge",
        "supported_language": "en",
        "supported_entity": "BADGE",
        "patterns": [{"name": "badge", "regex": r"B-\d{4}", "score": 0.9}],
    }
    found = ask(client, text="badge B-1234", ad_hoc_recognizers=[recognizer]).json()
    assert ("BADGE", 6, 12, 0.9) in [tuple(one.values())[:4] for one in found]
    listed = {"name": "list", "supported_language": "en", "supported_entity": "PET", "deny_list": ["Rex"]}
    assert ask(client, text="the dog Rex", ad_hoc_recognizers=[listed], entities=["PET"]).json()[0]["start"] == 8


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"language": "en"}, 500, "No text provided"),
        ({"text": "x"}, 500, "No language provided"),
        ({"text": "x", "language": "de"}, 500, "No matching recognizers"),
        ({"text": 3, "language": "en"}, 400, "Failed to parse"),
        ([1], 400, "Failed to parse"),
        ({"text": "x", "language": "en", "ad_hoc_recognizers": [{"name": "x"}]}, 400, "Failed to parse"),
        (
            {
                "text": "x",
                "language": "en",
                "ad_hoc_recognizers": [
                    {"supported_entity": "A", "patterns": [{"name": "a", "regex": "(a+)+b", "score": 1}]}
                ],
            },
            400,
            "exponential",
        ),
    ],
)
def test_faults_have_presidios_status_and_shape(client: TestClient, body: Any, status: int, message: str) -> None:
    answer = client.post("/analyze", json=body)
    assert answer.status_code == status
    assert message in answer.json()["error"]


def test_anonymize_by_default_and_with_operators(client: TestClient) -> None:
    found = [
        {"entity_type": "PERSON", "start": 11, "end": 19, "score": 0.8},
        {"entity_type": "PHONE_NUMBER", "start": 28, "end": 40, "score": 0.9},
    ]
    text = "My name is Jane Doe, call 212-555-0123."
    text = "My name is Jane Doe. Phone: 212-555-0123."
    answer = client.post("/anonymize", json={"text": text, "analyzer_results": found})
    assert answer.json()["text"] == "My name is <PERSON>. Phone: <PHONE_NUMBER>."
    assert [item["operator"] for item in answer.json()["items"]] == ["replace", "replace"]
    operators = {
        "DEFAULT": {"type": "redact"},
        "PHONE_NUMBER": {"type": "mask", "masking_char": "*", "chars_to_mask": 8, "from_end": True},
    }
    body = {"text": text, "analyzer_results": found, "anonymizers": operators}
    assert client.post("/anonymize", json=body).json()["text"] == "My name is . Phone: 212-********."


def test_encrypt_and_back(client: TestClient) -> None:
    pytest.importorskip("cryptography")
    key = "WmZq4t7w!z%C&F)J"
    body = {
        "text": "My name is Jane",
        "analyzer_results": [{"entity_type": "PERSON", "start": 11, "end": 15, "score": 1}],
        "anonymizers": {"DEFAULT": {"type": "encrypt", "key": key}},
    }
    done = client.post("/anonymize", json=body).json()
    back = {
        "text": done["text"],
        "anonymizer_results": done["items"],
        "deanonymizers": {"DEFAULT": {"type": "decrypt", "key": key}},
    }
    assert client.post("/deanonymize", json=back).json()["text"] == "My name is Jane"
    back["deanonymizers"] = {"DEFAULT": {"type": "decrypt", "key": "x" * 16}}
    assert client.post("/deanonymize", json=back).status_code == 422


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"text": "a", "analyzer_results": None}, 422),
        ({"text": "a", "analyzer_results": [{"start": 0, "end": 9, "score": 1, "entity_type": "A"}]}, 422),
        ({"text": "a", "analyzer_results": [{"start": 1, "end": 0, "score": 1, "entity_type": "A"}]}, 422),
        ({"text": "a", "analyzer_results": [{"start": 0, "end": 1, "score": 1}]}, 422),
        ({"text": "a", "analyzer_results": [], "anonymizers": {"DEFAULT": {"type": "custom"}}}, 400),
        ({"text": "a", "analyzer_results": [], "anonymizers": {"DEFAULT": {}}}, 422),
    ],
)
def test_bad_requests_to_anonymize(client: TestClient, body: Any, status: int) -> None:
    answer = client.post("/anonymize", json=body)
    assert answer.status_code == status
    assert isinstance(answer.json()["error"], str)


def test_lists(client: TestClient) -> None:
    entities = client.get("/supportedentities?language=en").json()
    assert {"PERSON", "EMAIL_ADDRESS", "US_SSN", "CREDIT_CARD", "IBAN_CODE"} <= set(entities)
    assert client.get("/recognizers?language=en").json() == ["encoder", "patterns"]
    assert {"replace", "redact", "mask", "hash", "encrypt", "keep"} <= set(client.get("/anonymizers").json())
    assert "decrypt" in client.get("/deanonymizers").json()
    assert client.get("/health").status_code == 200
    assert client.get("/supportedentities?language=xx").status_code == 500


def test_names_are_mapped_both_ways() -> None:
    assert all(label in labels_of(name) for label, name in NAMES.items())
    assert labels_of("BADGE") == ("BADGE",)


TYPES = st.sampled_from(["PERSON", "LOCATION", "DATE_TIME"])
SPANS = st.lists(st.tuples(st.integers(0, 24), st.integers(1, 8), TYPES, st.sampled_from([0.3, 0.6, 0.9])), max_size=8)
CONFIGS = st.sampled_from(
    [
        {},
        {"DEFAULT": {"type": "redact"}},
        {"PERSON": {"type": "mask", "masking_char": "*", "chars_to_mask": 3, "from_end": False}},
        {"LOCATION": {"type": "keep"}, "DEFAULT": {"type": "replace", "new_value": "X"}},
        {"DATE_TIME": {"type": "hash", "salt": "s" * 16}},
    ]
)


@settings(max_examples=400, deadline=None)
@given(text=st.text("ab c.", min_size=32, max_size=32), spans=SPANS, config=CONFIGS)
def test_the_same_as_the_real_anonymizer(text: str, spans: list[Any], config: dict[str, Any]) -> None:
    real = pytest.importorskip("presidio_anonymizer")
    entities = pytest.importorskip("presidio_anonymizer.entities")
    theirs = real.AnonymizerEngine().anonymize(
        text,
        [entities.RecognizerResult(kind, start, start + length, score) for start, length, kind, score in spans],
        {name: entities.OperatorConfig.from_json(dict(one)) for name, one in config.items()},
    )
    ours = anonymize(text, [Result(start, start + length, kind, score) for start, length, kind, score in spans], config)
    assert ours["text"] == theirs.text
    assert ours["items"] == [item.to_dict() for item in theirs.items]


def test_what_we_encrypt_the_real_one_decrypts() -> None:
    real = pytest.importorskip("presidio_anonymizer")
    entities = pytest.importorskip("presidio_anonymizer.entities")
    key = "k" * 32
    ours = anonymize("Jane left", [Result(0, 4, "PERSON", 1.0)], {"DEFAULT": {"type": "encrypt", "key": key}})
    items = [entities.OperatorResult.from_json(item) for item in ours["items"]]
    config = {"DEFAULT": entities.OperatorConfig("decrypt", {"key": key})}
    assert real.DeanonymizeEngine().deanonymize(ours["text"], items, config).text == "Jane left"
    theirs = real.AnonymizerEngine().anonymize(
        "Jane left",
        [entities.RecognizerResult("PERSON", 0, 4, 1.0)],
        {"DEFAULT": entities.OperatorConfig("encrypt", {"key": key})},
    )
    found = [Result.from_json(item.to_dict()) for item in theirs.items]
    assert deanonymize(theirs.text, found, {"DEFAULT": {"type": "decrypt", "key": key}})["text"] == "Jane left"


def test_results_of_the_real_client_objects_are_taken(client: TestClient) -> None:
    entities = pytest.importorskip("presidio_anonymizer.entities")
    results = [entities.RecognizerResult.from_json(one) for one in ask(client, text=TEXT).json()]
    body = {"text": TEXT, "analyzer_results": [vars(one) for one in results]}
    done = client.post("/anonymize", json=body).json()
    assert "Okafor" not in done["text"]
    assert [entities.OperatorResult.from_json(item).operator for item in done["items"]]


def test_hash_without_salt_differs_each_time() -> None:
    one = [Result(0, 1, "A", 1.0)]
    config = {"DEFAULT": {"type": "hash"}}
    assert anonymize("a", one, config)["text"] != anonymize("a", one, config)["text"]
    with pytest.raises(BadParameter):
        anonymize("a", one, {"DEFAULT": {"type": "hash", "hash_type": "md5"}})
