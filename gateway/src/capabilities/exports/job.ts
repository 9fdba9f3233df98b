import { rm, stat } from "node:fs/promises";
import type { DatasetRef, FieldFilter } from "@fairway/contract/datasets";
import type { ExportFormat, ExportManifest, ExportState, ExportStatus } from "@fairway/contract/exports";
import type { SearchData } from "@fairway/contract/search";
import { safeFileName } from "@fairway/contract/file-names";

/** What was asked for, all of it checked. */
export interface ExportOrder {
  readonly exportId: string;
  readonly owner: { readonly id: string; readonly username: string };
  readonly dataset: DatasetRef;
  readonly format: ExportFormat;
  readonly columns: readonly string[];
  readonly query: SearchData;
  readonly preFilledFilters: readonly Pick<FieldFilter, "name" | "operator" | "value">[];
  readonly maxRows: number;
}

/** One export from its start to its removal. */
export class ExportJob {
  readonly order: ExportOrder;
  /** Where its file is written, and stays once it is done. */
  readonly path: string;
  readonly startedMs: number;
  rows = 0;
  bytes = 0;
  totalRows: number | null = null;
  readonly #stop = new AbortController();
  #status: ExportStatus = "running";
  #failure: string | null = null;
  #finishedMs: number | undefined;
  #cut = false;

  constructor(order: ExportOrder, path: string, startedMs: number) {
    this.order = order;
    this.path = path;
    this.startedMs = startedMs;
  }

  get status(): ExportStatus {
    return this.#status;
  }

  get finishedMs(): number | undefined {
    return this.#finishedMs;
  }

  /** Aborted when it is cancelled or has to stop; the reason is a StopReason. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get state(): ExportState {
    return {
      exportId: this.order.exportId,
      status: this.#status,
      rows: this.rows,
      totalRows: this.totalRows,
      cut: this.#cut,
      failure: this.#failure,
      file: this.#status === "done" ? this.#file : null,
    };
  }

  /** Of a finished export. */
  get manifest(): ExportManifest {
    const { exportId, dataset, format, columns, query, preFilledFilters, owner, maxRows } = this.order;
    const finishedMs = this.#finishedMs ?? this.startedMs;
    return {
      exportId,
      dataset,
      format,
      columns: [...columns],
      query,
      preFilledFilters: preFilledFilters.map(({ name, operator, value }) => ({ name, operator, value })),
      user: owner.username,
      startedAt: new Date(this.startedMs).toISOString(),
      finishedAt: new Date(finishedMs).toISOString(),
      runMs: finishedMs - this.startedMs,
      rows: this.rows,
      totalRows: this.totalRows,
      cut: this.#cut,
      maxRows,
      file: this.#file,
    };
  }

  get manifestName(): string {
    return this.#nameWith("manifest.json");
  }

  /** Asks the running export to end. Once it has, it counts as cancelled where no failure is given. */
  stop(failure: string | null): void {
    this.#stop.abort(failure);
  }

  done({ rows, cut, finishedMs }: { rows: number; cut: boolean; finishedMs: number }): void {
    this.rows = rows;
    this.#cut = cut;
    this.#finish("done", finishedMs);
  }

  fail(failure: string, finishedMs: number): void {
    this.#failure = failure;
    this.#finish("failed", finishedMs);
  }

  cancelled(finishedMs: number): void {
    this.#finish("cancelled", finishedMs);
  }

  /** How large its file is at this moment; none yet counts as empty. */
  async measure(): Promise<void> {
    try {
      this.bytes = (await stat(this.path)).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }

  async removeFile(): Promise<void> {
    await rm(this.path, { force: true });
    this.bytes = 0;
  }

  #finish(status: ExportStatus, finishedMs: number): void {
    this.#status = status;
    this.#finishedMs = finishedMs;
  }

  get #file(): { name: string; bytes: number } {
    return { name: this.#nameWith(this.order.format), bytes: this.bytes };
  }

  #nameWith(extension: string): string {
    const { datasetCategory, datasetId } = this.order.dataset;
    return safeFileName(`${datasetCategory}_${datasetId}${this.#cut ? "-cut" : ""}.${extension}`);
  }
}
