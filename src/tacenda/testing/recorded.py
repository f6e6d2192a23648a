"""An annotator that repeats what was recorded: tests of everything after annotating are then the same on every
processor, although a quantized model is not.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from tacenda.errors import InputError
from tacenda.model import Annotation, Document, Mention

_FIELDS = ("start", "end", "label", "kind", "source", "confidence", "entity", "role", "head", "tag")


class Recorded:
    """Gives the annotation of one document back, under the name of the annotator that made it."""

    def __init__(self, path: str | Path) -> None:
        self._body: dict[str, Any] = json.loads(Path(path).read_text("utf-8"))
        self.name: str = self._body["annotator"]

    @property
    def digest(self) -> str:
        """Digest of the model that made the annotation."""
        return str(self._body["model"])

    def annotate(self, document: Document) -> Annotation:
        """Return what was recorded; a document that was not is an error."""
        if document.digest != self._body["digest"]:
            raise InputError(f"{document.id or 'document'}: nothing was recorded for this text")
        mentions = [_mention(given, document.text) for given in self._body["mentions"]]
        return Annotation(tuple(mentions), tuple((a, b) for a, b in self._body["sentences"]))


def record(document: Document, annotation: Annotation, *, annotator: str, model: str = "") -> str:
    """Return an annotation as JSON: offsets and labels, and how words were read, rounded; never the text."""
    rows = []
    for m in annotation.mentions:
        row = {name: getattr(m, name) for name in _FIELDS if getattr(m, name) != getattr(_PLAIN, name, None)}
        row |= {"start": m.start, "end": m.end, "label": m.label}
        if m.reading is not None:
            row["reading"] = _packed(m.reading)
        rows.append(row)
    body = {
        "annotator": annotator,
        "model": model,
        "digest": document.digest,
        "sentences": [list(span) for span in annotation.sentences],
    }
    lines = ",\n".join(json.dumps(row) for row in rows)
    return json.dumps(body)[:-1] + f', "mentions": [\n{lines}\n]}}\n'


_PLAIN = Mention(0, 0, "", "")


def _mention(given: dict[str, Any], text: str) -> Mention:
    fields = {name: value for name, value in given.items() if name != "reading"}
    reading = _unpacked(given["reading"]) if "reading" in given else None
    return Mention(text=text[given["start"] : given["end"]], reading=reading, **fields)


def _packed(vector: Any) -> list[Any]:
    """A vector in whole numbers from -127 to 127, with the size of one step."""
    import numpy as np

    step = float(np.abs(vector).max()) / 127 or 1.0
    whole = np.round(np.asarray(vector) / step).astype(np.int8)
    return [round(step, 8), base64.b64encode(whole.tobytes()).decode()]


def _unpacked(packed: list[Any]) -> Any:
    import numpy as np

    return np.frombuffer(base64.b64decode(packed[1]), np.int8).astype(np.float32) * np.float32(packed[0])
