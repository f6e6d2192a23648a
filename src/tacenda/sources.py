"""What a policy names as knowledge, checked when the policy is read: indexes, taxonomies, vectors, a search service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tacenda import registry
from tacenda.errors import PolicyError, UsageError

if TYPE_CHECKING:
    from tacenda.knowledge.counts_http import HttpCounts, HttpSource

KEYS = ("index", "taxonomies", "vectors", "service")
_NUMBER = (int, float)
# key of [knowledge.service] -> (types it may have, how to say so, whether it must be there)
SERVICE: dict[str, tuple[tuple[type, ...], str, bool]] = {
    "url": ((str,), "text with {query} in it", True),
    "path": ((str,), "text: where the number stands in the JSON answer, e.g. 'count'", True),
    "total": ((int,), "a whole number: pages the service holds", True),
    "cache": ((str,), "the path of a file for the answers", True),
    "replay": ((bool,), "true or false", False),
    "per_second": (_NUMBER, "a number: requests a second", False),
    "retries": ((int,), "a whole number", False),
    "timeout": (_NUMBER, "a number of seconds", False),
    "both": ((str,), "text that joins terms, e.g. ' AND '", False),
    "either": ((str,), "text that joins synonyms, e.g. ' OR '", False),
}


def check(table: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """Return the table [knowledge] of a policy, or say what is wrong with it and what could be there."""
    here = f"{where}, [knowledge]"
    for key in table:
        if key not in KEYS:
            raise PolicyError(registry.unknown_name("key", key, KEYS, where=here))
    for key in ("index", "vectors"):
        if key in table and not (_is_name(table[key]) or (key == "index" and _is_names(table[key]))):
            several = ', or a list of paths ("english" stands for the one that comes with Tacenda)'
            raise PolicyError(f"{here}: {key} must be a path{several if key == 'index' else ''}.")
    if "taxonomies" in table and not _is_names(table["taxonomies"]):
        raise PolicyError(f'{here}: taxonomies must be a list of names or paths, e.g. ["mine.csv", "wordnet"].')
    if "service" in table:
        service_source(table["service"], f"{where}, [knowledge.service]")
    return table


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_name, value))


def service_source(table: Any, where: str = "[knowledge.service]") -> HttpSource:
    """Return how to ask the search service of a policy; a wrong table is an error that lists what exists."""
    from pathlib import Path

    from tacenda.knowledge.counts_http import HttpSource

    if not isinstance(table, Mapping):
        raise PolicyError(f"{where} must be a table with the keys {', '.join(SERVICE)}.")
    for key, value in table.items():
        if key not in SERVICE:
            raise PolicyError(registry.unknown_name("key", key, tuple(SERVICE), where=where))
        types, wanted, _ = SERVICE[key]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types) or value == "":
            raise PolicyError(f"{where}: {key} must be {wanted}.")
    absent = [key for key, (_, _, needed) in SERVICE.items() if needed and key not in table]
    if absent:
        raise PolicyError(f"{where}: {', '.join(absent)} missing. Keys: {', '.join(SERVICE)}.")
    try:
        return HttpSource(**{**table, "cache": Path(table["cache"])})
    except UsageError as error:
        raise PolicyError(f"{where}: {error}") from None


def open_service(table: Mapping[str, Any] | None, where: str) -> HttpCounts:
    """Open the search service that a policy names; it warns, because asking tells the secret."""
    from tacenda.knowledge.counts_http import HttpCounts

    if table is None:
        raise PolicyError(
            f"{where}: [risk.service] asks a search service, but none is named. Add [knowledge.service] with "
            f"{', '.join(key for key, (_, _, needed) in SERVICE.items() if needed)}."
        )
    return HttpCounts(service_source(table, f"{where}, [knowledge.service]"))
