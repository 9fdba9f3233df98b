import { expect, it } from "vitest";
import { rowsOf } from "#query/duckdb/test-files.ts";
import { externalOver, json } from "./test-upstream.ts";
import { all, call, largeResponseBenches, raw, rows, search, startedReads } from "./test-large-responses.ts";

const benches = largeResponseBenches();

it("reads large responses in a worker thread without delaying others, and small ones on the main thread", async () => {
  const before = startedReads(benches.bench);
  const answered: string[] = [];
  benches.bench.respond(json(rows(40_000)));
  const large = benches.bench.engine.search(externalOver(benches.bench.url), all, call).then((stream) => {
    answered.push("large");
    return stream;
  });
  await expect.poll(() => benches.bench.engine.metrics.readers.running).toBe(1);
  benches.bench.respond(json(rows(2)));
  expect(await search(benches.bench, externalOver(benches.bench.url))).toHaveLength(2);
  answered.push("small");
  const stream = await large;
  expect(answered).toEqual(["small", "large"]);
  expect(await stream.hasMore).toBe(true);
  expect(await rowsOf(stream)).toEqual(rows(10_000));
  expect(startedReads(benches.bench)).toBe(before + 1);
});

it("refuses responses that exceed a reader's memory, and small ones whose rows would expand to too much text", async () => {
  benches.limitedBench.respond(raw(`[${"{},".repeat(900_000)}{}]`));
  await expect(search(benches.limitedBench, externalOver(benches.limitedBench.url))).rejects.toMatchObject({
    reason: "upstream",
    message: "The service behind this dataset returned more than the portal can read at once. Narrow the search with more filters.",
  });
  const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, n]));
  benches.limitedBench.respond(json([{ ["name".repeat(20_000)]: fields }]));
  await expect(search(benches.limitedBench, externalOver(benches.limitedBench.url))).rejects.toMatchObject({
    reason: "upstream",
    message: "The service behind this dataset returned rows that are too large to pass on. Narrow the search with more filters.",
  });
  benches.limitedBench.respond(json(rows(2_000)));
  expect(await search(benches.limitedBench, externalOver(benches.limitedBench.url))).toHaveLength(2_000);
});

it("stops reading a large response when the caller disconnects", async () => {
  const leaving = new AbortController();
  benches.limitedBench.respond(json(rows(40_000)));
  const abandoned = search(benches.limitedBench, externalOver(benches.limitedBench.url), { ...call, signal: leaving.signal });
  await expect.poll(() => benches.limitedBench.engine.metrics.readers.running).toBe(1);
  leaving.abort();
  await expect(abandoned).rejects.toMatchObject({ reason: "abandoned" });
  benches.limitedBench.respond(json(rows(2_000)));
  expect(await search(benches.limitedBench, externalOver(benches.limitedBench.url))).toHaveLength(2_000);
});
