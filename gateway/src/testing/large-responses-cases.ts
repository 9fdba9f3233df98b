import { rowsOf } from "#query/duckdb/test-files.ts";
import type { EngineCall, QueryableDataset, SearchQuery } from "#query/engine.ts";
import type { RestBench, UpstreamHandler } from "#query/rest/test-upstream.ts";

export const call: EngineCall = { signal: new AbortController().signal, owner: "ada" };
export const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 10_000 };

export const search = async ({ engine }: RestBench, dataset: QueryableDataset, engineCall = call) =>
  rowsOf(await engine.search(dataset, all, engineCall));
export const raw =
  (text: string): UpstreamHandler =>
  (_, response) =>
    response.setHeader("content-type", "application/json").end(text);
