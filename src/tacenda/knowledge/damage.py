"""Files of knowledge whose checksums fit but whose content does not: told as damage, whatever breaks on them."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from tacenda.errors import KnowledgeError

# A file that was forged or mixed up can break reading in any of these ways.
BROKEN = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    NotImplementedError,
    TypeError,
    ValueError,
    zlib.error,
)
Given = ParamSpec("Given")
Result = TypeVar("Result")


class HasPath(Protocol):
    """What is read from a file."""

    @property
    def path(self) -> Path:
        """Where the file lies."""
        ...


Self = TypeVar("Self", bound=HasPath)


@contextmanager
def sound(path: Path) -> Iterator[None]:
    """Read from a file of knowledge; whatever breaks is told as damage of the file."""
    try:
        yield
    except BROKEN as error:
        what = f"damaged, its content contradicts itself ({type(error).__name__})"
        raise KnowledgeError(f"{path}: {what}. Copy or make it again.") from None


def read_soundly(method: Callable[Concatenate[Self, Given], Result], /) -> Callable[Concatenate[Self, Given], Result]:
    """Let a method of what is read from a file tell damage as such."""

    @wraps(method)
    def read(self: Self, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        with sound(self.path):
            return method(self, *args, **kwargs)

    return read
