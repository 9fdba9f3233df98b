import type { DatasetDescription } from "@fairway/contract/datasets";
import { missingFilterHint } from "@fairway/contract/required-filters";
import { search } from "@fairway/contract/search";
import { urlOf } from "#lib/gateway/call.ts";
import { searchDataOf } from "#parts/search-model/search-data.ts";
import { buildCurl, curlKeyVariable, type CurlSearch } from "#parts/result-export/curl.ts";

export const snippetLanguages = ["cURL", "Python", "JavaScript"] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

/** The shell line that sets the key's variable; without a value, a placeholder. */
export const exportLine = (value: string | undefined): string => `export ${curlKeyVariable}='${value ?? "YOUR_KEY"}'`;

/**
 * A program that requests the first rows of a dataset from the gateway at `origin`: of a search, or of the sample when a search
 * requires filters. It runs as pasted once the key's variable is set, without further packages.
 */
export function snippet(language: SnippetLanguage, description: DatasetDescription, origin: string, pageRows: number): string {
  const request: CurlSearch = {
    datasetDescription: description,
    isSample: missingFilterHint(description.filterSupport, { filters: [], timeRange: false, area: false }) !== null,
    filters: { geospatial: null, timeRange: null, dynamic: [] },
    sort: [],
  };
  if (language === "cURL") return buildCurl(request, origin, pageRows);
  const params = { category: description.category.id, datasetId: description.datasetId };
  const url = JSON.stringify(origin + urlOf(request.isSample ? search.sample : search.run, params));
  const body = request.isSample ? null : JSON.stringify(searchDataOf(request, { offset: 0, max: pageRows }));
  return language === "Python" ? python(url, body) : javaScript(url, body);
}

function python(url: string, body: string | null): string {
  return [
    "import json, os, urllib.request",
    "",
    "request = urllib.request.Request(",
    `    ${url},`,
    // A JSON string is also a valid Python string.
    ...(body === null ? [] : [`    data=${JSON.stringify(body)}.encode(),`]),
    "    headers={",
    `        "Authorization": "Bearer " + os.environ["${curlKeyVariable}"],`,
    ...(body === null ? [] : ['        "Content-Type": "application/json",']),
    "    },",
    ")",
    "with urllib.request.urlopen(request) as response:",
    '    for row in json.load(response)["results"]:',
    "        print(row)",
  ].join("\n");
}

function javaScript(url: string, body: string | null): string {
  const key = `Authorization: \`Bearer \${process.env.${curlKeyVariable}}\``;
  return [
    `const response = await fetch(${url}, {`,
    ...(body === null
      ? [`  headers: { ${key} },`]
      : ['  method: "POST",', `  headers: { ${key}, "Content-Type": "application/json" },`, `  body: JSON.stringify(${body}),`]),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    "const { results } = await response.json();",
    "console.log(results);",
  ].join("\n");
}
