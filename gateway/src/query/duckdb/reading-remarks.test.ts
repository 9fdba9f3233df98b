import { describe, expect, it } from "vitest";
import { engineCall } from "#testing/engine-call.ts";
import { type ReadFile, linesOf, readingBench, valuesOf } from "./reading-bench.ts";

const { bench, csv, json } = readingBench();
const sentenceOf = ({ columns }: ReadFile, name: string) => columns.get(name)?.sentence ?? "";
const ways = ({ columns }: ReadFile, name: string) =>
  columns.get(name)?.also.map(({ type, format, unreadable }) => [type, format, unreadable]) ?? [];

describe("values that are read otherwise than they are written", () => {
  it("reports that numbers in parentheses are taken as negative", async () => {
    const read = await csv(linesOf("amount,n", "(12.5),1", "7.25,2", '"(1,234.50)",3'));
    expect(valuesOf(read, "amount")).toEqual([-12.5, 7.25, -1_234.5]);
    expect(read.columns.get("amount")).toMatchObject({ type: "decimal", state: "assumed" });
    expect(sentenceOf(read, "amount")).toContain("Numbers in parentheses are taken as negative: '(1,234.50)' is -1234.5.");
    expect(ways(read, "amount")).toContainEqual(["STRING", null, 0]);
  });

  it("reports that a mark only separates thousands, and why, and offers the other reading", async () => {
    const read = await csv(linesOf("a;b", "1.234;0,5", "2.345;1"));
    expect(valuesOf(read, "a")).toEqual([1_234, 2_345]);
    expect(sentenceOf(read, "a")).toContain(
      "Points only separate thousands, as other values of the file have a decimal comma: '1.234' is 1234.",
    );
    expect(ways(read, "a")).toContainEqual(["decimal", ".", 0]);
    const other = await csv(linesOf("a;b", "1.234;0,5", "2.345;1"), { choices: { columns: { a: { type: "decimal", format: "." } } } });
    expect(valuesOf(other, "a")).toEqual([1.234, 2.345]);
    const own = await csv(linesOf("a,b", '"1,234.5",x', '"2,000",y'));
    expect(sentenceOf(own, "a")).toContain("Commas only separate thousands: '");
    const spaced = await csv(linesOf("a,b", "1 234,x", "2 345,y"));
    expect(sentenceOf(spaced, "a")).toContain("Spaces only separate thousands: '1 234' is 1234.");
    const open = await csv(linesOf("a,b", '"1,234",x', '"2,345",y'));
    expect(sentenceOf(open, "a")).toContain("The point is taken as the decimal mark, though no value shows which one is: '1,234' is 1234.");
  });

  it("reports the unit that all values carry", async () => {
    expect(sentenceOf(await csv(linesOf("x,n", "12 %,1", "7 %,2")), "x")).toBe(
      "Whole numbers. All carry %, which is kept as the unit: '7 %' is 7.",
    );
  });

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
  it("offers times that most values are, and says how many are none", async () => {
    const texts = ["2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05", "2024-02-31", "soon", "later"];
    const content = linesOf("when,n", ...texts.map((text, index) => `${text},${index}`));
    const read = await csv(content);
    expect(read.columns.get("when")).toMatchObject({ type: "STRING" });
    expect(ways(read, "when")).toEqual([["TIMESTAMP_SECONDS", "ISO", 3]]);
    const chosen = await csv(content, { choices: { columns: { when: { type: "TIMESTAMP_SECONDS", format: "ISO" } } } });
    expect(chosen.columns.get("when")?.unreadable.count).toBe(3);
    expect(valuesOf(chosen, "when").filter((value) => value !== null)).toHaveLength(4);
  });

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

  it("counts no word for a missing value as lost", async () => {
    const read = await csv(linesOf("x,n", "yes,1", "no,2", "n/a,3", "perhaps,4"));
    expect(ways(read, "x")).toEqual([["BOOLEAN", "yes/no", 1]]);
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
