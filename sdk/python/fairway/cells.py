"""Numbers as JSON sends them: as text if they have more digits than its readers keep, and a decimal like an integer if it is whole."""
from __future__ import annotations

import decimal
import re
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional

Row = Dict[str, Any]

_INTEGER = re.compile(r"-?[0-9]{1,400}")
_DECIMAL = re.compile(r"-?[0-9]{1,400}(\.[0-9]{1,400})?")


def integer_of(value: Any) -> Any:
    """A text of digits as int; everything else as it is."""
    return int(value) if isinstance(value, str) and _INTEGER.fullmatch(value) else value


def decimal_of(value: Any) -> Any:
    """A whole number as float, a text of digits as Decimal; everything else as it is."""
    if type(value) is int:
        return float(value)
    return decimal.Decimal(value) if isinstance(value, str) and _DECIMAL.fullmatch(value) else value


_READERS: Mapping[str, Callable[[Any], Any]] = {"integer": integer_of, "decimal": decimal_of}


def read_cell(value: Any, column_type: str) -> Any:
    """A value of a column of this type, as the portal answers it."""
    read = _READERS.get(column_type)
    return value if read is None else read(value)


def read_rows(rows: List[Row], columns: Iterable[Mapping[str, Any]]) -> List[Row]:
    """The same rows, in which every integer is an int and every decimal a float or a Decimal."""
    readers = [(column["name"], _READERS[column["type"]]) for column in columns if column["type"] in _READERS]
    for row in rows:
        for name, read in readers:
            value = row.get(name)
            if isinstance(value, str) or (read is decimal_of and isinstance(value, int)):
                row[name] = read(value)
    return rows


def series_values(values: List[Any], column_type: str) -> List[Any]:
    """Values of one column that are all of one kind: a column with a Decimal has only these."""
    if column_type != "decimal" or not any(isinstance(value, decimal.Decimal) for value in values):
        return values
    return [decimal.Decimal(repr(value)) if isinstance(value, (int, float)) else value for value in values]


def nullable_type(values: Iterable[Any]) -> Optional[str]:
    """The pandas type of integers of which some are missing; None if some values are no integers."""
    present = [value for value in values if value is not None]
    if not all(isinstance(value, int) for value in present):
        return None
    low, high = min(present, default=0), max(present, default=0)
    if low >= -(2**63) and high < 2**63:
        return "Int64"
    return "UInt64" if low >= 0 and high < 2**64 else "object"
