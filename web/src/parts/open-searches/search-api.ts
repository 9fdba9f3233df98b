import { isJsonObject } from "@fairway/contract/json";
import { type CellValue, type ResultRow, search } from "@fairway/contract/search";
import { call, callText } from "#lib/gateway/call.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";
import { countDataOf, searchDataOf } from "#parts/search-model/search-data.ts";
import type { SearchDefinition } from "#parts/search-model/search-record.ts";

const paramsOf = ({ datasetDescription: { category, datasetId } }: SearchDefinition) => ({ category: category.id, datasetId });

/** Rows per page: 25 unless configured otherwise. */
export const pageRows = (): number => currentLimits().pageRows;

/** One page of rows, or the sample. Rejects with GatewayError, UnreadableResponse or the signal's reason. */
export async function fetchRows(
  definition: SearchDefinition,
  paging: { offset: number; max: number },
  signal: AbortSignal,
): Promise<RowsResponse> {
  const params = paramsOf(definition);
  const text = definition.isSample
    ? await callText(search.sample, { params }, { signal })
    : await callText(search.run, { params, body: searchDataOf(definition, paging) }, { signal });
  return parseRows(text);
}

/** The total of a search. Rejects like fetchRows, and for a response without a valid `totalResults`. */
export async function fetchTotal(definition: SearchDefinition, signal: AbortSignal): Promise<number> {
  const response = await call(
    search.aggregate,
    { params: { ...paramsOf(definition), aggregationType: "count", column: "*" }, body: countDataOf(definition) },
    { signal },
  );
  const total = response["totalResults"];
  if (typeof total !== "number" || !Number.isSafeInteger(total) || total < 0) throw new Error("The server's response contains no total.");
  return total;
}

export const canCount = ({ isSample, datasetDescription }: SearchDefinition): boolean =>
  !isSample && datasetDescription.features.includes("COUNT");

export const canPage = ({ isSample, datasetDescription }: SearchDefinition): boolean =>
  !isSample && datasetDescription.features.includes("PAGINATION");

export interface RowsResponse {
  rows: ResultRow[];
  truncated: boolean;
}

/** The response contains no readable rows. The message is shown to the user. */
export class UnreadableResponse extends Error {
  override name = "UnreadableResponse";
}

/**
 * Parses `results` of a search response: an array of rows, one row as an object, or either as a JSON string.
 * Throws UnreadableResponse for anything else.
 */
export function parseRows(text: string): RowsResponse {
  const response = parse(text, "The server's response is not JSON.");
  if (!isJsonObject(response)) throw new UnreadableResponse("The server's response has an unknown format.");
  return { rows: toRows(response["results"]), truncated: response["truncated"] === true };
}

function toRows(results: unknown): ResultRow[] {
  const value = typeof results === "string" ? parse(results, "The results are text that is not JSON.") : results;
  if (value === null || value === undefined) throw new UnreadableResponse("The server's response contains no results.");
  const rows = Array.isArray(value) ? (value as unknown[]) : [value];
  if (!rows.every(isJsonObject)) throw new UnreadableResponse("The server's response contains results of an unknown type.");
  return rows.map(toRow);
}

// An upstream may send nested values: show them as JSON instead of refusing the row.
function toRow(row: Record<string, unknown>): ResultRow {
  const entries = Object.entries(row);
  if (entries.every(([, cell]) => isCell(cell))) return row as ResultRow;
  return Object.fromEntries(entries.map(([name, cell]) => [name, isCell(cell) ? cell : JSON.stringify(cell)]));
}

const isCell = (value: unknown): value is CellValue => value === null || typeof value !== "object";

function parse(text: string, failure: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new UnreadableResponse(failure, { cause });
  }
}
