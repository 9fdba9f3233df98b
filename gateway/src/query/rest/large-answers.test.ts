import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf } from "#query/duckdb/test-files.ts";
import type { EngineCall, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type RestBench, type UpstreamHandler, externalOver, json, restBench } from "./test-upstream.ts";

const never: EngineCall = { signal: new AbortController().signal, owner: "ada" };
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 10_000 };

let made: RestBench;
let narrow: RestBench;
beforeAll(async () => {
  made = await restBench();
  narrow = await restBench({ limits: { upstreamReaders: 1, upstreamReaderMemoryMb: 64, upstreamAnswerBytes: 5_000_000 } });
});
afterAll(async () => {
  await made.close();
  await narrow.close();
});
/** Answers that worker threads have begun to read. */
const begun = ({ engine }: RestBench) => engine.metrics.readers.begun;

const search = async ({ engine }: RestBench, dataset: QueryableDataset, call = never) => rowsOf(await engine.search(dataset, all, call));
const raw =
  (text: string): UpstreamHandler =>
  (_, response) =>
    response.setHeader("content-type", "application/json").end(text);
const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: "x".repeat(100) }));

it("large answers are read in a worker thread while others are answered; small ones are read in place", async () => {
  const before = begun(made);
  const answered: string[] = [];
  made.respond(json(rows(40_000)));
  const large = made.engine.search(externalOver(made.url), all, never).then((stream) => {
    answered.push("large");
    return stream;
  });
  await expect.poll(() => made.engine.metrics.readers.running).toBe(1);
  made.respond(json(rows(2)));
  expect(await search(made, externalOver(made.url))).toHaveLength(2);
  answered.push("small");
  const stream = await large;
  expect(answered).toEqual(["small", "large"]);
  expect(await stream.more).toBe(true);
  expect(await rowsOf(stream)).toEqual(rows(10_000));
  expect(begun(made)).toBe(before + 1);
});

it("large answers say the same as small ones: totals, declared columns, texts cut anywhere, refusals", async () => {
  const before = begun(made);
  const faces = `x${"😀".repeat(200_000)}`;
  const column = (name: string, type: string) => ({ name, type, description: "", combined: null });
  const api = { columns: [column("text", "STRING"), column("n", "integer")], paging: { offset: "from", max: "size", total: "all" } };
  made.respond(json({ results: [{ n: "1", text: faces }, { n: 2 }], all: 7 }));
  const dataset = externalOver(made.url, api);
  const stream = await made.engine.search(dataset, all, never);
  expect(await stream.more).toBe(true);
  expect(await rowsOf(stream)).toEqual([
    { text: faces, n: 1 },
    { text: null, n: 2 },
  ]);
  expect(await made.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], all, never)).toEqual([[7]]);

  made.respond(raw(`${JSON.stringify(rows(2_000))}]`));
  await expect(search(made, externalOver(made.url))).rejects.toMatchObject({
    reason: "upstream",
    message: "The upstream of this dataset did not answer JSON but application/json.",
  });
  made.respond(json([...rows(2_000), { text: "sesame-12345" }]));
  const withKey = externalOver(made.url, {}, { apiKeyCredential: { headerName: "X-Key", key: "sesame-12345" } });
  await expect(search(made, withKey)).rejects.toMatchObject({
    message: "The upstream of this dataset repeats a secret in its answer, which is withheld.",
  });
  expect(begun(made)).toBe(before + 4);
});

it("answers of one row with 20,000 columns are passed on in pieces; its columns are too many for a schema", async () => {
  const row = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`column ${n}`, n]));
  made.respond(json([row]));
  const dataset = externalOver(made.url);
  const stream = await made.engine.search(dataset, all, never);
  const pieces: string[] = [];
  for await (const piece of stream.chunks) pieces.push(piece);
  expect(pieces.join("")).toBe(JSON.stringify(row));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(256_000);
  await expect(made.engine.columns(dataset.source, never)).rejects.toMatchObject({
    reason: "upstream",
    message: "The upstream of this dataset answered rows of more than 1,000 columns.",
  });
});

it("answers of more than the memory of a reader are refused, and so are small ones whose rows would come to too much text", async () => {
  narrow.respond(raw(`[${"{},".repeat(900_000)}{}]`));
  await expect(search(narrow, externalOver(narrow.url))).rejects.toMatchObject({
    reason: "upstream",
    message: "The upstream of this dataset answered more than the portal can read at once. Narrow the search with more filters.",
  });
  const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, n]));
  narrow.respond(json([{ ["name".repeat(20_000)]: fields }]));
  await expect(search(narrow, externalOver(narrow.url))).rejects.toMatchObject({
    reason: "upstream",
    message: "The upstream of this dataset answered rows that are too large to pass on. Narrow the search with more filters.",
  });
  narrow.respond(json(rows(2_000)));
  expect(await search(narrow, externalOver(narrow.url))).toHaveLength(2_000);
});

it("large answers are no longer read when the caller leaves", async () => {
  const leaving = new AbortController();
  narrow.respond(json(rows(40_000)));
  const left = search(narrow, externalOver(narrow.url), { ...never, signal: leaving.signal });
  await expect.poll(() => narrow.engine.metrics.readers.running).toBe(1);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ reason: "abandoned" });
  narrow.respond(json(rows(2_000)));
  expect(await search(narrow, externalOver(narrow.url))).toHaveLength(2_000);
});

it("answers that become too large by decompression are refused while the upstream still sends", async () => {
  for (const encoding of ["gzip", "x-gzip"]) {
    narrow.respond((_, response) => {
      response.setHeader("content-encoding", encoding);
      response.write(gzipSync(Buffer.alloc(20_000_000)).subarray(0, -20));
    });
    await expect(search(narrow, externalOver(narrow.url))).rejects.toMatchObject({
      reason: "upstream",
      message: "The upstream of this dataset answered more than 5 MB. Narrow the search with more filters.",
    });
  }
});
