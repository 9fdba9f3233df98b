import type { ColumnProfile } from "@fairway/contract/column-values";
import { expect, it } from "vitest";
import { buildColumn } from "#testing/dataset-builders.ts";
import { groupsFromProfile, waysOf } from "./column-groups.ts";

const profile = (changes: Partial<ColumnProfile>): ColumnProfile => ({
  rows: 100,
  empty: 0,
  distinct: 3,
  min: null,
  max: null,
  top: [],
  histogram: [],
  ...changes,
});
const shortened = (groups: ReturnType<typeof groupsFromProfile>) =>
  groups.map(({ label, conditions, isRest }) => [
    label,
    ...conditions.map(({ operator, value }) => `${operator} ${value}`),
    ...(isRest ? ["rest"] : []),
  ]);

it("makes a group of each of the most frequent values, and one each of the empty ones and the rest if there are any", () => {
  const name = buildColumn("name", { type: "STRING" });
  const top = [
    { value: "Rita", rows: 50 },
    { value: "", rows: 20 },
    { value: "Wilma", rows: 10 },
    { value: "Zeta", rows: 5 },
  ];
  const groups = groupsFromProfile(name, profile({ top, empty: 15 }), { way: "top", count: 2 });
  expect(shortened(groups)).toEqual([
    ["Rita", "= Rita"],
    ["Wilma", "= Wilma"],
    ["Empty", "= null"],
    ["Other", "rest"],
  ]);
  expect(new Set(groups.map(({ id }) => id)).size).toBe(4);
  const named = top.filter(({ value }) => value !== "");
  expect(shortened(groupsFromProfile(name, profile({ top: named, rows: 80, empty: 15 }), { way: "top", count: 8 })).at(-1)).toEqual([
    "Empty",
    "= null",
  ]);
  const all = profile({
    rows: 65,
    top: [
      { value: true, rows: 40 },
      { value: false, rows: 25 },
    ],
  });
  expect(shortened(groupsFromProfile(buildColumn("major", { type: "BOOLEAN" }), all, { way: "top", count: 8 }))).toEqual([
    ["true", "= true"],
    ["false", "= false"],
  ]);
  const digits = profile({ rows: 1, top: [{ value: "9007199254740993", rows: 1 }] });
  expect(shortened(groupsFromProfile(buildColumn("id", { type: "integer" }), digits, { way: "top", count: 8 }))).toEqual([
    ["9007199254740993", "= 9007199254740993"],
  ]);
});

it.each([
  [
    "integer",
    10,
    165,
    8,
    [
      ["0 – 19", ">= 0", "< 20"],
      ["160 – 179", ">= 160", "< 180"],
    ],
    9,
  ],
  [
    "integer",
    3,
    3,
    8,
    [
      ["3", ">= 3", "< 4"],
      ["3", ">= 3", "< 4"],
    ],
    1,
  ],
  [
    "decimal",
    0.1,
    0.65,
    8,
    [
      ["0.1 – <0.2", ">= 0.1", "< 0.2"],
      ["0.6 – <0.7", ">= 0.6", "< 0.7"],
    ],
    6,
  ],
  [
    "decimal",
    -1,
    1,
    5,
    [
      ["-1 – <-0.5", ">= -1", "< -0.5"],
      ["1 – <1.5", ">= 1", "< 1.5"],
    ],
    5,
  ],
] as const)("makes round ranges of %s values from %d to %d", (type, min, max, count, ends, length) => {
  const groups = shortened(groupsFromProfile(buildColumn("wind", { type }), profile({ min, max }), { way: "ranges", count }));
  expect([groups[0], groups.at(-1)]).toEqual(ends);
  expect(groups).toHaveLength(length);
});

it("makes no ranges within a day of whole days, whose bounds have no clock", () => {
  const groups = groupsFromProfile(
    buildColumn("day", { type: "TIMESTAMP_SECONDS", day: true }),
    profile({ min: 1_704_067_200, max: 1_704_153_600 }),
    { way: "ranges", count: 10 },
  );
  expect(shortened(groups)).toEqual([
    ["01/01/2024", ">= 2024-01-01", "< 2024-01-02"],
    ["01/02/2024", ">= 2024-01-02", "< 2024-01-03"],
  ]);
});

it("makes ranges of whole days of times, in the column's own unit", () => {
  const groups = groupsFromProfile(
    buildColumn("time", { type: "TIMESTAMP_SECONDS" }),
    profile({ min: Date.UTC(2005, 7, 1) / 1_000, max: Date.UTC(2005, 8, 10) / 1_000 }),
    { way: "ranges", count: 8 },
  );
  expect(shortened(groups)[1]).toEqual(["08/04/2005 – 08/10/2005", ">= 2005-08-04T00:00:00.000Z", "< 2005-08-11T00:00:00.000Z"]);
  expect(groups).toHaveLength(7);
});

it("has no groups for a column without values, and suits ways to types", () => {
  const wind = buildColumn("wind", { type: "integer" });
  for (const way of ["ranges", "top"] as const) expect(groupsFromProfile(wind, profile({ empty: 100 }), { way, count: 8 })).toEqual([]);
  const some = groupsFromProfile(wind, profile({ min: 3, max: 3, empty: 7 }), { way: "ranges", count: 8 });
  expect(shortened(some)).toEqual([
    ["3", ">= 3", "< 4"],
    ["Empty", "= null"],
  ]);
  expect(waysOf({ type: "STRING" })).toEqual(["top"]);
  expect(waysOf({ type: "integer" })).toEqual(["ranges", "top"]);
  expect(waysOf({ type: "TIMESTAMP_MILLS" })).toEqual(["ranges"]);
});
