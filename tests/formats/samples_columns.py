"""Tables of columns as the bytes of a file, and back."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def packed(held: Any, kind: str = "parquet") -> bytes:
    out = io.BytesIO()
    if kind == "parquet":
        pq.write_table(held, out)
    else:
        with (pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream)(out, held.schema) as writer:
            writer.write_table(held)
    return out.getvalue()


def unpacked(data: bytes, kind: str = "parquet") -> Any:
    if kind == "parquet":
        return pq.read_table(io.BytesIO(data))
    return (pa.ipc.open_file if kind == "arrow" else pa.ipc.open_stream)(io.BytesIO(data)).read_all()
