import type { BreakdownRequest } from "@fairway/contract/breakdowns";
import type { DatasetRef, FieldFilter } from "@fairway/contract/datasets";
import type { ExportDraft, ExportFormat, ExportManifest, ExportState, ExportStatus } from "@fairway/contract/exports";
import { safeFileName } from "@fairway/contract/file-names";
import { closedRangeOf } from "@fairway/contract/search";
import { type ScopeKeys, searchedDatasets } from "#personal/scope-keys.ts";
import { type FileKey, fileKey } from "#storage/key.ts";

/** A request as it is stored: of the rows of a search, or of a breakdown of it. */
export type StoredExport = ExportDraft & { readonly breakdown?: BreakdownRequest | undefined };

/** Values that are known only once a run has finished. */
export interface ExportResult {
  /** The owner's username at that time. */
  readonly username: string;
  /** The file's columns, in order. */
  readonly columns: readonly string[];
  readonly preFilledFilters: readonly Pick<FieldFilter, "name" | "operator" | "value">[];
  readonly cut: boolean;
  /** Whether the owner was told to see a part of the dataset only. */
  readonly isPart?: true | undefined;
  readonly cutTexts?: number | undefined;
  readonly maxRows: number;
}

/** An export as stored in the database. */
export interface ExportRecord {
  readonly id: string;
  readonly ownerId: string;
  /** The API key that started it, as which it runs. */
  readonly apiKeyId: string | null;
  /** The parts of its datasets that the owner, or the key, saw at the start. Null: all. */
  readonly scopeKeys: ScopeKeys | null;
  readonly dataset: DatasetRef;
  readonly request: StoredExport;
  readonly status: ExportStatus;
  /** Number of the current run, from 1. */
  readonly attempt: number;
  readonly rows: number;
  readonly totalRows: number | null;
  readonly bytes: number;
  readonly failure: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Null until the export has finished. */
  readonly result: ExportResult | null;
}

export type FinishedExport = ExportRecord & { readonly finishedAt: Date; readonly result: ExportResult };

export const isFinished = (record: ExportRecord): record is FinishedExport => record.status === "done" && record.result !== null;

/** The datasets that it reads. */
export const datasetsOf = ({ dataset, request }: Pick<ExportRecord, "dataset" | "request">): DatasetRef[] =>
  searchedDatasets(dataset, (request.breakdown ?? request).search);

/** The file of a run, both in the scratch folder and in the store. Each run has its own. */
export const runKey = ({ id, attempt, request }: Pick<ExportRecord, "id" | "attempt" | "request">): FileKey =>
  fileKey(`${id}.${attempt}.${request.format}`);

/** The run that a file belongs to, ignoring further suffixes. */
export const runOfFile = (name: string): string => name.split(".").slice(0, 2).join(".");

/** Files of the first release have no number of a run in their name. */
export const isFileOfRun = (name: string): boolean => /^[^.]+\.\d+\./.test(name);

export const stateOf = (record: ExportRecord): ExportState => ({
  exportId: record.id,
  status: record.status,
  rows: record.rows,
  totalRows: record.totalRows,
  cut: record.result?.cut ?? false,
  failure: record.failure,
  file: isFinished(record) ? fileOf(record) : null,
});

export function manifestOf(record: FinishedExport): ExportManifest {
  const { id, dataset, request, result, startedAt, finishedAt, rows, totalRows } = record;
  const { timeRange, ...search } = request.search;
  return {
    exportId: id,
    dataset,
    format: request.format,
    columns: [...result.columns],
    query: { ...search, ...(timeRange && { timeRange: closedRangeOf(timeRange) }) },
    ...(request.breakdown === undefined ? {} : { breakdown: request.breakdown }),
    preFilledFilters: result.preFilledFilters.map(({ name, operator, value }) => ({ name, operator, value })),
    user: result.username,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    runMs: finishedAt.getTime() - startedAt.getTime(),
    rows,
    totalRows,
    cut: result.cut,
    ...(result.isPart === true ? { partial: true } : {}),
    ...(result.cutTexts === undefined ? {} : { cutTexts: result.cutTexts }),
    maxRows: result.maxRows,
    file: fileOf(record),
  };
}

export const manifestNameOf = (record: FinishedExport): string => nameWith(record, "manifest.json");

const fileOf = (record: FinishedExport) => ({ name: nameWith(record, extensions[record.request.format]), bytes: record.bytes });

/** Of Arrow, that of the stream format; `arrow` is that of the file format. */
const extensions: Readonly<Record<ExportFormat, string>> = { csv: "csv", json: "json", parquet: "parquet", arrow: "arrows", xlsx: "xlsx" };

const nameWith = ({ dataset, result }: FinishedExport, extension: string): string =>
  safeFileName(`${dataset.datasetCategory}_${dataset.datasetId}${result.cut ? "-cut" : ""}.${extension}`);
