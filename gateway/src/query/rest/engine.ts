import type { Column } from "@fairway/contract/columns";
import type { Feature } from "@fairway/contract/datasets";
import type { Limits } from "@fairway/contract/limits";
import type { CellValue } from "@fairway/contract/search";
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
import type { UpstreamPage } from "./upstream-request.ts";
import { type UpstreamOptions, Upstreams } from "./upstreams.ts";

/** Queries the APIs of upstream services. It only sees the rows that they return, so it neither sorts nor aggregates. Decision 0043. */
export class RestEngine implements QueryEngine {
  readonly features: ReadonlySet<Feature> = new Set<Feature>(["SAMPLE", "PAGINATION", "COUNT"]);
  readonly supportsSort = false;
  readonly supportsGroups = false;
  readonly #upstreams: Upstreams;
  readonly #sampleRows: number;

  constructor(options: UpstreamOptions & { readonly limits: Pick<Limits, "sampleRows"> }) {
    this.#upstreams = new Upstreams(options);
    this.#sampleRows = options.limits.sampleRows;
  }

  /** Current numbers of running and waiting calls, and of the workers that parse large responses. */
  get metrics(): Upstreams["metrics"] {
    return this.#upstreams.metrics;
  }

  async columns(source: DatasetSource, call: EngineCall): Promise<Column[]> {
    const { api } = requireRest(source);
    if (api.columns !== null) return api.columns;
    const wanted = { kind: "columns", rows: this.#sampleRows } as const;
    const page = pageOf(api, 0, this.#sampleRows);
    const { columns } = await this.#upstreams.fetch(requireRest(source), { conditions: [], page, wanted }, call);
    return [...columns];
  }

  async search(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream> {
    if (query.timeRange !== null) throw unsupported("The service behind this dataset does not support time ranges.");
    if (query.area !== null) throw unsupported("The service behind this dataset does not support areas.");
    if (query.sort.length > 0) throw unsupported("The service behind this dataset decides the order of its rows.");
    const { api } = requireWhole(dataset);
    const page = dataset.features.has("PAGINATION") ? pageOf(api, query.offset, query.limit) : undefined;
    if (page === undefined && query.offset > 0) throw unsupported("The service behind this dataset does not support paging.");
    // Without a total, a full page counts as having more.
    const total = page === undefined ? null : (api.paging?.total ?? null);
    const columns = api.columns?.filter(({ combined }) => combined === null).map(({ name, type }) => ({ name, type })) ?? null;
    const wanted = { kind: "rows", columns, limit: query.limit, total } as const;
    const read = await this.#upstreams.fetch(requireWhole(dataset), { conditions: query.conditions, page, wanted }, call);
    const hasMore =
      read.found > query.limit ||
      (page !== undefined && (read.total === null ? read.found === page.max : query.offset + read.found < read.total));
    return { chunks: textsOf(read.chunks), hasMore: Promise.resolve(hasMore) };
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
    const { api } = requireWhole(dataset);
    const total = dataset.features.has("COUNT") ? api.paging?.total : undefined;
    const countsRows = aggregations.every(({ type, column }) => type === "count" && column === "*");
    if (typeof total !== "string" || !countsRows) throw unsupported("The service behind this dataset does not provide this aggregation.");
    if (query.timeRange !== null || query.area !== null || groups.some(({ timeRange }) => timeRange !== null)) {
      throw unsupported("The service behind this dataset supports neither time ranges nor areas.");
    }
    const counts: CellValue[][] = [];
    for (const { conditions } of groups.length === 0 ? [{ conditions: [] }] : groups) {
      const request = {
        conditions: [...query.conditions, ...conditions],
        page: pageOf(api, 0, 1),
        wanted: { kind: "total", total },
      } as const;
      const { total: count } = await this.#upstreams.fetch(requireWhole(dataset), request, call);
      counts.push(aggregations.map(() => count));
    }
    return counts;
  }

  timeExtent(): Promise<null> {
    return Promise.resolve(null);
  }

  /** There is nothing of its own to check. */
  ping(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return this.#upstreams.close();
  }
}

/** Decodes chunks as they are consumed: decoding all at once would take as long as parsing them. */
// oxlint-disable-next-line typescript/require-await -- readers take an async iterable
async function* textsOf(chunks: readonly Uint8Array[]): AsyncGenerator<string> {
  for (const chunk of chunks) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString();
}

/** A service filters its rows itself: a part of them cannot be read. */
function requireWhole({ source, scope }: QueryableDataset): RestSource {
  if (scope.part !== null) throw new EngineFailed("failed", "A part of the rows of a service cannot be read.");
  return requireRest(source);
}

function requireRest(source: DatasetSource): RestSource {
  if (source.kind !== "rest") throw new EngineFailed("failed", "This dataset's source is not a service.");
  return source;
}

const pageOf = ({ paging }: RestSource["api"], offset: number, max: number): UpstreamPage | undefined =>
  paging === null ? undefined : { offset, max };

const unsupported = (message: string): EngineFailed => new EngineFailed("unsupported", message);
