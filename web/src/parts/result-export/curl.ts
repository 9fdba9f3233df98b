import { search } from "@fairway/contract/search";
import { urlOf } from "#lib/gateway/call.ts";
import { searchDataOf } from "#parts/search-model/search-data.ts";
import type { SearchDefinition } from "#parts/search-model/search-record.ts";

/** The variable that a pasted command reads its API key from, so no secret is in the clipboard. */
export const curlKeyVariable = "FAIRWAY_API_KEY";

/** The part of a search record that a command needs. */
export type CurlSearch = Pick<SearchDefinition, "datasetDescription" | "isSample" | "filters" | "sort" | "added">;

/**
 * A command that requests the first page of a search (`pageRows` rows if the dataset supports paging) or the sample from the
 * gateway at `origin`. It runs in any POSIX shell once the key's variable is set.
 */
export function buildCurl(request: CurlSearch, origin: string, pageRows: number): string {
  const { category, datasetId } = request.datasetDescription;
  const params = { category: category.id, datasetId };
  const key = `-H "Authorization: Bearer $${curlKeyVariable}"`;
  if (request.isSample) return ["curl", quoted(origin + urlOf(search.sample, params)), key].join(" ");
  return [
    "curl -X POST",
    quoted(origin + urlOf(search.run, params)),
    key,
    "-H 'Content-Type: application/json'",
    // Raw, because --data would read a body starting with @ from a file.
    `--data-raw ${quoted(JSON.stringify(searchDataOf(request, { offset: 0, max: pageRows })))}`,
  ].join(" \\\n  ");
}

/** A POSIX shell takes everything in single quotes literally; only the quote itself must be escaped. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
