import { describe, expect, it } from "vitest";
import { buildFilter } from "#testing/dataset-builders.ts";
import { filterProblem, filterText, type FilterType, readFilter, readFilterValue, zoneNote } from "./filter-value.ts";

describe("readFilterValue", () => {
  it.each<[FilterType, string | number | boolean, string | number | boolean]>([
    ["integer", "17293822569102704640", "17293822569102704640"],
    ["integer", " -170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"],
    ["number", "17293822569102704640", "17293822569102704640"],
    ["decimal", "0.12345678901234567891", "0.12345678901234567891"],
    ["STRING", "Melissa", "Melissa"],
    ["STRING", " padded ", " padded "],
    ["STRING", "64", "64"],
    ["integer", "64", 64],
    ["integer", "-0064", -64],
    ["integer", " 64 ", 64],
    ["STRING", 64, "64"],
    ["TIMESTAMP_SECONDS", 1_094_083_200, 1_094_083_200],
    ["integer", 64, 64],
    ["integer", "9007199254740993", "9007199254740993"],
    ["integer", "-9223372036854775808", "-9223372036854775808"],
    ["decimal", "6.25", 6.25],
    ["decimal", "1e3", 1000],
    ["decimal", ".5", 0.5],
    ["number", "64.5", 64.5],
    ["decimal", "0.30000000000000004", 0.30000000000000004],
    ["decimal", "0.12345678901234567891", "0.12345678901234567891"],
    ["decimal", " 9007199254740993.5 ", "9007199254740993.5"],
    ["number", "9007199254740993", "9007199254740993"],
    ["decimal", "-0.500", -0.5],
    ["decimal", "1e-400", "1e-400"],
    ["decimal", "-0", -0],
    ["BOOLEAN", "true", true],
    ["BOOLEAN", false, false],
    ["TIMESTAMP_SECONDS", "09/02/2004, 12:00:00 AM", "2004-09-02T00:00:00.000Z"],
    ["TIMESTAMP_MILLS", "1094083200", "2004-09-02T00:00:00.000Z"],
    ["integer", "", ""],
    ["STRING", "   ", ""],
  ])("%s %j is %j", (type, raw, value) => {
    expect(readFilterValue({ type }, raw)).toStrictEqual({ value });
  });

  it.each<[FilterType, string]>([
    ["integer", "6.5"],
    ["integer", "1e3"],
    ["integer", "64kt"],
    ["integer", "1,000"],
    ["integer", "0x10"],
    ["integer", "340282366920938463463374607431768211456"],
    ["decimal", "NaN"],
    ["decimal", "Infinity"],
    ["decimal", "1e999"],
    ["decimal", "."],
    ["number", "six"],
    ["BOOLEAN", "yes"],
    ["TIMESTAMP_SECONDS", "yesterday"],
  ])("%s refuses %j", (type, raw) => {
    expect(readFilterValue({ type }, raw)).toHaveProperty("problem");
  });
});

describe("a filter on whole days", () => {
  const day = buildFilter("day", { type: "TIMESTAMP_SECONDS", day: true });

  it.each(["01/02/2024", "2024-01-02", "2024-01-02T00:00:00.000Z", "01/02/2024, 12:00:00 AM", 1_704_153_600])("takes %j", (typed) => {
    expect(readFilterValue(day, typed)).toEqual({ value: "2024-01-02" });
    expect(filterText({ ...day, value: typed }, [])).toBe("day = 01/02/2024");
  });

  it.each(["01/02/2024, 10:00:00 AM", "02/30/2024", "yesterday", true])("refuses %j", (typed) => {
    expect(readFilterValue(day, typed)).toEqual({ problem: "Not a day. Try 09/02/2004 or 2004-09-02." });
  });

  it("has no zone", () => {
    expect(zoneNote(day)).toBeUndefined();
    expect(zoneNote({ ...day, day: undefined })).toBe("UTC");
    expect(zoneNote({ type: "integer" })).toBeUndefined();
  });
});

it("[SEARCH-35] leaves pre-filled filters unchanged", () => {
  const locked = buildFilter("wind", { type: "integer", value: "x", preFilled: true });
  expect(filterProblem(locked)).toBeUndefined();
  expect(readFilter(locked)).toBe(locked);
});

it("formats a filter as a sentence", () => {
  expect(filterText(buildFilter("wind", { type: "integer", operator: ">=", value: 64 }), [])).toBe("wind >= 64");
  expect(filterText(buildFilter("time", { type: "TIMESTAMP_SECONDS", operator: "<", value: 1_094_083_200 }), [])).toBe(
    "time < 09/02/2004, 12:00:00 AM",
  );
  expect(filterText(buildFilter("time", { type: "TIMESTAMP_MILLS", value: "2004-09-02T00:00:00.000Z" }), [])).toBe(
    "time = 09/02/2004, 12:00:00 AM",
  );
});
