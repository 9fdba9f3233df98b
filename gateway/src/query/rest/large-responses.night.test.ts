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

it("treats large responses like small ones: totals, declared columns, texts split anywhere, refusals", async () => {
  const before = startedReads(benches.bench);
  const faces = `x${"😀".repeat(200_000)}`;
  const column = (name: string, type: string) => ({ name, type, description: "", combined: null });
  const api = { columns: [column("text", "STRING"), column("n", "integer")], paging: { offset: "from", max: "size", total: "all" } };
  benches.bench.respond(json({ results: [{ n: "1", text: faces }, { n: 2 }], all: 7 }));
  const dataset = externalOver(benches.bench.url, api);
  const stream = await benches.bench.engine.search(dataset, all, call);
  expect(await stream.hasMore).toBe(true);
  expect(await rowsOf(stream)).toEqual([
    { text: faces, n: 1 },
    { text: null, n: 2 },
  ]);
  expect(await benches.bench.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], all, call)).toEqual([[7]]);

  benches.bench.respond(raw(`${JSON.stringify(rows(2_000))}]`));
  await expect(search(benches.bench, externalOver(benches.bench.url))).rejects.toMatchObject({
    reason: "upstream",
    message: "The service behind this dataset did not return JSON but application/json.",
  });
  benches.bench.respond(json([...rows(2_000), { text: "sesame-12345" }]));
  const withKey = externalOver(benches.bench.url, {}, { apiKeyCredential: { headerName: "X-Key", key: "sesame-12345" } });
  await expect(search(benches.bench, withKey)).rejects.toMatchObject({
    message: "The service behind this dataset repeats a secret in its response, which is withheld.",
  });
  expect(startedReads(benches.bench)).toBe(before + 4);
});

it("streams a row with 20,000 columns in chunks, but refuses so many columns for a schema", async () => {
  const row = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`column ${n}`, n]));
  benches.bench.respond(json([row]));
  const dataset = externalOver(benches.bench.url);
  const stream = await benches.bench.engine.search(dataset, all, call);
  const chunks: string[] = [];
  for await (const chunk of stream.chunks) chunks.push(chunk);
  expect(chunks.join("")).toBe(JSON.stringify(row));
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(256_000);
  await expect(benches.bench.engine.columns(dataset.source, call)).rejects.toMatchObject({
    reason: "upstream",
    message: "The service behind this dataset returned rows of more than 1,000 columns.",
  });
});
