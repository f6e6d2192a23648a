"""Arrow arrays taken apart and put together again: which children leave, their texts, and what hides behind nulls.

What leaves of a column is said by a Choice: True (text to sanitize), False (leaves as it is), or for a struct a
dictionary of its children. Lists are transparent: the choice of a list is that of what it holds.

An Arrow array may hold bytes that no reader shows: values behind a null, the rest of the table a slice was cut from,
entries of a dictionary that no row names. `compact` builds every array anew from what is shown, because files in
Arrow's own format are written as the buffers lie in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as kinds

from tacenda.errors import InputError

Choice = bool | Mapping[str, Any]


def is_text(type: Any) -> bool:
    """Tell whether an Arrow type holds text, or a dictionary of texts."""
    if kinds.is_dictionary(type):
        return is_text(type.value_type)
    return bool(kinds.is_string(type) or kinds.is_large_string(type) or kinds.is_string_view(type))


def is_list(type: Any) -> bool:
    """Tell whether an Arrow type is a list, of one or of any length."""
    return bool(kinds.is_list(type) or kinds.is_large_list(type) or kinds.is_fixed_size_list(type))


def plain_type(type: Any, choice: Choice) -> Any:
    """Return the type of what leaves: children that were not chosen left out, dictionaries opened.

    Raises InputError for a type whose hidden bytes are not known.
    """
    if kinds.is_dictionary(type):
        return plain_type(type.value_type, choice)
    if kinds.is_struct(type):
        return pa.struct([plain_field(field, one) for field, one in _children(type, choice)])
    if is_list(type):
        item = plain_field(type.value_field, choice)
        if kinds.is_fixed_size_list(type):
            return pa.list_(item, type.list_size)
        return pa.large_list(item) if kinds.is_large_list(type) else pa.list_(item)
    if kinds.is_map(type) and _is_leaf(type.key_type) and _is_leaf(type.item_type):
        return type
    if isinstance(type, pa.BaseExtensionType) and _is_leaf(type.storage_type):
        return type
    if not _is_leaf(type):
        raise InputError(f"holds {_named(type)}, a type that Tacenda does not pass on. Leave the column out")
    return type


def plain_field(field: Any, choice: Choice) -> Any:
    """Return a field as it leaves: without metadata, and nullable where a text may become null."""
    return pa.field(field.name, plain_type(field.type, choice), nullable=field.nullable or choice is not False)


def _is_leaf(type: Any) -> bool:
    return bool(
        kinds.is_primitive(type) or kinds.is_null(type) or kinds.is_decimal(type) or kinds.is_fixed_size_binary(type)
        or kinds.is_string(type) or kinds.is_large_string(type) or kinds.is_binary(type) or kinds.is_large_binary(type)
    )  # fmt: skip


def _named(type: Any) -> str:
    """The kind of a type without the names of its children, which may be words of the source."""
    return str(type).partition("<")[0]


def _children(type: Any, choice: Choice) -> list[tuple[Any, Choice]]:
    fields = [type.field(i) for i in range(type.num_fields)]
    if isinstance(choice, bool):
        return [(field, choice) for field in fields]
    return [(field, choice[field.name]) for field in fields if field.name in choice]


def compact(array: Any, choice: Choice) -> Any:
    """Build an array anew of what leaves: chosen children, dictionaries opened, nothing behind nulls."""
    type = array.type
    if kinds.is_dictionary(type):
        return compact(array.dictionary_decode(), choice)
    if isinstance(type, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(type, compact(array.storage, choice))
    if kinds.is_struct(type):
        held = {field.name: child for field, child in zip(type, array.flatten(), strict=True)}
        fields = [(plain_field(field, one), one) for field, one in _children(type, choice)]
        children = [compact(held[field.name], one) for field, one in fields]
        return pa.StructArray.from_arrays(children, fields=[field for field, _ in fields], mask=array.is_null())
    if kinds.is_fixed_size_list(type):
        return _fixed(array, choice)
    made = array.take(pa.array(range(len(array)), pa.int64()))
    if is_list(type):
        kind = pa.LargeListArray if kinds.is_large_list(type) else pa.ListArray
        whole = plain_type(type, choice)
        return kind.from_arrays(_offsets(made), compact(made.flatten(), choice), type=whole, mask=made.is_null())
    return made


def _offsets(array: Any) -> Any:
    """Where the values of each list begin, counted over the lists that are there."""
    lengths = pc.fill_null(pc.list_value_length(array), 0)
    start = pa.array([0], lengths.type)
    return pa.concat_arrays([start, pc.cumulative_sum(lengths)]) if len(array) else start


def _fixed(array: Any, choice: Choice) -> Any:
    """Lists of one length keep values behind a null list: they are made null too, and so disappear."""
    size = array.type.list_size
    lists = array.take(pa.array(range(len(array)), pa.int64()))
    there = [bool(valid) for valid in lists.is_valid().to_pylist() for _ in range(size)]
    values = lists.values.take(pa.array([at if valid else None for at, valid in enumerate(there)], pa.int64()))
    whole = plain_type(array.type, choice)
    return pa.FixedSizeListArray.from_arrays(compact(values, choice), type=whole, mask=lists.is_null())


def leaves(array: Any, choice: Choice, rows: Any, name: str) -> Iterator[tuple[str, Any, Any, bool]]:
    """Yield each leaf of a compact array: its name, its values, the row of each, whether it is to be sanitized."""
    type = array.type
    if kinds.is_struct(type):
        for (field, one), child in zip(_children(type, choice), array.flatten(), strict=True):
            yield from leaves(child, one, rows, field.name)
    elif kinds.is_fixed_size_list(type):
        owners = [row for row in rows for _ in range(type.list_size)]
        yield from leaves(array.values, choice, owners, name)
    elif is_list(type):
        owners = [rows[at] for at in pc.list_parent_indices(array).to_pylist()]
        yield from leaves(array.flatten(), choice, owners, name)
    elif kinds.is_map(type):
        owners = [rows[at] for at in pc.list_parent_indices(array).to_pylist()]
        yield from leaves(array.keys, False, owners, name)
        yield from leaves(array.items, False, owners, name)
    else:
        yield name, array, rows, choice is True


def renewed(array: Any, choice: Choice, texts: Iterator[list[str | None]]) -> Any:
    """Return a compact array with new texts in its open leaves, taken in the order in which `leaves` gave them."""
    type = array.type
    if choice is False:
        return array
    if kinds.is_struct(type):
        fields = _children(type, choice)
        children = [renewed(c, one, texts) for (_, one), c in zip(fields, array.flatten(), strict=True)]
        return pa.StructArray.from_arrays(children, fields=[f for f, _ in fields], mask=array.is_null())
    if kinds.is_fixed_size_list(type):
        return pa.FixedSizeListArray.from_arrays(renewed(array.values, choice, texts), type=type, mask=array.is_null())
    if is_list(type):
        kind = pa.LargeListArray if kinds.is_large_list(type) else pa.ListArray
        values = renewed(array.flatten(), choice, texts)
        return kind.from_arrays(_offsets(array), values, type=type, mask=array.is_null())
    return pa.array(next(texts), type)


def relabeled(array: Any, type: Any) -> Any:
    """Return a compact array under a type that differs from its own in the names of children only."""
    if kinds.is_struct(type):
        children = [relabeled(c, one.type) for c, one in zip(array.flatten(), type, strict=True)]
        return pa.StructArray.from_arrays(children, fields=list(type), mask=array.is_null())
    if kinds.is_fixed_size_list(type):
        values = relabeled(array.values, type.value_type)
        return pa.FixedSizeListArray.from_arrays(values, type=type, mask=array.is_null())
    if is_list(type):
        kind = pa.LargeListArray if kinds.is_large_list(type) else pa.ListArray
        values = relabeled(array.flatten(), type.value_type)
        return kind.from_arrays(_offsets(array), values, type=type, mask=array.is_null())
    return array


def as_words(array: Any) -> list[str | None]:
    """Return the values of a leaf as text, by which a row is searched; none if they have no form in text."""
    if isinstance(array.type, pa.BaseExtensionType):
        array = array.storage
    try:
        found: list[str | None] = array.cast(pa.string()).to_pylist()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return []
    return found
