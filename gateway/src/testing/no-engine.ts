import type { Feature } from "@fairway/contract/datasets";
import { EngineFailed, type QueryEngine } from "#query/engine.ts";

const fail = () => Promise.reject(new EngineFailed("failed", "There is no engine here."));

/** An engine for tests that need datasets but never query them. */
export const noEngine: QueryEngine = {
  features: new Set<Feature>(),
  supportsSort: false,
  supportsGroups: false,
  columns: fail,
  search: fail,
  sample: fail,
  aggregate: fail,
  timeExtent: () => Promise.resolve(null),
  ping: fail,
  close: () => Promise.resolve(),
};
