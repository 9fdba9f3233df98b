import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { linesOf, readingBench, valuesOf } from "./reading-bench.ts";

const { csv, json } = readingBench();

describe("questions", () => {
  it("shows what each option makes of years of two digits", async () => {
    const { reading } = await csv(linesOf("a,b", "13.01.24,1", "14.02.69,2"));
    expect(reading.questions).toMatchObject([
      {
        question: "twoDigitYears",
        options: [
          { option: "1970-2069", examples: [{ text: "13.01.24", becomes: "2024-01-13" }, { becomes: "2069-02-14" }] },
          { option: "1900-1999", examples: [{ text: "13.01.24", becomes: "1924-01-13" }, { becomes: "1969-02-14" }] },
          { option: "2000-2099", examples: [{ text: "13.01.24", becomes: "2024-01-13" }, { becomes: "2069-02-14" }] },
        ],
      },
    ]);
  });

  it("asks nothing where both orders of day and month give the same days", async () => {
    const read = await csv(linesOf("d,n", "01/01/2024,1", "02/02/2024,2"));
    expect(read.reading.questions).toEqual([]);
    expect(read.columns.get("d")?.state).toBe("assumed");
  });

  it("finds examples behind many values that show nothing, in any column", async () => {
    const same = Array.from({ length: 1_500 }, (_, index) => `0${1 + (index % 9)}/0${1 + (index % 9)}/${1_900 + (index % 167)}`);
    const { reading } = await csv(linesOf("a,b", ...same.map((day) => `${day},${day}`), "01/01/2024,03/02/2099"));
    expect(reading.questions).toMatchObject([
      { question: "dateOrder", columns: ["a", "b"], options: [{ examples: [{ text: "03/02/2099", becomes: "2099-02-03" }] }, {}] },
    ]);
  });
});

describe("sentences", () => {
  it("says which values of a column are taken as no value", async () => {
    const read = await csv(linesOf("a,b", ...Array.from({ length: 20 }, (_, index) => `${index},x`), "n/a,-", "-,x", "-,x"));
    expect(read.columns.get("a")?.sentence).toBe("Whole numbers. 3 values that read '-' or 'n/a' are taken as no value.");
    expect(read.columns.get("b")?.sentence).toBe("Text.");
  });

  it("explains a decimal mark that only other columns show", async () => {
    const read = await csv(linesOf("a;b", "1,234;0,5", "2,345;1"));
    expect(read.columns.get("a")?.sentence).toBe(
      "Numbers. The comma is the decimal mark, as other values of the file show: '1,234' is 1.234.",
    );
    const chosen = await csv(linesOf("a;b", "1,234;x", "2,345;y"), { choices: { decimalMark: "," } });
    expect(chosen.columns.get("a")?.sentence).toBe("Numbers. The comma is the decimal mark, as chosen: '1,234' is 1.234.");
  });

  it("takes a zero in front for a proof of the mark of its column", async () => {
    const read = await csv(linesOf("a,n", "0.125,1", "-0.375,2"));
    expect(read.columns.get("a")).toMatchObject({ state: "sure", also: [{ type: "STRING" }] });
  });

  it("shows the order of days by a value that proves something", async () => {
    const read = await csv(linesOf("d,n", "01/01/2024,1", "01/31/2024,2"));
    expect(read.columns.get("d")?.sentence).toContain("The month stands first: '01/31/2024' is January 31, 2024.");
    // No value fits the other order.
    expect((await csv(linesOf("d,n", "01/30/2024,1", "01/31/2024,2"))).columns.get("d")?.also).toMatchObject([{ type: "STRING" }]);
  });

  it.each([
    ["Feb 1 2000", "date (Mar 5, 2024)"],
    ["1 February 2000", "date (5 Mar 2024)"],
    ["01-FEB-00", "date (5 Mar 24)"],
  ])("labels the way in which %s is written", async (text, label) => {
    expect((await csv(linesOf("d,n", `${text},1`, `${text},2`))).columns.get("d")?.label).toBe(label);
  });
});

it.each(["zip", "Artikel-Nr", "Kundennummer", "PLZ", "isbn", "Tel", "barcode"])(
  "keeps %s as text if one value is no number",
  async (name) => {
    const values = Array.from({ length: 30 }, (_, index) => `${10_000 + index},1`);
    expect((await csv(linesOf(`${name},n`, ...values, "A1,1"))).columns.get(name)?.type).toBe("STRING");
    expect((await csv(linesOf(`${name},n`, ...values, "n/a,1"))).columns.get(name)?.type).toBe("integer");
  },
);

it("asks about the least and the greatest value, if both may stand for missing ones", async () => {
  const lines = linesOf("x,n", "-9999,1", "-9999,2", "3,3", "9999,4", "9999,5", "4,6");
  const { reading } = await csv(lines);
  expect(reading.questions).toMatchObject([
    {
      question: "missing:x",
      sentence: "Do '-9999' and '9999' in 'x' stand for missing values? They occur 2 times and 2 times.",
      options: [{ option: "keep" }, { option: "empty" }, { option: "empty:-9999" }, { option: "empty:9999" }],
      taken: "keep",
    },
  ]);
  const answered = (option: string) => csv(lines, { choices: { answers: { "missing:x": option } } });
  expect(valuesOf(await answered("empty"), "x")).toEqual([null, null, 3, null, null, 4]);
  const one = await answered("empty:9999");
  expect(valuesOf(one, "x")).toEqual([-9999, -9999, 3, null, null, 4]);
  expect(one.reading.questions).toMatchObject([{ taken: "empty:9999", isAnswered: true }]);
  expect(one.stored.columns[0]?.missingWords).toContain("9999");
  expect(one.stored.columns[0]?.missingWords).not.toContain("-9999");
});

it("reads plain values and those that need rewriting alike", async () => {
  const read = await csv(
    linesOf(
      "n;x;t",
      "12;-1.5;2024-01-02 03:04:05",
      " 12 ;1,234.5;2024-01-02T03:04:06",
      "'34';(2.25);2024-01-02 03:04:07.5",
      "-3;7;2024-01-03",
    ),
    { choices: { quote: "'" } },
  );
  expect(valuesOf(read, "n")).toEqual([12, 12, 34, -3]);
  expect(valuesOf(read, "x")).toEqual([-1.5, 1234.5, -2.25, 7]);
  const day = Date.UTC(2024, 0, 2, 3, 4);
  expect(valuesOf(read, "t")).toEqual([day + 5_000, day + 6_000, day + 7_500, Date.UTC(2024, 0, 3)]);
  expect(read.reading.columns.map(({ filled, unreadable }) => [filled, unreadable.count])).toEqual([
    [4, 0],
    [4, 0],
    [4, 0],
  ]);
});

it("reads ISO times in small letters", async () => {
  const read = await csv(linesOf("t,n", "2024-01-02t10:00:00z,1", "2024-01-02T10:00:00.5+02:00,2"));
  expect(valuesOf(read, "t")).toEqual([Date.UTC(2024, 0, 2, 10), Date.UTC(2024, 0, 2, 8, 0, 0, 500)]);
  expect(read.columns.get("t")?.state).toBe("sure");
});

it("finds the header below a title, however short the table is", async () => {
  const read = await csv(linesOf("Report of 2024", "", "# note", "a;b;c", "1;2;3", "Total", "4;5;6"));
  expect(read.rows).toEqual([
    { a: 1, b: 2, c: 3 },
    { a: 4, b: 5, c: 6 },
  ]);
  expect(read.reading.files[0]?.unreadable.first).toMatchObject([
    { line: 1, text: "Report of 2024" },
    { line: 6, text: "Total" },
  ]);
});

describe("documents of JSON", () => {
  it("says which of several lists holds the rows", async () => {
    const { reading } = await json('{"meta":{"fields":[{"id":1}]},"rows":[{"a":1},{"a":2}]}');
    expect(reading.files[0]?.sentences).toEqual(["The rows are those of 'rows', the largest of 2 lists in the file."]);
  });

  it.each(['[{"a":1},{"a":2}', '{"data":[{"a":1},{"a":2}', '{"data":[{"a":1},{"a":2}]'])("says that %s is cut", async (text) => {
    const read = await json(text);
    expect(read.rows).toHaveLength(2);
    expect(read.reading.files[0]?.sentences).toEqual(["The file ends in the middle of its document: rows at its end may be missing."]);
    const whole = await json('{"data":[{"a":1},{"a":2}]}');
    expect(whole.reading.files[0]?.sentences).toEqual([]);
  });
});

it("names the zone of clocks only where some do not name their own", async () => {
  const lines = [
    '{"at":"2024-01-02T10:00:00Z","mixed":"2024-01-02T10:00:00Z"}',
    '{"at":"2024-01-02T11:00:00+02:00","mixed":"2024-01-02T11:00:00"}',
  ];
  const { columns } = await json(`${lines.join("\n")}\n`);
  expect([columns.get("at"), columns.get("mixed")]).toMatchObject([
    { type: "TIMESTAMP_MILLS", zone: null },
    { type: "TIMESTAMP_MILLS", zone: "UTC" },
  ]);
});

describe("encodings", () => {
  it.each([
    ["windows-1252", ["déjà vu à Noël", "garçon naïf", "élève", "l’œuvre – “Noël”… à 5 €"]],
    ["iso-8859-2", ["Příliš žluťoučký kůň", "úpěl ďábelské ódy", "Łódź"]],
    ["iso-8859-5", ["Москва", "Санкт-Петербург", "Новосибирск"]],
    ["iso-8859-7", ["Αθήνα", "Θεσσαλονίκη", "Ηράκλειο"]],
  ])("recognizes %s by its words", async (encoding, words) => {
    const read = await csv(iconv.encode(linesOf("id;text", ...words.map((word, index) => `${index};${word}`)), encoding));
    expect(valuesOf(read, "text")).toEqual(words);
  });

  it("does not claim to know whether a lone sign is that of the euro", async () => {
    const { reading } = await csv(iconv.encode(linesOf("id;text", "1;5 €, or so"), "iso-8859-15"));
    expect(reading.questions).toMatchObject([{ question: "encoding", options: [{ option: "windows-1252" }, { option: "iso-8859-15" }] }]);
    expect((await csv(iconv.encode(linesOf("id;text", "1;5 €, or so"), "windows-1252"))).reading.questions).toEqual([]);
  });
});
