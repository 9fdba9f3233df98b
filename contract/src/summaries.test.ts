import { describe, expect, it } from "vitest";
import { addressedSummaryLimits, summariesWithRoom } from "./search-address.ts";
import { summary, versionedSummary, withVersion } from "./summaries.ts";

const breakdown = { by: [{ kind: "value", column: "origin" }], measures: [{ aggregation: "avg", column: "delay" }] };

it("a summary without title and chart reads as one whose title and chart follow", () => {
  expect(summary.parse({ breakdown })).toEqual({ title: null, chart: null, breakdown });
});

it("templates and boards keep every part of a summary", () => {
  const { version, ...kept } = versionedSummary.parse(
    JSON.parse(JSON.stringify(withVersion(summary.parse({ title: "Delays", chart: "lines", isBridged: false, breakdown })))),
  );
  expect({ version, kept }).toEqual({ version: 2, kept: { title: "Delays", chart: "lines", isBridged: false, breakdown } });
  expect(Object.keys(versionedSummary.shape).toSorted()).toEqual(Object.keys({ version, ...kept }).toSorted());
});

describe("a strict reader refuses", () => {
  it.each<[string, unknown]>([
    ["an unknown chart", { breakdown, chart: "gauge" }],
    ["an unknown field", { breakdown, anyOf: [] }],
    ["an unknown field of the breakdown", { breakdown: { ...breakdown, unless: [] } }],
    ["an unknown grouping", { breakdown: { ...breakdown, by: [{ kind: "hexagon", column: "origin" }] } }],
    ["an unknown field of a grouping", { breakdown: { ...breakdown, by: [{ kind: "value", column: "origin", not: true }] } }],
    ["the search of a request", { breakdown: { ...breakdown, search: { filters: [] } } }],
    ["no measure", { breakdown: { measures: [] } }],
  ])("%s", (_, one) => {
    expect(summary.safeParse(one).success).toBe(false);
  });
});

it("an address has room for summaries of so many characters in all, and for so many", () => {
  const { characters, count } = addressedSummaryLimits;
  const exact = "x".repeat(characters - 5);
  expect(JSON.stringify(summariesWithRoom([exact, `${exact}x`, exact]))).toHaveLength(characters - 1);
  expect(summariesWithRoom([`${exact}xx`, "small", exact])).toEqual(["small"]);
  expect(summariesWithRoom(Array.from({ length: count + 1 }, (_, index) => index))).toHaveLength(count);
});
