import type { BreakdownRequest } from "@fairway/contract/breakdowns";
import type { Column } from "@fairway/contract/columns";
import type { ErrorItem } from "@fairway/contract/errors";
import { csvHeads, type ExportDraft, type ExportFormat } from "@fairway/contract/exports";
import type { Limits } from "@fairway/contract/limits";
import type { CellValue, SearchData } from "@fairway/contract/search";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { Prepare } from "#personal/prepare.ts";
import type { EngineCall, QueryEngine, QueryableDataset, SearchQuery } from "#query/engine.ts";
import type { SqlColumn } from "#query/sql/table.ts";
import type { ExportResult } from "./export-record.ts";

/** A validated search, with the engine and dataset to run it on. */
export interface ExportableSearch {
  readonly columns: readonly Column[];
  readonly filterSupport: Pick<ExportResult, "preFilledFilters">;
  /** Whether the user is told to see a part of the dataset only. */
  readonly isPart: boolean;
  readonly queryable: QueryableDataset;
  readonly engine: QueryEngine;
  readonly query: SearchQuery;
}

export type ExportLimits = Pick<
  Limits,
  | "exportMaxRows"
  | "exportTimeoutMs"
  | "exportsAtOnce"
  | "exportsAtOncePerUser"
  | "exportsKeptPerUser"
  | "exportKeepMinutes"
  | "exportFilesBytes"
  | "exportMemoryMb"
>;

export interface Searches {
  readonly prepare: Prepare<SearchData, ExportableSearch>;
  readonly prepareBreakdown: Prepare<BreakdownRequest, ExportableBreakdown>;
}

/** A breakdown that is valid for its dataset. */
interface ExportableBreakdown {
  readonly filterSupport: Pick<ExportResult, "preFilledFilters">;
  readonly isPart: boolean;
  /** Keeps the rows in a new folder, which the caller removes, while `work` reads them. */
  readonly keep: <T>(
    call: EngineCall,
    target: { readonly maxRows: number; readonly folder: string },
    work: (rows: BreakdownRows) => Promise<T>,
  ) => Promise<T>;
}

/** The rows of a breakdown, a page at a time. */
export interface BreakdownRows {
  readonly columns: readonly SqlColumn[];
  /** Heads of the columns for people, in the same order: in spreadsheets. */
  readonly labels: readonly string[];
  readonly count: number;
  readonly pages: () => AsyncIterable<readonly (readonly CellValue[])[]>;
  /** Whether there are more groups. */
  readonly isCut: boolean;
}

/** A validated export. */
export interface PreparedExport {
  readonly search: ExportableSearch;
  /** The columns of a CSV file or a sheet. */
  readonly csvColumns: readonly Column[];
  /** The first line of a CSV file. */
  readonly csvHeads: readonly string[];
}

/** Validates an export against the dataset and the user's current permissions, and passes it to `work`. Throws Refusal. */
export async function prepareExport<T>(
  searches: Searches,
  user: SignedInUser,
  datasetPath: { category: string; datasetId: string },
  draft: ExportDraft,
  work: (prepared: PreparedExport) => Promise<T>,
): Promise<T> {
  let isSearchChecked = false;
  try {
    return await searches.prepare(user, datasetPath, draft.search, async (search) => {
      requireExportable(search, draft);
      isSearchChecked = true;
      const csvColumns = csvColumnsOf(search, draft);
      return work({ search, csvColumns, csvHeads: headsOf(csvColumns, draft) });
    });
  } catch (error) {
    if (isSearchChecked || !(error instanceof Refusal)) throw error;
    // The search is nested in this request body.
    const items = error.errors.map(({ code, message, path }): ErrorItem =>
      path === undefined ? { code, message } : { code, message, path: `search.${path}` },
    );
    throw Refusal.of(items as [ErrorItem, ...ErrorItem[]]);
  }
}

function requireExportable({ engine }: ExportableSearch, { search }: ExportDraft): void {
  if (engine.export === undefined) throw new Refusal("not-supported", "The rows of this dataset cannot be exported as a whole.");
  if (search.paging !== undefined) {
    throw new Refusal("not-supported", "An export contains every matching row: omit 'paging'.", { path: "paging" });
  }
}

/** Whether a file is for people, who choose its columns and their order. */
export const choosesColumns = (format: ExportFormat): boolean => format === "csv" || format === "xlsx";

function headsOf(csvColumns: readonly Column[], { format, labels }: ExportDraft): string[] {
  if (labels === true && format !== "csv") {
    throw new Refusal("not-supported", "Labels can be chosen only for CSV: sheets have them, and the other formats have names.", {
      path: "labels",
    });
  }
  return csvHeads(csvColumns, labels === true);
}

/** The requested columns, or all columns of the description. */
function csvColumnsOf({ columns }: ExportableSearch, { format, columns: requested }: ExportDraft): readonly Column[] {
  if (requested === undefined) return columns;
  if (!choosesColumns(format)) {
    const message = "Columns can be chosen only for CSV and XLSX: the other formats contain every column.";
    throw new Refusal("not-supported", message, { path: "columns" });
  }
  return requested.map((name, index) => {
    const path = `columns.${index}`;
    const column = columns.find((candidate) => candidate.name === name);
    if (column === undefined) throw new Refusal("unknown-column", `This dataset has no column '${name.slice(0, 100)}'.`, { path });
    if (requested.indexOf(name) < index) throw new Refusal("invalid-request", `The column '${name}' is listed twice.`, { path });
    return column;
  });
}
