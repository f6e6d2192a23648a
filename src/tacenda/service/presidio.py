"""Presidio's HTTP contract over Tacenda: same paths, shapes, defaults and status codes.

Clients of Presidio change the address and nothing else. Entity names are mapped both ways (`NAMES`); labels that
Presidio does not know keep their own name. Declined: `custom` operators (code of the caller), languages other than
English, `context` words (accepted and ignored: scores already look at the context).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tacenda.errors import TacendaError
from tacenda.model import Mention
from tacenda.service.operators import ANONYMIZERS, DEANONYMIZERS, BadParameter, Result, anonymize, deanonymize
from tacenda.service.problems import Problem

# label of Tacenda -> name in Presidio. Several labels may share a name: what a client asks for covers all of them.
NAMES = {
    "PERSON": "PERSON",
    "LOC": "LOCATION",
    "ADDRESS": "LOCATION",
    "ZIP": "LOCATION",
    "ORG": "ORGANIZATION",
    "DATETIME": "DATE_TIME",
    "AGE": "AGE",
    "DEM": "NRP",
    "EMAIL": "EMAIL_ADDRESS",
    "PHONE": "PHONE_NUMBER",
    "FAX": "PHONE_NUMBER",
    "SSN": "US_SSN",
    "NATIONAL_ID": "NATIONAL_ID",
    "IBAN": "IBAN_CODE",
    "CARD": "CREDIT_CARD",
    "ACCOUNT": "US_BANK_NUMBER",
    "URL": "URL",
    "IP": "IP_ADDRESS",
    "MAC": "MAC_ADDRESS",
    "CRYPTO": "CRYPTO",
    "NHS": "UK_NHS",
    "PASSPORT": "US_PASSPORT",
    "LICENSE": "US_DRIVER_LICENSE",
    "RECORD": "MEDICAL_RECORD",
    "PLATE": "LICENSE_PLATE",
    "VIN": "VIN",
    "DEVICE": "DEVICE_ID",
    "CODE": "ID",
    "OTHER_ID": "ID",
    "CASE": "CASE_NUMBER",
}
_EXPLAINED = ("identifier", "entity", "known")


def labels_of(entity: str) -> tuple[str, ...]:
    """Return the labels behind a name of Presidio's; a name it does not know is taken as a label."""
    return tuple(label for label, name in NAMES.items() if name == entity) or (entity,)


def as_result(mention: Mention, *, explain: bool) -> dict[str, Any]:
    """Return a mention in Presidio's shape; never its text."""
    explanation = None
    if explain:
        explanation = {
            "recognizer": mention.source or "tacenda",
            "pattern_name": None,
            "pattern": None,
            "original_score": mention.confidence,
            "score": mention.confidence,
            "textual_explanation": f"found by {mention.source or 'tacenda'} as {mention.label}",
            "score_context_improvement": 0,
            "supportive_context_word": "",
            "validation_result": None,
            "regex_flags": None,
        }
    return {
        "entity_type": NAMES.get(mention.label, mention.label),
        "start": mention.start,
        "end": mention.end,
        "score": round(mention.confidence, 4),
        "analysis_explanation": explanation,
    }


def chosen(mentions: Sequence[Mention], text: str, request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Pick what a request asks for: entities, threshold, allow-list."""
    wanted = {label for entity in request.get("entities") or () for label in labels_of(str(entity))}
    threshold = float(request.get("score_threshold") or 0.0)
    allowed = _allowing(request)
    explain = bool(request.get("return_decision_process"))
    found = []
    for mention in mentions:
        usual = mention.kind in _EXPLAINED and mention.label in NAMES
        if not (mention.label in wanted if wanted else usual) or mention.confidence < threshold:
            continue
        if not allowed(text[mention.start : mention.end]):
            found.append(as_result(mention, explain=explain))
    return found


def _allowing(request: Mapping[str, Any]) -> Any:
    words = [str(word) for word in request.get("allow_list") or ()]
    if not words:
        return lambda text: False
    if request.get("allow_list_match", "exact") == "exact":
        return set(words).__contains__
    if request.get("allow_list_match") != "regex":
        raise BadParameter("allow_list_match must either be set to 'exact' or 'regex'.")
    from tacenda.annotate.safe_regex import compile_safe

    patterns = [compile_safe(_flags(request) + word, "allow_list") for word in words]
    return lambda text: any(pattern.search(text) for pattern in patterns)


def _flags(request: Mapping[str, Any]) -> str:
    """Return the flags of a request (Presidio's default: all three) as they stand before an expression."""
    number = request.get("regex_flags")
    flags = int(re.DOTALL | re.MULTILINE | re.IGNORECASE if number is None else number)
    letters = [c for c, flag in (("i", re.IGNORECASE), ("m", re.MULTILINE), ("s", re.DOTALL)) if flags & flag]
    return f"(?{''.join(letters)})" if letters else ""


def ad_hoc(request: Mapping[str, Any], text: str) -> list[dict[str, Any]]:
    """Find what recognizers sent with the request describe: expressions (safe ones only) and lists of words."""
    from tacenda.annotate.safe_regex import compile_safe

    found = []
    for recognizer in request.get("ad_hoc_recognizers") or ():
        entity = str(recognizer["supported_entity"])
        expressions = [(str(p["regex"]), float(p["score"])) for p in recognizer.get("patterns") or ()]
        words = recognizer.get("deny_list") or ()
        if words:
            listed = "|".join(re.escape(str(word)) for word in words)
            expressions.append((rf"(?<![^\W_])(?:{listed})(?![^\W_])", float(recognizer.get("deny_list_score", 1.0))))
        for expression, score in expressions:
            for match in compile_safe(_flags(request) + expression, entity).finditer(text):
                found.append({"entity_type": entity, "start": match.start(), "end": match.end(), "score": score})
    wanted = set(request.get("entities") or ())
    return [{**f, "analysis_explanation": None} for f in found if not wanted or f["entity_type"] in wanted]


def without_repeats(results: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of findings of one type inside each other keep the longest and surest, best score first."""
    ordered = sorted(results, key=lambda r: (-r["score"], r["start"], -(r["end"] - r["start"])))
    kept: list[dict[str, Any]] = []
    for result in ordered:
        inside = (k for k in kept if k["start"] <= result["start"] and result["end"] <= k["end"])
        if result["start"] < result["end"] and not any(k["entity_type"] == result["entity_type"] for k in inside):
            kept.append(result)
    return kept


# ---- routes ------------------------------------------------------------------------------------------------------


def failed(message: str, status: int, *, retry: int = 0) -> JSONResponse:
    """Presidio's shape of errors."""
    return JSONResponse({"error": message}, status, {"Retry-After": str(retry)} if retry else None)


async def analyze(request: Request) -> Response:
    """Find entities in a text or in each of a list."""
    body = await _json(request)
    if not isinstance(body, dict):
        return failed("Failed to parse /analyze request for AnalyzerEngine.analyze(). an object was expected", 400)
    texts, language = body.get("text"), body.get("language")
    if not texts:
        return failed("No text provided", 500)
    if not language:
        return failed("No language provided", 500)
    if language != "en":
        return failed("No matching recognizers were found to serve the request.", 500)
    many = isinstance(texts, list)
    if not (many or isinstance(texts, str)) or not all(isinstance(text, str) for text in texts):
        return failed("Failed to parse /analyze request for AnalyzerEngine.analyze(). text must be a string", 400)
    arguments = {"texts": texts if many else [texts], "request": {k: v for k, v in body.items() if k != "text"}}
    try:
        header, _ = await request.app.state.pool.call("analyze", arguments)
    except Problem as problem:
        status = {"PolicyError": 400, "UsageError": 400, "Internal": 500}.get(problem.kind, problem.status)
        return failed(problem.message, status)
    return JSONResponse(header["results"] if many else header["results"][0])


async def anonymize_route(request: Request) -> Response:
    """Apply operators to findings."""
    return await _operated(request, "analyzer_results", "anonymizers")


async def deanonymize_route(request: Request) -> Response:
    """Decrypt what was encrypted."""
    return await _operated(request, "anonymizer_results", "deanonymizers")


async def _operated(request: Request, results_key: str, operators_key: str) -> Response:
    body = await _json(request)
    if not body or not isinstance(body, dict):
        return failed("Invalid request json", 400)
    operators, text = body.get(operators_key) or {}, body.get("text", "")
    if not isinstance(operators, dict) or not isinstance(text, str):
        return failed("Invalid request json", 400)
    if any(isinstance(one, dict) and one.get("type") == "custom" for one in operators.values()):
        return failed("Custom type anonymizer is not supported", 400)
    results = body.get(results_key)
    try:
        if operators_key == "anonymizers":
            if results is None:
                raise BadParameter("Invalid input, request must contain analyzer results")
            found = [Result.from_json(one) for one in _listed(results)]
            return JSONResponse(anonymize(text, found, _checked(operators)))
        found = [Result.from_json(one, scored=False) for one in _listed(results or [])]
        return JSONResponse(deanonymize(text, found, _checked(operators)))
    except BadParameter as error:
        return failed(str(error), 422)
    except (TacendaError, ImportError):
        return failed("encrypt and decrypt need the extra tacenda[vault]", 500)


def _listed(results: Any) -> list[Any]:
    if not isinstance(results, list):
        raise BadParameter("Invalid input, results must be a list")
    return results


def _checked(operators: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    for settings in operators.values():
        if not isinstance(settings, dict) or not settings.get("type"):
            raise BadParameter("Invalid input, operator config must contain operator_name")
    return dict(operators)


async def _json(request: Request) -> Any:
    try:
        return await request.json()
    except ValueError:
        return None


async def recognizers(request: Request) -> Response:
    """Name what finds entities."""
    if request.query_params.get("language", "en") != "en":
        return failed("No matching recognizers were found to serve the request.", 500)
    header, _ = await request.app.state.pool.call("recognizers", {})
    return JSONResponse(header["names"])


async def supported_entities(request: Request) -> Response:
    """Name the entities that can be found."""
    if request.query_params.get("language", "en") != "en":
        return failed("No matching recognizers were found to serve the request.", 500)
    return JSONResponse(sorted(set(NAMES.values())))


async def anonymizers(request: Request) -> Response:
    """Name the operators."""
    return JSONResponse(list(ANONYMIZERS))


async def deanonymizers(request: Request) -> Response:
    """Name the operators that undo."""
    return JSONResponse(list(DEANONYMIZERS))


async def health(request: Request) -> Response:
    """Say that the server is up."""
    return PlainTextResponse("Tacenda is up")


ROUTES = [
    Route("/analyze", analyze, methods=["POST"]),
    Route("/anonymize", anonymize_route, methods=["POST"]),
    Route("/deanonymize", deanonymize_route, methods=["POST"]),
    Route("/recognizers", recognizers),
    Route("/supportedentities", supported_entities),
    Route("/anonymizers", anonymizers),
    Route("/deanonymizers", deanonymizers),
    Route("/health", health),
]
