"""Errors as answers: one shape, `{"error": {"kind": ..., "message": ...}}`, and never a word of a document."""

from __future__ import annotations

from starlette.responses import JSONResponse

from tacenda import errors

STATUS = {
    "UsageError": 400,
    "InputError": 422,
    "PolicyError": 400,
    "KnowledgeError": 503,
    "PlanError": 409,
    "GuaranteeError": 422,
    "Unauthorized": 401,
    "Forbidden": 403,
    "NotFound": 404,
    "NotAllowed": 405,
    "Conflict": 409,
    "TooLarge": 413,
    "WrongType": 415,
    "TooSlow": 408,
    "TooLong": 422,
    "Crashed": 422,
    "TooMany": 429,
    "Busy": 503,
    "Internal": 500,
    "Unloaded": 500,
}
KINDS = {status: kind for kind, status in reversed(STATUS.items())} | {400: "UsageError", 409: "Conflict"}


class Problem(Exception):
    """Something to be answered with its status: a kind of STATUS and a message without source text."""

    def __init__(self, kind: str, message: str, *, retry: int = 0) -> None:
        super().__init__(message)
        self.kind, self.message, self.retry = kind, message, retry

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.kind]


def from_error(error: Exception) -> Problem:
    """Turn an exception into a problem; of what was not foreseen only the type is told."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, errors.TacendaError):
        kind = next((t.__name__ for t in type(error).__mro__ if t.__name__ in STATUS), "Internal")
        return Problem(kind, str(error))
    return Problem("Internal", f"internal error ({type(error).__name__})")


def answer(problem: Problem) -> JSONResponse:
    """The one shape of errors."""
    headers = {"Retry-After": str(problem.retry)} if problem.retry else {}
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse({"error": {"kind": problem.kind, "message": problem.message}}, problem.status, headers)
