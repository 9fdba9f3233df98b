import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { engineCall } from "#testing/engine-call.ts";
import { linesOf, readingBench, type ReadFile, valuesOf } from "./reading-bench.ts";
import { sentenceOf, ways } from "#testing/reading-remarks.ts";

const { bench, csv, json } = readingBench();

// Beyond 200 files, as beyond 64 MB, nobody looks at every line, unless all of it is checked.
describe("large sources", () => {
  it("counts the lines of CSV that are in no row when it checks all of it", async () => {
    const { folder, engine } = bench();
    await mkdir(path.join(folder, "large"));
    for (let file = 0; file <= 200; file += 1)
      await writeFile(path.join(folder, "large", `${String(file).padStart(3, "0")}.csv`), "a,b\n1,2\n");
    // Beyond the lines that show how a file is written.
    const many = Array.from({ length: 1_100 }, (_, index) => `${index},x`);
    await writeFile(path.join(folder, "large", "200.csv"), linesOf("a,b", ...many, "", "3,4,5", "only", '"x', "", 'y",6', "   ", "7,8"));
    const source = { kind: "files", glob: "large/*.csv", format: "csv" } as const;
    const first = await engine.reading(source, engineCall());
    expect(first?.reading.sentences).toContain(
      "Lines that do not fit the columns are left out. The source is too large to count them here: a schema update does.",
    );
    expect(first?.reading.checkedRows).toBe(1_302);
    const whole = await engine.reading({ ...source, checksAll: true }, engineCall());
    expect(whole?.differences).toEqual(["2 lines do not fit the columns and are left out."]);
    expect(whole?.reading).toMatchObject({ rows: 1_302, checkedRows: null });
    expect(whole?.reading.sentences).toContain("2 lines do not fit the columns and are left out.");
  });

  it("counts the lines of JSON that are empty rows when it checks all of it", async () => {
    const { folder, engine } = bench();
    await mkdir(path.join(folder, "lines"));
    for (let file = 0; file <= 200; file += 1) await writeFile(path.join(folder, "lines", `${file}.json`), '{"a":1,"b":"x"}\n{"a":2}\n');
    await writeFile(path.join(folder, "lines", "7.json"), '{"a":1}\n{"a":2}\n{broken\n');
    const source = { kind: "files", glob: "lines/*.json", format: "json", checksAll: true } as const;
    expect((await engine.reading(source, engineCall()))?.differences).toEqual([
      "1 line is no object or has no values: it is an empty row.",
    ]);
  });
});

describe("values that are read otherwise than they are written", () => {
  it("explains by a value why days are in the order of another column", async () => {
    const read = await csv(linesOf("opened,closed", "05/03/2024,13/03/2024", "06/03/2024,14/03/2024"));
    expect(sentenceOf(read, "opened")).toContain("The day stands first, as another column shows: '05/03/2024' is March 5, 2024.");
    expect(sentenceOf(read, "closed")).toContain("The day stands first: '13/03/2024' is March 13, 2024.");
    const alone = await csv(linesOf("opened,n", "05/03/2024,1"));
    expect(sentenceOf(alone, "opened")).toContain(
      "The month is taken to stand first, though no value shows which one does: '05/03/2024' is May 3, 2024.",
    );
    expect(alone.columns.get("opened")?.label).toBe("date, month first (05/03/2024 is May 3)");
    expect(alone.columns.get("opened")?.also.map(({ label }) => label)).toEqual(["date, day first (05/03/2024 is March 5)", "text"]);
  });

  it("counts times with more than milliseconds, and keeps the microseconds", async () => {
    const read = await csv(
      linesOf("t,n", "2024-03-05T10:00:00.123456,1", "2024-03-05T10:00:00.123000,2", "2024-03-05T10:00:00.000000001,3"),
    );
    expect(valuesOf(read, "t")).toEqual([
      Date.UTC(2024, 2, 5, 10, 0, 0, 123),
      Date.UTC(2024, 2, 5, 10, 0, 0, 123),
      Date.UTC(2024, 2, 5, 10),
    ]);
    expect(sentenceOf(read, "t")).toContain("2 values have more than milliseconds, which tables and filters leave out.");
    expect(read.columns.get("t")?.label).toBe("date and time (2024-03-05 14:30)");
    expect(sentenceOf(await csv(linesOf("t,n", "2024-03-05T10:00:00.123000,1")), "t")).not.toContain("milliseconds");
  });

  it("reports the same of the times of Parquet", async () => {
    await bench().prepare(
      "copy (select timestamp '2024-03-05 10:00:00.123456' as fine, timestamp '2024-03-05 10:00:00.123' as coarse, timestamp_ns '2024-03-05 10:00:00.123000001' as finest) to 'FOLDER/fine.parquet' (format parquet)",
    );
    const source = { kind: "files", glob: "fine.parquet", format: "parquet" } as const;
    expect((await bench().engine.notes(source, engineCall())).notes).toEqual([
      "Times of 'fine' and 'finest' have more than milliseconds, which tables and filters leave out.",
    ]);
  });

  it("keeps the spaces around texts, and says so", async () => {
    for (const read of [
      await csv(linesOf("name,code,n", " Ann ,007, 1 ", "Bob, 008,2")),
      await json(linesOf('{"name":" Ann ","code":"007","n":" 1 "}', '{"name":"Bob","code":" 008","n":"2"}')),
    ]) {
      expect(read.rows).toEqual([
        { name: " Ann ", code: "007", n: 1 },
        { name: "Bob", code: " 008", n: 2 },
      ]);
      expect(sentenceOf(read, "name")).toContain("1 value begins or ends with spaces, which are kept.");
      expect(sentenceOf(read, "code")).toContain("1 value begins or ends with spaces, which are kept.");
      expect(sentenceOf(read, "n")).toBe("Whole numbers.");
    }
  });

  it("names columns as in the file where they are called otherwise", async () => {
    const read = await csv('id,"amount\n(EUR)", b ,ID,\n1,2.5,a,c,d\n');
    expect(read.reading.columns.map(({ name }) => name)).toEqual(["id", "amount (EUR)", "b", "ID_1", "column4"]);
    expect(sentenceOf(read, "amount (EUR)")).toContain('In the file it is called "amount\\n(EUR)".');
    expect(sentenceOf(read, "b")).toContain('In the file it is called " b ".');
    expect(sentenceOf(read, "ID_1")).toContain('In the file it is called "ID".');
    expect(sentenceOf(read, "column4")).toContain("The file gives it no name: it is column 5, and called 'column4'.");
    expect(sentenceOf(read, "id")).not.toContain("called");
    const bare = await csv(linesOf("1,2", "3,4"));
    expect(bare.reading.files[0]?.sentences).toEqual([
      "The file has no line of column names: its columns are called 'column0' to 'column1'.",
    ]);
    expect(sentenceOf(bare, "column0")).not.toContain("called");
  });
});

describe("ways that are offered", () => {
  it("offers eight digits and numbers since 1970 as times, whatever the column is called", async () => {
    const content = linesOf(
      "a,b,c,d",
      "20240305,1700000000000,1700000000,20240399",
      "20240306,1700000001000,1700000001,55555555",
      "20240230,0,7,77777777",
    );
    const read = await csv(content);
    expect(read.reading.columns.map(({ type }) => type)).toEqual(["integer", "integer", "integer", "integer"]);
    expect(ways(read, "a")).toContainEqual(["TIMESTAMP_SECONDS", "YMD", 1]);
    expect(ways(read, "b")).toContainEqual(["TIMESTAMP_MILLS", "epoch-milliseconds", 0]);
    expect(ways(read, "c")).toContainEqual(["TIMESTAMP_SECONDS", "epoch-seconds", 0]);
    // None of these is a day.
    expect(ways(read, "d").map(([type]) => type)).toEqual(["decimal", "STRING"]);
    const chosen = await csv(content, { choices: { columns: { a: { type: "TIMESTAMP_SECONDS", format: "YMD" } } } });
    expect(valuesOf(chosen, "a")).toEqual([Date.UTC(2024, 2, 5) / 1_000, Date.UTC(2024, 2, 6) / 1_000, null]);
  });

  it("says what numbers would make of codes", async () => {
    const read = await csv(linesOf("zip,n", "00123,1", "10115,2"));
    expect(sentenceOf(read, "zip")).toBe("Kept as text: numbers would lose the zeros in front, such as '00123'.");
    expect(read.columns.get("zip")?.also).toEqual([
      { type: "integer", format: null, label: "whole number (00123 becomes 123)", unreadable: 0 },
      { type: "decimal", format: ".", label: "number (00123 becomes 123)", unreadable: 0 },
    ]);
  });
});

describe("numbers that may stand for a missing value", () => {
  const asked = ({ reading }: ReadFile) => reading.questions.map(({ question }) => question);
  it("asks of none that stands there once, and of one that is often the least or the greatest", async () => {
    const some = ["1", "2", "999", "3", "4"];
    expect(asked(await csv(linesOf("v,n", ...some.map((text) => `${text},x`))))).toEqual([]);
    expect(asked(await csv(linesOf("v,n", ...[...some, "0", "5", "6"].map((text) => `${text},x`))))).toEqual([]);
    expect(asked(await csv(linesOf("v,n", ...[...some, "999"].map((text) => `${text},x`))))).toEqual(["missing:v"]);
    const many = Array.from({ length: 300 }, (_, index) => `${index % 150 === 0 ? 999 : index % 90},x`);
    expect(asked(await csv(linesOf("v,n", ...many)))).toEqual([]);
    const between = Array.from({ length: 20 }, (_, index) => `${index % 2 === 0 ? 999 : 1_000 + index},x`);
    expect(asked(await csv(linesOf("v,n", ...between, "5,x")))).toEqual([]);
  });
});
