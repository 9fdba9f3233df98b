import { isJsonObject } from "@fairway/contract/json";
import { type CellValue, type ResultRow, search } from "@fairway/contract/search";
import { call, callText } from "#lib/call.ts";
import { currentLimits } from "#lib/portal-settings.ts";
import { countDataOf, searchDataOf } from "#parts/search-model/search-data.ts";
import type { SearchDefinition } from "#parts/search-model/search-record.ts";

const paramsOf = ({ datasetDescription: { category, datasetId } }: SearchDefinition) => ({ category: category.id, datasetId });

/** Rows asked for by one request: 25, unless the operator says otherwise. */
export const pageRows = (): number => currentLimits().pageRows;

/** One page of rows, or the sample. Rejects with GatewayError, UnreadableAnswer or the signal's reason. */
export async function fetchRows(asked: SearchDefinition, offset: number, signal: AbortSignal): Promise<RowsAnswer> {
  const params = paramsOf(asked);
  const text = asked.isSample
    ? await callText(search.sample, { params }, { signal })
    : await callText(search.run, { params, body: searchDataOf(asked, { offset, max: pageRows() }) }, { signal });
  return rowsOfAnswer(text);
}

/** The total of a search. Rejects like fetchRows, also for an answer without a readable `totalResults`. */
export async function fetchTotal(asked: SearchDefinition, signal: AbortSignal): Promise<number> {
  const answer = await call(
    search.aggregate,
    { params: { ...paramsOf(asked), aggregationType: "count", column: "*" }, body: countDataOf(asked) },
    { signal },
  );
  const total = answer["totalResults"];
  if (typeof total !== "number" || !Number.isSafeInteger(total) || total < 0) throw new Error("The server's answer holds no total.");
  return total;
}

export const canCount = ({ isSample, datasetDescription }: SearchDefinition): boolean =>
  !isSample && datasetDescription.features.includes("COUNT");

export const canPage = ({ isSample, datasetDescription }: SearchDefinition): boolean =>
  !isSample && datasetDescription.features.includes("PAGINATION");

export interface RowsAnswer {
  rows: ResultRow[];
  truncated: boolean;
}

/** The answer came, but holds no rows that can be read. The message is for people. */
export class UnreadableAnswer extends Error {
  override name = "UnreadableAnswer";
}

/**
 * Reads `results` of a search answer: an array of rows, one row as an object, or either as a JSON string.
 * Throws UnreadableAnswer for null and anything else.
 */
export function rowsOfAnswer(text: string): RowsAnswer {
  const answer = parse(text, "The server's answer is not JSON.");
  if (!isJsonObject(answer)) throw new UnreadableAnswer("The server's answer has an unknown shape.");
  return { rows: rowsOf(answer["results"]), truncated: answer["truncated"] === true };
}

function rowsOf(results: unknown): ResultRow[] {
  const value = typeof results === "string" ? parse(results, "The results are text that is not JSON.") : results;
  if (value === null || value === undefined) throw new UnreadableAnswer("The server's answer holds no results.");
  const rows = Array.isArray(value) ? (value as unknown[]) : [value];
  if (!rows.every(isJsonObject)) throw new UnreadableAnswer("The server's answer holds results of an unknown type.");
  return rows.map(rowOf);
}

// Cells that are lists or objects (an upstream may nest) are shown as their JSON rather than refused.
function rowOf(row: Record<string, unknown>): ResultRow {
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
    throw new UnreadableAnswer(failure, { cause });
  }
}
