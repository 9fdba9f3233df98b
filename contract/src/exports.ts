import { z } from "zod";
import { breakdownRequest } from "./breakdowns.ts";
import { uniqueLabels } from "./charts/graph-wording.ts";
import { type Column, columnTitle } from "./columns.ts";
import { formatCount } from "./counts.ts";
import { datasetParams, datasetRef, fieldFilter } from "./datasets.ts";
import { route } from "./route.ts";
import { arrowStream, closedTimeRange, searchData } from "./search.ts";

export const exportFormat = z.enum(["csv", "json", "parquet", "arrow", "xlsx"]);
export type ExportFormat = z.infer<typeof exportFormat>;

/** The media type of workbooks. */
export const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Why a finished export is removed, and a running one fails. */
export const changedExportText = "What you may see of this dataset has changed since this export was made. Start it again.";

/** Rows that a sheet holds below its header. */
export const maxSheetRows = 1_048_575;

/** Whether a sheet cannot hold what matches. A lower limit of the operator cuts any export, and says so. */
export const exceedsSheet = (totalRows: number | null, exportMaxRows: number): totalRows is number =>
  totalRows !== null && totalRows > maxSheetRows && exportMaxRows > maxSheetRows;

/** Why such rows are no sheet. */
export const sheetLimitText = (totalRows: number): string =>
  `${formatCount(totalRows)} rows match; a sheet holds ${formatCount(maxSheetRows)}. Export CSV or Parquet, or narrow the search.`;

/** The first line of a CSV file: the names of the columns, or their labels, each only once. */
export const csvHeads = (columns: readonly Pick<Column, "name" | "label">[], hasLabels: boolean): string[] =>
  hasLabels ? uniqueLabels(columns.map(columnTitle)) : columns.map(({ name }) => name);

export const exportDraft = z
  .object({
    format: exportFormat,
    /** A search without `paging`: an export holds everything that matches. */
    search: searchData,
    /** CSV and XLSX only: the columns of the file in order, including combined ones. Default: every column of the description. */
    columns: z.array(z.string()).min(1).max(10_000).optional(),
    /** CSV only: the first line has the labels of the columns in place of their names. Default: false. */
    labels: z.boolean().optional(),
  })
  .meta({ id: "ExportDraft" });
export type ExportDraft = z.infer<typeof exportDraft>;

/** A breakdown as a file: a row for each cell. */
export const breakdownExportDraft = z
  .strictObject({ format: exportFormat, breakdown: breakdownRequest })
  .meta({ id: "BreakdownExportDraft" });
export type BreakdownExportDraft = z.infer<typeof breakdownExportDraft>;

export const exportStatus = z.enum(["running", "done", "failed", "cancelled"]);
export type ExportStatus = z.infer<typeof exportStatus>;

export const exportState = z
  .object({
    exportId: z.string(),
    status: exportStatus,
    /** Rows written so far. */
    rows: z.int(),
    /** Rows that match; null until they are counted, or if they cannot be. */
    totalRows: z.int().nullable(),
    /** True if more rows matched than one export may contain. */
    cut: z.boolean(),
    /** Why it failed, as shown to users; null otherwise. */
    failure: z.string().nullable(),
    /** Null until it is done. */
    file: z.object({ name: z.string(), bytes: z.int() }).nullable(),
  })
  .meta({ id: "ExportState" });
export type ExportState = z.infer<typeof exportState>;

export const exportManifest = z
  .object({
    exportId: z.string(),
    dataset: datasetRef,
    format: exportFormat,
    /** The file's columns in order. */
    columns: z.array(z.string()),
    /** The search as requested; an open end of its time range is the first or last moment that can be written. */
    query: searchData.extend({ timeRange: closedTimeRange.optional() }).meta({ id: "ExportedSearch" }),
    /** The breakdown that the file holds instead of the rows of the search. */
    breakdown: breakdownRequest.optional(),
    /** Filters that the dataset adds to every search. */
    preFilledFilters: z.array(fieldFilter.pick({ name: true, operator: true, value: true })),
    user: z.string(),
    /** ISO 8601 UTC. */
    startedAt: z.string(),
    finishedAt: z.string(),
    runMs: z.int(),
    rows: z.int(),
    totalRows: z.int().nullable(),
    cut: z.boolean(),
    /** True if its user sees a part of the rows or columns only. */
    partial: z.literal(true).optional(),
    /** XLSX only: texts that are longer than a cell may be, and end there. */
    cutTexts: z.int().optional(),
    /** Maximum number of rows of one export. */
    maxRows: z.int(),
    file: z.object({ name: z.string(), bytes: z.int() }),
  })
  .meta({ id: "ExportManifest" });
export type ExportManifest = z.infer<typeof exportManifest>;

const exportParams = z.object({ exportId: z.string() });

/** Files of all rows that a search finds. Each export belongs to one user and is kept for an hour (setting `exportKeepMinutes`). */
export const exports = {
  start: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/export",
    access: "signed-in",
    summary: "Starts to write everything that matches a search into a file.",
    params: datasetParams,
    body: exportDraft,
    response: z.object({ exportId: z.string() }),
    status: 202,
    apiKey: true,
  }),
  startBreakdown: route({
    method: "POST",
    path: "/datasets/:category/:datasetId/breakdown/export",
    access: "signed-in",
    summary: "Starts to write all groups of a breakdown into a file.",
    params: datasetParams,
    body: breakdownExportDraft,
    response: z.object({ exportId: z.string() }),
    status: 202,
    bodyLimit: 4_194_304,
    apiKey: true,
  }),
  state: route({
    method: "GET",
    path: "/exports/:exportId",
    access: "signed-in",
    summary: "How far an export is.",
    params: exportParams,
    response: exportState,
    apiKey: true,
  }),
  file: route({
    method: "GET",
    path: "/exports/:exportId/file",
    access: "signed-in",
    summary: "The finished export: text/csv, application/json, Parquet, an Arrow IPC stream or a workbook.",
    params: exportParams,
    response: z.string(),
    streamed: true,
    mediaTypes: ["text/csv", "application/json", "application/vnd.apache.parquet", arrowStream, workbookType],
    cookie: true,
    apiKey: true,
  }),
  manifest: route({
    method: "GET",
    path: "/exports/:exportId/manifest",
    access: "signed-in",
    summary: "The details of a finished export: dataset, query, user, run time, rows, and whether it was cut.",
    params: exportParams,
    response: exportManifest,
    streamed: true,
    cookie: true,
    apiKey: true,
  }),
  remove: route({
    method: "DELETE",
    path: "/exports/:exportId",
    access: "signed-in",
    summary: "Cancels a running export, or removes a finished one.",
    params: exportParams,
    response: z.undefined(),
    apiKey: true,
  }),
};
