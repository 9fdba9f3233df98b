import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf } from "#query/duckdb/test-files.ts";
import type { EngineCall, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type RestBench, type UpstreamHandler, externalOver, json, restBench } from "./test-upstream.ts";

const call: EngineCall = { signal: new AbortController().signal, owner: "ada" };
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 10_000 };

let bench: RestBench;
let limitedBench: RestBench;
beforeAll(async () => {
  bench = await restBench();
  limitedBench = await restBench({ limits: { upstreamReaders: 1, upstreamReaderMemoryMb: 64, upstreamAnswerBytes: 5_000_000 } });
});
afterAll(async () => {
  await bench.close();
  await limitedBench.close();
});
/** The number of responses that worker threads have started to read. */
const startedReads = ({ engine }: RestBench) => engine.metrics.readers.started;

const search = async ({ engine }: RestBench, dataset: QueryableDataset, engineCall = call) =>
  rowsOf(await engine.search(dataset, all, engineCall));
const raw =
  (text: string): UpstreamHandler =>
  (_, response) =>
    response.setHeader("content-type", "application/json").end(text);
const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: "x".repeat(100) }));

it("reads large responses in a worker thread without delaying others, and small ones on the main thread", async () => {
  const before = startedReads(bench);
  const answered: string[] = [];
  bench.respond(json(rows(40_000)));
  const large = bench.engine.search(externalOver(bench.url), all, call).then((stream) => {
    answered.push("large");
    return stream;
  });
  await expect.poll(() => bench.engine.metrics.readers.running).toBe(1);
  bench.respond(json(rows(2)));
  expect(await search(bench, externalOver(bench.url))).toHaveLength(2);
  answered.push("small");
  const stream = await large;
  expect(answered).toEqual(["small", "large"]);
  expect(await stream.hasMore).toBe(true);
  expect(await rowsOf(stream)).toEqual(rows(10_000));
  expect(startedReads(bench)).toBe(before + 1);
});

it("treats large responses like small ones: totals, declared columns, texts split anywhere, refusals", async () => {
  const before = startedReads(bench);
  const faces = `x${"😀".repeat(200_000)}`;
  const column = (name: string, type: string) => ({ name, type, description: "", combined: null });
  const api = { columns: [column("text", "STRING"), column("n", "integer")], paging: { offset: "from", max: "size", total: "all" } };
  bench.respond(json({ results: [{ n: "1", text: faces }, { n: 2 }], all: 7 }));
  const dataset = externalOver(bench.url, api);
  const stream = await bench.engine.search(dataset, all, call);
  expect(await stream.hasMore).toBe(true);
  expect(await rowsOf(stream)).toEqual([
    { text: faces, n: 1 },
    { text: null, n: 2 },
  ]);
  expect(await bench.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], all, call)).toEqual([[7]]);

  bench.respond(raw(`${JSON.stringify(rows(2_000))}]`));
  await expect(search(bench, externalOver(bench.url))).rejects.toMatchObject({
    reason: "upstream",
    message: "The service behind this dataset did not return JSON but application/json.",
  });
  bench.respond(json([...rows(2_000), { text: "sesame-12345" }]));
  const withKey = externalOver(bench.url, {}, { apiKeyCredential: { headerName: "X-Key", key: "sesame-12345" } });
  await expect(search(bench, withKey)).rejects.toMatchObject({
    message: "The service behind this dataset repeats a secret in its response, which is withheld.",
  });
  expect(startedReads(bench)).toBe(before + 4);
});

it("streams a row with 20,000 columns in chunks, but refuses so many columns for a schema", async () => {
  const row = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`column ${n}`, n]));
  bench.respond(json([row]));
  const dataset = externalOver(bench.url);
  const stream = await bench.engine.search(dataset, all, call);
  const chunks: string[] = [];
  for await (const chunk of stream.chunks) chunks.push(chunk);
  expect(chunks.join("")).toBe(JSON.stringify(row));
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(256_000);
  await expect(bench.engine.columns(dataset.source, call)).rejects.toMatchObject({
    reason: "upstream",
    message: "The service behind this dataset returned rows of more than 1,000 columns.",
  });
});

it("refuses responses that exceed a reader's memory, and small ones whose rows would expand to too much text", async () => {
  limitedBench.respond(raw(`[${"{},".repeat(900_000)}{}]`));
  await expect(search(limitedBench, externalOver(limitedBench.url))).rejects.toMatchObject({
    reason: "upstream",
    message: "The service behind this dataset returned more than the portal can read at once. Narrow the search with more filters.",
  });
  const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, n]));
  limitedBench.respond(json([{ ["name".repeat(20_000)]: fields }]));
  await expect(search(limitedBench, externalOver(limitedBench.url))).rejects.toMatchObject({
    reason: "upstream",
    message: "The service behind this dataset returned rows that are too large to pass on. Narrow the search with more filters.",
  });
  limitedBench.respond(json(rows(2_000)));
  expect(await search(limitedBench, externalOver(limitedBench.url))).toHaveLength(2_000);
});

it("stops reading a large response when the caller disconnects", async () => {
  const leaving = new AbortController();
  limitedBench.respond(json(rows(40_000)));
  const abandoned = search(limitedBench, externalOver(limitedBench.url), { ...call, signal: leaving.signal });
  await expect.poll(() => limitedBench.engine.metrics.readers.running).toBe(1);
  leaving.abort();
  await expect(abandoned).rejects.toMatchObject({ reason: "abandoned" });
  limitedBench.respond(json(rows(2_000)));
  expect(await search(limitedBench, externalOver(limitedBench.url))).toHaveLength(2_000);
});

it("refuses responses that become too large by decompression while the upstream is still sending", async () => {
  for (const encoding of ["gzip", "x-gzip"]) {
    limitedBench.respond((_, response) => {
      response.setHeader("content-encoding", encoding);
      response.write(gzipSync(Buffer.alloc(20_000_000)).subarray(0, -20));
    });
    await expect(search(limitedBench, externalOver(limitedBench.url))).rejects.toMatchObject({
      reason: "upstream",
      message: "The service behind this dataset returned more than 5 MB. Narrow the search with more filters.",
    });
  }
});
