import { describe, expect, it } from "vitest";
import { SourceNotReady } from "#query/engine.ts";
import { type CellXml, type SheetXml, number, text, workbookOf } from "#testing/workbook-xml.ts";
import { type ReadFile, readingBench } from "../reading-bench.ts";

const { xlsx } = readingBench();

const typesOf = ({ reading }: ReadFile) => Object.fromEntries(reading.columns.map(({ name, type }) => [name, type]));
const header = (...names: readonly string[]): CellXml[] => names.map(text);
const one = async (rows: SheetXml["rows"], options: Partial<Parameters<typeof workbookOf>[0]> = {}, sheet: Partial<SheetXml> = {}) =>
  xlsx(await workbookOf({ sheets: [{ name: "Plan", rows, ...sheet }], ...options }));
const failure = (reading: Promise<unknown>) =>
  reading.then(
    () => "none",
    (error: unknown) => (error instanceof SourceNotReady ? error.problems[0].detail : String(error)),
  );
const second = (iso: string) => Date.parse(`${iso}Z`) / 1_000;

describe("a workbook", () => {
  it("is read with the types of its cells", async () => {
    const found = await one(
      [
        header("name", "n", "real", "flag", "day", "at"),
        [text("Oslo"), number(1), number("0.10000000000000001"), ' t="b"><v>1</v>', number(45_292, 1), number(45_292.5, 2)],
        [text(""), number(-2), number("1.5E+3"), ' t="b"><v>0</v>', number(59, 1), number(1.25, 2)],
        [null, null, null, null, null, number(45_293, 2)],
      ],
      { formats: ["yyyy-mm-dd", "m/d/yy h:mm"] },
    );
    expect(typesOf(found)).toEqual({
      name: "STRING",
      n: "integer",
      real: "decimal",
      flag: "BOOLEAN",
      day: "TIMESTAMP_SECONDS",
      at: "TIMESTAMP_MILLS",
    });
    expect(found.rows).toEqual([
      { name: "Oslo", n: 1, real: 0.1, flag: true, day: second("2024-01-01T00:00:00"), at: Date.UTC(2024, 0, 1, 12) },
      { name: "", n: -2, real: 1_500, flag: false, day: second("1900-02-28T00:00:00"), at: Date.UTC(1900, 0, 1, 6) },
      { name: null, n: null, real: null, flag: null, day: null, at: Date.UTC(2024, 0, 2) },
    ]);
    expect([found.columns.get("day")?.day, found.columns.get("at")?.day]).toEqual([true, false]);
    expect(found.reading.files).toMatchObject([
      { format: "xlsx", sheet: "Plan", sheets: [{ name: "Plan", isHidden: false }], headerLine: 1, rows: 3, delimiter: null, path: null },
    ]);
    expect(found.stored).not.toHaveProperty("sheet");
  });

  it("has the stored values of formulas, and counts those without one, errors and rounded digits", async () => {
    const found = await one([
      header("n", "text", "long"),
      [" ><f>1+1</f><v>2</v>", ' t="str"><f>"a"&amp;"b"</f><v>ab</v>', number("1234567890123456000")],
      ["><f>1/0</f>", ' t="e"><v>#N/A</v>', number(5)],
      [' t="e"><f>1/0</f><v>#DIV/0!</v>', text("c"), number(6)],
      [number(3), text("d"), number(7)],
    ]);
    expect(found.rows.map(({ n, text: value }) => [n, value])).toEqual([
      [2, "ab"],
      [null, null],
      [null, "c"],
      [3, "d"],
    ]);
    expect(found.reading.files[0]?.sentences).toEqual([
      "2 cells hold errors such as #N/A and are read as empty (row 3).",
      "1 formula has no stored value and is read as empty; open the workbook and save it to store them (row 3).",
      "1 number has more than 15 digits, which spreadsheets round, such as 1234567890123456000 (row 2).",
    ]);
  });

  it("finds its table below titles and beside empty columns, as in text files", async () => {
    const found = await one([
      [null, text("Report of 2024")],
      null,
      [null, ...header("id", "", "name"), null],
      [null, number(1), null, text("Oslo")],
      null,
      [null, number(2), null, text("Bergen")],
    ]);
    expect(found.rows).toEqual([
      { id: 1, name: "Oslo" },
      { id: 2, name: "Bergen" },
    ]);
    expect(found.reading.files).toMatchObject([
      {
        headerLine: 3,
        unreadable: { count: 1, first: [{ line: 1, text: "Report of 2024", reason: "it stands before the column names" }] },
      },
    ]);
  });

  it("whose sheet ends in the middle is refused", async () => {
    const change = (xml: string) => xml.slice(0, xml.indexOf("</sheetData>"));
    expect(await failure(one([header("a"), [number(1)]], {}, { change }))).toBe(
      "The data cannot be read as XLSX: the sheet 'Plan' ends in the middle.",
    );
  });
});
