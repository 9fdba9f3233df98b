"""Sends calls to a portal."""
from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, Optional

from .errors import FairwayError, error_of, invalid_argument

_RETRIED = (429, 503)


class _AnswersEarly:
    """A server that refuses an upload answers before it has read everything: its answer says more than the broken pipe."""

    def request(self, *args: Any, **kwargs: Any) -> None:
        try:
            super().request(*args, **kwargs)  # type: ignore[misc]
        except (BrokenPipeError, ConnectionResetError):
            pass


class _Connection(_AnswersEarly, http.client.HTTPConnection):
    pass


class _SecureConnection(_AnswersEarly, http.client.HTTPSConnection):
    pass


class _Handler(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_Connection, req)


class _SecureHandler(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_SecureConnection, req)


class Transport:
    def __init__(self, url: str, api_key: str, timeout: float, retries: int, max_retry_wait: float) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise invalid_argument(f"url is {url!r}: expected the address of a portal, such as https://data.example.org.")
        if not re.fullmatch(r"[\w.~+/=-]+", api_key, re.ASCII):
            raise invalid_argument("api_key is not an API key: copy it from the page API Keys of the portal.")
        self.url = f"{parts.scheme}://{parts.netloc}{re.sub(r'/api$', '', parts.path.rstrip('/'))}"
        self._api_key = api_key
        self._timeout = timeout
        self._retries = retries
        self._max_retry_wait = max_retry_wait
        self._opener = urllib.request.build_opener(_Handler(), _SecureHandler())

    def call(self, method: str, path: str, query: Optional[Dict[str, str]] = None, body: Any = None) -> Any:
        """Calls an operation and returns its JSON; None if it has none. `path` is below /api and encoded."""
        with self.open(method, path, query, body) as response:
            text = response.read()
            if response.status == 204:
                return None
        return json_of(self.url, response.status, text)

    def open(self, method: str, path: str, query: Optional[Dict[str, str]] = None, body: Any = None, headers: Optional[Dict[str, str]] = None) -> Any:
        """Calls an operation and returns its answer to read from."""
        url = f"{self.url}/api{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        data = None if body is None else json.dumps(body).encode()
        all_headers = {**({} if data is None else {"Content-Type": "application/json"}), **(headers or {})}
        return self.send(method, url, data, all_headers, with_key=True)

    def send(self, method: str, url: str, data: Any, headers: Dict[str, str], with_key: bool) -> Any:
        """Sends a request whose data is bytes or a file that can seek. Raises FairwayError."""
        start = data.tell() if hasattr(data, "seek") else 0
        for attempt in range(self._retries + 1):
            if attempt > 0 and hasattr(data, "seek"):
                data.seek(start)
            request = urllib.request.Request(url, data=data, headers=headers, method=method)
            if with_key:
                # Not for the target of a redirect.
                request.add_unredirected_header("Authorization", f"Bearer {self._api_key}")
            try:
                return self._opener.open(request, timeout=self._timeout)
            except urllib.error.HTTPError as error:
                with error:
                    body = error.read()
                wait = _seconds(error.headers.get("Retry-After"))
                if error.code not in _RETRIED or attempt == self._retries or not wait <= self._max_retry_wait:
                    raise error_of(_origin(url), error.code, body) from None
                time.sleep(wait)
            except (OSError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", error)
                raise FairwayError("unreachable", f"{_origin(url)} cannot be reached ({reason}).") from error
        raise AssertionError("the last attempt returns or raises")


def json_of(url: str, status: int, text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise FairwayError("unexpected-answer", f"{_origin(url)} did not answer as a Fairway portal does.", status) from None


def quoted(part: str) -> str:
    """A part of a path."""
    return urllib.parse.quote(part, safe="")


def _origin(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _seconds(text: Optional[str]) -> float:
    return float(text) if text is not None and text.isdigit() else float("inf")
