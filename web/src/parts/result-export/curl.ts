import { search } from "@fairway/contract/search";
import { urlOf } from "#lib/call.ts";
import { searchDataOf } from "#parts/search-model/search-data.ts";
import type { SearchDefinition } from "#parts/search-model/search-record.ts";

/** The variable that a pasted command reads its API key from, so that no secret is ever in the clipboard. */
export const curlKeyVariable = "FAIRWAY_API_KEY";

/** What a command asks for: the part of a search record that says it. */
export type CurlSearch = Pick<SearchDefinition, "datasetDescription" | "isSample" | "filters" | "sort">;

/**
 * A command that asks the gateway at `origin` for the first page of a search (`pageRows` rows where the dataset pages), or for the sample.
 * Runs as pasted into any POSIX shell once the key's variable is set.
 */
export function buildCurl(asked: CurlSearch, origin: string, pageRows: number): string {
  const { category, datasetId } = asked.datasetDescription;
  const params = { category: category.id, datasetId };
  const key = `-H "Authorization: Bearer $${curlKeyVariable}"`;
  if (asked.isSample) return ["curl", quoted(origin + urlOf(search.sample, params)), key].join(" ");
  return [
    "curl -X POST",
    quoted(origin + urlOf(search.run, params)),
    key,
    "-H 'Content-Type: application/json'",
    // Raw: a body that begins with @ is not taken for a file.
    `--data-raw ${quoted(JSON.stringify(searchDataOf(asked, { offset: 0, max: pageRows })))}`,
  ].join(" \\\n  ");
}

/** Within single quotes a POSIX shell reads everything as it stands; only the quote itself must step outside. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
