import { describe, expect, it } from "vitest";
import { cellOf, columnLetters, escaped, maxCellCharacters } from "./sheet-cells.ts";
import type { SheetColumn } from "./sheet-column.ts";
import { sheetNameOf } from "./workbook-parts.ts";

const column = (kind: SheetColumn["kind"], unitMs = 1): SheetColumn => ({ header: "", kind, unitMs });
const xmlOf = (text: string | null, kind: SheetColumn["kind"], unitMs?: number) => cellOf(text, column(kind, unitMs))?.xml;
const inline = (text: string) => ` t="inlineStr"><is><t>${text}</t></is>`;

describe("a cell", () => {
  it.each<[string | null, SheetColumn["kind"], string | undefined]>([
    [null, "text", undefined],
    [null, "time", undefined],
    ["", "text", inline("")],
    ["=1+1", "text", inline("=1+1")],
    ["a < b & c", "text", inline("a &lt; b &amp; c")],
    ["  pad", "text", ' t="inlineStr"><is><t xml:space="preserve">  pad</t></is>'],
    ["0.1", "double", "><v>0.1</v>"],
    ["12345678901234567", "double", "><v>12345678901234568</v>"],
    ["1e+30", "double", "><v>1e+30</v>"],
    ["nan", "double", undefined],
    ["-inf", "double", undefined],
    ["123456789012345", "exact", "><v>123456789012345</v>"],
    ["-123456789012345", "exact", "><v>-123456789012345</v>"],
    ["1234567890123456", "exact", inline("1234567890123456")],
    ["1000000000000000", "exact", inline("1000000000000000")],
    ["12.5000000000000000000", "exact", "><v>12.5</v>"],
    ["0.000000000000000000012", "exact", "><v>1.2e-20</v>"],
    ["0.1234567890123456", "exact", inline("0.1234567890123456")],
    ["-0.00", "exact", "><v>0</v>"],
    ["true", "boolean", ' t="b"><v>1</v>'],
    ["false", "boolean", ' t="b"><v>0</v>'],
  ])("of %j as %s is %j", (text, kind, expected) => {
    expect(xmlOf(text, kind)).toBe(expected);
  });

  it.each([
    ["1970-01-01T00:00:00.000Z", 25_569, 1],
    ["2020-01-01T12:00:00.000Z", 43_831.5, 1],
    ["2020-01-01T00:00:00.250Z", 43_831 + 0.25 / 86_400, 2],
    ["1900-01-01T00:00:00.000Z", 1, 1],
    ["1900-02-28T00:00:00.000Z", 59, 1],
    ["1900-03-01T00:00:00.000Z", 61, 1],
    ["9999-12-31T00:00:00.000Z", 2_958_465, 1],
  ])("of the time %s is the serial number %d", (iso, serial, style) => {
    expect(xmlOf(String(Date.parse(iso)), "time")).toBe(` s="${style}"><v>${serial}</v>`);
  });

  it.each([
    ["1899-12-31T23:59:59.000Z", "time", "1899-12-31T23:59:59Z"],
    ["1815-06-18T11:30:00.500Z", "time", "1815-06-18T11:30:00.500Z"],
    ["1815-06-18T00:00:00.000Z", "day", "1815-06-18"],
    ["+010000-01-01T00:00:00.000Z", "time", "+010000-01-01T00:00:00Z"],
  ] as const)("of %s as %s is the text %s", (iso, kind, text) => {
    expect(xmlOf(String(Date.parse(iso)), kind)).toBe(inline(text));
  });

  it("of seconds is a time without a fraction, and of a day a date", () => {
    expect(xmlOf("1577836800.9", "time", 1_000)).toBe(' s="1"><v>43831</v>');
    expect(xmlOf(String(Date.UTC(2020, 0, 1, 12)), "day")).toBe(' s="3"><v>43831</v>');
  });

  it("of a number beyond the calendar is that number as text", () => {
    expect(xmlOf("9000000000000000", "time")).toBe(inline("9000000000000000"));
  });

  it("holds 32,767 characters, and never half of one", () => {
    const fits = cellOf("x".repeat(maxCellCharacters), column("text"));
    const long = cellOf(`${"x".repeat(maxCellCharacters - 1)}😀`, column("text"));
    expect([fits?.isCut, fits?.xml.includes("x".repeat(maxCellCharacters))]).toEqual([false, true]);
    expect([long?.isCut, long?.xml]).toEqual([true, inline("x".repeat(maxCellCharacters - 1))]);
  });
});

it.each([
  ["a_x000D_b", "a_x005F_x000D_b"],
  ["a\r\nb\tc", "a_x000D_\nb\tc"],
  ["\u0000\u001f\uffff", "_x0000__x001F__xFFFF_"],
  ["half \ud83d pair \ude00", "half \ufffd pair \ufffd"],
  ["whole 😀", "whole 😀"],
  ["_x00_ and _x", "_x00_ and _x"],
])("writes %j as %j in XML", (text, xml) => {
  expect(escaped(text)).toBe(xml);
});

it.each([
  [0, "A"],
  [25, "Z"],
  [26, "AA"],
  [701, "ZZ"],
  [702, "AAA"],
  [16_383, "XFD"],
])("calls the column at %d %s", (index, letters) => {
  expect(columnLetters(index)).toBe(letters);
});

it.each([
  ["flights", "flights"],
  ["a/b: [c]?", "a b   c"],
  ["'quoted'", "quoted"],
  ["x".repeat(40), "x".repeat(31)],
  ["about", "Data"],
  ["History", "Data"],
  ["***", "Data"],
])("names the sheet of %j %j", (text, name) => {
  expect(sheetNameOf(text)).toBe(name);
});
