import type { Column, ColumnType } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import * as fc from "fast-check";
import { parse } from "papaparse";
import { describe, expect, it } from "vitest";
import { csvHeader, toCsv } from "./csv.ts";

const column = (name: string, type: ColumnType, combined: Column["combined"] = null): Column => ({ name, type, description: "", combined });
const position = column("position", "STRING", { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " });

it("[EXPORT-03] writes a header row and the columns in the order given, CRLF after every record", () => {
  const columns = [column("wind", "integer"), column("name", "STRING")];
  const rows = [
    { name: "Wilma", wind: 160, pressure: 882 },
    { name: "Rita", wind: 155, pressure: 897 },
  ];
  expect(toCsv(columns, rows)).toBe("wind,name\r\n160,Wilma\r\n155,Rita\r\n");
});

it("writes labels in the first line if asked for, each only once", () => {
  const columns = [
    { ...column("wind", "integer"), label: "Speed" },
    { ...column("gust", "integer"), label: "Speed" },
    column("name", "STRING"),
  ];
  expect(csvHeader(columns, true)).toBe("Speed,Speed (2),name\r\n");
  expect(csvHeader(columns)).toBe("wind,gust,name\r\n");
});

it("writes whole days without a clock", () => {
  const days = [
    { ...column("seconds", "TIMESTAMP_SECONDS"), day: true },
    { ...column("ms", "TIMESTAMP_MILLS"), day: true },
  ];
  expect(
    toCsv(days, [
      { seconds: 1_704_067_200, ms: -86_400_000 },
      { seconds: null, ms: 9e15 },
    ]),
  ).toBe("seconds,ms\r\n2024-01-01,1969-12-31\r\n,9000000000000000\r\n");
});

it("writes only the header when there are no rows", () => {
  expect(toCsv([column("name", "STRING")], [])).toBe("name\r\n");
});

describe("a field of type", () => {
  it.each<[ColumnType, CellValue, string]>([
    ["STRING", "plain", "plain"],
    ["STRING", null, ""],
    ["STRING", "", ""],
    ["STRING", "a,b", '"a,b"'],
    ["STRING", 'say "so"', '"say ""so"""'],
    ["STRING", "two\nlines", '"two\nlines"'],
    ["STRING", "two\r\nlines", '"two\r\nlines"'],
    ["STRING", "Zürich – 東京", "Zürich – 東京"],
    ["STRING", "=1+1", "'=1+1"],
    ["STRING", '=HYPERLINK("http://evil")', `"'=HYPERLINK(""http://evil"")"`],
    ["STRING", "+44 20", "'+44 20"],
    ["STRING", "-5", "'-5"],
    ["STRING", "@SUM(A1)", "'@SUM(A1)"],
    ["STRING", "\t=1", "'\t=1"],
    ["STRING", "\r=1", `"'\r=1"`],
    ["STRING", "\uff1d1+1", "'\uff1d1+1"],
    ["STRING", "|calc", "'|calc"],
    ["STRING", " =1", "' =1"],
    ["STRING", "a=1", "a=1"],
    ["integer", -5, "-5"],
    ["integer", "-9007199254740993", "-9007199254740993"],
    ["integer", "-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"],
    ["decimal", -82.75, "-82.75"],
    ["decimal", 1e21, "1e+21"],
    ["BOOLEAN", true, "true"],
    ["TIMESTAMP_SECONDS", 1_129_723_200, "2005-10-19T12:00:00Z"],
    ["TIMESTAMP_SECONDS", -3_739_910_400, "1851-06-28T00:00:00Z"],
    ["TIMESTAMP_MILLS", 1_129_723_200_007, "2005-10-19T12:00:00.007Z"],
    ["TIMESTAMP_MILLS", -9e15, "-9000000000000000"],
    ["TIMESTAMP_MILLS", "=now()", "'=now()"],
  ])("%s with value %j is written as %j", (type, value, text) => {
    expect(toCsv([column("c", type)], [{ c: value }])).toBe(`c\r\n${text}\r\n`);
  });
});

it("[RESULT-52] joins the fields of a combined column and guards joined text but not joined numbers", () => {
  expect(toCsv([position], [{ lat: -17.3, lng: -82.8 }])).toBe('position\r\n"-17.3, -82.8"\r\n');
  expect(toCsv([position], [{ lat: "=1", lng: 2 }])).toBe(`position\r\n"'=1, 2"\r\n`);
  expect(toCsv([position], [{ lat: null, lng: null }])).toBe("position\r\n\r\n");
});

it("guards and quotes column names like any text", () => {
  expect(toCsv([column("=cmd", "STRING"), column("a,b", "STRING")], [])).toBe(`'=cmd,"a,b"\r\n`);
});

it("[EXPORT-03] writes any cells so that another program reads the same cells back", () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(",", '"', "\r", "\n", "'", "=", " ", "\t"), fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
  });
  // RFC 4180 cannot distinguish an empty text from nothing: both are an empty field.
  const cell = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
  fc.assert(
    fc.property(
      fc.uniqueArray(text, { minLength: 2, maxLength: 4 }),
      fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { maxLength: 5 }),
      (names, cells) => {
        const columns = names.map((name) => column(name, "STRING"));
        const csv = toCsv(
          columns,
          cells.map((line) => Object.fromEntries(names.map((name, index) => [name, line[index] ?? null]))),
        );
        const { data, errors } = parse(csv, { newline: "\r\n", delimiter: "," });
        const written = [names, ...cells.map((line) => names.map((_, index) => String(line[index] ?? "")))];
        expect(errors).toEqual([]);
        // A leading apostrophe may have been added where a spreadsheet would run the text as a formula.
        const read = data
          .slice(0, -1)
          .map((line, row) => line.map((text, index) => (text === `'${written[row]?.[index]}` ? text.slice(1) : text)));
        expect(read).toEqual(written);
      },
    ),
    { numRuns: 15 },
  );
});
