"""REST: the plan's JSON, one shape of errors, uploads, jobs, and the OpenAPI file against the routes."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient
from tests.service.conftest import OTHER, client_of, settings

from tacenda.sanitizer import Sanitizer
from tacenda.serialize import plan_to_json
from tacenda.service.app import make_app
from tacenda.service.problems import STATUS

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = "Daniel Okafor lives in Sacramento. Mail daniel@example.org or call (916) 555-0142."
POSTS = ["/v1/plan", "/v1/apply", "/v1/sanitize", "/v1/verify", "/v1/measure"]


def test_plans_are_those_of_the_library(client: TestClient) -> None:
    answer = client.post("/v1/plan", json={"text": TEXT})
    assert answer.text == plan_to_json(Sanitizer("identifiers").plan(TEXT))


def test_plan_then_apply_is_sanitize(client: TestClient) -> None:
    plan = client.post("/v1/plan", json={"text": TEXT}).json()
    applied = client.post("/v1/apply", json={"text": TEXT, "plan": plan}).json()
    done = client.post("/v1/sanitize", json={"text": TEXT}).json()
    assert applied["text"] == done["text"] == Sanitizer("identifiers").sanitize(TEXT).text
    assert done["plan"] == plan
    assert "Okafor" not in json.dumps(done)


def test_a_plan_of_another_text_is_refused(client: TestClient) -> None:
    plan = client.post("/v1/plan", json={"text": TEXT}).json()
    answer = client.post("/v1/apply", json={"text": TEXT + " More.", "plan": plan})
    assert (answer.status_code, answer.json()["error"]["kind"]) == (409, "PlanError")


def test_files_come_back_as_files(client: TestClient) -> None:
    files = {"file": ("Daniel Okafor.txt", TEXT.encode())}
    answer = client.post("/v1/sanitize", files=files)
    assert answer.status_code == 200
    assert "Okafor" not in answer.text + answer.headers["Content-Disposition"]
    both = client.post("/v1/sanitize", files=files, headers={"Accept": "application/json"}).json()
    assert base64.b64decode(both["content"]).decode() == answer.text
    plan = client.post("/v1/plan", files=files).text
    again = client.post("/v1/apply", files=files, data={"plan": plan})
    assert again.content == answer.content


def test_word_files(client: TestClient) -> None:
    lxml = pytest.importorskip("lxml")
    assert lxml
    from tacenda.formats import TABLE

    if "docx" not in TABLE:
        pytest.skip("this build reads no Word files")
    answer = client.post("/v1/sanitize", files={"file": ("letter.docx", word_file(TEXT))})
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert b"Okafor" not in archive.read("word/document.xml")


def word_file(text: str) -> bytes:
    """The smallest Word file that holds a text."""
    kinds = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default '
        'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
        f'PartName="/word/document.xml" ContentType="{kinds}"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{relation}" Target="word/document.xml"/></Relationships>',
        "word/document.xml": '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
        + "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in text.split("\n"))
        + "</w:body></w:document>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, body in parts.items():
            archive.writestr(name, body)
    return out.getvalue()


def test_certificates_are_verified() -> None:
    with client_of(policies=("health",)) as client:
        text = "The patient was seen in the clinic."
        sanitizer = Sanitizer("health").covering()
        result = sanitizer.sanitize(text)
        text, certificate = result.text, json.loads(sanitizer.certify(result))
        answer = client.post("/v1/verify", json={"text": text, "certificate": certificate}).json()
        assert set(answer) == {"holds", "status", "reason"}
        assert answer["holds"]
        assert client.post("/v1/verify", json={"text": text, "certificate": {**certificate, "audit_head": "x"}}).json()[
            "holds"
        ]
        other = client.post("/v1/verify", json={"text": "HIV.", "certificate": certificate}).json()
        assert not other["holds"]
        assert client.post("/v1/verify", json={"text": text, "certificate": {}}).status_code == 422


def test_measure_scores_spans(client: TestClient) -> None:
    body = {
        "text": "Ann met Bob",
        "gold": [{"start": 0, "end": 3}, {"start": 8, "end": 11}],
        "found": [{"start": 0, "end": 3}],
    }
    micro = client.post("/v1/measure", json=body).json()["micro"]["mention"]
    assert (micro["precision"], micro["recall"]) == (1.0, 0.5)
    body["found"] = [{"start": 5, "end": 99}]
    assert client.post("/v1/measure", json=body).status_code == 400


def test_policies_are_listed_and_paths_are_none(client: TestClient) -> None:
    listed = {one["name"]: one for one in client.get("/v1/policies").json()["policies"]}
    assert {"identifiers", "health", "court"} <= set(listed)
    assert listed["identifiers"]["default"]
    for name in ("/etc/passwd", "../policy.toml", "p.toml", "nothing"):
        answer = client.post("/v1/plan", json={"text": TEXT, "policy": name})
        assert (answer.status_code, answer.json()["error"]["kind"]) == (400, "PolicyError")
        assert name not in answer.text


FAULTS: list[tuple[str, str, dict[str, Any], int]] = [
    ("POST", path, {"content": content, "headers": {"Content-Type": kind}}, status)
    for path in POSTS
    for content, kind, status in [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b'{"text": 3}', "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
    ]
] + [
    ("GET", "/v1/nothing", {}, 404),
    ("GET", "/v1/plan", {}, 405),
    ("GET", "/v1/jobs/x", {}, 404),
    ("GET", "/v1/cases/99", {}, 404),
    ("GET", "/v1/cases/../../etc/passwd", {}, 404),
    ("GET", "/static/%2e%2e/app.py", {}, 404),
    ("GET", "/static/..%2fapp.py", {}, 404),
    ("POST", "/v1/jobs", {"json": {}}, 415),
    ("POST", "/v1/cases", {"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}, 400),
    ("POST", "/v1/sanitize", {"files": {"file": ("a.xyz", b"\x00\x01")}}, 422),
    ("POST", "/v1/sanitize", {"files": {"file": ("a.docx", b"PK\x03\x04 broken")}}, 422),
    ("POST", "/v1/plan", {"json": {"text": "Le patient est suivi dans le service et il ne prend pas les"}}, 422),
]


@pytest.mark.parametrize(("method", "path", "how", "status"), FAULTS)
def test_every_fault_has_one_shape_and_a_4xx(
    client: TestClient, method: str, path: str, how: dict[str, Any], status: int
) -> None:
    answer = client.request(method, path, **how)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    assert set(answer.json()["error"]) == {"kind", "message"}
    assert STATUS[answer.json()["error"]["kind"]] == status


def finished(client: TestClient, job: str) -> dict[str, Any]:
    for _ in range(200):
        state: dict[str, Any] = client.get(f"/v1/jobs/{job}").json()
        if state["state"] != "running":
            return state
        time.sleep(0.05)
    raise AssertionError("the job did not end")


def test_jobs_tell_their_progress_and_keep_failures_apart(client: TestClient) -> None:
    files = [("file", (f"{i}.txt", TEXT.encode())) for i in range(3)] + [("file", ("bad.docx", b"PK\x03\x04 no"))]
    begun = client.post("/v1/jobs", files=files)
    assert begun.status_code == 202
    job = begun.json()["id"]
    with client.stream("GET", f"/v1/jobs/{job}/events") as stream:
        told = "".join(stream.iter_text())
    assert "event: progress" in told
    assert told.rstrip().endswith("event: end\ndata: {}")
    state = finished(client, job)
    assert (state["done"], state["failed"]) == (4, 1)
    with zipfile.ZipFile(io.BytesIO(client.get(f"/v1/jobs/{job}/result").content)) as archive:
        assert len(archive.namelist()) == 3
        assert all(b"Okafor" not in archive.read(name) for name in archive.namelist())
    assert client.get(f"/v1/jobs/{job}", headers={"Authorization": f"Bearer {OTHER}"}).status_code == 404
    assert client.delete(f"/v1/jobs/{job}").status_code == 204
    assert client.get(f"/v1/jobs/{job}").status_code == 404


def test_nothing_is_written_to_disk_without_a_work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with client_of() as client:
        big = TEXT.encode() + b"\n" * 1_500_000  # more than uploads usually keep in memory
        client.post("/v1/jobs", files={"file": ("a.txt", big)})
        client.post("/v1/sanitize", json={"text": TEXT})
        # onnxruntime keeps the number of its session in a file named .ses; it holds nothing of ours.
        found = [file for file in tmp_path.rglob("*") if file.name != ".ses"]
        assert found == []
        assert not any(b"Okafor" in file.read_bytes() for file in tmp_path.rglob("*"))


def test_the_canary_is_in_no_error_metric_or_log(
    client: TestClient, canary: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    answers = []
    for path in POSTS:
        answers.append(client.post(path, json={"text": canary, "policy": canary, "plan": {"x": canary}}))
        answers.append(client.post(path, content=f'{{"text": "{canary}'.encode()))
        answers.append(client.post(path, files={"file": (f"{canary}.bin", canary.encode())}))
    answers.append(client.get(f"/v1/cases/{canary}"))
    answers.append(client.get(f"/v1/cases/1/changes?since={canary}"))
    refused = [answer for answer in answers if answer.status_code >= 400]
    assert len(refused) >= 12
    assert not [answer.text for answer in refused if canary in answer.text]
    assert canary not in client.get("/metrics").text
    captured = capfd.readouterr()
    assert canary not in caplog.text + captured.out + captured.err


@pytest.fixture(scope="module")
def described() -> Any:
    return json.loads((ROOT / "src/tacenda/service/openapi.json").read_text("utf-8"))


def test_openapi_names_every_route_and_no_other(described: dict[str, Any]) -> None:
    routes = {
        (route.path.replace(":int", ""), method.lower())
        for route in make_app(settings()).routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert {(path, method) for path, methods in described["paths"].items() for method in methods} == routes


def test_openapi_is_up_to_date(tmp_path: Path) -> None:
    target = tmp_path / "openapi.json"
    subprocess.run(
        [sys.executable, str(ROOT / "scripts/make_openapi.py"), str(target)], check=True, capture_output=True
    )
    written = (ROOT / "src/tacenda/service/openapi.json").read_text("utf-8")
    assert written == target.read_text("utf-8"), "run python scripts/make_openapi.py"


def test_openapi_says_which_fields_are_required(client: TestClient, described: dict[str, Any]) -> None:
    for path, methods in described["paths"].items():
        content = methods.get("post", {}).get("requestBody", {}).get("content", {})
        if "application/json" in content and path.startswith("/v1/") and "{" not in path:
            required = content["application/json"]["schema"]["required"]
            for missing in required:
                values: dict[str, Any] = {"text": "x", "plan": {}, "certificate": {}, "gold": [], "found": []}
                body = {name: values[name] for name in required if name != missing}
                assert client.post(path, json=body).status_code == 400, (path, missing)
