import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { type ReadFile, linesOf, readingBench, valuesOf } from "./reading-bench.ts";

const { csv, json, read: readText } = readingBench();
const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1_000;
const time = (text: string) => Date.parse(text);
const typesOf = ({ reading }: ReadFile) => Object.fromEntries(reading.columns.map(({ name, type }) => [name, type]));

describe("files from public reports", () => {
  it("reads all dates of a file in the order that one column proves", async () => {
    const read = await csv(
      linesOf(
        "ticket,opened,closed,due",
        "1,02/01/2023,13/01/2023,01/02/2023",
        "2,03/01/2023,14/01/2023,05/02/2023",
        "3,07/01/2023,15/01/2023,06/02/2023",
      ),
    );
    expect(valuesOf(read, "opened")).toEqual(["2023-01-02", "2023-01-03", "2023-01-07"].map(day));
    expect(valuesOf(read, "due")).toEqual(["2023-02-01", "2023-02-05", "2023-02-06"].map(day));
    expect(read.reading).toMatchObject({ dateOrder: "day-first", questions: [] });
    expect(read.reading.columns.slice(1).every(({ state, day: isDay }) => state === "sure" && isDay)).toBe(true);
  });

  it("reads decimal commas wherever they begin", async () => {
    const rows = Array.from({ length: 230 }, (_, index) => `7;${index < 205 || index > 209 ? "0" : "0,2"}`);
    const read = await csv(linesOf("station;rain_mm", ...rows));
    expect(typesOf(read)).toEqual({ station: "integer", rain_mm: "decimal" });
    expect(valuesOf(read, "rain_mm").reduce((sum: number, value) => sum + Number(value), 0)).toBeCloseTo(1);
  });

  it.each(["csv", "json"] as const)("reads times with and without fractions beside blanks in %s", async (format) => {
    const texts = ["2023-05-01T10:00:00+02:00", "2023-05-01T10:00:01.5+02:00", null, "", "2023-05-01T08:00:02Z"];
    const content =
      format === "csv"
        ? linesOf("at,n", ...texts.map((text, index) => `${text ?? ""},${index}`))
        : linesOf(...texts.map((at, n) => JSON.stringify({ at, n })));
    const read = await readText(content, { format });
    expect(valuesOf(read, "at")).toEqual([
      time("2023-05-01T08:00:00Z"),
      time("2023-05-01T08:00:01.5Z"),
      null,
      null,
      time("2023-05-01T08:00:02Z"),
    ]);
    expect(read.columns.get("at")).toMatchObject({ type: "TIMESTAMP_MILLS", state: "sure", filled: 3, empty: 2 });
  });

  it.each(["small", "large"])("refuses a %s file of objects whose names are values, each of which would be a column", async (size) => {
    const more = size === "large" ? `,"text":"${"x".repeat(100)}"` : "";
    const objects = Array.from({ length: 10_001 }, (_, id) => `{"id ${id}":1${more}}`);
    await expect(json(linesOf(...objects))).rejects.toMatchObject({
      problems: [{ detail: "The data cannot be read as JSON: its objects have more than 10,000 different names." }],
    });
  });

  it("keeps every position of a large geometry", async () => {
    const positions = Array.from({ length: 60_000 }, (_, index) => [index / 8, -index / 16, index % 7]);
    const ring = (list: readonly (readonly number[])[]) => `(${list.map((position) => position.join(" ")).join(", ")})`;
    const geometry = { type: "Polygon", coordinates: [positions, positions.slice(0, 4)] };
    const feature = { type: "Feature", properties: { name: "coast" }, geometry };
    const read = await json(JSON.stringify({ type: "FeatureCollection", features: [feature] }));
    expect(read.rows).toEqual([{ name: "coast", geometry: `POLYGON (${ring(positions)}, ${ring(positions.slice(0, 4))})` }]);
  });

  it("reads features without a geometry as features, and says where a document ends too early", async () => {
    const feature = (name: string, rest: object) => JSON.stringify({ type: "Feature", properties: { name }, ...rest });
    const place = { geometry: { type: "Point", coordinates: [8, 47] } };
    const features = [feature("a", {}), feature("b", place), feature("c", { geometry: null })];
    const start = `{"type":"FeatureCollection","features":[${features.join(",\n")}`;
    const rows = [
      { name: "a", latitude: null, longitude: null },
      { name: "b", latitude: 47, longitude: 8 },
      { name: "c", latitude: null, longitude: null },
    ];
    const whole = await json(`${start}]}`);
    expect(whole.rows.map(({ name, latitude, longitude }) => ({ name, latitude, longitude }))).toEqual(rows);
    expect(whole.reading.files[0]?.sentences).toEqual([]);
    const broken = await json(`${start},\nthis is no JSON`);
    expect(broken.rows).toHaveLength(3);
    expect(broken.reading.files[0]?.sentences).toEqual(["The file ends in the middle of its document: rows at its end may be missing."]);
  });

  it("reads a large file of CSV with other line ends, bytes and a line that is too long, and knows on which lines its rows are", async () => {
    const rows = Array.from({ length: 15_000 }, (_, index) => `${index};“café”;${index === 14_998 ? "2.0e400" : `${index}.5`}`);
    const tooLong = "“".repeat(8_000_001);
    const text = ["id;name;count", ...rows.slice(0, 14_000), tooLong, ...rows.slice(14_000)].join("\r");
    const read = await csv(iconv.encode(text, "windows-1252"));
    expect(valuesOf(read, "id")).toEqual(rows.map((_, index) => index));
    expect(new Set(valuesOf(read, "name"))).toEqual(new Set(["“café”"]));
    expect(read.reading.files[0]?.unreadable).toEqual({
      count: 1,
      first: [{ line: 14_002, text: "“".repeat(200), reason: "a line of more than 8,000,000 characters" }],
    });
    expect(read.columns.get("count")?.unreadable.first).toMatchObject([{ line: 15_001, text: "2.0e400" }]);
  });

  it("loses only what is odd in a line of JSON, and counts it", async () => {
    const repeated = await json(linesOf('{"a":1}', '{"a":2,"a":3}', '{"a":4}'));
    expect(valuesOf(repeated, "a")).toEqual([1, 3, 4]);
    expect(repeated.reading.files[0]?.sentences).toEqual(["1 object names a key more than once (line 2); the last value counts."]);
    const halves = await json(linesOf('{"a":1,"s":"ok"}', String.raw`{"a":2,"s":"cut \ud83d"}`, '{"a":3,"s":"\\ud83d\\ude00"}'));
    expect(valuesOf(halves, "s")).toEqual(["ok", "cut \ufffd", "😀"]);
    expect(halves.reading.files[0]?.sentences).toEqual(["1 object holds half a character (line 2), read as \ufffd."]);
    const broken = await json(linesOf('{"a":1}', '{"a":', '{"a":3}', "[5]"));
    expect(valuesOf(broken, "a")).toEqual([1, 3]);
    expect(broken.reading.files[0]?.unreadable).toMatchObject({
      count: 2,
      first: [
        { line: 2, text: '{"a":' },
        { line: 4, text: "[5]" },
      ],
    });
  });

  it.each([
    ["sep=;\r\na;b\r\n1;2\r\n3;4\r\n", ";"],
    ["sep=,\r\na,b\r\n1,2\r\n3,4\r\n", ","],
    ['\ufeff"SEP=;"\na;b\n1;2\n3;4\n', ";"],
    ["sep=\\t\na\tb\n1\t2\n3\t4\n", "\t"],
    ["sep=\t\na\tb\n1\t2\n3\t4\n", "\t"],
    ["sep=^\na^b\n1^2\n3^4\n", "^"],
  ])("takes the line %j for the delimiter", async (content, delimiter) => {
    const read = await csv(content);
    expect(read.rows).toEqual([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ]);
    expect(read.reading.files[0]).toMatchObject({ delimiter, headerLine: 2, skipLines: 1 });
  });

  it("keeps codes as texts", async () => {
    const read = await csv(
      linesOf(
        "part,phone,rev,zip,customer_id",
        "4E10,+15550100,2e400,00123,1",
        "6E5,+15550101,7c12,10115,2",
        "9E1,+15550102,8e999,20095,x3",
      ),
    );
    expect(read.rows[0]).toEqual({ part: "4E10", phone: "+15550100", rev: "2e400", zip: "00123", customer_id: "1" });
    expect(new Set(Object.values(typesOf(read)))).toEqual(new Set(["STRING"]));
    // With a point it is a number, and values that would be infinite are reported.
    const numbers = await csv(
      linesOf("x,y", ...Array.from({ length: 20 }, (_, index) => `${index}.5E+3,${index === 4 ? "2.0e400" : "1.5"}`)),
    );
    expect(valuesOf(numbers, "x")[1]).toBe(1_500);
    expect(numbers.columns.get("y")).toMatchObject({
      type: "decimal",
      state: "mixed",
      unreadable: { count: 1, first: [{ line: 6, text: "2.0e400" }] },
    });
  });

  it("takes no digits from integers because of one number in E notation", async () => {
    const texts = ["4000000000000000123", "4000000000000000457", "4.0E+18", "12"];
    expect(valuesOf(await csv(linesOf("account,n", ...texts.map((text) => `${text},1`))), "account")).toEqual(texts);
  });

  it("types columns by what is filled, wherever it begins", async () => {
    const rows = Array.from({ length: 450 }, (_, index) => (index < 400 ? `${index};;;` : `${index};2024-01-02 10:00:00;true;1,5`));
    const read = await csv(linesOf("n;ended;done;size", ...rows));
    expect(typesOf(read)).toEqual({ n: "integer", ended: "TIMESTAMP_MILLS", done: "BOOLEAN", size: "decimal" });
    expect(read.rows.at(-1)).toEqual({ n: 449, ended: time("2024-01-02T10:00:00Z"), done: true, size: 1.5 });
    expect(read.columns.get("size")).toMatchObject({ filled: 50, empty: 400 });
  });

  it("shows names with line breaks, tabs and parts of letters as one line", async () => {
    const long = "x".repeat(300);
    const read = await csv(`id,"amount\n(EUR)","tab\there",A\u030angstro\u0308m,${long},ID,,\n1,2.5,a,b,c,d,e,\n`);
    expect(read.reading.columns.map(({ name }) => name)).toEqual([
      "id",
      "amount (EUR)",
      "tab here",
      "Ångström",
      "x".repeat(200),
      "ID_1",
      "column6",
      "column7",
    ]);
    expect(read.columns.get("amount (EUR)")).toMatchObject({ header: "amount\n(EUR)", type: "decimal" });
    expect(valuesOf(read, "Ångström")).toEqual(["b"]);
  });

  it.each(["csv", "json"] as const)("has columns named __proto__ and constructor in %s", async (format) => {
    const content =
      format === "csv"
        ? linesOf("__proto__,constructor", "1,2", "3,4")
        : linesOf('{"__proto__":1,"constructor":2}', '{"__proto__":3,"constructor":4}');
    const read = await readText(content, { format });
    expect(read.rows.map((row) => Object.entries(row))).toEqual([
      [
        ["__proto__", 1],
        ["constructor", 2],
      ],
      [
        ["__proto__", 3],
        ["constructor", 4],
      ],
    ]);
    expect(read.reading.columns.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
  });

  it("reads times without seconds, and days beside times as midnight", async () => {
    const zoned = await csv(linesOf("t,v", "2021-08-06T13:18Z,1", "2021-08-06T13:19Z,2"));
    expect(valuesOf(zoned, "t")).toEqual([time("2021-08-06T13:18:00Z"), time("2021-08-06T13:19:00Z")]);
    const days = await csv(linesOf("when,v", "01.02.2024,1", "01.02.2024 06:00,2", "13.02.2024 12:00,3", "02.02.2024,4"));
    expect(valuesOf(days, "when")).toEqual(["2024-02-01T00:00Z", "2024-02-01T06:00Z", "2024-02-13T12:00Z", "2024-02-02T00:00Z"].map(time));
    expect(days.columns.get("when")).toMatchObject({ type: "TIMESTAMP_MILLS", day: false });
  });

  it("keeps digits beyond the 17th", async () => {
    const read = await csv(linesOf("amount,n", "0.1234567890123456789,1", "123456789012345678.12,2"));
    expect(read.columns.get("amount")).toMatchObject({ type: "decimal", state: "sure" });
    expect(read.stored.columns[0]).toMatchObject({ exact: { digits: 37, scale: 19 } });
    expect(valuesOf(read, "amount")[1]).toBe("123456789012345678.1200000000000000000");
    const long = ["0.12345678901234567890123456789012345678901", "1"];
    expect(valuesOf(await csv(linesOf("amount,n", ...long.map((text) => `${text},1`))), "amount")).toEqual(long);
  });

  it("reads features of GeoJSON as rows with a place", async () => {
    const point = (coordinates: number[], name: string) => ({
      type: "Feature",
      properties: { name },
      geometry: { type: "Point", coordinates },
    });
    const read = await json(
      JSON.stringify({ type: "FeatureCollection", features: [point([179.5, -18], "A"), point([-179.5, -18.25, 7], "B")] }),
    );
    expect(read.rows).toEqual([
      { name: "A", latitude: -18, longitude: 179.5, elevation: null },
      { name: "B", latitude: -18.25, longitude: -179.5, elevation: 7 },
    ]);
    expect(read.reading.files[0]).toMatchObject({ path: "features", rows: 2 });
    const shapes = await json(
      JSON.stringify({
        type: "FeatureCollection",
        features: [
          {
            type: "Feature",
            id: 7,
            properties: null,
            geometry: {
              type: "LineString",
              coordinates: [
                [1, 2],
                [3.5, 4],
              ],
            },
          },
          {
            type: "Feature",
            id: 8,
            properties: {},
            geometry: {
              type: "MultiPolygon",
              coordinates: [
                [
                  [
                    [0, 0],
                    [1, 0],
                    [1, 1],
                    [0, 0],
                  ],
                ],
              ],
            },
          },
          { type: "Feature", id: 9, properties: {}, geometry: null },
        ],
      }),
    );
    expect(shapes.rows).toEqual([
      { id: 7, geometry: "LINESTRING (1 2, 3.5 4)" },
      { id: 8, geometry: "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)))" },
      { id: 9, geometry: null },
    ]);
    const crs = { type: "name", properties: { name: "urn:ogc:def:crs:EPSG::25832" } };
    const moved = await json(JSON.stringify({ type: "FeatureCollection", crs, features: [point([565000, 5934000], "A")] }));
    expect(moved.rows).toEqual([{ name: "A", geometry: "POINT (565000 5934000)" }]);
    expect(moved.reading.files[0]?.sentences.join()).toContain("another coordinate system (urn:ogc:def:crs:EPSG::25832)");
  });
});
