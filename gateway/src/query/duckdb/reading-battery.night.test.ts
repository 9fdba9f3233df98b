import iconv from "iconv-lite";
import type { TextEncoding } from "@fairway/contract/readings";
import { describe, expect, it } from "vitest";
import { type ReadFile, isReported, linesOf, readingBench, valuesOf } from "./reading-bench.ts";

const { csv, json } = readingBench();

/** A column of texts and the values that were meant, in a CSV file and as texts of a JSON file: both are read alike. */
async function both(texts: readonly string[], delimiter = ","): Promise<readonly ReadFile[]> {
  const cell = (text: string) => (/[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [
    await csv(linesOf(`x${delimiter}row`, ...texts.map((text, index) => `${cell(text)}${delimiter}r${index}`))),
    await json(linesOf(...texts.map((x, index) => JSON.stringify({ x, row: `r${index}` })))),
  ];
}

/** Every cell is what was meant, or is counted as unreadable and empty. */
function expectColumn(read: ReadFile, name: string, meant: readonly unknown[], unreadable = 0): void {
  const column = read.columns.get(name);
  const values = valuesOf(read, name);
  const wrong = values.flatMap((value, index) => (Object.is(value, meant[index]) ? [] : [[index, value, meant[index]]]));
  expect(wrong.filter(([, value]) => value !== null)).toEqual([]);
  expect(wrong).toHaveLength(unreadable);
  expect(column?.unreadable.count).toBe(unreadable);
}

/** Cells that are not what was meant, and counts of what could not be read. */
async function wrongInBoth(texts: readonly string[], meant: readonly unknown[], delimiter = ","): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const read of await both(texts, delimiter)) {
    wrong.push(...valuesOf(read, "x").filter((value, index) => !Object.is(value, meant[index])));
    wrong.push(...read.reading.columns.flatMap(({ unreadable }) => (unreadable.count > 0 ? [unreadable] : [])));
  }
  return wrong;
}

describe("encodings", () => {
  const texts: Readonly<Record<string, readonly string[]>> = {
    "windows-1252 utf-8 utf-16le utf-16be iso-8859-15": [
      "Größe",
      "Königsallee",
      "Über den Dächern",
      "Straße",
      "Señor Muñoz",
      "garçon naïf",
    ],
    "windows-1250 utf-8 iso-8859-2": ["Příliš žluťoučký kůň", "úpěl ďábelské ódy", "Łódź", "Gdańsk Żółw"],
    "windows-1251 koi8-r utf-8 utf-16le ibm866": ["Москва", "Санкт-Петербург", "Новосибирск", "Екатеринбург", "быстрая коричневая лиса"],
    "windows-1253 iso-8859-7 utf-8": ["Αθήνα", "Θεσσαλονίκη", "Ηράκλειο", "καλημέρα κόσμε"],
    "gb18030 utf-8 utf-16be": ["名称张三", "北京上海广州深圳", "数量统计报告", "中华人民共和国"],
    "shift_jis utf-8": ["名前は田中です", "東京都千代田区", "大阪ひらがなカタカナ"],
    "euc-kr utf-8": ["서울특별시", "부산광역시", "대한민국 데이터"],
    "big5 utf-8": ["臺北市政府", "高雄港務資料", "繁體中文測試"],
  };
  const cases = Object.entries(texts).flatMap(([encodings, words]) => encodings.split(" ").map((encoding) => ({ encoding, words })));
  const encoded = (text: string, encoding: string): Buffer => iconv.encode(text, encoding === "utf-16be" ? "utf16-be" : encoding);

  it.each(cases)("$encoding is recognized or reported, and can be chosen: $words.0", async ({ encoding, words }) => {
    const content = encoded(linesOf("id;text", ...words.map((word, index) => `${index};${word}`)), encoding);
    const found = await csv(content);
    const isRight = JSON.stringify(valuesOf(found, "text")) === JSON.stringify(words);
    expect(isRight || isReported(found.reading, "text")).toBe(true);
    const chosen = await csv(content, { choices: { encoding: encoding as TextEncoding } });
    expect(valuesOf(chosen, "text")).toEqual(words);
    expect(valuesOf(await csv(content, { stored: chosen.stored }), "text")).toEqual(words);
  });

  it.each(["ibm437", "ibm850"] as const)("%s can be chosen", async (encoding) => {
    const content = encoded(linesOf("id;text", "1;Größe", "2;Über"), encoding.replace("ibm", "cp"));
    expect(valuesOf(await csv(content, { choices: { encoding } }), "text")).toEqual(["Größe", "Über"]);
  });

  it("finds an accent in the last line", async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index};plain`);
    const read = await csv(iconv.encode(linesOf("id;text", ...lines, "20000;Köln"), "windows-1252"));
    expect(valuesOf(read, "text").at(-1)).toBe("Köln");
    expect(read.reading.files[0]?.encoding).toBe("windows-1252");
  });

  it("reads single lines of another encoding in a file of UTF-8 as Windows-1252, and reports it", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => Buffer.from(`${index};Köln\n`));
    const read = await csv(Buffer.concat([Buffer.from("id;text\n"), ...lines, iconv.encode("30;5 € für Öl\n", "windows-1252")]));
    expect(valuesOf(read, "text").slice(-2)).toEqual(["Köln", "5 € für Öl"]);
    expect(read.reading.files[0]).toMatchObject({ encoding: "utf-8", encodingState: "mixed" });
  });

  it("takes a few signs for Windows-1252", async () => {
    const read = await csv(iconv.encode(linesOf("id;text", "1;5 € – “ab”"), "windows-1252"));
    expect(valuesOf(read, "text")).toEqual(["5 € – “ab”"]);
  });
});

describe("dates", () => {
  const days = [
    [2024, 1, 2],
    [2024, 3, 4],
    [1999, 12, 11],
    [2024, 2, 29],
    [2023, 10, 9],
  ] as const;
  const pad = (value: number) => String(value).padStart(2, "0");
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  type Writer = (year: number, month: number, day: number) => string;
  const proven: Readonly<Record<string, Writer>> = {
    "Y-M-D": (y, m, d) => `${y}-${pad(m)}-${pad(d)}`,
    "Y/M/D": (y, m, d) => `${y}/${pad(m)}/${pad(d)}`,
    "Y.M.D": (y, m, d) => `${y}.${m}.${d}`,
    "D Mon Y": (y, m, d) => `${d} ${months[m - 1]} ${y}`,
    "D-Mon-Y": (y, m, d) => `${pad(d)}-${months[m - 1]?.toUpperCase()}-${y}`,
    "Mon D, Y": (y, m, d) => `${months[m - 1]} ${d}, ${y}`,
  };
  const clocks: readonly { readonly write: string; readonly ms: number }[] = [
    { write: "", ms: 0 },
    { write: " 07:05", ms: 25_500_000 },
    { write: " 17:05:09", ms: 61_509_000 },
    { write: " 17:05:09.250", ms: 61_509_250 },
    { write: " 5:05:09 PM", ms: 61_509_000 },
    { write: " 12:05 am", ms: 300_000 },
  ];
  const meantOf = (ms: number, isDay: boolean) =>
    days.map(([y, m, d]) => (isDay ? Date.UTC(y, m - 1, d) / 1_000 : Date.UTC(y, m - 1, d) + ms));

  it.each(
    Object.keys(proven).flatMap((form) =>
      clocks
        // Names of months are read to the second.
        .filter(({ write }) => !form.includes("Mon") || !write.includes("."))
        .map((clock) => ({ written: `${form}${clock.write}`, form, clock: clock.write, ms: clock.ms })),
    ),
  )("reads times written as $written", async ({ form, clock, ms }) => {
    const write = proven[form];
    const texts = days.map(([y, m, d]) => `${write?.(y, m, d)}${clock}`);
    expect(await wrongInBoth(texts, meantOf(ms, clock === ""))).toEqual([]);
  });

  const local: Readonly<Record<string, Writer>> = {
    day: (y, m, d) => `${pad(d)}SEP${pad(m)}SEP${y}`,
    month: (y, m, d) => `${pad(m)}SEP${pad(d)}SEP${y}`,
  };
  const orders = [".", "/", "-"].flatMap((separator) =>
    ["day", "month"].flatMap((order) => ["", " 07:05", " 17:05:09"].map((clock) => ({ separator, order, clock }))),
  );

  it.each(orders)(
    "$order first with '$separator' and clocks as '$clock', proven by another column",
    async ({ separator, order, clock }) => {
      const write = (y: number, m: number, d: number) => (local[order]?.(y, m, d) ?? "").replaceAll("SEP", separator);
      const open = days.filter(([, , d]) => d <= 12);
      const rows = open.map(([y, m, d], index) => `${write(y, m, d)}${clock},${write(2024, 5, 20 + index)}`);
      const read = await csv(linesOf("open,proof", ...rows));
      const ms = clock === "" ? 0 : clock === " 07:05" ? 25_500_000 : 61_509_000;
      expectColumn(
        read,
        "open",
        open.map(([y, m, d]) => (clock === "" ? Date.UTC(y, m - 1, d) / 1_000 : Date.UTC(y, m - 1, d) + ms)),
      );
      expect(read.reading.questions).toEqual([]);
      // Without the other column it is reported.
      const alone = await csv(linesOf("open,n", ...open.map(([y, m, d], index) => `${write(y, m, d)}${clock},${index}`)));
      expect(alone.columns.get("open")).toMatchObject({ state: "assumed" });
      expect(alone.reading.questions.map(({ question, taken }) => [question, taken])).toEqual([
        ["dateOrder", separator === "." ? "day-first" : "month-first"],
      ]);
    },
  );

  it("reads columns that prove different orders each in its own, and reports it", async () => {
    const read = await csv(linesOf("a,b", "13/01/2024,01/14/2024", "02/01/2024,01/03/2024"));
    expectColumn(read, "a", [Date.UTC(2024, 0, 13) / 1_000, Date.UTC(2024, 0, 2) / 1_000]);
    expectColumn(read, "b", [Date.UTC(2024, 0, 14) / 1_000, Date.UTC(2024, 0, 3) / 1_000]);
    expect(read.reading.sentences.join()).toContain("different orders");
  });

  it("counts days that contradict their column or do not exist", async () => {
    const good = Array.from({ length: 30 }, (_, index) => `${pad(1 + (index % 28))}/02/2023`);
    const read = await csv(linesOf("d,n", ...good.map((text) => `${text},1`), "02/13/2023,1", "31/02/2023,1"));
    expectColumn(read, "d", [...good.map((text) => Date.UTC(2023, 1, Number(text.slice(0, 2))) / 1_000), "x", "x"], 2);
    expect(read.columns.get("d")?.unreadable.first).toEqual([
      { line: 32, text: "02/13/2023" },
      { line: 33, text: "31/02/2023" },
    ]);
  });

  it("asks what years of two digits mean", async () => {
    const content = linesOf("d,n", "13.01.24,1", "14.02.69,2", "15.03.70,3");
    const year = (text: string) => Date.parse(text) / 1_000;
    expectColumn(await csv(content), "d", [year("2024-01-13"), year("2069-02-14"), year("1970-03-15")]);
    const read = await csv(content, { choices: { answers: { twoDigitYears: "1900-1999" } } });
    expectColumn(read, "d", [year("1924-01-13"), year("1969-02-14"), year("1970-03-15")]);
    expect(read.reading.questions).toMatchObject([{ question: "twoDigitYears", taken: "1900-1999", isAnswered: true }]);
    expectColumn(await csv(content, { stored: read.stored }), "d", [year("1924-01-13"), year("1969-02-14"), year("1970-03-15")]);
  });

  it.each([
    ["2021-08-06T13:18Z"],
    ["2021-08-06T13:18:00Z"],
    ["2021-08-06 15:18:00+02"],
    ["2021-08-06T15:18:00+0200"],
    ["2021-08-06T15:18:00.000+02:00"],
    ["2021-08-06T13:18:00,000Z"],
    ["20210806T131800Z"],
    ["2021-08-06 13:18:00 UTC"],
    ["06/08/2021 15:18 +02:00"],
    ["2021-08-06T13:18"],
  ])("%s is a time", async (text) => {
    expect(
      await wrongInBoth(
        [text, text.replace("06/08", "16/08").replace("08-06", "08-16").replace("0806", "0816")],
        [Date.UTC(2021, 7, 6, 13, 18), Date.UTC(2021, 7, 16, 13, 18)],
      ),
    ).toEqual([]);
  });

  it.each([
    ["2024-01-02 24:00:00", "2024-01-02 24:00:00"],
    ["10:15", "11:20"],
    ["Wednesday", "Friday"],
    ["2024-01", "2024-02"],
    ["2024-Q1", "2024-Q2"],
    ["1.2.10", "1.2.9"],
    ["41_10_1", "41_10_2"],
    ["192.168.1.10", "10.0.0.1"],
    ["1_000", "2_000"],
    ["0x10", "0x11"],
    ["5 kg", "6 kg"],
    ["-", "n/a"],
  ])("%s stays a text", async (...texts) => {
    for (const read of await both(texts)) {
      expectColumn(read, "x", texts);
      expect(read.columns.get("x")?.type).toBe("STRING");
    }
  });

  it("reads clocks of a zone: the first of an hour that is repeated, and none of one that is skipped", async () => {
    const content = linesOf(
      "t,n",
      "2024-07-01 12:00:00,1",
      "2024-10-27 02:30:00,2",
      "2024-03-31 02:30:00,3",
      ...Array.from({ length: 20 }, () => "2024-01-01 12:00:00,4"),
    );
    const read = await csv(content, { choices: { zone: "Europe/Berlin" } });
    const winter = Array.from({ length: 20 }, () => Date.UTC(2024, 0, 1, 11));
    expectColumn(read, "t", [Date.UTC(2024, 6, 1, 10), Date.UTC(2024, 9, 27, 0, 30), "x", ...winter], 1);
    expect(read.columns.get("t")).toMatchObject({ zone: "Europe/Berlin", unreadable: { first: [{ line: 4 }] } });
    expect(read.reading.sentences).toEqual([
      "1 time of 't' lies in an hour that Europe/Berlin has twice, when its clocks are set back: the first one is taken.",
    ]);
  });

  it("reports no repeated hour for times with an offset, of other hours and of UTC", async () => {
    const content = linesOf("t,n", "2024-10-27T02:30:00+01:00,1", "2024-10-27 03:00:00,2", "2024-10-27 01:59:59,3");
    const read = await csv(content, { choices: { zone: "Europe/Berlin" } });
    expectColumn(read, "t", [Date.UTC(2024, 9, 27, 1, 30), Date.UTC(2024, 9, 27, 2), Date.UTC(2024, 9, 26, 23, 59, 59)]);
    expect(read.reading.sentences).toEqual([]);
    expect((await csv(linesOf("t,n", "2024-10-27 02:30:00,1", "2024-10-27 02:40:00,1"))).reading.sentences).toEqual([]);
    // Half an hour, at the other end of the world.
    const half = await csv(linesOf("t,n", "2024-04-07 01:45:00,1", "2024-04-07 01:15:00,2"), { choices: { zone: "Australia/Lord_Howe" } });
    expect(half.reading.sentences).toEqual([expect.stringContaining("1 time of 't' lies in an hour")]);
  });

  it("takes epoch numbers and eight digits for times only by name and range", async () => {
    const read = await csv(
      linesOf("created_at,order_date,count,place", "1700000000,20240131,1700000000,20240131", "1700000001,20240229,1700000001,20240132"),
    );
    expect(read.reading.columns.map(({ type, state }) => [type, state])).toEqual([
      ["TIMESTAMP_SECONDS", "assumed"],
      ["TIMESTAMP_SECONDS", "assumed"],
      ["integer", "sure"],
      ["integer", "sure"],
    ]);
    expectColumn(read, "order_date", [Date.UTC(2024, 0, 31) / 1_000, Date.UTC(2024, 1, 29) / 1_000]);
  });
});

describe("numbers", () => {
  it.each([
    [
      ["0,2", "12,5", "7"],
      [0.2, 12.5, 7],
    ],
    [
      ["1.234,56", "1.234.567,8", "-2"],
      [1_234.56, 1_234_567.8, -2],
    ],
    [
      ["1,234.56", "1,234,567.8", "+2"],
      [1_234.56, 1_234_567.8, 2],
    ],
    [
      ["1'234.5", "12'345'678", "1"],
      [1_234.5, 12_345_678, 1],
    ],
    [
      ["1 234,5", "12 345 678", "1"],
      [1_234.5, 12_345_678, 1],
    ],
    [
      ["1\u202f234,5", "12\u00a0345", "-1"],
      [1_234.5, 12_345, -1],
    ],
    [
      ["1,234,567", "1,000", "5"],
      [1_234_567, 1_000, 5],
    ],
    [
      ["1.5e3", "-2.5E-2", "0.5"],
      [1_500, -0.025, 0.5],
    ],
    [
      ["\u22125.5", "3.5", ".5"],
      [-5.5, 3.5, 0.5],
    ],
    [
      ["12 %", "7.5 %", "-3%"],
      [12, 7.5, -3],
    ],
    [
      ["$1,234.50", "-$2.00", "$ 3"],
      [1_234.5, -2, 3],
    ],
    [
      ["(1,234.50)", "2.00", "3.25"],
      [-1_234.5, 2, 3.25],
    ],
    [
      ["12,50 €", "1.234,00 €", "7,00 €"],
      [12.5, 1_234, 7],
    ],
  ])("%j are numbers", async (texts, meant) => {
    expect(await wrongInBoth(texts, meant, ";")).toEqual([]);
  });

  it("takes the sign that all carry for the unit, and texts of several signs for texts", async () => {
    expect((await csv(linesOf("x,n", "12 %,1", "7 %,2"))).columns.get("x")).toMatchObject({ unit: "%", type: "integer" });
    const mixed = await csv(linesOf("x,n", "$12,1", "€7,2"));
    expectColumn(mixed, "x", ["$12", "€7"]);
  });

  it("decides the mark of 1,234 by the other columns, and otherwise reports the choice", async () => {
    const proven = await csv(linesOf("a;b", "1,234;0,5", "2,345;1"));
    expectColumn(proven, "a", [1.234, 2.345]);
    expect(proven.reading).toMatchObject({ decimalMark: ",", questions: [] });
    const point = await csv(linesOf("a;b", '"1,234";0.5', '"2,345";1'));
    expectColumn(point, "a", [1_234, 2_345]);
    for (const [content, meant, taken] of [
      [linesOf("a;b", "1,234;x", "2,345;y"), [1.234, 2.345], ","],
      [linesOf("a,b", '"1,234",x', '"2,345",y'), [1_234, 2_345], "."],
    ] as const) {
      const read = await csv(content);
      expectColumn(read, "a", meant);
      expect(read.columns.get("a")?.state).toBe("assumed");
      expect(read.reading.questions).toMatchObject([{ question: "decimalMark", taken }]);
      const other = taken === "," ? "." : ",";
      const chosen = await csv(content, { choices: { answers: { decimalMark: other } } });
      expectColumn(chosen, "a", other === "," ? [1.234, 2.345] : [1_234, 2_345]);
      expect(chosen.reading.questions).toMatchObject([{ taken: other, isAnswered: true }]);
    }
  });

  it.each([15, 17, 18, 19, 20, 38, 39])("integers of %i digits keep them all", async (digits) => {
    const text = `1${"234567890".repeat(5)}`.slice(0, digits);
    const meant = digits <= 15 ? Number(text) : text;
    for (const read of await both([text, "7"])) {
      expect(String(valuesOf(read, "x")[0])).toBe(String(meant));
      expect(read.columns.get("x")?.type).toBe(digits <= 38 ? "integer" : "STRING");
    }
    const numbers = await json(`[{"x":${text}},{"x":7}]`);
    expect(String(valuesOf(numbers, "x")[0])).toBe(String(meant));
  });

  it.each([17, 18, 19, 37, 38])("fractions of %i digits keep them all", async (digits) => {
    const text = `9007199254740993.${"1234567890".repeat(3)}`.slice(0, digits + 1);
    for (const read of await both([text, "0.5"])) {
      const shown = String(valuesOf(read, "x")[0]);
      expect(digits <= 17 ? Number(shown) : shown.replace(/0+$/, "")).toBe(digits <= 17 ? Number(text) : text.replace(/0+$/, ""));
    }
  });

  it("keeps the numbers of JSON as they are", async () => {
    const read = await json('{"a":4E10,"b":12345678901234567890123,"c":0.1,"d":1e400,"e":-0.5e-3}\n{"a":1,"b":1,"c":2,"d":1,"e":2}\n');
    expect(read.rows[0]).toEqual({ a: 4e10, b: "12345678901234567890123", c: 0.1, d: "1e400", e: -0.0005 });
  });

  it("takes words for missing values as none in numbers, times and booleans, and keeps them in texts", async () => {
    const words = ["n/a", "NA", "NULL", "none", "-", "--", "?", ".", "k.A.", "\\N"];
    const rows = [
      ...Array.from({ length: 11 }, (_, index) => [`${index}`, "2024-01-02", "true", "DE"]),
      ...words.map((word) => [word, word, word, word]),
    ];
    const read = await csv(linesOf("n,t,b,country", ...rows.map((row) => row.join(","))));
    const nothing = words.map(() => null);
    expectColumn(read, "n", [...Array.from({ length: 11 }, (_, index) => index), ...nothing]);
    expectColumn(read, "t", [...Array.from({ length: 11 }, () => Date.UTC(2024, 0, 2) / 1_000), ...nothing]);
    expectColumn(read, "b", [...Array.from({ length: 11 }, () => true), ...nothing]);
    expectColumn(read, "country", [...Array.from({ length: 11 }, () => "DE"), ...words]);
    expect(read.columns.get("n")).toMatchObject({ filled: 11, empty: 10, unreadable: { count: 0 } });
  });

  it("asks whether -9999 is a number", async () => {
    const content = linesOf("t,n", ...Array.from({ length: 50 }, (_, index) => `${index % 7 === 0 ? -9999 : index / 2},x`));
    const kept = await csv(content);
    expect(kept.reading.questions).toMatchObject([{ question: "missing:t", taken: "keep" }]);
    const emptied = await csv(content, { choices: { answers: { "missing:t": "empty" } } });
    expect(valuesOf(emptied, "t").filter((value) => value === null)).toHaveLength(8);
    expect(emptied.columns.get("t")).toMatchObject({ filled: 42, empty: 8, unreadable: { count: 0 } });
    expect(valuesOf(await csv(content, { stored: emptied.stored }), "t").filter((value) => value === null)).toHaveLength(8);
  });

  it("offers booleans in other words", async () => {
    const content = linesOf("x,n", "yes,1", "no,0", "YES,1");
    const read = await csv(content);
    expect(read.columns.get("x")).toMatchObject({ type: "STRING", also: [{ type: "BOOLEAN", format: "yes/no" }] });
    expectColumn(await csv(content, { choices: { columns: { x: { type: "BOOLEAN", format: "yes/no" } } } }), "x", [true, false, true]);
  });
});

describe("rows", () => {
  it.each([1, 2_000])("types a column whose only value stands in row %i", async (row) => {
    const rows = Array.from({ length: 2_500 }, (_, index) => (index + 1 === row ? "0,5;2024-01-02T10:00Z;true" : ";;"));
    const read = await csv(linesOf("a;b;c", ...rows));
    expect(read.reading.columns.map(({ type, filled }) => [type, filled])).toEqual([
      ["decimal", 1],
      ["TIMESTAMP_MILLS", 1],
      ["BOOLEAN", 1],
    ]);
  });

  it("says that a column has no values", async () => {
    expect((await csv(linesOf("a,b", "1,", "2,"))).columns.get("b")).toMatchObject({
      type: "STRING",
      filled: 0,
      sentence: "It has no values.",
    });
  });

  it.each<[string, string, readonly unknown[]]>([
    ["a list", '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
    ["a list over lines", '[\n  {"a": 1},\n  {"a": 2}\n]\n', [{ a: 1 }, { a: 2 }]],
    ["lines", '{"a":1}\n\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ["objects over lines", '{\n"a":1\n}\n{\n"a":2\n}', [{ a: 1 }, { a: 2 }]],
    ["an object that holds a list", '{"count":2,"data":[{"a":1},{"a":2}],"tags":["x"]}', [{ a: 1 }, { a: 2 }]],
    ["an object that holds a list deeper", '{"result":{"records":[{"a":1},{"a":2}]},"help":"x"}', [{ a: 1 }, { a: 2 }]],
    ["the largest of several lists", '{"fields":[{"id":"a"}],"rows":[{"a":1},{"a":2}]}', [{ a: 1 }, { a: 2 }]],
    ["one object", '{"a":1,"tags":["x","y"]}', [{ a: 1, tags: '["x","y"]' }]],
    [
      "late keys",
      '{"a":1}\n{"b":"x"}\n',
      [
        { a: 1, b: null },
        { a: null, b: "x" },
      ],
    ],
    ["nested values", '[{"o":{"k":[1, 2.50]},"l":[]}]', [{ o: '{"k":[1,2.50]}', l: "[]" }]],
    ["empty and missing texts", '{"a":""}\n{"a":null}\n{"a":"x"}\n', [{ a: "" }, { a: null }, { a: "x" }]],
  ])("reads %s", async (_, content, rows) => {
    expect((await json(content)).rows).toEqual(rows);
  });

  it("reads another list of a document if it is chosen", async () => {
    const content = '{"fields":[{"id":"a"}],"rows":[{"a":1},{"a":2}]}';
    const read = await json(content);
    expect(read.reading.files[0]).toMatchObject({
      path: "rows",
      paths: [
        { path: "fields", rows: 1 },
        { path: "rows", rows: 2 },
      ],
    });
    expect((await json(content, { choices: { path: "fields" } })).rows).toEqual([{ id: "a" }]);
  });

  it("takes another header line or delimiter if it is chosen", async () => {
    const content = linesOf("Report", "a;b", "1;2");
    expect((await csv(content, { choices: { headerLine: 0, skipLines: 2 } })).rows).toEqual([{ column0: 1, column1: 2 }]);
    expect((await csv(linesOf("a:b", "1:2"), { choices: { delimiter: ":" } })).rows).toEqual([{ a: 1, b: 2 }]);
  });

  it("reads the same of shuffled rows and reordered columns", async () => {
    const columns: Readonly<Record<string, (index: number) => string>> = {
      open: (index) => `0${1 + (index % 9)}/0${1 + (index % 5)}/2024`,
      proof: (index) => `${index === 150 ? 13 : "0" + String(1 + (index % 9))}/01/2024`,
      amount: (index) => (index === 190 ? '"0,5"' : '"1,234"'),
      code: (index) => (index === 177 ? "007" : String(index)),
      at: (index) => (index % 2 === 0 ? "2024-01-02" : "2024-01-02T10:00:00.5Z"),
      late: (index) => (index === 199 ? "true" : ""),
      word: (index) => `word ${index}`,
    };
    const write = (names: readonly string[], rows: readonly number[]) =>
      linesOf(names.join(","), ...rows.map((row) => names.map((name) => columns[name]?.(row)).join(",")));
    const names = Object.keys(columns);
    const rows = Array.from({ length: 200 }, (_, index) => index);
    const summary = ({ reading }: ReadFile) =>
      reading.columns
        .map(({ unreadable, ...column }) => ({ ...column, unreadable: unreadable.count }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const first = await csv(write(names, rows));
    expect(first.columns.get("open")).toMatchObject({ format: "D/M/Y", state: "sure" });
    const shuffled = rows.toSorted((a, b) => ((a * 7_919) % 200) - ((b * 7_919) % 200));
    for (const [order, list] of [
      [names, shuffled],
      [names.toReversed(), rows],
      [names.toReversed(), shuffled],
    ] as const)
      expect(summary(await csv(write(order, list)))).toEqual(summary(first));
  });
});

it("reads on after a line that is longer than any line may be, of which it holds the beginning only", async () => {
  const read = await csv(["a,b", ...Array.from({ length: 40_000 }, () => "1,…"), "…".repeat(20_000_000), "2,…", ""].join("\r\n"));
  expect(valuesOf(read, "a")).toHaveLength(40_001);
  expect(read.rows.at(-1)).toEqual({ a: 2, b: "…" });
  expect(read.reading.files[0]?.unreadable).toEqual({
    count: 1,
    first: [{ line: 40_002, text: "…".repeat(200), reason: "a line of more than 8,000,000 characters" }],
  });
});

describe("a stored reading", () => {
  it("stays when later files suggest another one, which is reported", async () => {
    const before = await csv(linesOf("d,n,x", "01/02/2024,1,a", "03/04/2024,2,b"));
    const now = linesOf("d,n,x,y", "01/02/2024,1,a,", "03/04/2024,2.5,b,", "13/04/2024,3,c,");
    const read = await csv(now, { stored: before.stored });
    expect(valuesOf(read, "d")).toEqual([Date.UTC(2024, 0, 2) / 1_000, Date.UTC(2024, 2, 4) / 1_000, null]);
    expect(valuesOf(read, "n")).toEqual([1, null, 3]);
    expect(read.differences).toEqual([
      "1 value of 'd' cannot be read as a date, month first (05/03/2024 is May 3) (line 4: '13/04/2024'). 'd' is stored as a date, month first (05/03/2024 is May 3); its values look like a date, day first (05/03/2024 is March 5) now.",
      "1 value of 'n' cannot be read as a whole number (line 3: '2.5'). 'n' is stored as a whole number; its values look like a number now.",
      "The column 'y' is new.",
    ]);
    expect(read.stored.columns.slice(0, 2)).toMatchObject([
      { name: "d", format: "M/D/Y" },
      { name: "n", type: "integer" },
    ]);
  });
});
