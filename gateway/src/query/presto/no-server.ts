import type { Feature } from "@fairway/contract/datasets";
import { type QueryEngine, SourceNotReady, type SourceProblem } from "#query/engine.ts";
import { noTableCatalog } from "./table-catalog.ts";

const problem: SourceProblem = { code: "no-engine", reason: "no engine is connected for its table" };

const refuse = () => Promise.reject(new SourceNotReady([problem]));

/** The engine of tables while the configuration names no server: it can describe datasets, but answers nothing. */
export const noServer: QueryEngine = {
  features: new Set<Feature>(["SAMPLE", "PAGINATION", "COUNT"]),
  supportsSort: true,
  supportsGroups: true,
  columns: refuse,
  search: refuse,
  sample: refuse,
  aggregate: refuse,
  check: () => Promise.resolve([problem]),
  timeExtent: refuse,
  tables: noTableCatalog,
  ping: refuse,
  close: () => Promise.resolve(),
};
