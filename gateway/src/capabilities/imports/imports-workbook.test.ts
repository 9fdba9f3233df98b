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
