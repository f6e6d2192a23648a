"""Cases under review: decisions, versions, undo, two people, restart, release; and what the audit trail says of it."""

from __future__ import annotations

import base64
import csv
import io
import json
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.service.conftest import OTHER, client_of

from tacenda import Policy, Sanitizer
from tacenda.audit import check, read
from tacenda.replace.keys import load_key
from tacenda.service.review import limits
from tacenda.service.review.desk import lay_out
from tacenda.service.review.record import Item, Record, Stale, Step
from tacenda.service.review.store import Kept, Store

TEXT = (
    "Daniel Okafor wrote on 12 March 2024. Mr Okafor lives in Sacramento with Peter Marsh.\n\n"
    "He takes lamivudine. Mail daniel@example.org or call (916) 555-0142. The lantern was lost, the lantern found.\n"
)
BOB = {"Authorization": f"Bearer {OTHER}"}
POLICIES = ("identifiers", "health")


class Case:
    """One case on a server, asked as the page asks."""

    def __init__(self, client: TestClient, text: str = TEXT, name: str = "letter.txt") -> None:
        self.client = client
        data = text.encode() if isinstance(text, str) else text
        self.id = client.post("/v1/cases", files={"file": (name, data)}).json()["id"]
        for _ in range(600):
            line = next(one for one in client.get("/v1/cases").json()["cases"] if one["id"] == self.id)
            if line["state"] != "opening":
                break
            time.sleep(0.05)
        assert line["state"] == "to do", line

    @property
    def whole(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(f"/v1/cases/{self.id}").json()
        return found

    def item(self, words: str) -> dict[str, Any]:
        whole = self.whole
        text = whole["view"]["text"]
        return next(i for i in whole["items"] if text[i["start"] : i["end"]] == words)

    def name(self, words: str) -> str:
        item = self.item(words)
        return f"{item['start']}-{item['end']}"

    def post(self, what: str, **body: Any) -> Any:
        headers = body.pop("headers", {})
        return self.client.post(f"/v1/cases/{self.id}/{what}", json=body, headers=headers)

    def decide(self, words: str, choice: str, **more: Any) -> Any:
        body = {"version": self.whole["version"], "ids": [self.name(words)], "choice": choice, **more}
        return self.post("decide", **body)

    def accept_all(self) -> None:
        whole = self.whole
        ids = [f"{i['start']}-{i['end']}" for i in whole["items"] if i["state"] == "open"]
        assert self.post("decide", version=whole["version"], ids=ids, choice="accept", scope="this").status_code == 200

    def release(self, **more: Any) -> Any:
        self.accept_all()
        moved = self.post("state", state="reviewed")
        assert moved.status_code == 200, moved.text
        return self.post("release", version=moved.json()["version"], **more)

    def files(self) -> dict[str, bytes]:
        answer = self.client.get(f"/v1/cases/{self.id}/release.zip")
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def server() -> Iterator[TestClient]:
    with client_of(policies=POLICIES) as made:
        yield made


def test_a_case_shows_its_decisions_and_why(server: TestClient) -> None:
    case = Case(server)
    item = case.item("lamivudine")
    assert item["state"] == "open"
    assert item["inferred"]
    why = server.get(f"/v1/cases/{case.id}/decisions/{case.name('lamivudine')}").json()
    assert "lamivudine" in why["words"]
    assert "HIV" in why["words"]
    assert why["risks"][0]["discloses"]
    assert all(0 <= one["keeps"] <= 1 and one["text"] for one in why["candidates"])
    assert why["candidates"][-1]["action"] == "suppress"


def test_choices_are_for_this_or_for_all_alike(server: TestClient) -> None:
    case = Case(server)
    changed = case.decide("Daniel Okafor", "own", replacement="the applicant").json()["changed"]
    assert len(changed) == 2, "both mentions of one person"
    one = case.decide("Mr Okafor", "own", replacement="our client", scope="this").json()["changed"]
    assert len(one) == 1
    assert case.item("Daniel Okafor")["replacement"] == "The applicant"


def test_a_candidate_can_be_chosen_and_a_decision_kept(server: TestClient) -> None:
    case = Case(server)
    why = server.get(f"/v1/cases/{case.id}/decisions/{case.name('12 March 2024')}").json()
    other = why["candidates"][1]
    case.decide("12 March 2024", other["action"], replacement=other["text"])
    assert case.item("12 March 2024")["replacement"] == other["text"]
    assert case.item("12 March 2024")["action"] == other["action"]
    kept = case.decide("Sacramento", "keep").json()
    assert case.item("Sacramento")["state"] == "kept"
    assert kept["remaining"] is None
    for _ in range(100):
        if (left := case.whole["remaining"]) is not None:
            break
        time.sleep(0.05)
    assert left == 1


def test_what_is_protected_cannot_be_kept_or_written_back(server: TestClient) -> None:
    case = Case(server)
    before = case.whole
    assert case.decide("lamivudine", "keep").status_code == 409
    for words in ("HIV medicine", "an antiretroviral", "AIDS drugs"):
        answer = case.decide("Daniel Okafor", "own", replacement=words)
        assert answer.status_code == 409, words
        assert "Okafor" not in answer.text
    assert case.whole["items"] == before["items"]


def test_keeping_tells_what_would_be_learned(server: TestClient) -> None:
    case = Case(server)
    told = server.get(f"/v1/cases/{case.id}/decisions/{case.name('Sacramento')}/effect").json()["told"]
    assert told
    assert told[0]["discloses"] == "identity"


def test_selected_text_is_hidden_everywhere_and_undone(server: TestClient) -> None:
    case = Case(server)
    at = TEXT.index("lantern")
    made = case.post("hide", start=at, end=at + 4, label="CODE").json()["changed"]
    assert [TEXT[one["start"] : one["end"]] for one in made.values()] == ["lantern", "lantern"]
    case.post("undo")
    text = case.whole["view"]["text"]
    assert "lantern" not in [text[i["start"] : i["end"]] for i in case.whole["items"]]
    case.post("redo")
    assert case.release().status_code == 200
    assert b"lantern" not in case.files()["document-1.txt"]


def test_a_selection_over_a_decision_takes_it_in(server: TestClient) -> None:
    case = Case(server)
    start, end = TEXT.index("with Peter"), TEXT.index("Marsh") + 5
    case.post("hide", start=start, end=end, label="")
    assert case.item("with Peter Marsh")["state"] == "added"
    protected = TEXT.index("lamivudine")
    answer = case.post("hide", start=protected - 6, end=protected + 4)
    assert answer.status_code == 409, "what must be hidden stays a decision of its own"


def test_two_reviewers_lose_nothing(server: TestClient) -> None:
    case = Case(server)
    seen = case.whole["version"]
    mine = {"version": seen, "ids": [case.name("Sacramento")], "choice": "own", "replacement": "a town"}
    assert case.post("decide", **mine).status_code == 200
    theirs = case.post("decide", **{**mine, "replacement": "a village"}, headers=BOB)
    assert theirs.status_code == 409
    assert case.item("Sacramento")["replacement"] == "a town"
    # Another decision of the same case is not touched by it.
    other = {"version": seen, "ids": [case.name("12 March 2024")], "choice": "accept"}
    assert case.post("decide", **other, headers=BOB).status_code == 200
    news = server.get(f"/v1/cases/{case.id}/changes?since={seen}", headers=BOB).json()
    assert len(news["changed"]) == 2
    # Each undoes their own.
    assert case.post("undo", headers=BOB).status_code == 200
    assert case.item("Sacramento")["replacement"] == "a town"
    assert case.item("12 March 2024")["state"] == "open"


def test_a_case_is_taken_given_back_and_reviewed_only_when_all_was_seen(server: TestClient) -> None:
    case = Case(server)
    assert case.post("state", owner=True).json()["owner"] == "ann"
    assert case.post("state", owner=False).json()["owner"] == ""
    assert case.post("state", state="reviewed").status_code == 409
    assert case.post("state", state="released").status_code == 400
    assert case.post("release", version=case.whole["version"]).status_code == 409


def test_codes_are_set_shown_and_explained(server: TestClient) -> None:
    case = Case(server)
    why = server.get(f"/v1/cases/{case.id}/decisions/{case.name('Peter Marsh')}").json()
    assert why["codes"][0] == "foia/b6"
    body = {"version": case.whole["version"], "ids": [case.name("Peter Marsh")], "code": "foia/b6"}
    assert case.post("code", **body).status_code == 200
    assert case.post("code", **{**body, "version": case.whole["version"], "code": "foia/b99"}).status_code == 400
    assert case.release(show_codes=True).status_code == 200
    files = case.files()
    assert b"(b)(6)]" in files["document-1.txt"]
    rows = list(csv.DictReader(io.StringIO(files["withheld.csv"].decode())))
    assert [row["exemption"] for row in rows].count("(b)(6)") == 1


def test_a_release_holds_everything_and_no_source(server: TestClient) -> None:
    case = Case(server)
    answer = case.release()
    assert answer.status_code == 200, answer.text
    files = case.files()
    assert set(files) - {"certificate.json"} == {"document-1.txt", "report.html", "withheld.csv", "withheld.html"}
    assert ("certificate.json" in files) == (answer.json()["summary"]["certificate"] == "holds")
    everything = b"".join(files.values())
    for word in (b"Okafor", b"daniel@example.org", b"555-0142", b"Sacramento"):
        assert word not in everything, word
    head = answer.json()["summary"]["head"]
    assert head.encode() in files["report.html"]
    assert case.whole["state"] == "released"
    assert case.decide("Sacramento", "keep").status_code == 409
    assert case.post("state", state="to do").status_code == 200
    assert case.decide("Sacramento", "accept").status_code == 200


def test_a_certified_release_carries_a_certificate_that_holds() -> None:
    with client_of(policies=("health",), certified=True) as client:
        case = Case(client, "The patient takes lamivudine. The next visit is in the clinic.\n")
        answer = case.release()
        assert answer.status_code == 200, answer.text
        assert answer.json()["summary"]["certificate"] == "holds"
        files = case.files()
        certificate = json.loads(files["certificate.json"])
        assert certificate["audit_head"] == answer.json()["summary"]["head"]
        body = {"text": files["document-1.txt"].decode(), "certificate": certificate}
        assert client.post("/v1/verify", json=body).json()["holds"]


def test_remaining_risks_must_be_accepted_by_name(server: TestClient) -> None:
    case = Case(server)
    case.decide("Sacramento", "keep")
    refused = case.release()
    assert (refused.status_code, refused.json()["error"]["kind"]) == (422, "GuaranteeError")
    assert "released" not in case.whole["state"]
    done = case.post("release", version=case.whole["version"], accept_remaining=True)
    assert done.json()["summary"]["remaining"] == 1
    assert b"Sacramento" in case.files()["document-1.txt"]


def test_another_limit_is_previewed_without_changing_anything(server: TestClient) -> None:
    case = Case(server)
    limit = case.whole["view"]["limits"][0]
    assert limit["name"] == "alpha"
    stricter = case.post("preview", name="alpha", value=6).json()
    looser = case.post("preview", name="alpha", value=1).json()
    assert stricter["hidden"] >= looser["hidden"]
    assert case.post("preview", name="beta", value=1).status_code == 400
    assert case.whole["version"] == 0
    began = time.perf_counter()
    for value in (1, 2, 3, 4, 5):
        assert case.post("preview", name="alpha", value=value).status_code == 200
    assert (time.perf_counter() - began) / 5 < 0.3


@pytest.mark.parametrize("value", [1, 6, 9, 12, 14, 16, 20, 24])
def test_a_preview_of_single_terms_is_what_a_plan_would_say(value: float) -> None:
    rules = """
        name = "bits"
        replace = ["suppress"]
        [risk.information]
        limit = 12.0
    """
    sanitizer = Sanitizer(Policy.from_text(rules))
    desk = lay_out(sanitizer, [("letter.txt", TEXT.encode())])
    desk.current = {item.id: item for item in desk.items()}
    found = limits.preview(desk, "limit", "information", value)
    made = limits.varied(sanitizer, "limit", "information", value).plan(desk.case)
    before, after = {d.span for d in desk.plan.changes}, {d.span for d in made.changes}
    assert found["hidden"] == len(after)
    assert found["more"] == [f"{a}-{b}" for a, b in sorted(after - before)]
    assert found["fewer"] == [f"{a}-{b}" for a, b in sorted(before - after)]


def test_a_preview_leaves_what_a_reviewer_decided() -> None:
    sanitizer = Sanitizer(Policy.from_text('name = "bits"\nreplace = ["suppress"]\n[risk.information]\nlimit = 12.0'))
    desk = lay_out(sanitizer, [("letter.txt", TEXT.encode())])
    desk.current = {item.id: replace(item, state="kept", action="keep") for item in desk.items()}
    found = limits.preview(desk, "limit", "information", 24)
    assert (found["hidden"], found["more"], found["fewer"]) == (0, [], [])


def test_several_files_are_one_case(server: TestClient) -> None:
    files = [("file", ("a.txt", b"Daniel Okafor called.")), ("file", ("b.txt", b"Then Mr Okafor wrote."))]
    id_ = server.post("/v1/cases", files=files).json()["id"]
    for _ in range(200):
        line = next(one for one in server.get("/v1/cases").json()["cases"] if one["id"] == id_)
        if line["state"] != "opening":
            break
        time.sleep(0.05)
    whole = server.get(f"/v1/cases/{id_}").json()
    names = {i["replacement"] for i in whole["items"] if i["label"] == "PERSON"}
    assert len(names) == 1, "one person has one number in all files of a case"


def test_a_choice_can_be_for_all_cases() -> None:
    with client_of(policies=("identifiers",)) as client:
        first, second = Case(client), Case(client, "Peter Marsh came back on Monday.\n")
        first.decide("Peter Marsh", "own", replacement="the neighbor", scope="all")
        assert second.item("Peter Marsh")["replacement"] == "The neighbor"


def test_files_that_cannot_be_read_say_why(server: TestClient) -> None:
    id_ = server.post("/v1/cases", files={"file": ("a.docx", b"PK\x03\x04 broken")}).json()["id"]
    for _ in range(100):
        line = next(one for one in server.get("/v1/cases").json()["cases"] if one["id"] == id_)
        if line["state"] != "opening":
            break
        time.sleep(0.05)
    assert line["state"] == "failed"
    assert line["message"]


TWO = """
name = "two"
annotate = ["encoder", "patterns"]
[risk.entity]
[review]
second = true
codes = ["foia"]
record_text = true
"""


def test_two_people_must_look_where_the_policy_says_so(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    (tmp_path / "two.toml").write_text(TWO)
    with client_of(policies=(str(tmp_path / "two.toml"),), work=tmp_path / "work") as client:
        case = Case(client)
        assert case.item("Peter Marsh")["code"] == "foia/b6", "codes are proposed where the policy asks for them"
        case.accept_all()
        assert case.post("state", state="reviewed").json()["state"] == "second look"
        assert case.post("state", state="approved").status_code == 403
        assert case.post("release", version=case.whole["version"]).status_code == 409
        assert case.post("state", state="approved", headers=BOB).json()["approved"] == "bob"
        # A change after the approval needs another look.
        case.decide("Sacramento", "own", replacement="a town")
        assert case.whole["approved"] == ""
        assert case.post("release", version=case.whole["version"]).status_code == 409
        case.post("state", state="second look")
        case.post("state", state="approved", headers=BOB)
        done = case.post("release", version=case.whole["version"])
        assert done.status_code == 200, done.text
        assert b"bob" in case.files()["report.html"]
    trail = tmp_path / "work" / "audit.jsonl"
    entries = read(trail)
    assert [e for e in entries if "sealed" in e.details]
    assert "Okafor" not in trail.read_text()


def test_a_restart_loses_nothing_and_the_trail_holds(tmp_path: Path) -> None:
    work = tmp_path / "work"
    with client_of(policies=POLICIES, work=work) as client:
        case = Case(client)
        case.decide("Sacramento", "own", replacement="a town")
        case.decide("Peter Marsh", "accept")
        before = case.whole
    # A crash in the middle of a step: the line was never answered.
    with (work / "cases" / case.id / "steps.jsonl").open("a") as log:
        log.write('{"v": 3, "who": "an')
    with client_of(policies=POLICIES, work=work) as client:
        case.client = client
        after = case.whole
        assert after["items"] == before["items"]
        assert after["version"] == before["version"]
        why = client.get(f"/v1/cases/{case.id}/decisions/{case.name('Sacramento')}")
        assert why.status_code == 200
        assert case.post("undo").status_code == 200
        assert case.item("Peter Marsh")["state"] == "open"
        released = case.release()
        assert released.status_code == 200, released.text
        head = released.json()["summary"]["head"]
    verdict = check(work / "audit.jsonl", load_key(work / "audit.key"), heads=[head])
    assert verdict.holds, verdict.faults
    entries = read(work / "audit.jsonl")
    assert [e.what for e in entries][:3] == ["opened", "changed", "accepted"]
    withheld = [e for e in entries if e.what == "withheld"]
    assert len(withheld) == sum(i["action"] != "keep" for i in before["items"])
    text = (work / "audit.jsonl").read_text()
    assert not any(word in text for word in ("Okafor", "Sacramento", "a town", "letter.txt"))
    assert (work / "released" / case.id / "document-1.txt").exists()
    with client_of(policies=POLICIES, work=work) as client:
        case.client = client
        assert set(case.files()) >= {"document-1.txt", "report.html"}


def test_the_canary_is_in_nothing_but_the_case(tmp_path: Path, canary: str) -> None:
    work = tmp_path / "work"
    with client_of(policies=("identifiers",), work=work) as client:
        case = Case(client, f"{canary}@example.org wrote that Peter {canary} came. {TEXT}", f"{canary}.txt")
        case.decide("Sacramento", "own", replacement=f"{canary} town", scope="this")
        case.post("hide", start=0, end=9**9)
        case.post("hide", start=-5, end=2)
        bad = case.post("decide", version=0, ids=[canary], choice=canary)
        assert canary not in bad.text
        assert canary not in client.get("/metrics").text
    assert canary not in (work / "audit.jsonl").read_text()


# ---- the record alone ------------------------------------------------------------------------------------------

ITEMS = [Item(i * 10, i * 10 + 5, "PERSON", "entity", "label", f"[person {i}]", group=i // 2) for i in range(6)]


def record() -> Record:
    return Record("1", "case", ("identifiers",), {item.id: item for item in ITEMS})


@settings(max_examples=100, deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["ann", "bob"]), st.integers(0, 5), st.sampled_from(["set", "undo", "redo"])),
        max_size=20,
    )
)
def test_replaying_the_steps_gives_the_same_case(steps: list[tuple[str, int, str]]) -> None:
    one, log = record(), []
    for who, number, what in steps:
        before = one.items[ITEMS[number].id]
        try:
            if what == "set":
                after = Item.from_json({**before.to_json(), "replacement": f"{who} {len(log)}", "state": "changed"})
                step = one.step(who, "now", "changed", [(before, after)])
            else:
                step = one.undone(who, "now") if what == "undo" else one.redone(who, "now")
        except (LookupError, Stale):
            continue
        log.append(json.loads(json.dumps(step.to_json())))
        one.take(step)
    again = record()
    for line in log:
        again.take(Step.from_json(line))
    assert again.items == one.items
    assert again.version == one.version


@settings(max_examples=50, deadline=None)
@given(count=st.integers(1, 8))
def test_undoing_everything_gives_the_first_state_and_redoing_the_last(count: int) -> None:
    one = record()
    for n in range(count):
        before = one.items[ITEMS[n % 3].id]
        after = Item.from_json({**before.to_json(), "replacement": str(n), "state": "changed"})
        one.take(one.step("ann", "now", "changed", [(before, after)]))
    last = {name: item.replacement for name, item in one.items.items()}
    for _ in range(count):
        one.take(one.undone("ann", "now"))
    assert {name: item.replacement for name, item in one.items.items()} == {i.id: i.replacement for i in ITEMS}
    with pytest.raises(LookupError):
        one.undone("ann", "now")
    for _ in range(count):
        one.take(one.redone("ann", "now"))
    assert {name: item.replacement for name, item in one.items.items()} == last


def test_a_store_reads_back_what_it_wrote(tmp_path: Path) -> None:
    store = Store(tmp_path)
    kept = Kept(record(), [("Ann Lee.txt", b"data")], "{}", {"text": "x", "parts": []})
    store.add(kept)
    step = kept.record.step("ann", "now", "accepted", [(ITEMS[0], ITEMS[0])])
    store.log(kept.record, step)
    kept.record.take(step)
    again = Store(tmp_path)
    again.load()
    assert again.cases["1"].record.items == kept.record.items
    assert again.cases["1"].files == kept.files
    assert again.next_id() == "2"
    assert all(file.stat().st_mode & 0o077 == 0 for file in tmp_path.rglob("*.json*"))


def test_a_page_of_the_result_is_drawn_as_the_decisions_stand(server: TestClient) -> None:
    pytest.importorskip("pikepdf")
    making = pytest.importorskip("tests.formats.pdf.making")
    image = pytest.importorskip("PIL.Image")
    lines = ["There was a letter that Daniel Okafor wrote", "to the office and nobody answered it"]
    case = Case(server, making.letter(lines), "letter.pdf")
    before = image.open(io.BytesIO(server.get(f"/v1/cases/{case.id}/pages/1").content)).convert("L")
    answer = server.get(f"/v1/cases/{case.id}/pages/1/result").json()
    after = image.open(io.BytesIO(base64.b64decode(answer["picture"]))).convert("L")
    assert before.size == after.size
    item = case.item("Daniel Okafor")
    ((left, top, right, bottom),) = answer["boxes"][case.name("Daniel Okafor")]
    row = tuple(round(1.5 * v) for v in (0, top - 1, after.width / 1.5, bottom + 1))
    below = (0, row[3] + 2, after.width, after.height)
    assert before.crop(row).tobytes() != after.crop(row).tobytes()
    assert before.crop(below).tobytes() == after.crop(below).tobytes()
    assert item["replacement"] == "[person 1]"
    assert 0.5 < (right - left) / 60 < 1.5  # ten letters of 12 points
    case.decide("Daniel Okafor", "keep")
    kept = server.get(f"/v1/cases/{case.id}/pages/1/result").json()
    assert image.open(io.BytesIO(base64.b64decode(kept["picture"]))).convert("L").tobytes() == before.tobytes()
    assert server.get(f"/v1/cases/{case.id}/pages/2/result").status_code == 404
