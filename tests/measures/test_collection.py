from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.errors import InputError, UsageError
from tacenda.measures.collection import LEVELS, compare, logs_of, read_logs

TEXTS = ["flu shot", "hiv test", "cheap flights rome", "hiv clinic boston", "weather"]
collections = st.dictionaries(
    st.sampled_from("abc"), st.lists(st.sampled_from(TEXTS), min_size=1, max_size=6), min_size=1, max_size=3
)


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@given(collections, st.data())
def test_partial_equals_document_under_suppression(collection: dict[str, list[str]], data: st.DataObject) -> None:
    release = {user: [t for t in texts if data.draw(st.booleans())] for user, texts in collection.items()}
    x, (y,) = logs_of(collection, release)
    sigma = np.linspace(0, 1, len(x.texts))
    exact, partial = (compare(x, y, sigma, level=level) for level in ("document", "partial"))
    assert partial.spi_printed == pytest.approx(exact.spi_printed, abs=1e-12)
    assert partial.spi_withheld == pytest.approx(exact.spi_withheld, abs=1e-12)
    assert partial.impressions == pytest.approx(exact.impressions)


@given(collections, collections)
def test_bounds_at_every_level(collection: dict[str, list[str]], other: dict[str, list[str]]) -> None:
    x, (y,) = logs_of(collection, {user: texts for user, texts in other.items() if user in collection})
    sigma = np.linspace(0, 1, len(x.texts))
    for level in LEVELS:
        found = compare(x, y, sigma, level=level)
        assert 0 <= found.spi_printed <= found.jsd + 1e-12 <= 1 + 1e-9
        assert -1e-12 <= found.spi_withheld <= 1
        same = compare(x, x, sigma, level=level)
        assert (same.spi_printed, same.jsd) == (0, 0)
        assert same.spi_withheld == pytest.approx(0, abs=1e-9)


def test_generalization_is_total_loss_by_document_and_less_by_word_and_in_part() -> None:
    x, (y,) = logs_of({"u": ["hiv test boston"]}, {"u": ["disease test city"]})
    zero = np.zeros(len(x.texts))
    jsd = {level: compare(x, y, zero, level=level).jsd for level in LEVELS}
    assert jsd["document"] == 1.0
    # words: one of three is shared: JSD = 2/3; in part: 1 of 5 words shared, q = (.2, .8)
    assert jsd["word"] == pytest.approx(2 / 3)
    assert jsd["partial"] == pytest.approx(0.5 * np.log2(1 / 0.6) + 0.5 * (0.2 * np.log2(0.2 / 0.6) + 0.8))


def test_reads_jsonl_and_csv_alike(tmp_path: Path) -> None:
    rows = [{"user": "a", "text": "x, y"}, {"user": "a", "text": "z"}, {"user": "b", "text": "z"}]
    jsonl = write(tmp_path / "x.jsonl", rows)
    table = tmp_path / "x.csv"
    table.write_text('user,text\na,"x, y"\na,z\nb,z\n', encoding="utf-8")
    x, (y,) = read_logs(jsonl, [table])
    assert compare(x, y, np.zeros(len(x.texts))).jsd == 0
    assert x.users == ("a", "b")
    assert (len(x), len(y)) == (3, 3)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"user": "a"}', ":2: needs 'user' and 'text'; found: user"),
        ("{", ":2: not JSON"),
        ('["a"]', ":2: needs 'user' and 'text'; found: list"),
        ('{"user": "b", "text": ""}', ":2: user b has a row without a document"),
        ('{"user": "b", "text": null}', ":2: user b has a row without a document"),
        ('{"user": "", "text": "t"}', ":2: a row without a user"),
    ],
)
def test_broken_rows_name_file_and_line(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"user": "a", "text": "t"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_logs(path, [])
    assert f"{path}{said}" in str(error.value)


def test_unknown_users_of_a_release_are_refused(tmp_path: Path) -> None:
    x = write(tmp_path / "x.jsonl", [{"user": "a", "text": "t"}])
    y = write(tmp_path / "y.jsonl", [{"user": "a", "text": "t"}, {"user": "zoe", "text": "t"}])
    with pytest.raises(InputError, match=r"y\.jsonl:2: user zoe is not in .*x\.jsonl"):
        read_logs(x, [y])
    with pytest.raises(InputError, match="user zoe of the release"):
        logs_of({"a": ["t"]}, {"zoe": ["t"]})
    with pytest.raises(InputError, match="user a has no documents"):
        logs_of({"a": []})
    with pytest.raises(InputError, match="no such file"):
        read_logs(tmp_path / "none.jsonl", [])
    (tmp_path / "h.csv").write_text("who,text\na,b\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"h\.csv:1: needs columns 'user' and 'text'; found: who, text"):
        read_logs(tmp_path / "h.csv", [])


def test_misuse_is_refused() -> None:
    x, (y,) = logs_of({"a": ["t"]}, {"a": ["t"]})
    other, _ = logs_of({"a": ["t"]})
    with pytest.raises(UsageError, match="not read together"):
        compare(x, other, np.zeros(1))
    with pytest.raises(UsageError, match="sigma needs one value"):
        compare(x, y, np.array([2.0]))
    with pytest.raises(UsageError, match="Available: document, word, partial"):
        compare(x, y, np.zeros(1), level="page")  # type: ignore[arg-type]
