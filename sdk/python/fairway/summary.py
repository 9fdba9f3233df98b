"""Figures of the groups of a search."""
from __future__ import annotations

import math
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union, cast

from .cells import read_cell
from .errors import invalid_argument
from .query import Time, Where, filters_of, time_text
from .types import BreakdownAnswer, BreakdownRequest, SearchData

Row = Dict[str, Any]
Grouping = Union[str, Mapping[str, Any]]
Measure = Union[str, Mapping[str, Any]]
Condition = Union[str, Mapping[str, Any]]
Compare = Union[str, Tuple[Time, Time]]

_AGGREGATIONS = {"count", "distinct", "sum", "avg", "median", "min", "max", "stddev", "share", "rate"}
_OF_ROWS = {"count", "share", "rate"}
_PERCENTILE = re.compile(r"p(\d{1,3}(?:\.\d{1,10})?)")
_CONDITION = re.compile(r"(.*?)\s*(<>|<=|>=|=|<|>)\s*([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*", re.IGNORECASE | re.DOTALL)


class Summary:
    """Figures of groups.

    rows: a dict for each group, in order: groupings by their columns, with "... from" and "... to" of times (epoch milliseconds) and
        ranges, and measures by their text, with "... before" and "... change" of a comparison. None groups rows without a value.
    total: the measures over all rows that match.
    answer: the answer of the API, which tells a group Other from a text that reads so.
    """

    def __init__(self, answer: BreakdownAnswer) -> None:
        self.answer = answer
        axes = answer["by"]
        totals = answer["totals"]
        self.rows: List[Row] = [
            {
                **{name: value for axis, at in zip(axes, cell["at"]) for name, value in _keys(axis, at)},
                **_figures(answer, cell["values"], cell.get("before")),
            }
            for cell in answer["cells"]
        ]
        total: Mapping[str, Any] = totals["all"] if totals is not None else {"values": []}
        self.total: Row = _figures(answer, total["values"], total.get("before"))

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.rows)


def breakdown_request(
    search: SearchData,
    by: Union[Grouping, Sequence[Grouping], None],
    measures: Union[Measure, Sequence[Measure]],
    top: Union[int, Mapping[str, Any], None],
    having: Union[Condition, Sequence[Condition], None],
    compare: Optional[Compare],
    accuracy: Optional[str],
) -> BreakdownRequest:
    """The body of a breakdown."""
    asked = [_measure(one) for one in _listed(measures)]

    def id_of(text: str) -> str:
        # A measure that is named by its text is asked for if it is not yet.
        if any(one["id"] == text for one in asked):
            return text
        measure = _measure(text)
        if not any(one["id"] == measure["id"] for one in asked):
            asked.append(measure)
        return cast(str, measure["id"])

    groupings = [{"kind": "value", "column": one} if isinstance(one, str) else dict(one) for one in _listed(by)]
    if top is not None:
        best: Dict[str, Any] = dict(top) if isinstance(top, Mapping) else {"count": top}
        if "by" in best:
            best["by"] = id_of(best["by"])
        first = next((one for one in groupings if one["kind"] == "value"), None)
        if first is None:
            raise invalid_argument("top needs a column in by.")
        first["top"] = best
    conditions = [_condition(one, id_of) if isinstance(one, str) else dict(one) for one in _listed(having)]
    request: Dict[str, Any] = {"search": search, "by": groupings, "measures": asked, "totals": True}
    if conditions:
        request["having"] = conditions
    if compare is not None:
        to = compare if isinstance(compare, str) else {"start": time_text(compare[0], False), "end": time_text(compare[1], True)}
        request["compare"] = {"to": to}
    if accuracy is not None:
        request["accuracy"] = accuracy
    return cast(BreakdownRequest, request)


def _listed(items: Any) -> List[Any]:
    if items is None:
        return []
    return [items] if isinstance(items, (str, Mapping)) else list(items)


def _measure(measure: Measure) -> Dict[str, Any]:
    if isinstance(measure, str):
        return _parsed(measure)
    if "measure" not in measure:
        return {**measure, "id": measure.get("id") or _text(measure)}
    parsed = {**_parsed(measure["measure"])}
    if "where" in measure:
        parsed["where"] = filters_of(measure["where"])
    if "id" in measure:
        parsed["id"] = measure["id"]
    return parsed


def _text(measure: Mapping[str, Any]) -> str:
    """The text form of a measure that is given as the API takes it."""
    of, column = measure.get("of"), measure.get("column", "*")
    if isinstance(of, (list, tuple)):
        return f"{measure['aggregation']}({of[0]}, {of[1]})"
    if measure["aggregation"] == "rate":
        return "rate"
    if measure["aggregation"] == "percentile" and "p" in measure:
        return f"p{float(format(measure['p'] * 100, '.12g')):.12g}({column})"
    prefix = f"{of}-" if measure["aggregation"] == "share" and of in ("row", "column") else ""
    return f"{prefix}{measure['aggregation']}({column})"


def _parsed(text: str) -> Dict[str, Any]:
    """Reads count, avg(delay), p90(delay), share, rate, ... as the portal does."""
    trimmed = text.strip()
    name, bracket, rest = trimmed.partition("(")
    word, column = name.strip().lower(), "*"
    if bracket:
        if not rest.endswith(")") or len(rest) < 2:
            raise _no_measure(text)
        column = rest[:-1]
    elif word not in _OF_ROWS:
        raise _no_measure(text)
    measure: Dict[str, Any] = {"aggregation": word, "column": column}
    percentile = _PERCENTILE.fullmatch(word)
    if word in ("row-share", "column-share"):
        measure = {"aggregation": "share", "column": column, "of": word[: -len("-share")]}
    elif percentile and float(percentile[1]) <= 100 and column != "*":
        measure = {"aggregation": "percentile", "column": column, "p": float(format(float(percentile[1]) / 100, ".15g"))}
    elif word not in _AGGREGATIONS or (column == "*" and word not in _OF_ROWS):
        raise _no_measure(text)
    return {**measure, "id": _text(measure)}


def _no_measure(text: str) -> Exception:
    return invalid_argument(f"{text!r} is no measure: expected count, avg(COLUMN), p90(COLUMN), distinct(COLUMN), rate, ....")


def _condition(text: str, id_of: Any) -> Dict[str, Any]:
    parsed = _CONDITION.fullmatch(text)
    if parsed is None or not parsed[1].strip():
        raise invalid_argument(f"{text!r} is no condition on a measure: expected one such as count>=100.")
    value = float(parsed[3])
    return {"measure": id_of(parsed[1].strip()), "operator": parsed[2], "value": int(value) if value.is_integer() else value}


def _keys(axis: Mapping[str, Any], at: int) -> List[Tuple[str, Any]]:
    entry = axis["entries"][at]
    name = axis["id"]
    key = read_cell(entry["value"], axis["type"] or "") if entry["kind"] == "value" else _entry_name(entry)
    if axis["kind"] not in ("time", "range"):
        return [(name, key)]
    is_time = entry["kind"] == "time"
    start, end = (entry["startMs"], entry["endMs"]) if is_time else (entry.get("from"), entry.get("to"))
    return [(name, key), (f"{name} from", start), (f"{name} to", end)]


def _entry_name(entry: Mapping[str, Any]) -> Optional[str]:
    """The name of a group, the same as in exported files. None for rows without a value."""
    kind = entry["kind"]
    if kind == "empty":
        return None
    if kind == "range":
        low, high = (None if edge is None else str(edge) for edge in (entry["from"], entry["to"]))
        if low is None:
            return "all" if high is None else f"below {high}"
        return f"{low} and above" if high is None else f"{low} to {high}"
    names = {"other": "Other", "outside": "Outside the years 1 to 9999"}
    return names.get(kind) or cast(str, entry[{"time": "text", "part": "name", "group": "label"}[kind]])


def _figures(answer: BreakdownAnswer, values: Sequence[Any], before: Optional[Sequence[Any]]) -> Row:
    figures: Row = {}
    for index, measure in enumerate(answer["measures"]):
        name, kind = measure["id"], measure["type"]
        now = read_cell(values[index], kind) if index < len(values) else None
        figures[name] = now
        if answer["compare"] is not None:
            then = None if before is None else read_cell(before[index], kind)
            figures[f"{name} before"] = then
            figures[f"{name} change"] = _change(now, then)
    return figures


def _change(now: Any, before: Any) -> Optional[float]:
    try:
        change = float(now) - float(before)
    except (TypeError, ValueError):
        return None
    return change if math.isfinite(change) else None
