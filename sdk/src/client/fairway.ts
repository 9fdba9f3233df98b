import type {
  Alert,
  AlertCheck,
  Board,
  BoardSummary,
  CatalogHit,
  DatasetCategory,
  DatasetDescription,
  ExportDraft,
  FilesetEntry,
  Operations,
} from "./api.ts";
import { FairwayError } from "./errors.ts";
import { Files } from "./files.ts";
import { type DatasetName, type Query, type Sorted, datasetParams, searchData } from "./query.ts";
import { type Paging, type PagingOptions, Search } from "./search.ts";
import { type Summary, type SummaryOptions, breakdownRequest, summaryOf } from "./summary.ts";
import { type CallOf, type CallOptions, Transport, type TransportOptions, jsonOf } from "./transport.ts";

export type DatasetEntry = DatasetCategory["datasets"][number];
export type SearchOptions = Query & Sorted & PagingOptions;
export type AggregateOptions = Query & CallOptions;

export interface ExportOptions extends Query, Sorted, CallOptions {
  /** `arrow`: an Arrow IPC stream. */
  readonly format: ExportDraft["format"];
  /** Columns of a CSV in order. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** Called while the file is written. */
  readonly onProgress?: ((progress: { rows: number; totalRows: number | null }) => void) | undefined;
}

/** Rows of one page if the portal does not say how many it allows. */
const defaultPageRows = 1_000;
const exportPollMs = 500;

/** A portal, called with an API key. */
export class Fairway {
  readonly files: Files;
  readonly #transport: Transport;
  readonly #pagings = new Map<string, Promise<Paging>>();

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
    this.files = new Files(this.#transport);
  }

  /** The datasets that the key opens. */
  async datasets({ signal }: CallOptions = {}): Promise<DatasetEntry[]> {
    const categories = await this.#transport.call("datasets.list", { signal });
    return categories.flatMap(({ datasets }) => datasets);
  }

  /** The datasets whose names, tags, columns or descriptions match a text, the best first; at most 50. */
  async find(text: string, { signal }: CallOptions = {}): Promise<CatalogHit[]> {
    const { hits } = await this.#transport.call("catalog.find", { query: { text }, signal });
    return hits;
  }

  /** The boards of the key's owner and those shared with them, by name. Panels of datasets that the key does not open are hidden. */
  boards({ signal }: CallOptions = {}): Promise<BoardSummary[]> {
    return this.#transport.call("boards.list", { signal });
  }

  /** A board with its panels. */
  board(id: string, { signal }: CallOptions = {}): Promise<Board> {
    return this.#transport.call("boards.read", { params: { id }, signal });
  }

  /** The alerts of the key's owner on datasets that the key opens, with what they saw last. */
  async alerts({ signal }: CallOptions = {}): Promise<Alert[]> {
    const { alerts } = await this.#transport.call("alerts.list", { signal });
    return alerts;
  }

  /** The last checks of an alert, newest first. */
  async alertHistory(id: string, { signal }: CallOptions = {}): Promise<AlertCheck[]> {
    const { checks } = await this.#transport.call("alerts.history", { params: { id }, signal });
    return checks;
  }

  /** Columns, filters and features of a dataset. */
  describe(dataset: DatasetName, { signal }: CallOptions = {}): Promise<DatasetDescription> {
    return this.#transport.call("datasets.describe", { params: datasetParams(dataset), signal });
  }

  /** The rows of a dataset that match. Nothing is called until they are read. */
  search(dataset: DatasetName, options: SearchOptions = {}): Search {
    const params = datasetParams(dataset);
    return new Search(this.#transport, params, searchData(options), options, () => this.#pagingOf(params));
  }

  /** One figure over the rows that match: `count` (of a column, or of rows for `*`), `avg`, `min`, `max` or `sum`. */
  async aggregate(
    dataset: DatasetName,
    aggregation: "count" | "avg" | "min" | "max" | "sum",
    column: string,
    options: AggregateOptions = {},
  ): Promise<string | number | boolean | null> {
    const params = { ...datasetParams(dataset), aggregationType: aggregation, column };
    const answer = await this.#transport.call("search.aggregate", { params, body: searchData(options), signal: options.signal });
    return Object.values(answer)[0] ?? null;
  }

  /**
   * Figures of groups of the rows that match, each computed from rows: `summarize("Travel/flights", { by: "origin", measures:
   * ["avg(delay)", "count"], top: 20 })`.
   */
  async summarize(dataset: DatasetName, options: SummaryOptions = {}): Promise<Summary> {
    const body = breakdownRequest(options);
    return summaryOf(await this.#transport.call("breakdowns.run", { params: datasetParams(dataset), body, signal: options.signal }));
  }

  /** All rows that match as one file, which the portal writes first: for more rows than one wants to page through. */
  async export(dataset: DatasetName, options: ExportOptions): Promise<Response> {
    const { format, columns, onProgress, signal } = options;
    const body = { format, search: searchData(options), ...(columns === undefined ? {} : { columns: [...columns] }) };
    const { exportId } = await this.#transport.call("exports.start", { params: datasetParams(dataset), body, signal });
    const params = { exportId };
    try {
      for (;;) {
        const { status, failure, rows, totalRows } = await this.#transport.call("exports.state", { params, signal });
        onProgress?.({ rows, totalRows });
        if (status === "done") return await this.#transport.call("exports.file", { params, signal });
        if (status !== "running") throw new FairwayError({ code: "internal", message: failure ?? "The export was canceled." });
        await new Promise((resolve) => setTimeout(resolve, exportPollMs));
      }
    } catch (error) {
      // Otherwise the portal writes on for nobody. The first failure is the one to report.
      if (signal?.aborted) await this.#transport.call("exports.remove", { params }).catch(() => undefined);
      throw error;
    }
  }

  /** The filesets that the key opens. */
  filesets({ signal }: CallOptions = {}): Promise<FilesetEntry[]> {
    return this.#transport.call("filesets.list", { signal });
  }

  /** Any operation of the API, as its reference lists them: `call("search.sample", { params: { category, datasetId } })`. */
  call<Id extends keyof Operations>(id: Id, call: CallOf<Id>): Promise<Operations[Id]["answer"]> {
    return this.#transport.call(id, call);
  }

  #pagingOf(params: { category: string; datasetId: string }): Promise<Paging> {
    const key = JSON.stringify(params);
    const known = this.#pagings.get(key);
    if (known !== undefined) return known;
    const reading = this.#readPaging(params);
    this.#pagings.set(key, reading);
    reading.catch(() => this.#pagings.delete(key));
    return reading;
  }

  async #readPaging(params: { category: string; datasetId: string }): Promise<Paging> {
    const [{ features }, settings] = await Promise.all([
      this.#transport.call("datasets.describe", { params }),
      this.#transport.send(`${this.#transport.url}/api/static/settings.json`, {}).then(jsonOf) as Promise<{
        limits?: { pagingMaxRows?: number };
      }>,
    ]);
    return { features, maxRows: settings.limits?.pagingMaxRows ?? defaultPageRows };
  }
}
