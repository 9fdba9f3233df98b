import type { DatasetSource, QueryEngine } from "./engine.ts";

/** The engine that answers for each kind of source. */
export interface Engines {
  of(source: DatasetSource): QueryEngine;
}

export const engines = (parts: { readonly files: QueryEngine; readonly rest: QueryEngine }): Engines => ({
  of: (source) => {
    switch (source.kind) {
      case "files":
      // No engine of tables is connected; the one of files says so.
      case "table":
        return parts.files;
      case "rest":
        return parts.rest;
      default:
        return source satisfies never;
    }
  },
});
