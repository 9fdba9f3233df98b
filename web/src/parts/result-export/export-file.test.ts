import { expect, it } from "vitest";
import { jsonText } from "#lib/text/json-text.ts";
import { csvFile, exportFileName, jsonFile } from "./export-file.ts";

it("[EXPORT-02] [EXPORT-03] names files category_datasetId with the format as extension", () => {
  expect(exportFileName("weather", "storm-tracks", "json")).toBe("weather_storm-tracks.json");
  expect(exportFileName("weather", "storm-tracks", "csv")).toBe("weather_storm-tracks.csv");
});

it.each([
  ["../../etc", "passwd", "-..-etc_passwd.csv"],
  ["a:b", 'c"d', "a-b_c-d.csv"],
  ["x\u202Egnp", "d\n", "x-gnp_d-.csv"],
])("sanitizes the file name of %j and %j", (category, dataset, name) => {
  expect(exportFileName(category, dataset, "csv")).toBe(name);
});

it("[EXPORT-02] writes every column as JSON.stringify with two spaces would", async () => {
  const rows = [{ name: "two\nlines", wind: 160 }, { name: null, wind: -1.5 }, {}];
  expect(await jsonText(rows)).toBe(JSON.stringify(rows, null, 2));
  expect(await jsonText([])).toBe("[]");
  expect(JSON.parse(await (await jsonFile([{ a: 1, b: "x" }])).text())).toEqual([{ a: 1, b: "x" }]);
});

it("[EXPORT-04] contains exactly the given rows", async () => {
  const column = { name: "n", type: "integer", description: "", combined: null } as const;
  const rows = Array.from({ length: 5_000 }, (_, n) => ({ n }));
  const lines = (await (await csvFile([column], rows)).text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(5_001);
  expect(lines.at(-1)).toBe("4999");
});
