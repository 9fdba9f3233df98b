"""The files of the portal's filesets."""
from __future__ import annotations

import io
import os
import shutil
import unicodedata
import urllib.parse
from dataclasses import dataclass
from typing import IO, Any, Dict, Iterator, Optional, Union, cast

from .errors import FairwayError
from .transport import Transport, json_of, quoted
from .types import FilesetFile

_CHUNK = 1 << 18


@dataclass(frozen=True)
class FileEntry:
    """A file or folder. The path starts at the root of the fileset; that of a folder ends in a slash."""

    path: str
    is_folder: bool
    #: Bytes; None for a folder.
    size: Optional[int]
    #: ISO 8601 in UTC; None for a folder.
    last_modified: Optional[str]


def require_free(target: str, overwrite: bool) -> None:
    if not overwrite and os.path.lexists(target):
        raise FairwayError("exists", f"{target} already exists: pass overwrite=True to replace it.")


def save(content: IO[bytes], target: str) -> str:
    """Copies an answer into a local file, whole or not at all."""
    unfinished = f"{target}.{os.getpid()}.part"
    expected = getattr(content, "length", None)
    try:
        with io.open(unfinished, "xb") as file:
            shutil.copyfileobj(content, file, _CHUNK)
            received = file.tell()
        if expected is not None and received != expected:
            raise FairwayError("unreachable", f"The connection was lost after {received} of {expected} bytes.")
        os.replace(unfinished, target)
    except BaseException:
        if os.path.exists(unfinished):
            os.remove(unfinished)
        raise
    return target


class Files:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, fileset: str, folder: str = "", recursive: bool = False) -> Iterator[FileEntry]:
        """Files and folders one level below a folder; with `recursive` all files below it."""
        query = {"listPrefix": folder if folder == "" or folder.endswith("/") else f"{folder}/"}
        while True:
            page = self._call("GET", fileset, "list", query)
            for path in page["commonPrefixes"]:
                if recursive:
                    yield from self.list(fileset, path, True)
                else:
                    yield FileEntry(path, True, None, None)
            for file in page["files"]:
                yield FileEntry(file["filename"], False, file["size"], file["lastModified"])
            if page["nextContinuationToken"] is None:
                return
            query["continuationToken"] = page["nextContinuationToken"]

    def stat(self, fileset: str, path: str) -> FilesetFile:
        """Name, size and time of a file."""
        return cast(FilesetFile, self._call("GET", fileset, "file", {"file": path}))

    def exists(self, fileset: str, path: str) -> bool:
        try:
            self.stat(fileset, path)
            return True
        except FairwayError as error:
            if error.code != "not-found":
                raise
            return False

    def tags(self, fileset: str, path: str) -> Dict[str, str]:
        return cast(Dict[str, str], self._call("GET", fileset, "tags", {"file": path})["tags"])

    def open(self, fileset: str, path: str, start: int = 0) -> IO[bytes]:
        """The content of a file to read from, from the byte `start` on. Close it, or use `with`."""
        headers = {"Range": f"bytes={start}-"} if start > 0 else {}
        return cast(IO[bytes], self._transport.open("GET", _address(fileset, "download"), {"file": path}, headers=headers))

    def read(self, fileset: str, path: str) -> bytes:
        """The whole content of a file."""
        with self.open(fileset, path) as content:
            return content.read()

    def get(self, fileset: str, path: str, destination: Union[str, "os.PathLike[str]"], overwrite: bool = False) -> str:
        """Copies a file into a local file, or into a local folder under its own name. Returns the path.

        The local file appears whole or not at all. One that is there is replaced only with `overwrite`.
        """
        target = os.fspath(destination)
        if os.path.isdir(target):
            target = os.path.join(target, os.path.basename(path))
        require_free(target, overwrite)
        with self.open(fileset, path) as content:
            return save(content, target)

    def put(
        self,
        fileset: str,
        path: str,
        source: Union[str, "os.PathLike[str]", bytes, IO[bytes]],
        overwrite: bool = True,
    ) -> FilesetFile:
        """Stores a file, whole or not at all: bytes, a local file by its path, or an open binary file that can seek."""
        # Some systems and programs write names in another form.
        path = unicodedata.normalize("NFC", path)
        if not overwrite and self.exists(fileset, path):
            raise FairwayError("exists", f"'{path}' is already in the fileset '{fileset}'.")
        if isinstance(source, bytes):
            return self._send(fileset, path, source, len(source))
        if isinstance(source, (str, os.PathLike)):
            with io.open(source, "rb") as file:
                return self._send(fileset, path, file, os.fstat(file.fileno()).st_size)
        start = source.tell()
        size = source.seek(0, os.SEEK_END) - start
        source.seek(start)
        return self._send(fileset, path, source, size)

    def delete(self, fileset: str, path: str) -> None:
        """Deletes a file. For administrators; an API key cannot."""
        self._call("DELETE", fileset, "file", {"file": path})

    def _send(self, fileset: str, path: str, data: Any, size: int) -> FilesetFile:
        address = self._call("GET", fileset, "upload", {"file": path})["uploadUrl"]
        url = urllib.parse.urljoin(self._transport.url, address)
        # The address is the permission: a file store would refuse the key.
        headers = {"Content-Length": str(size), "Content-Type": "application/octet-stream"}
        with self._transport.send("PUT", url, data, headers, with_key=False) as response:
            text = response.read()
        if urllib.parse.urlsplit(url).netloc == urllib.parse.urlsplit(self._transport.url).netloc:
            return cast(FilesetFile, json_of(url, response.status, text))
        return self.stat(fileset, path)

    def _call(self, method: str, fileset: str, name: str, query: Dict[str, str]) -> Any:
        return self._transport.call(method, _address(fileset, name), query)


def _address(fileset: str, name: str) -> str:
    return f"/filesets/{quoted(fileset)}/{name}"
