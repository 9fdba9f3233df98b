import { expect, it } from "vitest";
import { linkedScreens } from "#lib/linked-screens.ts";
import { canonicalPath, isDisabled, screenNamed, type ScreenName } from "./screens.ts";

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
    expect(isDisabled("SearchResults", [link])).toBe(true);
    expect(isDisabled("SearchResults", ["Something", "/else"])).toBe(false);
  },
);

it.each(["UnifiedDatasets", "/search", "datasets"])("the datasets screen cannot be disabled by %j", (link) => {
  expect(isDisabled("UnifiedDatasets", [link])).toBe(false);
});

it("other parts know the paths of the screens that they link to", () => {
  for (const [name, linked] of Object.entries(linkedScreens)) {
    const { path, aliases } = screenNamed(name as ScreenName);
    expect([name, linked]).toEqual([name, aliases === undefined ? { path } : { path, aliases }]);
  }
});
