import type { DatasetDescription, SearchAnswer, SearchData } from "./api.ts";
import type { CallOptions, Transport } from "./transport.ts";

export type Row = SearchAnswer["results"][number];

export interface Page {
  readonly rows: readonly Row[];
  /** Number of the first row, from 0. */
  readonly offset: number;
  /** True if the dataset has no pages and holds more rows than one answer. */
  readonly truncated: boolean;
}

export interface PagingOptions extends CallOptions {
  /** At most this many rows. Default: all. */
  readonly limit?: number | undefined;
  /** Rows to leave out first. */
  readonly offset?: number | undefined;
  /** Rows of one call. Default: as many as the portal allows. */
  readonly pageSize?: number | undefined;
}

/** Facts about its dataset that a search needs before it starts. */
export interface Paging {
  readonly features: DatasetDescription["features"];
  readonly maxRows: number;
}

const arrowStream = "application/vnd.apache.arrow.stream";

/** The rows of a search. Each loop over them searches again. */
export class Search implements AsyncIterable<Row> {
  readonly #transport: Transport;
  readonly #params: { category: string; datasetId: string };
  readonly #data: SearchData;
  readonly #options: PagingOptions;
  readonly #paging: () => Promise<Paging>;

  /** @internal */
  constructor(
    transport: Transport,
    params: { category: string; datasetId: string },
    data: SearchData,
    options: PagingOptions,
    paging: () => Promise<Paging>,
  ) {
    this.#transport = transport;
    this.#params = params;
    this.#data = data;
    this.#options = options;
    this.#paging = paging;
  }

  /** Rows one at a time, page by page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const { rows } of this.pages()) yield* rows;
  }

  /** All rows at once. */
  async rows(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const page of this.pages()) for (const row of page.rows) rows.push(row);
    return rows;
  }

  /** How many rows match, regardless of `limit`. */
  async count(): Promise<number> {
    const { sort: _, ...body } = this.#data;
    const params = { ...this.#params, aggregationType: "count", column: "*" };
    const { totalResults } = await this.#transport.call("search.aggregate", { params, body, signal: this.#options.signal });
    return Number(totalResults);
  }

  /**
   * The first rows as an Arrow IPC stream, with the types of the source: as many as the portal answers at once. For all rows, use
   * `export` with the format `arrow`. The package apache-arrow reads either: `tableFromIPC(await search.arrow())`.
   */
  async arrow(): Promise<Response> {
    const { features, maxRows } = await this.#paging();
    const { limit = Infinity, pageSize = maxRows, offset = 0, signal } = this.#options;
    const paging = { offset, max: Math.min(pageSize, maxRows, limit) };
    const body = features.includes("PAGINATION") ? { ...this.#data, paging } : this.#data;
    return this.#transport.answer("search.run", { params: this.#params, body, headers: { accept: arrowStream }, signal });
  }

  async *pages(): AsyncGenerator<Page, void, undefined> {
    const { features, maxRows } = await this.#paging();
    const { limit = Infinity, pageSize = maxRows } = this.#options;
    const start = this.#options.offset ?? 0;
    if (!features.includes("PAGINATION")) {
      const { results, truncated = false } = await this.#run(this.#data);
      yield { rows: results.slice(start, start + limit), offset: start, truncated: truncated && limit > results.length - start };
      return;
    }
    for (let offset = start; offset < start + limit;) {
      const max = Math.min(pageSize, maxRows, start + limit - offset);
      const { results } = await this.#run({ ...this.#data, paging: { offset, max } });
      if (results.length > 0) yield { rows: results, offset, truncated: false };
      if (results.length < max) return;
      offset += results.length;
    }
  }

  #run(body: SearchData): Promise<SearchAnswer> {
    return this.#transport.call("search.run", { params: this.#params, body, signal: this.#options.signal });
  }
}
