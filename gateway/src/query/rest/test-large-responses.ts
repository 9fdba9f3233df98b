import { afterAll, beforeAll } from "vitest";
import { rowsOf } from "#query/duckdb/test-files.ts";
import type { EngineCall, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type RestBench, type UpstreamHandler, restBench } from "./test-upstream.ts";

export const call: EngineCall = { signal: new AbortController().signal, owner: "ada" };
export const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 10_000 };

export const search = async ({ engine }: RestBench, dataset: QueryableDataset, engineCall = call) =>
  rowsOf(await engine.search(dataset, all, engineCall));
export const raw =
  (text: string): UpstreamHandler =>
  (_, response) =>
    response.setHeader("content-type", "application/json").end(text);

/** The number of responses that worker threads have started to read. */
export const startedReads = ({ engine }: RestBench) => engine.metrics.readers.started;
export const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: "x".repeat(100) }));

/** Benches for the tests of a file, with the usual limits and with one small reader of at most 5 MB. */
export function largeResponseBenches(): { bench: RestBench; limitedBench: RestBench } {
  const benches = {} as { bench: RestBench; limitedBench: RestBench };
  beforeAll(async () => {
    benches.bench = await restBench();
    benches.limitedBench = await restBench({ limits: { upstreamReaders: 1, upstreamReaderMemoryMb: 64, upstreamAnswerBytes: 5_000_000 } });
  });
  afterAll(async () => {
    await benches.bench.close();
    await benches.limitedBench.close();
  });
  return benches;
}
