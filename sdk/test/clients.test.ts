import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { toolIndex } from "@fairway/contract/tools";
import { shownRows } from "@fairway/gateway/testing/arrow-table";
import { describe, expect, it, onTestFinished } from "vitest";
import { apiDocument } from "../build/api.mjs";
import { buildTools } from "../build/build-tools.mjs";
import { closedAddress, startServer, temporaryFolder } from "./portal.ts";
import { installClients, runFairway } from "./installed-clients.ts";

const installed = installClients();

const fairway = (options: object = {}) =>
  new installed.client.Fairway({ url: installed.portal.url, apiKey: installed.portal.apiKey, ...options });
const listOf = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const list = [];
  for await (const item of items) list.push(item);
  return list;
};

describe("the build", () => {
  it("writes an index of its packages, and the same bytes for the same sources", async () => {
    const folder = await temporaryFolder((close) => onTestFinished(close));
    await buildTools({ compiled: join(folder, "compiled"), output: join(folder, "tools") });
    const index = toolIndex.parse(JSON.parse(await readFile(join(folder, "tools/index.json"), "utf8")));
    expect(index.map(({ display }) => display)).toEqual(["Command line", "Python client", "TypeScript client"]);
    for (const { files, guide } of index) {
      for (const { filename, size, sha256 } of files) {
        const content = await readFile(join(installed.tools, filename));
        expect([size, sha256]).toEqual([content.length, createHash("sha256").update(content).digest("hex")]);
      }
      expect(await readFile(join(installed.tools, guide), "utf8")).toContain("{{dataset}}");
    }
  });

  it("describes the calls by the document that the gateway serves", async () => {
    const served = (await (await fetch(`${installed.portal.url}/api/openapi.json`)).json()) as ReturnType<typeof apiDocument>;
    const { paths, components } = apiDocument();
    expect(served.paths).toMatchObject(paths);
    expect(served.components.schemas).toMatchObject(components.schemas);
  });
});

describe("the TypeScript client", () => {
  it("lists datasets and filesets that the key opens", async () => {
    expect((await fairway().datasets()).map(({ datasetCategory, datasetId }) => `${datasetCategory}/${datasetId}`)).toEqual([
      "Coast/all tides",
      "Coast/tides",
    ]);
    expect((await fairway().describe("Coast/tides")).schema.columns).toHaveLength(4);
    expect((await fairway().filesets()).map(({ id, allowsUploads }) => [id, allowsUploads])).toEqual([
      ["charts", false],
      ["inbox", true],
    ]);
  });

  it("finds datasets, and reads boards and alerts of its owner", async () => {
    const [hit] = await fairway().find("heights sea");
    expect(hit?.dataset).toMatchObject({ datasetCategory: "Coast" });
    expect(await fairway().boards()).toMatchObject([{ name: "Harbor", id: installed.portal.boardId, panels: 2 }]);
    expect(await fairway().board(installed.portal.boardId)).toMatchObject({
      content: { panels: [{ kind: "text", text: "**Low** tide" }, { kind: "number" }] },
    });
    const [alert] = await fairway().alerts();
    expect(alert).toMatchObject({ name: "High tide", everyMinutes: 1_440, dataset: { datasetId: "tides" } });
    // The first check comes by itself.
    await expect.poll(() => fairway().alertHistory(alert?.id ?? "")).toMatchObject([{ kind: "ok", seen: { rows: 30 } }]);
  });

  it("searches page by page, as large as the portal allows", async () => {
    const search = fairway().search("Coast/tides", { sort: { number: "desc" }, limit: 20 });
    expect((await listOf(search.pages())).map(({ rows, offset }) => [rows.length, offset])).toEqual([
      [8, 0],
      [8, 8],
      [4, 16],
    ]);
    expect((await search.rows()).map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => 29 - index));
    expect(await search.count()).toBe(30);
    const some = fairway().search("Coast/tides", { offset: 25, pageSize: 3 });
    expect((await listOf(some.pages())).map(({ rows }) => rows.length)).toEqual([3, 2]);
  });

  it("says that a dataset without pages has more rows", async () => {
    const pages = (options: object) => listOf(fairway().search("Coast/all tides", options).pages());
    expect((await pages({})).map(({ rows, truncated }) => [rows.length, truncated])).toEqual([[20, true]]);
    expect((await pages({ limit: 3, offset: 1 })).map(({ rows, truncated }) => [rows.length, truncated])).toEqual([[3, false]]);
  });

  it("finds integers of any size by a bigint or their digits, and answers their digits", async () => {
    const everything = fairway({ apiKey: installed.portal.accessToken });
    const hash = 17293822569102704640n;
    for (const value of [hash, String(hash)]) {
      const rows = await everything.search("Coast/hashes", { where: { hash: value } }).rows();
      expect(rows.map((row) => [row["row"], row["hash"], row["parent"]])).toEqual([[1, String(hash), "9007199254740993"]]);
    }
    expect(await everything.search("Coast/hashes", { where: { hash: { ">": hash, "<": 2n ** 64n } } }).count()).toBe(0);
    const rounded = everything.search("Coast/hashes", { where: { hash: Number(hash) } }).rows();
    await expect(rounded).rejects.toMatchObject({ code: "invalid-value", message: expect.stringContaining("sent as a text") });
  });

  it("filters by conditions and by times in UTC, both ends included", async () => {
    const numbers = async (options: object) => (await fairway().search("Coast/tides", options).rows()).map(({ number }) => number);
    expect(await numbers({ where: { harbor: 'Dover, "Kent"', number: { ">=": 4, "<": 8 } } })).toEqual([4, 6]);
    expect(await numbers({ where: [{ name: "number", operator: "=", value: "7" }] })).toEqual([7]);
    expect(await numbers({ where: { number: { "<": 2 }, time: null } })).toEqual([]);
    expect(await numbers({ where: { number: { "<": 2 }, time: { "<>": null } } })).toEqual(
      await numbers({ where: { number: { "<": 2 } } }),
    );
    expect(await numbers({ where: { time: new Date("2024-01-01T05:00:00Z") } })).toEqual([5]);
    expect(await numbers({ where: { number: 7n } })).toEqual([7]);
    expect(await numbers({ from: "2024-01-01T22:00", to: "2024-01-01" })).toEqual([22, 23]);
    expect(await numbers({ from: "2024-01-02T04:00:00+01:00" })).toEqual([27, 28, 29]);
    expect(await numbers({ to: Date.UTC(2024, 0, 1, 1) })).toEqual([0, 1]);
    expect(await fairway().aggregate("Coast/tides", "max", "height", { to: "2024-01-01" })).toBe(5.75);
  });

  it("summarizes groups by texts and by groupings of the API, with the total and the time before", async () => {
    const { rows, total, answer } = await fairway().summarize("Coast/tides", {
      by: "harbor",
      measures: ["avg(height)", { measure: "rate", where: { height: { ">=": 5 } }, id: "high" }],
      top: { count: 1, by: "median(height)", other: true },
      having: "count>=15",
    });
    const third = expect.closeTo(100 / 3, 9);
    expect(rows).toEqual([
      { harbor: "Brest\u001b[2J", "avg(height)": 3.75, high: third, "median(height)": 3.75, "count(*)": 15 },
      { harbor: "Other", "avg(height)": 3.5, high: third, "median(height)": 3.5, "count(*)": 15 },
    ]);
    expect(total).toEqual({ "avg(height)": 3.625, high: third, "median(height)": 3.625, "count(*)": 30 });
    expect(answer.by[0]?.entries.map(({ kind }) => kind)).toEqual(["value", "other"]);
    const days = await fairway().summarize("Coast/tides", {
      by: { kind: "time", unit: "day" },
      from: "2024-01-02",
      to: "2024-01-02",
      compare: { from: "2024-01-01", to: "2024-01-01" },
    });
    const figures = { "count(*)": 6, "count(*) before": 24, "count(*) change": -18 };
    const start = Date.UTC(2024, 0, 2);
    expect(days.rows).toEqual([{ time: "2024-01-02T00:00", "time from": start, "time to": start + 86_400_000, ...figures }]);
    expect(days.total).toEqual(figures);
    await expect(fairway().summarize("Coast/tides", { by: "depth" })).rejects.toMatchObject({ code: "unknown-column", status: 400 });
    await expect(fairway().summarize("Coast/tides", { measures: "mode(height)" })).rejects.toThrow('"mode(height)" is no measure');
    await expect(fairway().summarize("Coast/tides", { having: "count" })).rejects.toThrow("expected one such as count>=100");
  });

  it("exports all rows as one file", async () => {
    const response = await fairway().export("Coast/tides", { format: "csv", where: { number: { "<": 2 } }, columns: ["number", "height"] });
    expect((await response.text()).trim().split(/\r?\n/).slice(1)).toEqual(["0,0.0", "1,0.25"]);
  });

  it("gets rows as Arrow, a page at a time or all as one file", async () => {
    const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
    const page = await fairway().search("Coast/tides", { offset: 1, limit: 2 }).arrow();
    expect(page.headers.get("content-type")).toBe("application/vnd.apache.arrow.stream");
    const rows = shownRows(await bytesOf(page));
    expect(rows.map(({ number, height }) => [number, height])).toEqual([
      [1, 0.25],
      [2, 0.5],
    ]);
    expect(shownRows(await bytesOf(await fairway().search("Coast/tides").arrow()))).toHaveLength(8);
    expect(shownRows(await bytesOf(await fairway().search("Coast/all tides").arrow()))).toHaveLength(20);
    const exported = await fairway().export("Coast/tides", { format: "arrow", sort: { number: "desc" } });
    expect(shownRows(await bytesOf(exported)).map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index));
    const unknown = fairway().search("Coast/tides", { where: { nothing: 1 } });
    await expect(unknown.arrow()).rejects.toMatchObject({ code: "unknown-column", status: 400 });
  });

  it("lists, reads, describes and stores files", async () => {
    const { files } = fairway();
    const entries = await listOf(files.list("charts"));
    expect(entries.map(({ kind, path }) => [kind, path])).toEqual([
      ["folder", "north/"],
      ["file", "index.txt"],
    ]);
    const all = await listOf(files.list("charts", "north", { recursive: true }));
    expect(all.map(({ path }) => path)).toEqual(["north/deep/ä b.txt", "north/dover.txt"]);
    expect(await (await files.get("charts", "north/deep/ä b.txt")).text()).toBe("chart of north/deep/ä b.txt");
    expect(await (await files.get("charts", "index.txt", { range: { start: 9 } })).text()).toBe("index.txt");
    expect(await files.tags("charts", "index.txt")).toEqual({ sea: "north" });

    async function* stream() {
      yield Buffer.from("streamed ");
      yield Buffer.from("text");
    }
    const contents = { "a/ö.txt": "text", bytes: new Uint8Array([1, 2]), blob: new Blob(["blob"]), stream: stream(), empty: "" };
    for (const [path, content] of Object.entries(contents))
      expect(await files.put("inbox", path, content)).toMatchObject({ filename: path });
    expect(await files.stat("inbox", "stream")).toMatchObject({ size: 13 });
    expect((await files.put("inbox", "sized", stream(), { size: 13 })).size).toBe(13);
    expect((await files.put("inbox", "opened", () => stream())).size).toBe(13);
    expect(await (await files.get("inbox", "a/ö.txt")).text()).toBe("text");
    await expect(files.put("inbox", "blob", "other", { overwrite: false })).rejects.toMatchObject({ code: "exists" });
    expect(await (await files.get("inbox", "blob")).text()).toBe("blob");
    await expect(files.delete("inbox", "blob")).rejects.toMatchObject({ status: 403, message: "API keys cannot be used for this call." });
    await fairway({ apiKey: installed.portal.accessToken }).files.delete("inbox", "blob");
    expect(await files.exists("inbox", "blob")).toBe(false);
  });

  it("throws the portal's own sentence, code and status", async () => {
    const closed = await closedAddress();
    const failures = {
      "not-signed-in": fairway({ apiKey: "fwk_wrong" }).datasets(),
      forbidden: fairway().files.put("charts", "new.txt", ""),
      "not-found": fairway().files.stat("secret", "plan.txt"),
      "too-large": fairway().files.put("inbox", "large", Buffer.alloc(20_000_000)),
      "unknown-column": fairway()
        .search("Coast/tides", { where: { depth: 1 } })
        .rows(),
      unreachable: fairway({ url: closed }).datasets(),
      "unexpected-answer": fairway({ url: `${installed.portal.url}/elsewhere` }).datasets(),
    };
    const found = await Promise.all(
      Object.values(failures).map((failure) =>
        failure.then(
          () => undefined,
          ({ code, status, message }) => [code, status, message],
        ),
      ),
    );
    expect(found).toEqual([
      ["not-signed-in", 401, "The API key is not valid: it is mistyped, deleted or expired, or its owner cannot sign in."],
      ["forbidden", 403, "The fileset 'charts' does not allow uploads."],
      ["not-found", 404, "There is no such fileset, or you don't have access to it."],
      ["too-large", 413, "The file is larger than 1,000,000 bytes."],
      ["unknown-column", 400, "This dataset has no column 'depth'."],
      ["unreachable", undefined, `${closed} cannot be reached (ECONNREFUSED).`],
      ["unexpected-answer", 200, `${installed.portal.url} did not answer as a Fairway portal does.`],
    ]);
    expect(() => fairway().search("tides")).toThrow("expected category/id");
    expect(() => fairway().search("Coast/tides", { from: "soon" })).toThrow("expected a time");
  });

  it("opens and sends the content of an upload again when the portal is busy, and never sends the key with it", async () => {
    const uploads: { body: string; authorization: string | undefined }[] = [];
    const url = await startServer((request, response) => {
      if (request.method === "GET") {
        response.end('{"uploadUrl":"/store/a?signature=b"}');
        return;
      }
      void text(request).then((body) => {
        uploads.push({ body, authorization: request.headers.authorization });
        response.writeHead(uploads.length === 1 ? 429 : 201, { "retry-after": "0" });
        response.end(uploads.length === 1 ? '{"errors":[{"code":"too-many-requests","message":"Slow down."}]}' : '{"filename":"a"}');
      });
    });
    async function* content() {
      yield Buffer.from("whole");
    }
    expect(await fairway({ url }).files.put("inbox", "a", () => content())).toEqual({ filename: "a" });
    expect(uploads).toEqual([
      { body: "whole", authorization: undefined },
      { body: "whole", authorization: undefined },
    ]);
  });

  it("tries again when the portal is busy, and ends with its signal", async () => {
    const calls: IncomingMessage[] = [];
    const url = await startServer((request, response) => {
      calls.push(request);
      const isBusy = calls.length < 3 || request.url === "/api/filesets";
      response.writeHead(isBusy ? 429 : 200, { "retry-after": request.url === "/api/filesets" ? "61" : "0" });
      response.end(isBusy ? '{"errors":[{"code":"too-many-requests","message":"Slow down."}]}' : "[]");
    });
    expect(await fairway({ url }).datasets()).toEqual([]);
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(Array.from({ length: 3 }, () => `Bearer ${installed.portal.apiKey}`));
    await expect(fairway({ url }).filesets()).rejects.toMatchObject({ code: "too-many-requests", message: "Slow down." });
    const controller = new AbortController();
    const waiting = fairway({ url, maxRetryWaitMs: 100_000 }).filesets({ signal: controller.signal });
    await expect.poll(() => calls.length).toBe(5);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});

describe("the command line", () => {
  it("summarizes groups as a table that ends with all rows, as CSV and as JSON", async () => {
    const summary = (...args: string[]) => runFairway(installed, ["summarize", "Coast/tides", ...args]);
    const [table, csv, json] = await Promise.all([
      summary("--by", ":day", "--measure", "max(height)", "--measure", "count where height>=5"),
      summary("--by", "number:width=10", "--format", "csv"),
      summary("--by", "harbor", "--measure", "avg(height)", "--top", "1", "--other", "--having", "count>=15", "--format", "json"),
    ]);
    expect(table).toEqual({
      code: 0,
      stderr: "",
      stdout: [
        "time              max(height)  count where height>=5",
        "----------------  -----------  ---------------------",
        "2024-01-01T00:00  5.75         4",
        "2024-01-02T00:00  7.25         6",
        "All rows          7.25         10",
        "",
      ].join("\n"),
    });
    expect(csv.stdout.trim().split("\r\n")).toEqual([
      "number,number from,number to,count(*)",
      "below 10,,10,10",
      "10 to 20,10,20,10",
      "20 and above,20,,10",
    ]);
    expect(JSON.parse(json.stdout)).toEqual({
      rows: [
        { harbor: "Brest\u001b[2J", "avg(height)": 3.75, "count(*)": 15 },
        { harbor: "Other", "avg(height)": 3.5, "count(*)": 15 },
      ],
      total: { "avg(height)": 3.625, "count(*)": 30 },
    });
  });

  it("stores nothing outside its folder, and nothing of a file that breaks off", async () => {
    const url = await startServer((request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://portal");
      if (pathname.endsWith("/list")) {
        const files = ["../evil.txt", "/evil.txt", "a/../../evil.txt", "cut.txt"].map((filename) => ({
          filename,
          size: 9,
          lastModified: "",
        }));
        response.end(JSON.stringify({ files, commonPrefixes: [], nextContinuationToken: null }));
        return;
      }
      response.writeHead(200, { "content-length": "9" });
      response.write("evil");
      setTimeout(() => response.destroy(), 50);
    });
    const outcome = await runFairway(installed, ["files", "get", "x", ".", "--recursive", "--to", "inner/most"], { FAIRWAY_URL: url });
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toContain("cut.txt: The connection was lost.");
    expect(existsSync(join(installed.project, "evil.txt")) || existsSync(join(installed.project, "inner/evil.txt"))).toBe(false);
    expect(await readdir(join(installed.project, "inner/most"))).toEqual([]);
  });
});
