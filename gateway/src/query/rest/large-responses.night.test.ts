import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf } from "#query/duckdb/test-files.ts";
import { type RestBench, externalOver, json, restBench } from "./test-upstream.ts";
import { search, raw, call, all } from "#testing/large-responses-cases.ts";

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
