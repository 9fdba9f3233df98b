import { expect, it } from "vitest";
import { isScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { type ScreenName, type ScreenRow, screenTable } from "#lib/screens/screen-table.ts";
import { canonicalPath, screenParts } from "./screens.ts";

it.each([
  ["ROUTE-08", "/datasets", "/search"],
  ["ROUTE-09", "/reports", "/search"],
  ["ROUTE-10", "/external-datasets", "/search"],
  ["ROUTE-11", "/datasets/3f2a", "/search/3f2a"],
])("[%s] %s is an alias of %s", (_, alias, path) => {
  expect(canonicalPath(alias)).toBe(path);
});

it("leaves other paths unchanged", () => {
  expect(canonicalPath("/datasets-of-mine")).toBe("/datasets-of-mine");
  expect(canonicalPath("/search/datasets")).toBe("/search/datasets");
});

it.each(["SearchResults", "/search/$searchId", "search/$searchId", " SearchResults "])(
  "[SESSION-31] disabledLinks accepts %j for the results",
  (link) => {
    expect(isScreenDisabled("SearchResults", [link])).toBe(true);
    expect(isScreenDisabled("SearchResults", ["Something", "/else"])).toBe(false);
  },
);

it.each(["UnifiedDatasets", "/search", "datasets"])("the datasets screen cannot be disabled by %j", (link) => {
  expect(isScreenDisabled("UnifiedDatasets", [link])).toBe(false);
});

it.each(["Filesets", "/filesets", "files"])("a link to the filesets is disabled by %j, as the screen is", (link) => {
  expect(isScreenDisabled("Filesets", [link])).toBe(true);
  expect(isScreenDisabled("FAQ", [link])).toBe(false);
});

it("every screen of the table has an address of its own and a page that the shell loads", () => {
  const addresses = Object.values(screenTable).flatMap((row: ScreenRow) => [row.path].concat(row.aliases ?? []));
  expect(new Set(addresses).size).toBe(addresses.length);
  expect((Object.keys(screenTable) as ScreenName[]).map((name) => typeof screenParts(name).load)).not.toContain("undefined");
});
