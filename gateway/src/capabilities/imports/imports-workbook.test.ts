import type { DataImport } from "@fairway/contract/imports";
import { expect, it } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { number, text, workbookOf } from "#testing/workbook-xml.ts";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);

it("reads a workbook with the types of its cells", async () => {
  const rows = [
    ["ship", "day", "knots"].map(text),
    [text("Ada"), number(45_292, 1), number(12.5)],
    [text("Bob"), number(45_293, 1), number(7)],
  ];
  const sheets = [
    { name: "Trips", rows },
    { name: "Notes", rows: [[text("note")], [text("of two ships")]] },
  ];
  const read = await shared().read("ada", { "trips.xlsx": await workbookOf({ formats: ["yyyy-mm-dd"], sheets }) });
  expect(read).toMatchObject({ status: "ready", failure: null, suggestedName: "trips" });
  expect(read.reading).toMatchObject({
    rows: 2,
    files: [{ format: "xlsx", sheet: "Trips", sheets: [{ name: "Trips" }, { name: "Notes" }] }],
  });
  expect(read.reading?.columns.map(({ name, type, day }) => [name, type, day])).toEqual([
    ["ship", "STRING", false],
    ["day", "TIMESTAMP_SECONDS", true],
    ["knots", "decimal", false],
  ]);
});

it("reads several sheets with the same column names as one dataset, and says which are", async () => {
  const app = shared();
  const month = (name: string, ...values: number[]) => ({
    name,
    rows: [["day", "rain"].map(text), ...values.map((value) => [number(value), number(value * 2)])],
  });
  const workbook = await workbookOf({
    sheets: [month("Jan", 1, 2), month("Feb", 3), { name: "Notes", rows: [[text("note")], [text("of two months")]] }],
  });
  const read = await app.read("ada", { "rain.xlsx": workbook });
  expect(read.reading?.files[0]?.sheets).toEqual([
    { name: "Jan", isHidden: false, isAlike: true },
    { name: "Feb", isHidden: false, isAlike: true },
    { name: "Notes", isHidden: false, isAlike: false },
  ]);
  const choose = async (choices: object) => {
    expect(await app.call("ada", "PUT", `/imports/${read.id}/choices`, choices)).toMatchObject({ status: 202 });
    return app.settled("ada", read.id);
  };
  const both = await choose({ files: { "1": { sheets: ["Jan", "Feb"] } } });
  expect(both.reading).toMatchObject({
    rows: 3,
    fileCount: 2,
    files: [
      { file: "rain.xlsx", sheet: "Jan", rows: 2 },
      { sheet: "Feb", rows: 1 },
    ],
  });
  expect(both.sample?.rows.map(({ values }) => values["rain"])).toEqual([2, 4, 6]);
  expect(await choose({ files: { "1": { sheets: ["Jan", "Notes"] } } })).toMatchObject({
    status: "failed",
    failure: { message: "The file cannot be read: the sheets 'Jan' and 'Notes' have different columns." },
  });
  expect((await choose({ files: { "1": { sheets: null, sheet: "Feb" } } })).reading).toMatchObject({ rows: 1, fileCount: 1 });
  await choose({ files: { "1": { sheet: null, sheets: ["Feb", "Jan"] } } });
  expect(await app.call("ada", "POST", `/imports/${read.id}/dataset`, { name: "Rain", acceptAssumed: true })).toMatchObject({
    status: 202,
  });
  const { dataset } = await app.settled("ada", read.id);
  // Read again in the same way.
  const into = { datasetCategory: dataset?.datasetCategory, datasetId: "Rain", mode: "read-again" };
  const { body } = await app.call<DataImport>("ada", "POST", "/imports", { into });
  expect(await app.settled("ada", body.id)).toMatchObject({ status: "ready", drift: [], reading: { rows: 3, fileCount: 2 } });
});
