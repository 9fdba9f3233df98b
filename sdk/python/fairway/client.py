"""The portal."""
from __future__ import annotations

import os
from typing import IO, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union, cast

from .cells import read_cell
from .errors import invalid_argument
from .exports import finished_export, format_of
from .files import Files, require_free, save
from .query import Dataset, Time, Where, dataset_parts, search_data
from .search import Search
from .summary import Compare, Condition, Grouping, Measure, Summary, breakdown_request
from .transport import Transport, quoted
from .types import (
    Alert,
    AlertCheck,
    Board,
    BoardSummary,
    CatalogHit,
    DatasetCategoryDatasets,
    DatasetDescription,
    FilesetEntry,
)

_DEFAULT_PAGE_ROWS = 1_000


class Fairway:
    """A portal, called with an API key.

    url: its address; by default that of the environment variable FAIRWAY_URL.
    api_key: by default that of FAIRWAY_API_KEY.
    timeout: seconds without any answer after which a call fails.
    retries: how often a call is repeated when the portal is busy and says when to try again.
    max_retry_wait: a call is not repeated if the portal asks to wait for more seconds than this.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: float = 300,
        retries: int = 3,
        max_retry_wait: float = 60,
    ) -> None:
        url = os.environ.get("FAIRWAY_URL") if url is None else url
        api_key = os.environ.get("FAIRWAY_API_KEY") if api_key is None else api_key
        if not url or not api_key:
            raise invalid_argument("Pass url and api_key, or set FAIRWAY_URL and FAIRWAY_API_KEY.")
        self._transport = Transport(url, api_key, timeout, retries, max_retry_wait)
        self._plans: Dict[str, Tuple[DatasetDescription, int]] = {}
        self.files = Files(self._transport)

    def datasets(self) -> List[DatasetCategoryDatasets]:
        """The datasets that the key opens."""
        return [dataset for category in self._transport.call("GET", "/datasets") for dataset in category["datasets"]]

    def find(self, text: str) -> List[CatalogHit]:
        """The datasets whose names, tags, columns or descriptions match a text, the best first; at most 50."""
        return cast(List[CatalogHit], self._transport.call("GET", f"/datasets/find?text={quoted(text)}")["hits"])

    def boards(self) -> List[BoardSummary]:
        """The boards of the key's owner and those shared with them, by name."""
        return cast(List[BoardSummary], self._transport.call("GET", "/boards"))

    def board(self, board_id: str) -> Board:
        """A board with its panels. Those of datasets that the key does not open are hidden."""
        return cast(Board, self._transport.call("GET", f"/boards/{quoted(board_id)}"))

    def alerts(self) -> List[Alert]:
        """The alerts of the key's owner on datasets that the key opens, with what they saw last."""
        return cast(List[Alert], self._transport.call("GET", "/alerts")["alerts"])

    def alert_history(self, alert_id: str) -> List[AlertCheck]:
        """The last checks of an alert, newest first."""
        return cast(List[AlertCheck], self._transport.call("GET", f"/alerts/{quoted(alert_id)}/history")["checks"])

    def describe(self, dataset: Dataset) -> DatasetDescription:
        """Columns, filters and features of a dataset."""
        return cast(DatasetDescription, self._transport.call("GET", f"{_path(dataset)}/describe"))

    def search(
        self,
        dataset: Dataset,
        *,
        where: Optional[Where] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        polygons: Optional[Sequence[str]] = None,
        computed: Optional[Mapping[str, str]] = None,
        lookups: Optional[Sequence[Mapping[str, Any]]] = None,
        sort: Optional[Mapping[str, str]] = None,
        limit: Optional[int] = None,
        offset: int = 0,
        page_size: Optional[int] = None,
    ) -> Search:
        """The rows of a dataset that match, to loop over, or as rows(), to_pandas(), to_polars() or to_arrow().

        dataset: "category/id", or an entry of datasets().
        where: conditions that all have to hold: {"basin": "NA", "wind": {">=": 64, "<": 100}}.
        start, end: times, both included: datetime, date, or ISO 8601 text; in UTC unless they have an offset.
        polygons: closed polygons as "lng lat, lng lat, ..."; rows in any of them match.
        computed: columns to compute from those of each row: {"late": "delay > 15"}. where and sort may name them.
        lookups: columns of other datasets by a key, as the API takes them.
        sort: columns in order of precedence: {"wind": "desc", "time": "asc"}.
        limit: at most this many rows. Default: all.
        page_size: rows of one call. Default: as many as the portal allows.
        """
        path = _path(dataset)
        data = search_data(where, start, end, polygons, sort, computed, lookups)
        return Search(self._transport, path, data, limit, offset, page_size, lambda: self._plan(path))

    def aggregate(
        self,
        dataset: Dataset,
        aggregation: str,
        column: str,
        *,
        where: Optional[Where] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        polygons: Optional[Sequence[str]] = None,
        computed: Optional[Mapping[str, str]] = None,
        lookups: Optional[Sequence[Mapping[str, Any]]] = None,
    ) -> Any:
        """One figure over the rows that match: "count" (of a column, or of rows for "*"), "avg", "min", "max" or "sum"."""
        path = f"{_path(dataset)}/aggregate/{quoted(aggregation)}/{quoted(column)}"
        answer = self._transport.call("POST", path, body=search_data(where, start, end, polygons, None, computed, lookups))
        value = next(iter(answer.values()), None)
        if not isinstance(value, str):
            return value
        columns = self._plan(_path(dataset))[0]["schema"]["columns"]
        return read_cell(value, next((one["type"] for one in columns if one["name"] == column), ""))

    def summarize(
        self,
        dataset: Dataset,
        by: Union[Grouping, Sequence[Grouping], None] = None,
        measures: Union[Measure, Sequence[Measure]] = "count",
        *,
        top: Union[int, Mapping[str, Any], None] = None,
        having: Union[Condition, Sequence[Condition], None] = None,
        compare: Optional[Compare] = None,
        accuracy: Optional[str] = None,
        where: Optional[Where] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        polygons: Optional[Sequence[str]] = None,
        computed: Optional[Mapping[str, str]] = None,
        lookups: Optional[Sequence[Mapping[str, Any]]] = None,
    ) -> Summary:
        """Figures of groups of the rows that match, each computed from rows: .rows are dicts, and .total is over all rows.

            portal.summarize("Travel/flights", "origin", ["avg(delay)", "count"], top=20).rows

        by: columns by their values, or groupings as the API takes them: {"kind": "time", "unit": "month"}. Up to three.
        measures: "count", "avg(delay)", "p90(delay)", ..., or {"measure": "rate", "where": {"delay": {">=": 15}}, "id": "late"}.
        top: the best groups of the first column by the first measure, or {"count": 20, "by": "count", "direction": "asc", "other": True}.
        having: only groups with such figures: "count>=100", or several of these. Their measures are answered as well.
        compare: the figures of another time besides: "before", "year-before", or (start, end). Needs start and end.
        accuracy: "exact" or "estimate". Default: exact where the portal can.
        """
        search = search_data(where, start, end, polygons, None, computed, lookups)
        body = breakdown_request(search, by, measures, top, having, compare, accuracy)
        return Summary(self._transport.call("POST", f"{_path(dataset)}/breakdown", body=body))

    def export(
        self,
        dataset: Dataset,
        destination: Union[str, "os.PathLike[str]"],
        *,
        format: Optional[str] = None,
        columns: Optional[Sequence[str]] = None,
        where: Optional[Where] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        polygons: Optional[Sequence[str]] = None,
        computed: Optional[Mapping[str, str]] = None,
        lookups: Optional[Sequence[Mapping[str, Any]]] = None,
        sort: Optional[Mapping[str, str]] = None,
        overwrite: bool = False,
        on_progress: Optional[Callable[[int, Optional[int]], None]] = None,
    ) -> str:
        """Copies all rows that match into a local file, which appears whole or not at all. Returns its path.

        format: "csv", "json", "parquet", "arrow" (an IPC stream) or "xlsx". Default: by the name of the file.
        columns: of a CSV file or a workbook, in order. Default: all.
        overwrite: replace the file.
        on_progress: called with the rows written by the portal so far, and how many match, or None.
        """
        target = os.fspath(destination)
        require_free(target, overwrite)
        options = {
            "columns": columns,
            "where": where,
            "start": start,
            "end": end,
            "polygons": polygons,
            "sort": sort,
            "computed": computed,
            "lookups": lookups,
        }
        with self.open_export(dataset, format or format_of(target), on_progress=on_progress, **options) as content:
            return save(content, target)

    def open_export(
        self,
        dataset: Dataset,
        format: str,
        *,
        columns: Optional[Sequence[str]] = None,
        where: Optional[Where] = None,
        start: Optional[Time] = None,
        end: Optional[Time] = None,
        polygons: Optional[Sequence[str]] = None,
        computed: Optional[Mapping[str, str]] = None,
        lookups: Optional[Sequence[Mapping[str, Any]]] = None,
        sort: Optional[Mapping[str, str]] = None,
        on_progress: Optional[Callable[[int, Optional[int]], None]] = None,
    ) -> IO[bytes]:
        """All rows that match as one file to read from, which the portal writes first. Close it, or use `with`."""
        body: Dict[str, Any] = {"format": format, "search": search_data(where, start, end, polygons, sort, computed, lookups)}
        if columns is not None:
            body["columns"] = list(columns)
        return finished_export(self._transport, _path(dataset), body, on_progress)

    def filesets(self) -> List[FilesetEntry]:
        """The filesets that the key opens."""
        return cast(List[FilesetEntry], self._transport.call("GET", "/filesets"))

    def _plan(self, path: str) -> Tuple[DatasetDescription, int]:
        """The description of a dataset, and how many rows one answer may have."""
        plan = self._plans.get(path)
        if plan is None:
            limits = self._transport.call("GET", "/static/settings.json").get("limits", {})
            description = self._transport.call("GET", f"{path}/describe")
            limit = "pagingMaxRows" if "PAGINATION" in description["features"] else "unpagedMaxRows"
            plan = self._plans[path] = (description, limits.get(limit, _DEFAULT_PAGE_ROWS))
        return plan


def _path(dataset: Dataset) -> str:
    category, dataset_id = dataset_parts(dataset)
    return f"/datasets/{quoted(category)}/{quoted(dataset_id)}"
