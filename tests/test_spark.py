"""On a local Spark: the same bytes as every other front door, for any number of partitions; nothing is lost."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tacenda
from tacenda import InputError, Sanitizer, UsageError
from tacenda.batch import Recipe, Run
from tacenda.frames import sanitize_values
from tacenda.knowledge.index import BuildOptions
from tacenda.knowledge.index import build_index as build_on_one_machine
from tacenda.model import Reading
from tacenda.policy import policy_of
from tacenda.replace.keys import Key

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed (extra tacenda[spark])")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("no Java: Spark is not tested", allow_module_level=True)
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

GREEK = "Ο ασθενής μένει στην οδό Σταδίου και τηλεφωνεί συχνά στο νοσοκομείο."
NOTES = [f"Ann Porter called (212) 555-01{n:02d} about ward {n}." for n in range(12)] + [GREEK, None]
KEY = "TABLES_TEST_KEY"
SCHEMA = "n int, who string, note string"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    os.environ["PYTHONPATH"] = str(Path(tacenda.__file__).parents[1])
    os.environ[KEY] = Key(b"k" * 32).encoded()
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master("local[2,4]")  # a task may fail four times
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    yield made
    made.stop()
    os.environ.pop(KEY)


def frame(session: Any, partitions: int = 2) -> Any:
    rows = [(n, f"case {n % 3}", note) for n, note in enumerate(NOTES)]
    return session.createDataFrame(rows, SCHEMA).repartition(partitions)


def by_number(found: Any) -> list[Any]:
    return sorted(found.collect(), key=lambda row: row.n)


@pytest.fixture(scope="module")
def library() -> list[str | None]:
    return [row.text for row in sanitize_values(NOTES, Sanitizer("identifiers"), column="note")]


@pytest.mark.parametrize("partitions", [1, 2, 8])
def test_the_same_bytes_as_the_library_for_any_number_of_partitions(
    session: Any, library: list[str | None], partitions: int
) -> None:
    from tacenda import spark

    found = by_number(spark.sanitize(frame(session, partitions), column="note", policy="identifiers"))
    assert [row.note for row in found] == library
    assert [row.note_error for row in found] == [None] * 12 + ["InputError", None]


def test_the_same_bytes_as_the_command_line(library: list[str | None]) -> None:
    pa = pytest.importorskip("pyarrow")
    import io

    import pyarrow.parquet as pq

    table, held = pa.table({"note": NOTES}), io.BytesIO()
    pq.write_table(table, held)
    run = Run(Recipe(policy_of("identifiers")), Reading(fields=("note",)))
    from_table = pq.read_table(io.BytesIO(run.data(held.getvalue(), "notes.parquet")))
    assert from_table.column("note").to_pylist() == library
    lines = "".join(json.dumps({"note": note}) + "\n" for note in NOTES if note != GREEK)
    run = Run(Recipe(policy_of("identifiers")), Reading(fields=("note",)))
    from_lines = [json.loads(line)["note"] for line in run.data(lines.encode(), "notes.jsonl").splitlines()]
    assert from_lines == [*library[:12], None]
    assert [Sanitizer("identifiers").sanitize(note).text for note in NOTES[:12] if note] == library[:12]


def test_the_same_bytes_as_the_server(library: list[str | None]) -> None:
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    from starlette.testclient import TestClient

    from tacenda.service.app import make_app
    from tacenda.service.settings import Person, Settings

    token = "a-token-of-enough-letters"
    app = make_app(Settings(policies=("identifiers",), people=(Person("ann", token),), workers=1, rate=1000.0))
    head = {"Authorization": f"Bearer {token}"}
    with TestClient(app, base_url="http://127.0.0.1:8765", headers=head) as client:
        found = [client.post("/v1/sanitize", json={"text": note}).json()["text"] for note in NOTES[:3]]
    assert found == library[:3]


def test_rows_of_a_case_meet_on_one_worker(session: Any) -> None:
    from tacenda import spark

    texts = ["Ann Porter met Bob Hill.", "Then Bob Hill left.", "Nobody saw Ann Porter again."]
    given = [(n, "one", text) for n, text in enumerate(texts)] + [(9, "two", "Bob Hill was seen elsewhere.")]
    held = session.createDataFrame(given, SCHEMA).repartition(4)
    found = spark.sanitize(held, column="note", policy="identifiers", case="who", plans=True).collect()
    by = {row.n: row.note for row in found}
    assert "[person 2]" in by[1]
    assert "[person 1]" in by[2]
    assert "[person 1]" in by[9]
    assert all(row.note_plan.startswith("{") for row in found)


def test_pseudonyms_agree_over_the_table_and_the_key_stays_on_the_workers(session: Any, tmp_path: Path) -> None:
    from tacenda import spark

    policy = tmp_path / "named.toml"
    policy.write_text(
        'name = "named"\nannotate = ["encoder", "patterns"]\nreplace = ["pseudonym", "label"]\n'
        '[risk.entity]\nlabels = ["PERSON"]\n'
    )
    counters = spark.Counters(session)
    clean = spark.sanitize(frame(session, 8), column="note", policy=policy, key=KEY, counters=counters)
    found = by_number(clean)
    names = {row.note.partition(" called")[0] for row in found[:12]}
    assert len(names) == 1
    assert "Porter" not in names.pop()
    plan = clean._jdf.queryExecution().toString()
    assert os.environ[KEY] not in plan
    count = counters.value
    assert (count["rows"], count["null"], count["failed"], count["failed InputError"]) == (14, 1, 1, 1)
    assert count["PERSON pseudonym"] == 12


def test_a_killed_worker_loses_nothing(session: Any, library: list[str | None], tmp_path: Path) -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("processes are found by /proc")
    from tacenda import spark

    done = str(tmp_path / "killed")

    def killing(batches: Iterator[Any]) -> Iterator[Any]:
        import os
        import signal
        from contextlib import suppress

        for batch in batches:
            yield batch
            if not os.path.exists(done):
                open(done, "w").close()
                for name in os.listdir("/proc"):
                    if name.isdigit() and int(name) != os.getpid():
                        with suppress(OSError), open(f"/proc/{name}/stat") as told:
                            if int(told.read().rpartition(")")[2].split()[1]) == os.getppid():
                                os.kill(int(name), signal.SIGKILL)

    held = frame(session, 2).mapInArrow(killing, SCHEMA)
    found = by_number(spark.sanitize(held, column="note", policy="identifiers"))
    assert Path(done).exists()
    assert [row.note for row in found] == library


def test_a_stream_is_sanitized_as_it_comes(session: Any, library: list[str | None], tmp_path: Path) -> None:
    from tacenda import spark

    def go_on() -> None:
        stream = session.readStream.schema(SCHEMA).json(str(tmp_path / "in"))
        clean = spark.sanitize(stream, column="note", policy="identifiers")
        writer = clean.writeStream.format("json").option("checkpointLocation", str(tmp_path / "state"))
        writer.trigger(availableNow=True).start(str(tmp_path / "out")).awaitTermination()

    (tmp_path / "in").mkdir()
    for part in (slice(0, 5), slice(5, 14)):
        rows = [{"n": n, "who": "", "note": note} for n, note in enumerate(NOTES)][part]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "in" / f"{part.start}.json").write_text(lines, "utf-8")
        go_on()
    go_on()  # nothing new has come: nothing is written twice
    found = by_number(session.read.schema(f"{SCHEMA}, note_error string").json(str(tmp_path / "out")))
    assert [row.note for row in found] == library
    stream = session.readStream.schema(SCHEMA).json(str(tmp_path / "in"))
    with pytest.raises(UsageError, match="foreachBatch"):
        spark.sanitize(stream, column="note", policy="identifiers", case="who")


def articles(count: int) -> list[tuple[int, str]]:
    drawn = random.Random(5)
    words = ["".join(drawn.choices("abcdefghijklmnopqrstuvwxyzé", k=drawn.randint(2, 7))) for _ in range(4000)]
    words += ["HIV", "U.S.", "naïve", "ΑΒΓ", "x1"]
    made = []
    for number in range(count):
        paragraphs = [" ".join(drawn.choices(words, k=drawn.randint(0, 200))) for _ in range(drawn.randint(1, 4))]
        made.append((number * 3, "\n\n".join(paragraphs)))
    return [*made, *((10_000 + number, text) for number, text in made[:10]), (99_999, "")]


@pytest.mark.parametrize("options", [BuildOptions(), BuildOptions(unit="sentence", most_share=0.05)])
def test_an_index_is_the_one_that_one_machine_builds(session: Any, tmp_path: Path, options: BuildOptions) -> None:
    from tacenda import spark

    given = articles(60)
    here = build_on_one_machine(tmp_path / "here.tix", given, options=options, describe={"made": "in a test"})
    shuffled = session.createDataFrame(random.Random(1).sample(given, len(given)), "article long, text string")
    there = spark.build_index(
        shuffled.repartition(5), tmp_path / "there.tix", options=options, describe={"made": "in a test"}
    )
    assert here == there
    assert (tmp_path / "here.tix").read_bytes() == (tmp_path / "there.tix").read_bytes()
    twice = session.createDataFrame([(1, "a"), (1, "b")], "article long, text string")
    with pytest.raises(InputError, match="same number"):
        spark.build_index(twice, tmp_path / "twice.tix")


def test_a_release_measures_as_on_one_machine(session: Any) -> None:
    from tacenda import spark
    from tacenda.measures.collection import compare, logs_of
    from tacenda.measures.sensitivity import train

    drawn = random.Random(2)
    words = ["hiv", "flu", "test", "cheap", "flights", "clinic", "shoes", "rome"]
    original = {f"u{u}": [" ".join(drawn.choices(words, k=3)) for _ in range(drawn.randint(2, 9))] for u in range(15)}
    released = {u: [t.replace("hiv", "flu") for t in texts[1:]] for u, texts in original.items() if u != "u3"}
    model = train(["hiv test", "flu test", "cheap flights", "hiv clinic"], [True, True, False, True])
    first, (second,) = logs_of(original, released)
    expected = compare(first, second, model(first.texts))
    sides = [
        session.createDataFrame([(u, t) for u, texts in one.items() for t in texts], "user string, text string")
        for one in (original, released)
    ]
    found = spark.measure(*sides, sensitivity=model)
    assert found.to_json() == pytest.approx(expected.to_json(), abs=1e-12)
    with pytest.raises(InputError, match="not in the original"):
        spark.measure(sides[1], sides[0], sensitivity=0.5)


def test_a_missing_column_is_told_before_any_work(session: Any) -> None:
    from tacenda import spark

    held = session.createDataFrame([(1, "x")], "n int, note string")
    with pytest.raises(InputError, match="no column 'text'"):
        spark.sanitize(held, column="text", policy="identifiers")
