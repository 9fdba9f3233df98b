"""Files of all rows that a search finds."""
from __future__ import annotations

import os
import time
from typing import IO, Any, Callable, Dict, Optional, cast

from .errors import FairwayError, invalid_argument
from .transport import Transport, quoted
from .types import ExportState

_POLL_SECONDS = 0.5
_FORMATS = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".arrows": "arrow", ".arrow": "arrow", ".xlsx": "xlsx"}


def format_of(path: str) -> str:
    """The format that a file's name stands for."""
    extension = os.path.splitext(path)[1].lower()
    if extension not in _FORMATS:
        raise invalid_argument(f"{path} does not say which format is meant: pass format, or use one of {', '.join(_FORMATS)}.")
    return _FORMATS[extension]


def finished_export(
    transport: Transport,
    path: str,
    body: Dict[str, Any],
    on_progress: Optional[Callable[[int, Optional[int]], None]],
) -> IO[bytes]:
    """Starts an export of the dataset at `path`, waits for it, and opens its file. One that is not waited for is removed."""
    export = f"/exports/{quoted(transport.call('POST', f'{path}/export', body=body)['exportId'])}"
    try:
        while True:
            state = cast(ExportState, transport.call("GET", export))
            if on_progress is not None:
                on_progress(state["rows"], state["totalRows"])
            if state["status"] == "done":
                return cast(IO[bytes], transport.open("GET", f"{export}/file"))
            if state["status"] != "running":
                raise FairwayError("internal", state["failure"] or "The export was canceled.")
            time.sleep(_POLL_SECONDS)
    except BaseException as error:
        if not isinstance(error, FairwayError):
            # Otherwise the portal writes on for nobody. The first failure is the one to report.
            try:
                transport.call("DELETE", export)
            except FairwayError:
                pass
        raise
