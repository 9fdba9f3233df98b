"""The error of every call that fails."""
from __future__ import annotations

import json
from typing import Any, List, Optional


class FairwayError(Exception):
    """A call that failed. Its text is the portal's own sentence.

    code: a code of the portal such as "not-found", or "unreachable" if nothing answered, "unexpected-answer" if what
        answered was not a portal, "exists" if a file was not to be replaced, and "invalid-argument" if nothing was sent
        because an argument is wrong.
    status: the HTTP status; None if there was no answer.
    errors: everything that the portal found wrong, as dicts with code, message and path.
    """

    def __init__(self, code: str, message: str, status: Optional[int] = None, errors: Optional[List[Any]] = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.errors = errors or []


def error_of(origin: str, status: int, body: bytes) -> FairwayError:
    """The error that an answer with a status of 400 or above stands for."""
    try:
        errors = json.loads(body)["errors"]
        messages = [error["message"] for error in errors]
        return FairwayError(errors[0]["code"], " ".join(messages), status, errors)
    except (ValueError, KeyError, TypeError, IndexError):
        message = f"{origin} answered with status {status}, but not as a Fairway portal does."
        return FairwayError("unexpected-answer", message, status)


def invalid_argument(message: str) -> FairwayError:
    return FairwayError("invalid-argument", message)
