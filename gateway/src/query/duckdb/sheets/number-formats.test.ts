import { describe, expect, it } from "vitest";
import { numberText } from "./cell-texts.ts";
import { formatOfCode, numberFormat } from "./number-formats.ts";

const shown = (value: number, code: string, is1904 = false) => numberText(value, formatOfCode(code), is1904);

describe("a number with a format", () => {
  it.each([
    [45_292, "yyyy-mm-dd", "2024-01-01"],
    [45_292, "[$-409]d/m/yy;@", "2024-01-01"],
    [45_292.5, "yyyy-mm-dd", "2024-01-01T12:00:00"],
    [45_292, "m/d/yy h:mm", "2024-01-01T00:00:00"],
    [45_292.430_902_777_78, "m/d/yy h:mm", "2024-01-01T10:20:30"],
    [45_292.000_002_893_52, "yyyy-mm-dd hh:mm:ss.000", "2024-01-01T00:00:00.250"],
    [45_292.000_011_574_07, "m/d/yy h:mm", "2024-01-01T00:00:01"],
    [1, "yyyy-mm-dd", "1900-01-01"],
    [59, "yyyy-mm-dd", "1900-02-28"],
    [60, "yyyy-mm-dd", "1900-02-29"],
    [61, "yyyy-mm-dd", "1900-03-01"],
    [2_958_465, "yyyy-mm-dd", "9999-12-31"],
    [2_958_466, "yyyy-mm-dd", "2958466"],
    [-1, "yyyy-mm-dd", "-1"],
    [0, "yyyy-mm-dd", "0"],
    [45_292, "mmm yyyy", "2024-01-01"],
    [45_292, '"on "dd.mm.yyyy', "2024-01-01"],
    [0.5, "h:mm", "12:00"],
    [0.007, "hh:mm", "00:10:04.800"],
    [0.006_944_444_444_444, "hh:mm", "00:10"],
    [0.75, "h:mm:ss AM/PM", "18:00:00"],
    [0.5, "m/d/yy h:mm", "12:00"],
    [0.999_999_999_9, "m/d/yy h:mm", "24:00"],
    [1.25, "[h]:mm", "30:00"],
    [1.25, "[hh]:mm:ss", "30:00:00"],
    [-0.5, "[h]:mm", "-12:00"],
    [0.5, "[mm]:ss", "720:00"],
    [0.001, "[s]", "86.400"],
    [123, "00000", "00123"],
    [123_456, "00000", "123456"],
    [123_456_789, "000-00-0000", "123-45-6789"],
    [12_345, '"P"000\\-000', "P012-345"],
  ])("%d as %s is the text %s", (value, code, text) => {
    expect(shown(value, code)).toEqual({ text, isNumber: false });
  });

  it.each([
    [0.25, "0.00%", "0.25"],
    [1234.5, "#,##0.00", "1234.5"],
    [12, "General", "12"],
    [12, "0", "12"],
    [1.5, "00000", "1.5"],
    [-12, "00000", "-12"],
    [12_000, "0.00E+00", "12000"],
    [5, '0 "days"', "5"],
    [5, "[Red]0;[Blue]-0", "5"],
    [5, "[$€-407] #,##0.00", "5"],
    [5, "0_);(0)", "5"],
    [0.1 + 0.2, "General", "0.30000000000000004"],
  ])("%d as %s stays the number %s", (value, code, text) => {
    expect(shown(value, code)).toEqual({ text, isNumber: true });
  });

  it.each([
    [0, "yyyy-mm-dd", "1904-01-01"],
    [0.5, "m/d/yy h:mm", "1904-01-01T12:00:00"],
    [0.5, "h:mm", "12:00"],
    [60, "yyyy-mm-dd", "1904-03-01"],
    [43_830, "yyyy-mm-dd", "2024-01-01"],
  ])("%d as %s counts from 1904 where the workbook does: %s", (value, code, text) => {
    expect(shown(value, code, true)).toEqual({ text, isNumber: false });
  });
});

it("knows the formats that workbooks do not define", () => {
  expect([14, 22, 46, 9, 2, 30, 999].map((id) => numberFormat(id, new Map()).kind)).toEqual([
    "date",
    "date",
    "duration",
    "percent",
    "general",
    "date",
    "general",
  ]);
});
