"""Installs the wheel into the virtual environment that runs this, and calls a portal with it."""
import base64
import csv
import datetime
import hashlib
import http.server
import io
import os
import sys
import sysconfig
import threading
import types
import zipfile
from decimal import Decimal

wheel, access_token = sys.argv[1:]
site_packages = sysconfig.get_paths()["purelib"]

with zipfile.ZipFile(wheel) as archive:
    assert archive.testzip() is None
    names = archive.namelist()
    record = next(name for name in names if name.endswith(".dist-info/RECORD"))
    rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
    assert sorted(row[0] for row in rows) == sorted(names), names
    for name, digest, size in rows:
        if name == record:
            continue
        content = archive.read(name)
        expected = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        assert (digest, size) == (expected, str(len(content))), name
    archive.extractall(site_packages)

import importlib.metadata  # noqa: E402

assert importlib.metadata.metadata("fairway-client")["Requires-Python"] == ">=3.9"

from fairway import Fairway, FairwayError  # noqa: E402
from fairway.summary import breakdown_request  # noqa: E402

portal = Fairway()


def failure(call):
    try:
        call()
    except FairwayError as error:
        return (error.code, error.status, str(error))
    raise AssertionError("did not fail")


def numbers(**query):
    return [row["number"] for row in portal.search("Coast/tides", **query)]


# Data that belongs to the key's owner.
assert portal.find("heights sea")[0]["dataset"]["datasetCategory"] == "Coast"
board = portal.boards()[0]
assert (board["name"], portal.board(board["id"])["content"]["panels"][0]["kind"]) == ("Harbor", "text")
alert = portal.alerts()[0]
assert (alert["name"], alert["dataset"]["datasetId"]) == ("High tide", "tides")
assert [check["kind"] for check in portal.alert_history(alert["id"])] in ([], ["ok"])

# Searching.
datasets = portal.datasets()
assert [dataset["datasetId"] for dataset in datasets] == ["all tides", "tides"]
assert numbers() == list(range(30))
search = portal.search(datasets[1], sort={"number": "desc"}, limit=20)
assert [len(page) for page in search.pages()] == [8, 8, 4]
assert search.rows()[0] == {"number": 29, "harbor": "Brest\x1b[2J", "height": 7.25, "time": 1704171600}
assert search.count() == 30
assert numbers(where={"harbor": 'Dover, "Kent"', "number": {">=": 4, "<": 8}}) == [4, 6]
assert numbers(where=[{"name": "number", "operator": "=", "value": "7"}]) == [7]
assert numbers(where={"time": datetime.datetime(2024, 1, 1, 5)}) == [5]
assert numbers(start="2024-01-01T22:00", end="2024-01-01") == [22, 23]
assert numbers(start=datetime.date(2024, 1, 2), limit=2) == [24, 25]
assert numbers(end=datetime.datetime(2024, 1, 1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))) == [0, 1]
assert numbers(offset=25, page_size=3) == [25, 26, 27, 28, 29]
whole = portal.search("Coast/all tides")
assert (len(whole.rows()), whole.truncated) == (20, True)
assert {type(row["height"]) for row in search} == {float}
assert portal.aggregate("Coast/tides", "max", "height", end="2024-01-01") == 5.75
assert len(portal.describe("Coast/tides")["schema"]["columns"]) == 4

# pandas is imported when it is used, and not before.
assert "pandas" not in sys.modules
stand_in = types.ModuleType("pandas")


class DataFrame(dict):
    def __init__(self, rows, columns):
        super().__init__((name, [row[name] for row in rows]) for name in columns)


stand_in.DataFrame = DataFrame
stand_in.to_datetime = lambda values, unit, utc: [(value, unit, utc) for value in values]
sys.modules["pandas"] = stand_in
frame = portal.search("Coast/tides", limit=2).to_pandas()
assert list(frame) == ["number", "harbor", "height", "time"]
assert frame["height"] == [0, 0.25]
assert frame["time"] == [(1704067200, "s", True), (1704070800, "s", True)]

# Whole days are dates where they are asked for.
class Times(list):
    @property
    def dt(self):
        return types.SimpleNamespace(date=[datetime.datetime.fromtimestamp(value, datetime.timezone.utc).date() for value, _, _ in self])


stand_in.to_datetime = lambda values, unit, utc: Times((value, unit, utc) for value in values)
dated = portal.search("Coast/tides", limit=1)
description, most = dated._plan()
columns = [{**column, "day": column["name"] == "time"} for column in description["schema"]["columns"]]
dated._plan = lambda: ({**description, "schema": {"columns": columns}}, most)
assert dated.to_pandas()["time"] == [(1704067200, "s", True)]
assert dated.to_pandas(dates=True)["time"] == [datetime.date(2024, 1, 1)]

# Numbers with more digits than a double holds.
stand_in.array = lambda values, dtype: (dtype, values)
everything = Fairway(api_key=access_token)
big, low = 17293822569102704640, -(2**63)
found = everything.search("Coast/hashes", sort={"row": "asc"}).rows()
assert [row["hash"] for row in found] == [5, big, 2**63]
assert [row["parent"] for row in found] == [None, 2**53 + 1, low]
assert [row["total"] for row in found] == [12345678901234567890123456789012345678, 7, -8]
assert [row["price"] for row in found] == [0.5, Decimal("12345678901234567890.1234"), -0.25]


def rows_of(**where):
    return [row["row"] for row in everything.search("Coast/hashes", where=where, sort={"row": "asc"})]


class Numpy:
    def __init__(self, value):
        self.value = value

    def item(self):
        return self.value


for same in (big, Decimal(big), Numpy(big), str(big), Decimal("1729382256910270464E+1")):
    assert rows_of(hash=same) == [1], same
    assert [row["row"] for row in everything.search("Coast/hashes", where=[{"name": "hash", "operator": "=", "value": same}])] == [1]
assert rows_of(hash=big + 1) == [] and rows_of(hash={">=": 2**63}) == [1, 2] and rows_of(hash={"<": 2**64}) == [0, 1, 2]
assert rows_of(hash={"<": -1}) == [] and rows_of(hash={">": -(10**30)}) == [0, 1, 2]
assert rows_of(parent=low) == [2] and rows_of(parent={">": 2**53}) == [1] and rows_of(parent={"<>": 2**63}) == [0, 1, 2]
assert rows_of(total=12345678901234567890123456789012345678) == [0] and rows_of(total={">": 12345678901234567890123456789012345678}) == []
assert rows_of(price=Decimal("12345678901234567890.1234")) == [1] and rows_of(price={">": Decimal("12345678901234567890.1234")}) == []
assert failure(lambda: rows_of(hash=Decimal("1.5")))[0] == "invalid-value"
assert failure(lambda: rows_of(price=Decimal("NaN")))[0] == "invalid-value"
assert everything.aggregate("Coast/hashes", "max", "hash") == big
assert everything.aggregate("Coast/hashes", "sum", "hash") == big + 2**63 + 5
assert everything.aggregate("Coast/hashes", "max", "price") == Decimal("12345678901234567890.1234")
frame = everything.search("Coast/hashes", sort={"row": "asc"}).to_pandas()
assert frame["hash"] == [5, big, 2**63]
assert frame["parent"] == ("Int64", [None, 2**53 + 1, low])
assert frame["total"] == [12345678901234567890123456789012345678, 7, -8]
assert frame["price"] == ("object", [Decimal("0.5"), Decimal("12345678901234567890.1234"), Decimal("-0.25")])

# Arrow is read by pyarrow or polars, which are imported when they are used.
assert not {"pyarrow", "polars"} & set(sys.modules)
pages = []


class Page(list):
    def __getitem__(self, part):
        return Page(super().__getitem__(part)) if isinstance(part, slice) else super().__getitem__(part)


def read_page(stream):
    # The schema, and one batch with as many rows as the page has; the first one of 8.
    assert stream[:4] == b"\xff\xff\xff\xff" and stream.endswith(b"\xff\xff\xff\xff\0\0\0\0")
    pages.append(len(stream))
    return Page(range(sizes.pop(0)))


for module, function, concat in (("polars", "to_polars", "concat"), ("pyarrow", "to_arrow", "concat_tables")):
    stand_in = types.ModuleType(module)
    stand_in.read_ipc_stream = read_page
    stand_in.ipc = types.SimpleNamespace(open_stream=lambda stream: types.SimpleNamespace(read_all=lambda: read_page(stream)))
    setattr(stand_in, concat, lambda tables: sum(map(list, tables), []))
    sys.modules[module] = stand_in
    sizes = [8, 8, 4]
    assert len(getattr(portal.search("Coast/tides", limit=20), function)()) == 20 and sizes == []
    sizes = [8, 8, 8, 6]
    assert len(getattr(portal.search("Coast/tides"), function)()) == 30 and sizes == []
    sizes = [3]
    assert getattr(portal.search("Coast/tides", limit=0), function)() == []
    sizes = [20]
    assert getattr(whole, function)() == list(range(20)) and whole.truncated
    sizes = [20]
    some = portal.search("Coast/all tides", offset=2, limit=3)
    assert getattr(some, function)() == [2, 3, 4] and not some.truncated
assert pages[0] > pages[2]
del sys.modules["pyarrow"], sys.modules["polars"]

# Summaries.
summary = portal.summarize(
    "Coast/tides",
    "harbor",
    ["avg(height)", {"measure": "rate", "where": {"height": {">=": 5}}, "id": "high"}],
    top={"count": 1, "by": "median(height)", "other": True},
    having="count>=15",
)
assert [row["harbor"] for row in summary.rows] == ["Brest\x1b[2J", "Other"]
assert [(row["avg(height)"], row["median(height)"], row["count(*)"]) for row in summary.rows] == [(3.75, 3.75, 15), (3.5, 3.5, 15)]
assert [round(row["high"], 9) for row in (*summary.rows, summary.total)] == [33.333333333] * 3
assert (summary.total["avg(height)"], summary.total["count(*)"]) == (3.625, 30)
assert [entry["kind"] for entry in summary.answer["by"][0]["entries"]] == ["value", "other"]
figures = portal.summarize("Coast/tides", measures=["avg(number)", "count"], where={"number": {"<": 3}}).total
assert {name: type(figure) for name, figure in figures.items()} == {"avg(number)": float, "count(*)": int}
months = portal.summarize("Coast/tides", {"kind": "time", "unit": "day"}, start="2024-01-02", end="2024-01-02", compare=("2024-01-01", "2024-01-01"))
moment = 1704153600000
assert months.rows == [
    {"time": "2024-01-02T00:00", "time from": moment, "time to": moment + 86400000, "count(*)": 6, "count(*) before": 24, "count(*) change": -18}
]
ranges = portal.summarize("Coast/tides", {"kind": "range", "column": "height", "edges": [0.5, 5]}).rows
assert [(row["height"], row["height from"], row["height to"], row["count(*)"]) for row in ranges] == [
    ("below 0.5", None, 0.5, 2),
    ("0.5 to 5", 0.5, 5, 18),
    ("5 and above", 5, None, 10),
]
# Texts of measures are read as the portal reads them, whose ids are these texts.
forms = ["count(*)", "count(height)", "distinct(harbor)", "p99.9(height)", "p7(height)", "stddev(height)", "share(*)", "row-share(height)"]
every = portal.summarize("Coast/tides", ["harbor", {"kind": "part", "part": "dayOfWeek"}], [" COUNT ", *forms[1:]])
assert [measure["id"] for measure in every.answer["measures"]] == forms
plain = [{name: value for name, value in measure.items() if name != "id"} for measure in breakdown_request({}, None, forms, None, None, None, None)["measures"]]
again = portal._transport.call("POST", "/datasets/Coast/tides/breakdown", body={"search": {"filters": []}, "measures": plain[:-1]})
assert [measure["id"] for measure in again["measures"]] == forms[:-1]
assert [row["time"] for row in every.rows if row["harbor"].startswith("Dover")] == ["Monday", "Tuesday"]
exact = everything.summarize("Coast/hashes", "hash", ["sum(total)", "max(price)"], having="sum(total)>8").rows
assert exact == [{"hash": 5, "sum(total)": 12345678901234567890123456789012345678, "max(price)": 0.5}]
assert everything.summarize("Coast/hashes", measures="max(price)").total["max(price)"] == Decimal("12345678901234567890.1234")
for wrong in ("mode(height)", "avg", "avg(*)", "p101(height)", "percentile(height)", "avg(height", "avg()", ""):
    assert failure(lambda: portal.summarize("Coast/tides", measures=wrong))[0] == "invalid-argument", wrong
assert failure(lambda: portal.summarize("Coast/tides", having="count"))[0] == "invalid-argument"
assert failure(lambda: portal.summarize("Coast/tides", top=3))[0] == "invalid-argument"
assert failure(lambda: portal.summarize("Coast/tides", "depth"))[:2] == ("unknown-column", 400)
assert failure(lambda: portal.summarize("Coast/tides", measures="rate"))[:2] == ("invalid-request", 400)

# Exports.
seen = []
target = portal.export("Coast/tides", "tides.csv", where={"number": {"<": 2}}, columns=["number", "height"], on_progress=lambda *rows: seen.append(rows))
assert (target, open(target).read().split()) == ("tides.csv", ["number,height", "0,0.0", "1,0.25"])
assert seen[-1] == (2, 2)
assert failure(lambda: portal.export("Coast/tides", target))[0] == "exists"
assert failure(lambda: portal.export("Coast/tides", "tides.txt"))[0] == "invalid-argument"
assert failure(lambda: portal.export("Coast/tides", "tides.parquet", columns=["number"]))[0] == "not-supported"
portal.export("Coast/tides", target, format="json", overwrite=True)
assert open(target).read().startswith("[")
with portal.open_export("Coast/tides", "arrow") as content:
    assert content.read(4) == b"\xff\xff\xff\xff"


# Files.
assert [(fileset["id"], fileset["allowsUploads"]) for fileset in portal.filesets()] == [("charts", False), ("inbox", True)]
assert [(entry.path, entry.is_folder) for entry in portal.files.list("charts")] == [("north/", True), ("index.txt", False)]
assert [entry.path for entry in portal.files.list("charts", "north", recursive=True)] == ["north/deep/ä b.txt", "north/dover.txt"]
assert portal.files.read("charts", "north/deep/ä b.txt").decode() == "chart of north/deep/ä b.txt"
with portal.files.open("charts", "index.txt", start=9) as content:
    assert content.read(5) == b"index"
assert portal.files.tags("charts", "index.txt") == {"sea": "north"}
target = portal.files.get("charts", "north/dover.txt", ".")
assert os.listdir(".").count("dover.txt") == 1 and open(target).read() == "chart of north/dover.txt"
assert failure(lambda: portal.files.get("charts", "north/dover.txt", "."))[0] == "exists"
portal.files.get("charts", "north/dover.txt", target, overwrite=True)
assert portal.files.put("inbox", "py/ö.txt", target)["size"] == 24
assert portal.files.put("inbox", "py/bytes", b"bytes")["filename"] == "py/bytes"
assert portal.files.put("inbox", "py/stream", io.BytesIO(b"x" * 500_000))["size"] == 500_000
assert portal.files.put("inbox", "py/empty", b"")["size"] == 0
assert failure(lambda: portal.files.put("inbox", "py/bytes", b"", overwrite=False))[0] == "exists"
assert failure(lambda: portal.files.delete("inbox", "py/bytes"))[:2] == ("forbidden", 403)
Fairway(api_key=access_token).files.delete("inbox", "py/bytes")
assert not portal.files.exists("inbox", "py/bytes")

# Failures.
url = os.environ["FAIRWAY_URL"]
assert failure(lambda: Fairway(api_key="fwk_wrong").datasets()) == (
    "not-signed-in",
    401,
    "The API key is not valid: it is mistyped, deleted or expired, or its owner cannot sign in.",
)
assert failure(lambda: portal.files.put("charts", "new.txt", b"")) == ("forbidden", 403, "The fileset 'charts' does not allow uploads.")
assert failure(lambda: portal.files.stat("secret", "x"))[:2] == ("not-found", 404)
assert failure(lambda: portal.files.put("inbox", "large", b"x" * 20_000_000)) == (
    "too-large",
    413,
    "The file is larger than 1,000,000 bytes.",
)
assert failure(lambda: Fairway("http://127.0.0.1:9").datasets())[0] == "unreachable"
assert failure(lambda: Fairway(f"{url}/elsewhere").datasets())[0] == "unexpected-answer"
assert failure(lambda: portal.search("tides"))[0] == "invalid-argument"
assert failure(lambda: portal.search("Coast/tides", start="soon"))[0] == "invalid-argument"



# A busy portal is asked again, and the key is not sent to the address of an upload.
class Busy(http.server.BaseHTTPRequestHandler):
    uploads = []
    removed = []

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        export = b'"status": "running", "rows": 1, "totalRows": null, "failure": null, "file": null'
        self.answer(200, b'{"uploadUrl": "/store/a?signature=b", ' + export + b"}")

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(202, b'{"exportId": "first"}')

    def do_DELETE(self):
        Busy.removed.append(self.path)
        self.answer(204, b"")

    def do_PUT(self):
        Busy.uploads.append((self.rfile.read(int(self.headers["Content-Length"])), self.headers["Authorization"]))
        if len(Busy.uploads) == 1:
            self.answer(429, b'{"errors": [{"code": "too-many-requests", "message": "Slow down."}]}')
        else:
            self.answer(201, b'{"filename": "a"}')

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Busy)
threading.Thread(target=server.serve_forever, daemon=True).start()
busy = Fairway(f"http://127.0.0.1:{server.server_address[1]}")
stream = io.BytesIO(b"not sent, whole")
stream.seek(10)
assert busy.files.put("inbox", "a", stream) == {"filename": "a"}
assert Busy.uploads == [(b"whole", None)] * 2



# An export that is not waited for is removed.
def leave(*rows):
    raise KeyboardInterrupt


try:
    busy.open_export("Coast/tides", "json", on_progress=leave)
    raise AssertionError("was not left")
except KeyboardInterrupt:
    assert Busy.removed == ["/api/exports/first"]
server.shutdown()

print("done")
