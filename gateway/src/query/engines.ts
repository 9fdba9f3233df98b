import type { DatasetSource, QueryEngine } from "./engine.ts";

/** The engine that answers for each kind of source. */
export interface Engines {
  of(source: DatasetSource): QueryEngine;
}
