import type { Column, ColumnType } from "@fairway/contract/columns";
import { expect, it } from "vitest";
import { alignsRight, cellText, cutText, readsAsCode } from "./cell-text.ts";

const column = (type: ColumnType, combined: Column["combined"] = null): Column => ({ name: "field", type, description: "", combined });

it.each([
  ["STRING", "Wilma", "Wilma"],
  ["STRING", "", ""],
  ["STRING", null, null],
  ["integer", 160, "160"],
  ["integer", "9007199254740993", "9007199254740993"],
  ["decimal", 1_234.5, "1234.5"],
  ["BOOLEAN", true, "true"],
  ["BOOLEAN", false, "false"],
  ["TIMESTAMP_SECONDS", 1_129_723_200, "10/19/2005, 12:00:00 PM"],
  ["TIMESTAMP_MILLS", 1_129_723_200_000, "10/19/2005, 12:00:00 PM"],
  ["TIMESTAMP_MILLS", 9e15, "9000000000000000"],
] as const)("[RESULT-20] a %s cell holding %s shows %s", (type, value, text) => {
  expect(cellText(column(type), { field: value })).toBe(text);
});

it("shows times in the requested zone", () => {
  expect(cellText(column("TIMESTAMP_SECONDS"), { field: 1_129_723_200 }, "America/New_York")).toBe("10/19/2005, 08:00:00 AM");
  expect(cellText(column("TIMESTAMP_MILLS"), { field: 1_129_723_200_000 }, "Asia/Kathmandu")).toBe("10/19/2005, 05:45:00 PM");
  expect(cellText(column("STRING"), { field: "12:00" }, "Asia/Kathmandu")).toBe("12:00");
});

it("shows whole days alone, the same in every zone", () => {
  const day: Column = { ...column("TIMESTAMP_SECONDS"), day: true };
  for (const zone of ["UTC", "America/Los_Angeles", "Pacific/Kiritimati"]) {
    expect(cellText(day, { field: 1_704_067_200 }, zone)).toBe("01/01/2024");
    expect(cellText({ ...day, type: "TIMESTAMP_MILLS" }, { field: -86_400_000 }, zone)).toBe("12/31/1969");
  }
  expect(cellText(day, { field: 9e15 })).toBe("9000000000000000");
  // Only times are days.
  expect(cellText({ ...column("integer"), day: true }, { field: 1_704_067_200 })).toBe("1704067200");
});

it("returns null for a column missing from the row", () => {
  expect(cellText(column("STRING"), {})).toBeNull();
});

it("[RESULT-52] a combined column joins the values of its fields by joinedBy", () => {
  const position = column("STRING", { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " });
  expect(cellText(position, { lat: 17.3, lng: -82.8 })).toBe("17.3, -82.8");
  expect(cellText(position, { lat: null, lng: null })).toBeNull();
  const file = column("STRING", { type: "FILESET", fields: ["fileset", "path"], joinedBy: ":" });
  expect(cellText(file, { fileset: "storm-archive", path: "by-year/2005" })).toBe("storm-archive:by-year/2005");
  expect(cellText(file, { fileset: "storm-archive", path: null })).toBe("storm-archive:");
});

it("[RESULT-46] cuts only text longer than the limit, and never splits a character", () => {
  expect(cutText("a".repeat(200), 200)).toEqual({ text: "a".repeat(200), isCut: false });
  expect(cutText("a".repeat(201), 200)).toEqual({ text: "a".repeat(200), isCut: true });
  expect(cutText("ab\u{1F30A}cd", 3)).toEqual({ text: "ab", isCut: true });
});

it("right-aligns numbers, but not timestamps, text or combined columns", () => {
  expect(alignsRight(column("integer"))).toBe(true);
  expect(alignsRight(column("decimal"))).toBe(true);
  expect(alignsRight(column("TIMESTAMP_SECONDS"))).toBe(false);
  expect(alignsRight(column("integer", { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " }))).toBe(false);
});

it("recognizes ids by their column name", () => {
  expect(readsAsCode({ ...column("STRING"), name: "storm_id" })).toBe(true);
  expect(readsAsCode({ ...column("STRING"), name: "id" })).toBe(true);
  expect(readsAsCode({ ...column("STRING"), name: "solid" })).toBe(false);
  expect(readsAsCode({ ...column("integer"), name: "storm_id" })).toBe(false);
});
