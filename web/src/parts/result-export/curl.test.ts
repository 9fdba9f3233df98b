import type { FieldFilter } from "@fairway/contract/datasets";
import type { Filter } from "@fairway/contract/filters";
import { expect, it } from "vitest";
import { withSetting } from "#parts/search-model/form-filter.ts";
import { buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { buildCurl, type CurlSearch } from "./curl.ts";

// The web's types do not include Node, and only this test needs a shell.
const { execFileSync } = (await import(/* @vite-ignore */ ["node", "child_process"].join(":"))) as {
  execFileSync: (file: string, args: readonly string[], options: { encoding: "utf8" }) => string;
};

const description = buildDescription({
  category: { id: "Tropical weather", description: "" },
  datasetId: "storm's-tracks",
  features: ["PAGINATION", "COUNT"],
});

const curlOf = (overrides: Partial<CurlSearch> = {}) =>
  buildCurl(
    {
      datasetDescription: description,
      isSample: false,
      filters: { geospatial: null, timeRange: null, dynamic: [] },
      sort: [],
      ...overrides,
    },
    "https://portal.example",
    25,
  );

const filteredBy = (filter: FieldFilter) => curlOf({ filters: { geospatial: null, timeRange: null, dynamic: [filter] } });

/** The arguments that a shell passes to the program: `curl` is a function that prints each one on a line in base64. */
function argumentsOf(command: string): string[] {
  const script = `FAIRWAY_API_KEY='fwk_k$y'\ncurl() { for a in "$@"; do printf '%s' "$a" | base64 -w0; echo; done; }\n${command}\n`;
  const output = execFileSync("sh", ["-c", script], { encoding: "utf8" });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => new TextDecoder().decode(Uint8Array.from(atob(line), (char) => char.codePointAt(0) ?? 0)));
}

it("[RESULT-38] a shell passes the address, the key from the environment and the body to curl", () => {
  const command = curlOf({ sort: [{ column: "wind", direction: "desc" }] });
  expect(argumentsOf(command)).toEqual([
    "-X",
    "POST",
    "https://portal.example/api/datasets/Tropical%20weather/storm's-tracks/search",
    "-H",
    "Authorization: Bearer fwk_k$y",
    "-H",
    "Content-Type: application/json",
    "--data-raw",
    JSON.stringify({ paging: { offset: 0, max: 25 }, filters: [], sort: [{ column: "wind", direction: "desc" }] }),
  ]);
});

it.each([
  "O'Brien",
  "$(rm -rf /)",
  "`id`",
  String.raw`back\slash`,
  'double "quotes"',
  "!history",
  "line\nbreak",
  "'; exit 1; '",
  "%s ${HOME} * ?",
  "東京",
])("[RESULT-38] a filter on %j reaches curl unchanged", (value) => {
  const command = filteredBy(buildFilter("name", { value }));
  const body: unknown = JSON.parse(argumentsOf(command).at(-1) ?? "");
  expect(body).toMatchObject({ filters: [{ name: "name", value, operator: "=" }] });
});

it.each<Filter>([
  { name: "name", operator: "in", value: ["it's", "", null] },
  { name: "name", operator: "not in", value: ["$(id)"] },
  { name: "wind", operator: "between", value: [1, "9007199254740993"] },
  { name: "wind", operator: "not between", value: [1, 2] },
  { name: "name", operator: "contains", value: "100%" },
  { name: "name", operator: "not starts with", value: "a_b" },
  { name: "at", operator: "not when", value: { part: "dayOfWeek", zone: "America/New_York", in: [6, 7] } },
  { name: "*", operator: "any", value: [[{ name: "name", operator: "=", value: "it's" }], [{ name: "wind", operator: ">", value: 5 }]] },
])("[RESULT-38] a filter with $operator reaches curl unchanged", (filter) => {
  const dynamic = [withSetting(buildFilter(filter.name), filter)];
  const command = curlOf({ filters: { geospatial: null, timeRange: null, dynamic } });
  expect(JSON.parse(argumentsOf(command).at(-1) ?? "")).toMatchObject({ filters: [filter] });
});

it("[RESULT-38] the command omits pre-filled filters, which the server applies", () => {
  const command = filteredBy(buildFilter("name", { value: "x", preFilled: true }));
  expect(JSON.parse(argumentsOf(command).at(-1) ?? "")).toMatchObject({ filters: [] });
});

it("a sample is a GET without a body", () => {
  expect(argumentsOf(curlOf({ isSample: true }))).toEqual([
    "https://portal.example/api/datasets/Tropical%20weather/storm's-tracks/sample",
    "-H",
    "Authorization: Bearer fwk_k$y",
  ]);
});

it("contains the name of the key's variable instead of a key", () => {
  expect(curlOf()).toContain('-H "Authorization: Bearer $FAIRWAY_API_KEY"');
});
