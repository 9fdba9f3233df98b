import type { Column } from "@fairway/contract/columns";
import type { Feature } from "@fairway/contract/datasets";
import { inferColumns } from "@fairway/contract/inferred-columns";
import type { Limits } from "@fairway/contract/limits";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import {
  type Aggregation,
  type AggregationGroup,
  type DatasetSource,
  type EngineCall,
  EngineFailed,
  type QueryEngine,
  type QueryableDataset,
  type RestSource,
  type RowStream,
  type SearchQuery,
} from "#query/engine.ts";
import { abandoned } from "#query/slots.ts";
import type { UpstreamPage } from "./upstream-request.ts";
import { rowText, totalIn } from "./upstream-rows.ts";
import { type UpstreamOptions, Upstreams, reading } from "./upstreams.ts";

/** Rows that are written before others get their turn. */
const rowsPerChunk = 500;
/** Asks the apis of upstream services. It knows their rows by what they answer alone, so it neither sorts nor aggregates. */
export class RestEngine implements QueryEngine {
  readonly features: ReadonlySet<Feature> = new Set<Feature>(["SAMPLE", "PAGINATION", "COUNT"]);
  readonly sorts = false;
  readonly groups = false;
  readonly #upstreams: Upstreams;
  readonly #sampleRows: number;

  constructor(options: UpstreamOptions & { readonly limits: Pick<Limits, "sampleRows"> }) {
    this.#upstreams = new Upstreams(options);
    this.#sampleRows = options.limits.sampleRows;
  }

  /** Calls under way and in the queues, at this moment. */
  get metrics(): { readonly running: number; readonly waiting: number } {
    return this.#upstreams.metrics;
  }

  async columns(source: DatasetSource, call: EngineCall): Promise<Column[]> {
    const { api } = requireRest(source);
    if (api.columns !== null) return api.columns;
    const { rows } = await this.#upstreams.ask(requireRest(source), [], pageOf(api, 0, this.#sampleRows), call);
    const read = reading(() => rows.slice(0, this.#sampleRows).map((row) => JSON.parse(rowText(row, null)) as ResultRow));
    return inferColumns(read);
  }

  async search(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream> {
    if (query.timeRange !== null) throw unsupported("The upstream of this dataset knows no time range.");
    if (query.area !== null) throw unsupported("The upstream of this dataset knows no area.");
    if (query.sort.length > 0) throw unsupported("The upstream of this dataset decides the order of its rows.");
    const { api } = requireRest(dataset.source);
    const page = dataset.features.has("PAGINATION") ? pageOf(api, query.offset, query.limit) : undefined;
    if (page === undefined && query.offset > 0) throw unsupported("The upstream of this dataset does not page.");
    const { json, rows } = await this.#upstreams.ask(requireRest(dataset.source), query.conditions, page, call);
    const sent = Math.min(rows.length, query.limit);
    const total = api.paging?.total ?? null;
    const more = (): boolean => {
      if (rows.length > sent || page === undefined) return rows.length > sent;
      // Without a total a full page may have been the last one, or not.
      return total === null ? sent === page.max : query.offset + sent < totalIn(json, total);
    };
    const hasMore = reading(more);
    return { chunks: await this.#texts(dataset, rows.slice(0, sent), call.signal), more: Promise.resolve(hasMore) };
  }

  async sample(dataset: QueryableDataset, query: Pick<SearchQuery, "conditions" | "limit">, call: EngineCall): Promise<RowStream> {
    return this.search(dataset, { ...query, timeRange: null, area: null, sort: [], offset: 0 }, call);
  }

  async aggregate(
    dataset: QueryableDataset,
    aggregations: readonly Aggregation[],
    groups: readonly AggregationGroup[],
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<CellValue[][]> {
    const { api } = requireRest(dataset.source);
    const total = dataset.features.has("COUNT") ? api.paging?.total : undefined;
    const countsRows = aggregations.every(({ type, column }) => type === "count" && column === "*");
    if (typeof total !== "string" || !countsRows) throw unsupported("The upstream of this dataset tells no such figure of its rows.");
    if (query.timeRange !== null || query.area !== null || groups.some(({ timeRange }) => timeRange !== null)) {
      throw unsupported("The upstream of this dataset knows neither a time range nor an area.");
    }
    const counts: CellValue[][] = [];
    for (const { conditions } of groups.length === 0 ? [{ conditions: [] }] : groups) {
      const { json } = await this.#upstreams.ask(
        requireRest(dataset.source),
        [...query.conditions, ...conditions],
        pageOf(api, 0, 1),
        call,
      );
      const count = reading(() => totalIn(json, total));
      counts.push(aggregations.map(() => count));
    }
    return counts;
  }

  timeExtent(): Promise<null> {
    return Promise.resolve(null);
  }

  /** It asks nobody for itself. */
  ping(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#upstreams.close();
    return Promise.resolve();
  }

  /** All of them before the first is out, so that a failure still gets its status; others get their turn in between. */
  async #texts({ source }: QueryableDataset, rows: readonly object[], signal: AbortSignal): Promise<AsyncIterable<string>> {
    const columns = requireRest(source).api.columns?.filter(({ combined }) => combined === null) ?? null;
    const chunks: string[] = [];
    for (let start = 0; start < rows.length; start += rowsPerChunk) {
      const texts = reading(() => rows.slice(start, start + rowsPerChunk).map((row) => rowText(row, columns)));
      chunks.push((start === 0 ? "" : ",") + texts.join(","));
      await new Promise(setImmediate);
      if (signal.aborted) throw abandoned(signal);
    }
    return inTurn(chunks);
  }
}

// oxlint-disable-next-line typescript/require-await -- readers take an async iterable
async function* inTurn(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

function requireRest(source: DatasetSource): RestSource {
  if (source.kind !== "rest") throw new EngineFailed("failed", "This dataset's source is no service.");
  return source;
}

const pageOf = ({ paging }: RestSource["api"], offset: number, max: number): UpstreamPage | undefined =>
  paging === null ? undefined : { offset, max };

const unsupported = (message: string): EngineFailed => new EngineFailed("unsupported", message);
