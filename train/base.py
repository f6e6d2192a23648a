"""Write MiniLM's weights in a compact form: 8-bit rows for the word table, 16-bit floats for the rest.

python -m train.base model.safetensors base.npz [LAYERS]
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def main() -> None:
    """Check the checksum, convert, write."""
    source, out = Path(sys.argv[1]), Path(sys.argv[2])
    raw = source.read_bytes()
    found = hashlib.sha256(raw).hexdigest()
    if found != SHA256:
        raise SystemExit(f"{source}: sha256 {found}, expected {SHA256}")
    size = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + size])
    arrays: dict[str, np.ndarray] = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32" or "pooler" in name:
            continue
        a, b = entry["data_offsets"]
        array = np.frombuffer(raw[8 + size + a : 8 + size + b], dtype=np.float32).reshape(entry["shape"])
        if name == "embeddings.word_embeddings.weight":
            scale = np.abs(array).max(1) / 127
            arrays[name + ".scale"] = scale.astype(np.float32)
            arrays[name] = np.round(array / scale[:, None]).astype(np.int8)
        else:
            arrays[name] = array.astype(np.float16)
    np.savez_compressed(out, **arrays)


if __name__ == "__main__":
    main()
