import { describe, expect, it } from "vitest";
import { countOfGroups, groupedRange, groupsOf, groupConstraints, searchOfGroup, suggestedGrouping } from "./graph-groups.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const range = (start: string, end: string) => ({ startMs: at(start), endMs: at(end) });
const temporal = (groupingType: "day" | "hour") => ({ groupingType, groupings: [] });
const spans = (type: "day" | "hour", start: string, end: string) =>
  groupsOf(temporal(type), range(start, end)).map((group) => [
    group.label,
    groupConstraints(group).timeRange?.start,
    groupConstraints(group).timeRange?.end,
  ]);

it("a range that is open is grouped up to where the data begin or end", () => {
  const timeExtent = range("2004-01-01T00:00:00", "2005-12-31T00:00:00");
  const half = (startMs: number | null, endMs: number | null) => ({
    timeRange: startMs === null && endMs === null ? null : { startMs, endMs },
  });
  const [from, to] = [at("2005-08-28T00:00:00"), at("2005-08-29T00:00:00")];
  expect(groupedRange(half(from, null), { timeExtent })).toEqual({ startMs: from, endMs: timeExtent.endMs });
  expect(groupedRange(half(null, to), { timeExtent })).toEqual({ startMs: timeExtent.startMs, endMs: to });
  expect(groupedRange(half(from, to), { timeExtent: null })).toEqual({ startMs: from, endMs: to });
  expect([groupedRange(half(from, null), { timeExtent: null }), groupedRange({ timeRange: null }, { timeExtent })]).toEqual([null, null]);
  // Nothing lies after the end of the data.
  expect(groupedRange(half(at("2006-01-01T00:00:00"), null), { timeExtent })).toBeNull();
});

describe("[GRAPH-26] grouping a range", () => {
  it("by day labels UTC days and cuts the first and last one to the range", () => {
    expect(spans("day", "2005-08-28T13:30:00", "2005-08-30T06:00:00")).toEqual([
      ["08/28/2005", "2005-08-28T13:30:00.000Z", "2005-08-28T23:59:59.999Z"],
      ["08/29/2005", "2005-08-29T00:00:00.000Z", "2005-08-29T23:59:59.999Z"],
      ["08/30/2005", "2005-08-30T00:00:00.000Z", "2005-08-30T06:00:00.000Z"],
    ]);
  });

  it("by hour labels UTC hours", () => {
    expect(spans("hour", "2005-08-28T23:15:00", "2005-08-29T00:30:00")).toEqual([
      ["08/28/2005, 11:00 PM", "2005-08-28T23:15:00.000Z", "2005-08-28T23:59:59.999Z"],
      ["08/29/2005, 12:00 AM", "2005-08-29T00:00:00.000Z", "2005-08-29T00:30:00.000Z"],
    ]);
  });

  it("gives an end at midnight its own group, since its rows are part of the search", () => {
    expect(spans("day", "2005-08-28T00:00:00", "2005-08-29T00:00:00").at(-1)).toEqual([
      "08/29/2005",
      "2005-08-29T00:00:00.000Z",
      "2005-08-29T00:00:00.000Z",
    ]);
  });

  it("by several days labels each group by its first and last day and cuts the last one", () => {
    const grouped = { ...temporal("day"), days: 7 };
    const span = range("2005-08-28T13:30:00", "2005-09-11T06:00:00");
    expect(groupsOf(grouped, span).map(({ id, label, time }) => [id, label, time?.startMs, time?.endMs])).toEqual([
      ["2005-08-28", "08/28/2005 – 09/03/2005", at("2005-08-28T13:30:00"), at("2005-09-03T23:59:59.999")],
      ["2005-09-04", "09/04/2005 – 09/10/2005", at("2005-09-04T00:00:00"), at("2005-09-10T23:59:59.999")],
      ["2005-09-11", "09/11/2005", at("2005-09-11T00:00:00"), at("2005-09-11T06:00:00")],
    ]);
    expect(countOfGroups(grouped, span)).toBe(3);
  });

  it("covers every moment exactly once, also before 1970 and across a leap day", () => {
    for (const [start, end] of [
      ["1899-12-30T22:10:07", "1900-03-02T01:02:03"],
      ["1969-12-31T23:00:00", "1970-01-01T01:00:00"],
      ["2024-02-28T12:00:00", "2024-03-01T12:00:00"],
    ] as const) {
      for (const type of ["day", "hour"] as const) {
        const groups = groupsOf(temporal(type), range(start, end));
        expect(groups[0]?.time?.startMs).toBe(at(start));
        expect(groups.at(-1)?.time?.endMs).toBe(at(end));
        const starts = groups.slice(1).map(({ time }) => time?.startMs);
        expect(starts).toEqual(groups.slice(0, -1).map(({ time }) => (time?.endMs ?? 0) + 1));
        expect(groups).toHaveLength(countOfGroups(temporal(type), range(start, end)));
        expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length);
      }
    }
  });

  it("has one group for a single moment and none without a range", () => {
    expect(spans("hour", "2005-08-28T12:00:00", "2005-08-28T12:00:00")).toHaveLength(1);
    expect(groupsOf(temporal("day"), null)).toEqual([]);
    expect(countOfGroups(temporal("day"), null)).toBe(0);
  });
});

it("[GRAPH-11] uses default colors and those chosen", () => {
  const groups = groupsOf(
    { groupingType: "day", groupings: [{ id: "2005-08-29", label: "", conditions: [], color: "#586ad9" }] },
    range("2005-08-28T00:00:00", "2005-08-29T12:00:00"),
  );
  expect(groups.map(({ color }) => color)).toEqual(["#099bf1", "#586ad9"]);
});

it("[GRAPH-31] narrows the time range for temporal groups and adds filters for custom ones", () => {
  const search = { timeRange: { start: "a", end: "b" }, filters: [{ name: "name", value: "Rita", operator: "=" }] };
  const [day] = groupsOf(temporal("day"), range("2005-08-28T00:00:00", "2005-08-28T12:00:00"));
  const [strong] = groupsOf(
    {
      groupingType: "custom",
      groupings: [{ id: "1", label: " Strong ", color: "#099bf1", conditions: [{ id: "c", model: "wind", operator: ">=", value: 96 }] }],
    },
    null,
  );
  if (!day || !strong) throw new Error("no groups");
  expect(searchOfGroup(search, day)).toEqual({
    timeRange: { start: "2005-08-28T00:00:00.000Z", end: "2005-08-28T12:00:00.000Z" },
    filters: search.filters,
  });
  expect(strong.label).toBe("Strong");
  expect(searchOfGroup(search, strong)).toEqual({
    timeRange: search.timeRange,
    filters: [...search.filters, { name: "wind", value: 96, operator: ">=" }],
  });
});

it("gives the rest the rows that are in no other group", () => {
  const is = (id: string, value: string | null) => ({
    id,
    label: value ?? "Empty",
    color: "#099bf1",
    conditions: [{ id, model: "name", operator: "=" as const, value }],
  });
  const groupings = [is("1", "Rita"), is("2", null), { id: "3", label: "Other", color: "#099bf1", conditions: [], isRest: true }];
  expect(groupsOf({ groupingType: "custom", groupings }, null)[2]).toMatchObject({
    isRest: true,
    conditions: [
      { model: "name", operator: "<>", value: "Rita" },
      { model: "name", operator: "<>", value: null },
    ],
  });
});

it("suggests hours for short ranges, days for long ones and custom groups without a range", () => {
  expect(suggestedGrouping(range("2005-08-28T12:00:00", "2005-08-30T11:00:00"), 50)).toBe("hour");
  expect(suggestedGrouping(range("2005-08-28T12:00:00", "2005-08-30T11:00:00"), 40)).toBe("day");
  expect(suggestedGrouping(range("2005-08-28T00:00:00", "2005-09-28T00:00:00"), 50)).toBe("day");
  expect(suggestedGrouping(null, 50)).toBe("custom");
});
