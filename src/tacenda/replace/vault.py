"""The mapping from pseudonyms back to originals: sealed with the key, opened only with it.

Sealed with AES-SIV of the `cryptography` library: it needs no nonce, so the same mapping gives the same bytes, and
any change of a single bit is found on opening. The key for it is derived from the user's key.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacenda.errors import InputError, PlanError, UsageError
from tacenda.model import digest
from tacenda.replace.keys import Key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

_MAGIC = b"tacenda vault 1\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """One replacement in a rewritten text: its offsets there, and what stood in its place."""

    start: int
    end: int
    original: str = field(repr=False)


def seal(text: str, entries: Sequence[Entry], key: Key) -> bytes:
    """Seal what undoes the replacements in a rewritten text."""
    content = {"digest": digest(text), "entries": [[e.start, e.end, e.original] for e in entries]}
    plain = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return _MAGIC + _cipher(key).encrypt(plain, [_MAGIC])


def restore(text: str, sealed: bytes, key: Key) -> str:
    """Give the original of a rewritten text back; refuse another text, another key or a changed vault."""
    from cryptography.exceptions import InvalidTag

    if not sealed.startswith(_MAGIC):
        raise InputError("This is not a Tacenda vault, or it was written by another version.")
    try:
        plain = _cipher(key).decrypt(sealed[len(_MAGIC) :], [_MAGIC])
    except (InvalidTag, ValueError) as error:
        raise InputError("The vault cannot be opened: it was changed or was sealed with another key.") from error
    content = json.loads(plain.decode("utf-8", "surrogatepass"))
    if content["digest"] != digest(text):
        raise PlanError("The vault belongs to another text, or the text was edited since.")
    pieces, position = [], 0
    for start, end, original in sorted(content["entries"]):
        pieces += [text[position:start], original]
        position = end
    return "".join([*pieces, text[position:]])


def _cipher(key: Key) -> AESSIV:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV
    except ImportError as error:
        raise UsageError(
            "Reversible pseudonyms need the cryptography library: pip install 'tacenda[vault]'."
        ) from error
    return AESSIV(key.derive("vault", "mac") + key.derive("vault", "cipher"))
