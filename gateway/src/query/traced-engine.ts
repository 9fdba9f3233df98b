import type { QueryEngine, QueryableDataset } from "#query/engine.ts";
import { traced } from "#tracing/trace.ts";

/** The methods that work on a dataset, or on its source. */
const queries: ReadonlySet<string | symbol> = new Set<keyof QueryEngine | keyof NonNullable<QueryEngine["maps"]>>([
  "columns",
  "inspect",
  "notes",
  "reading",
  "unreadable",
  "search",
  "searchArrow",
  "sample",
  "aggregate",
  "suggest",
  "profile",
  "keyMatches",
  "lookupReport",
  "breakdown",
  "breakdownPages",
  "explainBreakdown",
  "state",
  "timeDistribution",
  "grid",
  "gridRows",
  "columnDistributions",
  "columnPictures",
  "profileDataset",
  "export",
  "check",
  "timeExtent",
  "latest",
  "path",
  "tracks",
  "countPath",
]);

/** The same engine, whose queries are timed. Spans name the dataset, and no value of the query. */
export const tracedEngine = (name: string, engine: QueryEngine): QueryEngine => withSpans(name, engine);

function withSpans<Target extends object>(engine: string, target: Target): Target {
  return new Proxy(target, {
    get: (_target, property) => {
      // Private fields are those of the engine, not of the proxy.
      const value: unknown = Reflect.get(target, property, target);
      if (property === "maps" && typeof value === "object" && value !== null) return withSpans(engine, value);
      if (typeof value !== "function") return value;
      const method = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
      if (!queries.has(property)) return method;
      return (...args: [Partial<QueryableDataset> | undefined, ...unknown[]]) =>
        traced(
          () => ({ name: `engine ${String(property)}`, attributes: { "fairway.engine": engine, ...datasetOf(args[0]) } }),
          () => method(...args) as Promise<unknown>,
        );
    },
  });
}

const datasetOf = (dataset: Partial<QueryableDataset> | undefined): Record<string, string> =>
  dataset?.id === undefined ? {} : { "fairway.dataset": `${dataset.category ?? ""}/${dataset.id}` };
