import { search } from "@fairway/contract/search";
import { call, callText } from "#lib/call.ts";
import { currentLimits } from "#lib/portal-settings.ts";
import { countDataOf, searchDataOf } from "./search-data.ts";
import { type RowsAnswer, rowsOfAnswer } from "./search-answer.ts";
import type { SearchDefinition } from "./search-record.ts";

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
