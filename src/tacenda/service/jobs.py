"""Jobs: many or large files, worked on one after the other, with progress as server-sent events."""

from __future__ import annotations

import asyncio
import io
import json
import secrets
import time
import zipfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tacenda.service.body import upload_of
from tacenda.service.pool import Pool
from tacenda.service.problems import Problem, from_error

KEPT_SECONDS = 3600.0
MOST_JOBS = 200
_BEAT = 15.0


@dataclass
class Job:
    """One job: what is done of it. Results stay in memory until they are fetched, deleted or an hour old."""

    id: str
    owner: str
    names: list[str]
    results: list[dict[str, Any]] = field(default_factory=list)
    outputs: dict[str, bytes] = field(default_factory=dict, repr=False)
    state: str = "running"
    began: float = field(default_factory=time.monotonic)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def summary(self) -> dict[str, Any]:
        """The job as its owner sees it; files are numbered in the order they came."""
        failed = sum("error" in result for result in self.results)
        return {
            "id": self.id,
            "state": self.state,
            "files": len(self.names),
            "done": len(self.results),
            "failed": failed,
            "results": self.results,
        }

    def tell(self) -> None:
        """Wake everyone who waits for news."""
        self.changed.set()
        self.changed = asyncio.Event()


@dataclass
class Jobs:
    """All jobs of the server."""

    pool: Pool
    seconds: float
    held: dict[str, Job] = field(default_factory=dict)

    def begin(self, owner: str, files: list[tuple[str, bytes]], names: list[str] | None) -> Job:
        """Start a job."""
        self._forget()
        if len(self.held) >= MOST_JOBS:
            raise Problem("Busy", "too many jobs are kept; delete some", retry=30)
        job = Job(secrets.token_hex(8), owner, [name for name, _ in files])
        self.held[job.id] = job
        job.task = asyncio.ensure_future(self._run(job, files, names))
        return job

    def _forget(self) -> None:
        old = [j for j in self.held.values() if j.state != "running" and time.monotonic() - j.began > KEPT_SECONDS]
        for job in old:
            del self.held[job.id]

    async def _run(self, job: Job, files: list[tuple[str, bytes]], names: list[str] | None) -> None:
        for number, (name, data) in enumerate(files, 1):
            try:
                arguments = {"name": name, "policies": names}
                header, output = await self.pool.call("sanitize", arguments, data, seconds=self.seconds)
                stored = f"{number:03}-{header['name']}"
                job.outputs[stored] = output
                job.results.append({"file": number, "name": stored, "changes": header["changes"]})
            except Exception as error:
                problem = from_error(error)
                job.results.append({"file": number, "error": {"kind": problem.kind, "message": problem.message}})
            job.tell()
        job.state = "done"
        job.tell()

    def find(self, id_: str, who: str) -> Job:
        """Return a job of this person."""
        job = self.held.get(id_)
        if job is None or job.owner != who:
            raise Problem("NotFound", "there is no such job")
        return job

    async def close(self) -> None:
        """Stop all jobs."""
        tasks = [job.task for job in self.held.values() if job.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _job(request: Request) -> Job:
    jobs: Jobs = request.app.state.jobs
    return jobs.find(request.path_params["id"], request.state.who)


async def begin(request: Request) -> Response:
    """Start a job with the files of an upload."""
    files, fields = await upload_of(request)
    job = request.app.state.jobs.begin(request.state.who, files, fields.get("policy") or None)
    return JSONResponse(job.summary(), 202, {"Location": f"/v1/jobs/{job.id}"})


async def show(request: Request) -> Response:
    """Say how far a job is."""
    return JSONResponse(_job(request).summary())


async def events(request: Request) -> Response:
    """Tell progress as it happens."""
    return StreamingResponse(_told(_job(request)), media_type="text/event-stream")


async def _told(job: Job) -> AsyncIterator[str]:
    while True:
        changed = job.changed
        summary = job.summary()
        yield f"event: progress\ndata: {json.dumps({k: v for k, v in summary.items() if k != 'results'})}\n\n"
        if summary["state"] != "running":
            yield "event: end\ndata: {}\n\n"
            return
        try:
            await asyncio.wait_for(changed.wait(), _BEAT)
        except TimeoutError:
            yield ": still at work\n\n"


async def result(request: Request) -> Response:
    """Give all outputs of a job as one archive."""
    job = _job(request)
    if job.state == "running":
        raise Problem("Conflict", "the job is not done yet")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in job.outputs.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    headers = {"Content-Disposition": f'attachment; filename="job-{job.id}.zip"'}
    return Response(out.getvalue(), media_type="application/zip", headers=headers)


async def delete(request: Request) -> Response:
    """Stop a job and forget its results."""
    job = _job(request)
    if job.task:
        job.task.cancel()
    del request.app.state.jobs.held[job.id]
    return Response(status_code=204)


ROUTES = [
    Route("/v1/jobs", begin, methods=["POST"]),
    Route("/v1/jobs/{id}", show, methods=["GET"]),
    Route("/v1/jobs/{id}", delete, methods=["DELETE"]),
    Route("/v1/jobs/{id}/events", events),
    Route("/v1/jobs/{id}/result", result),
]
