import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Column } from "@fairway/contract/columns";
import { describe, expect, it } from "vitest";
import { engineCall } from "#testing/engine-call.ts";
import { SourceNotReady } from "#query/engine.ts";
import { type CellXml, type SheetXml, number, shared, text, workbookOf } from "#testing/workbook-xml.ts";
import { type ReadFile, readingBench, valuesOf } from "../reading-bench.ts";
import { datasetOver } from "../test-files.ts";

const { xlsx, csv, bench } = readingBench();

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
  it("counts its days from 1904 where it says so", async () => {
    const rows = [header("day"), [number(0, 1)], [number(43_830, 1)]];
    const found = await one(rows, { formats: ["yyyy-mm-dd"], date1904: true });
    expect(valuesOf(found, "day")).toEqual([second("1904-01-01T00:00:00"), second("2024-01-01T00:00:00")]);
  });

  it("has texts without their phonetic guides, with their runs and with escaped characters", async () => {
    const texts = [
      '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>',
      "<r><t>bold </t></r><r><t>and not</t></r>",
      "<t>a_x000D_b _x005F_x0041_</t>",
    ];
    const found = await one([header("name", "id"), ...texts.map((_, index) => [shared(index), number(index)])], { shared: texts });
    expect(valuesOf(found, "name")).toEqual(["東京", "bold and not", "a\rb _x0041_"]);
  });

  it("keeps clocks, durations and the zeros of codes as text, and percentages as fractions", async () => {
    const found = await one(
      [
        header("clock", "duration", "zip", "share"),
        [number(0.5, 1), number(1.25, 2), number(1_067, 3), number(0.25, 4)],
        [number(0.75, 1), number(2, 2), number(99_084, 3), number(1, 4)],
      ],
      { formats: ["h:mm", "[h]:mm", "00000", "0%"] },
    );
    expect(found.rows).toEqual([
      { clock: "12:00", duration: "30:00", zip: "01067", share: 0.25 },
      { clock: "18:00", duration: "48:00", zip: "99084", share: 1 },
    ]);
    expect(found.reading.files[0]?.sentences).toContain(
      "'share' is shown as percentages in the workbook and kept as fractions: 25 % is 0.25.",
    );
  });

  it("counts a day that never was, and numbers that are no day, as unreadable", async () => {
    const days = [45_292, 60, ...Array.from({ length: 30 }, (_, index) => 45_293 + index), -3];
    const found = await one([header("day"), ...days.map((day) => [number(day, 1)])], { formats: ["dd.mm.yyyy"] });
    expect(found.columns.get("day")).toMatchObject({
      type: "TIMESTAMP_SECONDS",
      state: "mixed",
      unreadable: {
        count: 2,
        first: [
          { line: 3, text: "1900-02-29" },
          { line: 34, text: "-3" },
        ],
      },
    });
    expect(valuesOf(found, "day").filter((value) => value === null)).toHaveLength(2);
  });

  it("fills merged areas of several columns down beside each other", async () => {
    const rows = [
      ["land", "port", "berth", "n"].map(text),
      [text("DE"), text("Kiel"), text("east"), number(1)],
      [null, null, null, number(2)],
      [null, text("Bonn"), text("west"), number(3)],
    ];
    const after = '<mergeCells count="3"><mergeCell ref="A2:A4"/><mergeCell ref="B2:B3"/><mergeCell ref="C2:C3"/></mergeCells>';
    const found = await xlsx(await workbookOf({ sheets: [{ name: "S", rows, after }] }));
    expect(found.rows.map(({ land, port, berth }) => [land, port, berth])).toEqual([
      ["DE", "Kiel", "east"],
      ["DE", "Kiel", "east"],
      ["DE", "Bonn", "west"],
    ]);
  });

  it("fills merged areas down with their value", async () => {
    const after = '<mergeCells count="2"><mergeCell ref="A2:A3"/><mergeCell ref="A1:B1"/></mergeCells>';
    const found = await one(
      [header("region", "n"), [text("North"), number(1)], [null, number(2)], [text("South"), number(3)]],
      {},
      { after },
    );
    expect(found.rows).toEqual([
      { region: "North", n: 1 },
      { region: "North", n: 2 },
      { region: "South", n: 3 },
    ]);
    expect(found.reading.files[0]?.sentences).toEqual(["1 merged area is filled down with the value of the first cell."]);
  });

  it("reads texts by the rules of text files", async () => {
    const [days, amounts, ids] = [
      ["13/01/2023", "02/01/2023"],
      ["1.234,56", "0,5"],
      ["007", "12"],
    ];
    const rows = days.map((day, index) => [text(day), text(amounts[index] ?? ""), text(ids[index] ?? "")]);
    const found = await one([header("day", "amount", "id"), ...rows]);
    const lines = days.map((day, index) => `${day};"${amounts[index]}";${ids[index]}`);
    const same = await csv(["day;amount;id", ...lines].join("\n"));
    expect([typesOf(found), found.rows]).toEqual([typesOf(same), same.rows]);
    expect(found.reading.dateOrder).toBe("day-first");
  });

  it("without a line of names numbers its columns", async () => {
    const found = await one([
      [number(1), number(2)],
      [number(3), number(4)],
    ]);
    expect(found.rows).toEqual([
      { column0: 1, column1: 2 },
      { column0: 3, column1: 4 },
    ]);
  });

  it("takes the first visible sheet with rows, or the one that is chosen", async () => {
    const content = await workbookOf({
      sheets: [
        { name: "Hidden", state: "hidden", rows: [header("a"), [number(1)]] },
        { name: "Empty", rows: [] },
        { name: "First", rows: [header("b"), [number(2)]] },
        { name: "Second", rows: [header("c"), [number(3)]] },
      ],
    });
    const found = await xlsx(content);
    expect(found.rows).toEqual([{ b: 2 }]);
    expect(found.reading.files[0]?.sheets?.map(({ name, isHidden }) => [name, isHidden])).toEqual([
      ["Empty", false],
      ["First", false],
      ["Second", false],
      ["Hidden", true],
    ]);
    expect(found.reading.files[0]?.sentences).toEqual([
      "Read from the sheet 'First'. The workbook also has 'Empty', 'Second' and 'Hidden' (hidden).",
    ]);
    const chosen = await xlsx(content, { choices: { sheet: "Hidden" } });
    expect([chosen.rows, chosen.stored.sheet]).toEqual([[{ a: 1 }], "Hidden"]);
    expect((await xlsx(content, { stored: chosen.stored })).rows).toEqual([{ a: 1 }]);
    expect(await failure(xlsx(content, { choices: { sheet: "None" } }))).toBe("The data cannot be read as XLSX: it has no sheet 'None'.");
  });

  it("has the header line and the lines to skip that are chosen", async () => {
    const content = await workbookOf({ sheets: [{ name: "Plan", rows: [header("a", "b"), header("c", "d"), [number(1), number(2)]] }] });
    expect((await xlsx(content, { choices: { headerLine: 2 } })).rows).toEqual([{ c: 1, d: 2 }]);
    expect((await xlsx(content, { choices: { skipLines: 1 } })).rows).toEqual([{ c: 1, d: 2 }]);
    expect((await xlsx(content, { choices: { headerLine: 0 } })).rows).toHaveLength(3);
  });

  it("says which cells are outside of its columns", async () => {
    const rows = [header("a"), ...Array.from({ length: 1_200 }, (_, index) => [number(index), ...(index === 1_100 ? [text("note")] : [])])];
    expect((await one(rows)).reading.files[0]?.sentences).toEqual([
      "1 cell outside of the columns is left out, such as 'note' (row 1,102).",
    ]);
  });
});

describe("a workbook is refused", () => {
  it.each([
    ["that is no ZIP file", () => Promise.resolve(Buffer.from("a,b\n1,2\n")), "it is no workbook, or it is damaged"],
    [
      "that is cut off",
      async () => (await workbookOf({ sheets: [{ name: "Plan", rows: [header("a"), [number(1)]] }] })).subarray(0, -40),
      "it is no workbook, or it is damaged",
    ],
  ])("%s", async (_what, content, reason) => {
    expect(await failure(xlsx(await content()))).toBe(`The data cannot be read as XLSX: ${reason}.`);
  });

  it.each([
    ["whose sheet is not well-formed", (xml: string) => xml.replace("</row>", "</cow>"), "the sheet 'Plan' is damaged"],
    [
      "whose sheet defines entities",
      (xml: string) =>
        xml.replace("?>", '?><!DOCTYPE x [<!ENTITY a "b">]>').replace("<worksheet", '<!DOCTYPE x [<!ENTITY a "b">]><worksheet'),
      "the sheet 'Plan' is damaged",
    ],
    [
      "that is a bomb",
      (xml: string) => xml.replace("<sheetData>", `<a/>${"<a/>".repeat(3_000_000)}<sheetData>`),
      "it unpacks to more than 100 times its size",
    ],
    ["without rows", () => "<worksheet><sheetData/></worksheet>", "it has no rows"],
  ])("%s", async (_what, change, reason) => {
    const rows = [header("a"), [number(1)]];
    expect(await failure(one(rows, {}, { change }))).toBe(`The data cannot be read as XLSX: ${reason}.`);
  });
});

it("a workbook that the portal has written is read as the rows that it was written of", async () => {
  const rows = 200_000;
  await bench()
    .prepare(`copy (select i as id, 'row ' || i as name, i / 8 as real, i % 2 = 0 as flag, timestamp '2020-01-01' + to_seconds(i) as at,
      date '2020-01-01' + (i % 300)::integer as day from range(${rows}) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
  const types = { id: "integer", name: "STRING", real: "decimal", flag: "BOOLEAN", at: "TIMESTAMP_MILLS" } as const;
  const plain = datasetOver("rows.parquet", types);
  const day = { name: "day", type: "TIMESTAMP_SECONDS", day: true } as const;
  const dataset = { ...plain, columns: [...plain.columns, day] };
  const csvColumns = dataset.columns.map(({ name, type }): Column => ({ name, type, description: "", combined: null }));
  const file = path.join(bench().exportFolder, "rows.xlsx");
  const query = { timeRange: null, area: null, conditions: [], sort: [], limit: rows };
  await bench().engine.export(dataset, query, { format: "xlsx", path: file, csvColumns, onRows: () => undefined }, engineCall());
  await writeFile(path.join(bench().folder, "rows.xlsx"), await readFile(file));
  const startMs = performance.now();
  const source = { kind: "files", glob: "rows.xlsx", format: "xlsx" } as const;
  const found = await bench().engine.reading(source, engineCall());
  process.stdout.write(`1,200,000 cells of a workbook read in ${Math.round(performance.now() - startMs)} ms\n`);
  expect(found?.reading.columns.map(({ name, type, day: isDay, state }) => [name, type, isDay, state])).toEqual([
    ["id", "integer", false, "sure"],
    ["name", "STRING", false, "sure"],
    ["real", "decimal", false, "sure"],
    ["flag", "BOOLEAN", false, "sure"],
    ["at", "TIMESTAMP_MILLS", false, expect.anything()],
    ["day", "TIMESTAMP_SECONDS", true, "sure"],
  ]);
  const sums = [
    { type: "sum" as const, column: "id" },
    { type: "max" as const, column: "at" },
    { type: "max" as const, column: "day" },
    { type: "sum" as const, column: "real" },
  ];
  const read = { ...dataset, source };
  const all = { ...query, offset: 0 };
  expect(await bench().engine.aggregate(read, sums, [], all, engineCall())).toEqual(
    await bench().engine.aggregate(dataset, sums, [], all, engineCall()),
  );
}, 120_000);
