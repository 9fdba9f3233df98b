"""The rows of a search."""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, cast

from .cells import nullable_type, read_rows, series_values
from .transport import Transport
from .types import DatasetDescription, SearchData

Row = Dict[str, Any]
_ARROW_STREAM = "application/vnd.apache.arrow.stream"


class Search:
    """The rows that match. Nothing is called until they are read, and each loop over them searches again.

        for row in search: ...
        rows = search.rows()
        frame = search.to_pandas()
        table = search.to_arrow()

    truncated: after reading, whether the dataset has no pages and holds more rows than one answer, or, after to_arrow() and
        to_polars(), as many.
    """

    def __init__(
        self,
        transport: Transport,
        path: str,
        data: SearchData,
        limit: Optional[int],
        offset: int,
        page_size: Optional[int],
        plan: Callable[[], Tuple[DatasetDescription, int]],
    ) -> None:
        self._transport = transport
        self._path = path
        self._data = data
        self._limit = limit
        self._offset = offset
        self._page_size = page_size
        self._plan = plan
        self.truncated = False

    def __iter__(self) -> Iterator[Row]:
        for page in self.pages():
            yield from page

    def rows(self) -> List[Row]:
        """All rows as dicts by column. Integers are ints of any size; decimals that a float cannot hold are Decimals."""
        return list(self)

    def count(self) -> int:
        """How many rows match, regardless of `limit`."""
        body = {name: part for name, part in self._data.items() if name != "sort"}
        return int(self._transport.call("POST", f"{self._path}/aggregate/count/*", body=body)["totalResults"])

    def pages(self) -> Iterator[List[Row]]:
        """Rows in lists as the portal answers them."""
        description, max_rows = self._plan()
        self.truncated = False
        if "PAGINATION" not in description["features"]:
            answer = self._run({})
            end = None if self._limit is None else self._offset + self._limit
            rows = read_rows(answer["results"], description["schema"]["columns"])
            self.truncated = bool(answer.get("truncated")) and (end is None or end > len(rows))
            yield rows[self._offset : end]
            return
        offset, left = self._offset, self._limit
        while left is None or left > 0:
            size = min(self._page_size or max_rows, max_rows) if left is None else min(self._page_size or max_rows, max_rows, left)
            rows = read_rows(self._run({"paging": {"offset": offset, "max": size}})["results"], description["schema"]["columns"])
            if rows:
                yield rows
            if len(rows) < size:
                return
            offset += size
            left = None if left is None else left - size

    def to_pandas(self, dates: bool = False) -> Any:
        """A pandas DataFrame. Needs pandas.

        dates: columns of whole days hold datetime.date, which no time zone moves, instead of midnight in UTC.

        Times are in UTC. Integers are int64 or uint64 (with missing values Int64 or UInt64), and ints in a column of objects if they
        do not fit. Decimals are floats, or all of them Decimals if one of them is beyond 2**53.
        """
        import pandas

        description, _ = self._plan()
        columns = [column for column in description["schema"]["columns"] if column["combined"] is None]
        rows = self.rows()
        frame = pandas.DataFrame(rows, columns=[column["name"] for column in columns])
        units = {"TIMESTAMP_SECONDS": "s", "TIMESTAMP_MILLS": "ms"}
        for column in columns:
            name, column_type = column["name"], column["type"]
            if column_type in units:
                times = pandas.to_datetime(frame[name], unit=units[column_type], utc=True)
                frame[name] = times.dt.date if dates and column.get("day") else times
            elif column_type in ("integer", "decimal"):
                read = [row.get(name) for row in rows]
                values = series_values(read, column_type)
                if values is not read:
                    frame[name] = pandas.array(values, dtype="object")
                elif column_type == "integer" and None in values:
                    dtype = nullable_type(values)
                    if dtype is not None:
                        # pandas would make floats of them, which lose digits.
                        frame[name] = pandas.array(values, dtype=dtype)
        return frame

    def to_arrow(self) -> Any:
        """A pyarrow Table with the types of the source. Needs pyarrow."""
        import pyarrow

        return pyarrow.concat_tables(self._arrow_pages(lambda page: pyarrow.ipc.open_stream(page).read_all()))

    def to_polars(self) -> Any:
        """A polars DataFrame with the types of the source. Needs polars."""
        import polars

        return polars.concat(list(self._arrow_pages(polars.read_ipc_stream)))

    def _arrow_pages(self, read: Callable[[bytes], Any]) -> Iterator[Any]:
        """Pages as `read` returns them: at least one, so that there are columns without rows."""
        description, max_rows = self._plan()
        self.truncated = False
        offset, left = self._offset, self._limit
        if "PAGINATION" not in description["features"]:
            page = read(self._arrow({}))
            end = len(page) if left is None else offset + left
            self.truncated = len(page) >= max_rows and end >= len(page)
            yield page[offset:end]
            return
        while True:
            size = min(self._page_size or max_rows, max_rows)
            page = read(self._arrow({"paging": {"offset": offset, "max": size if left is None else max(1, min(size, left))}}))
            yield page if left is None else page[:left]
            left = None if left is None else left - len(page)
            if len(page) < size or (left is not None and left <= 0):
                return
            offset += size

    def _arrow(self, paging: Dict[str, Any]) -> bytes:
        body = {**self._data, **paging}
        with self._transport.open("POST", f"{self._path}/search", body=body, headers={"Accept": _ARROW_STREAM}) as answer:
            return cast(bytes, answer.read())

    def _run(self, paging: Dict[str, Any]) -> Any:
        return self._transport.call("POST", f"{self._path}/search", body={**self._data, **paging})
