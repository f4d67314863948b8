"""Arrow columns from lists of plain values, and back.

`pyarrow.array` imports pandas on its first call (half a second and 60 MB in every worker), so columns are
made from buffers here: the few types that the schema has.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, chain, pairwise
from typing import Any, Final

import numpy as np
import pyarrow as pa

_CODES: Final = {
    pa.int8(): "b",
    pa.int16(): "h",
    pa.int32(): "i",
    pa.uint32(): "I",
    pa.float32(): "f",
    pa.float64(): "d",
}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def column(values: Sequence[Any], kind: Any) -> Any:
    """`values` as an Arrow array of type `kind`; None is null.

    Lists are lists of numbers or of mappings, a map is pairs of a text and a number.
    """
    if pa.types.is_dictionary(kind):
        return _words(values, kind)
    valid = _validity(values)
    filled: Any
    if kind in _CODES:
        filled = values if valid is None else [value or 0 for value in values]
        return _from_buffers(kind, values, valid, [array(_CODES[kind], filled)])
    if pa.types.is_timestamp(kind):
        ticks = [0 if moment is None else (moment - _EPOCH) // _MICROSECOND for moment in values]
        return _from_buffers(kind, values, valid, [array("q", ticks)])
    filled = values if valid is None else [() if value is None else value for value in values]
    if pa.types.is_string(kind):
        encoded = [value.encode() if value else b"" for value in filled]
        return _from_buffers(kind, values, valid, [_offsets(encoded), b"".join(encoded)])
    flat = list(chain.from_iterable(filled))
    if pa.types.is_map(kind):
        entries = pa.struct([kind.key_field, kind.item_field])
        keys, items = [key for key, _ in flat], [item for _, item in flat]
        children = [column(keys, kind.key_type), column(items, kind.item_type)]
        inner: Any = pa.Array.from_buffers(entries, len(flat), [None], children=children)
    else:
        inner = _struct(flat, kind.value_type) if pa.types.is_struct(kind.value_type) else None
        inner = column(flat, kind.value_type) if inner is None else inner
    buffers = [valid, pa.py_buffer(_offsets(filled))]
    return pa.Array.from_buffers(kind, len(values), buffers, children=[inner])


def table(schema: Any, columns: Mapping[str, Sequence[Any]]) -> Any:
    """A table of `schema` from one list a column."""
    return pa.Table.from_arrays([column(columns[f.name], f.type) for f in schema], schema=schema)


def _from_buffers(kind: Any, values: Sequence[Any], valid: Any, buffers: list[Any]) -> Any:
    return pa.Array.from_buffers(kind, len(values), [valid, *(pa.py_buffer(b) for b in buffers)])


def _validity(values: Sequence[Any]) -> Any:
    """The bitmap of what is not null, or None where nothing is."""
    if None not in values:
        return None
    return pa.py_buffer(np.packbits([value is not None for value in values], bitorder="little").tobytes())


def _offsets(items: Iterable[Sequence[Any]]) -> array[int]:
    return array("i", accumulate(map(len, items), initial=0))


def _words(values: Sequence[Any], kind: Any) -> Any:
    """Text with few values, as numbers into the list of its words."""
    words = [word for word in dict.fromkeys(values) if word is not None]
    numbers = {word: number for number, word in enumerate(words)}
    indices = column([numbers.get(value) for value in values], kind.index_type)
    return pa.DictionaryArray.from_arrays(indices, column(words, kind.value_type))


def _struct(values: Sequence[Mapping[str, Any]], kind: Any) -> Any:
    children = [column([value[field.name] for value in values], field.type) for field in kind]
    return pa.Array.from_buffers(kind, len(values), [None], children=children)


def decoded(values: Any) -> list[Any]:
    """A column's values as plain Python values, whatever way they are stored."""
    if isinstance(values, pa.ChunkedArray):
        return [value for chunk in values.chunks for value in decoded(chunk)]
    if pa.types.is_dictionary(values.type):
        words: list[Any] = [*values.dictionary.to_pylist(), None]
        return [words[-1 if number is None else number] for number in values.indices.to_pylist()]
    if pa.types.is_list(values.type) and pa.types.is_integer(values.type.value_type):
        return _decoded_lists(values)
    return list(values.to_pylist())


def _decoded_lists(values: Any) -> list[Any]:
    """Lists of whole numbers, by slicing one flat list (`to_pylist` makes an object a number)."""
    if values.null_count or not len(values):
        return list(values.to_pylist())
    bounds = values.offsets.to_pylist()
    first = bounds[0]
    inner = values.values.slice(first, bounds[-1] - first)
    if inner.null_count or inner.type not in _CODES:
        return list(values.to_pylist())
    # From the buffer: `to_numpy` imports pandas, 30 MB in every process that reads.
    dtype = np.dtype(_CODES[inner.type])
    data = inner.buffers()[1]
    flat = (
        np.frombuffer(data, dtype, len(inner), inner.offset * dtype.itemsize).tolist() if len(inner) else []
    )
    return [flat[a - first : b - first] for a, b in pairwise(bounds)]


def rows(values: Any, names: Iterable[str]) -> list[tuple[Any, ...]]:
    """The named columns of a table as rows of plain values."""
    return list(zip(*(decoded(values.column(name)) for name in names), strict=True))
