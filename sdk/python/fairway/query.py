"""Queries: filters, time range, area, columns and order of a search."""
from __future__ import annotations

import datetime
import decimal
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from .errors import invalid_argument
from .types import DatasetRef, SearchData

Time = Union[datetime.datetime, datetime.date, str]
Value = Union[str, int, float, bool, decimal.Decimal, datetime.datetime, datetime.date]
Where = Union[Mapping[str, Union[Value, None, Mapping[str, Any]]], Sequence[Mapping[str, Any]]]
Dataset = Union[str, DatasetRef, Mapping[str, Any]]

_MAX_JSON_INTEGER = 2**53 - 1
_MAX_DIGITS = 400
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def dataset_parts(dataset: Dataset) -> List[str]:
    """Category and id of "category/id", or of an entry of datasets()."""
    if not isinstance(dataset, str):
        return [dataset["datasetCategory"], dataset["datasetId"]]
    category, slash, dataset_id = dataset.partition("/")
    if not category or not dataset_id:
        raise invalid_argument(f"{dataset!r} is not a dataset: expected category/id.")
    return [category, dataset_id]


def search_data(
    where: Optional[Where],
    start: Optional[Time],
    end: Optional[Time],
    polygons: Optional[Sequence[str]],
    sort: Optional[Mapping[str, str]] = None,
    computed: Optional[Mapping[str, str]] = None,
    lookups: Optional[Sequence[Mapping[str, Any]]] = None,
) -> SearchData:
    """The body of a search, without paging."""
    data: SearchData = {"filters": filters_of(where or [])}
    if start is not None or end is not None:
        first, last = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"
        data["timeRange"] = {
            "start": first if start is None else time_text(start, False),
            "end": last if end is None else time_text(end, True),
        }
    if polygons is not None:
        data["geospatial"] = {"polygons": list(polygons), "antimeridianPolygons": False}
    if sort is not None:
        data["sort"] = [{"column": column, "direction": direction} for column, direction in sort.items()]  # type: ignore[typeddict-item]
    if computed is not None:
        data["computed"] = [{"name": name, "expression": expression} for name, expression in computed.items()]
    if lookups is not None:
        data["lookups"] = [dict(lookup) for lookup in lookups]  # type: ignore[typeddict-item]
    return data


def any_of(*alternatives: Where) -> Dict[str, Any]:
    """A filter that keeps the rows of at least one of several conditions, for the list that `where` takes.

    portal.search(dataset, where=[any_of({"wind": {">=": 64}}, {"name": "Rita"})])
    """
    return {"name": "*", "operator": "any", "value": [filters_of(where) for where in alternatives]}


def filters_of(where: Where) -> List[Any]:
    """The filters of conditions."""
    if not isinstance(where, Mapping):
        return [{**condition, "value": _value(condition["value"])} if "value" in condition else dict(condition) for condition in where]
    filters = []
    for name, condition in where.items():
        conditions: Dict[str, Any] = dict(condition) if isinstance(condition, Mapping) else {"=": condition}
        filters += [{"name": name, "operator": operator, "value": _value(value)} for operator, value in conditions.items()]
    return filters


def _value(value: Any) -> Any:
    if isinstance(value, datetime.date):
        return time_text(value, False)
    if getattr(value, "ndim", 0) == 1 and hasattr(value, "tolist"):
        # Columns of numpy and pandas.
        value = value.tolist()
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_value(one) for one in value]
    if hasattr(value, "item"):
        # Of numpy and pandas.
        value = value.item()
    if isinstance(value, decimal.Decimal):
        return _digits(value)
    if isinstance(value, int) and abs(value) > _MAX_JSON_INTEGER:
        # As a number it would be rounded on its way.
        return str(value)
    return value


def _digits(value: decimal.Decimal) -> str:
    """Whole numbers without a point, so that columns of integers take them."""
    is_short = value.is_finite() and value.adjusted() < _MAX_DIGITS
    return str(int(value)) if is_short and value == value.to_integral_value() else str(value)


def time_text(value: Time, is_end: bool) -> str:
    """ISO 8601 in UTC. What names no offset is in UTC. A day ends with its last millisecond."""
    if isinstance(value, str):
        text = value.strip()
        try:
            if _DAY.fullmatch(text):
                value = datetime.date.fromisoformat(text)
            else:
                value = datetime.datetime.fromisoformat(re.sub(r"[Zz]$", "+00:00", text))
        except ValueError:
            raise invalid_argument(f"{text!r} is not a time such as 2005-08-29T12:00:00Z.") from None
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime.combine(value, datetime.time.max if is_end else datetime.time.min)
    in_utc = value.replace(tzinfo=datetime.timezone.utc) if value.tzinfo is None else value.astimezone(datetime.timezone.utc)
    return f"{in_utc.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"
