"""Who issued a certificate: an Ed25519 signature over its text. Needs the extra `tacenda[vault]`.

The signature covers the certificate without its `signature` field, as JSON with sorted keys and no white space.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from typing import Any

from tacenda.errors import InputError, UsageError


def _message(table: dict[str, Any]) -> bytes:
    rest = {key: value for key, value in table.items() if key != "signature"}
    return json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def sign(table: dict[str, Any], private_key: bytes) -> dict[str, Any]:
    """Return a certificate with a signature; the key is PEM, as `openssl genpkey -algorithm ed25519` writes it."""
    serialization, ed25519 = _cryptography()
    try:
        key = serialization.load_pem_private_key(private_key, password=None)
    except (ValueError, TypeError):
        raise InputError("the signing key is not an unencrypted PEM private key.") from None
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise InputError("the signing key is not an Ed25519 key (`openssl genpkey -algorithm ed25519`).")
    raw = key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    made = {"algorithm": "ed25519", "public_key": _text(raw), "value": _text(key.sign(_message(table)))}
    return {**table, "signature": made}


def check(table: dict[str, Any], public_key: bytes | None = None) -> str:
    """Say why a signature is not accepted; empty if it is, or if there is none and none was asked for.

    public_key   PEM of the issuer the recipient trusts; without it a signature must still fit the key it names, which
                 says that the certificate was not changed since, not who signed it
    """
    signature = table.get("signature")
    if signature is None and "signature" not in table:
        return "the certificate is not signed" if public_key else ""
    if not isinstance(signature, dict) or set(signature) != {"algorithm", "public_key", "value"}:
        return "the signature is damaged"
    serialization, ed25519 = _cryptography()
    from cryptography.exceptions import InvalidSignature

    try:
        if signature["algorithm"] != "ed25519":
            return "the signature is of an unknown kind"
        key = ed25519.Ed25519PublicKey.from_public_bytes(_bytes(signature["public_key"]))
        raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        if public_key is not None and raw != _trusted(public_key):
            return "the certificate was signed with another key than yours"
        key.verify(_bytes(signature["value"]), _message(table))
    except (ValueError, TypeError, InvalidSignature):
        return "the signature does not fit the certificate"
    return ""


def _trusted(public_key: bytes) -> bytes:
    serialization, ed25519 = _cryptography()
    try:
        key = serialization.load_pem_public_key(public_key)
    except (ValueError, TypeError):
        raise InputError("the public key is not a PEM public key.") from None
    if not isinstance(key, ed25519.Ed25519PublicKey):
        raise InputError("the public key is not an Ed25519 key.")
    raw: bytes = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return raw


def _text(raw: bytes) -> str:
    return b64encode(raw).decode("ascii")


def _bytes(text: Any) -> bytes:
    if not isinstance(text, str):
        raise ValueError
    raw = b64decode(text, validate=True)
    if _text(raw) != text:  # one spelling only
        raise ValueError
    return raw


def _cryptography() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise UsageError("signatures need the package cryptography: pip install 'tacenda[vault]'") from None
    return serialization, ed25519
