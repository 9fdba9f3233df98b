import type { Column } from "@fairway/contract/columns";
import { exports } from "@fairway/contract/exports";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectTexts } from "#testing/assertions.ts";
import { demoDataset, demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { gateway } from "#testing/open-screen.tsx";
import { act, header, katrina, openResults, shownColumns } from "#testing/results.ts";

/** The storms with a label on one column, and one that is not shown at first. */
function serveLabeled(): void {
  const changes: Partial<Record<string, Partial<Column>>> = { wind: { label: "Wind speed" }, status: { hidden: true } };
  const storms = demoDataset("storm-tracks");
  const columns = storms.description.schema.columns.map((column) => Object.assign({}, column, changes[column.name]));
  const labeled = { ...storms, description: { ...storms.description, schema: { columns } } };
  serveDatasets(gateway, [labeled, ...demoDatasets().filter(({ description }) => description.datasetId !== "storm-tracks")]);
}

it("tables, filters and details have labels; hidden columns are one press away; calls keep names", async () => {
  serveLabeled();
  await openResults(katrina);
  await expect.element(header("wind")).toHaveTextContent("Wind speed");
  expect(shownColumns()).not.toContain("status");
  await page.getByRole("button", { name: "1 hidden Show" }).click();
  await expect.poll(shownColumns).toContain("status");
  await act("Show Column Visibility");
  const editor = page.getByRole("region", { name: "Columns", exact: true });
  await editor.getByRole("textbox", { name: "Filter columns" }).fill("wind sp");
  await expectTexts(editor.getByRole("listitem"), ["Wind speed"]);
});

it("a CSV file has labels in its first line if that is asked for", async () => {
  serveLabeled();
  gateway.answer(exports.start, { exportId: "e-1" });
  gateway.answer(exports.state, {
    exportId: "e-1",
    status: "running",
    rows: 0,
    totalRows: null,
    cut: false,
    failure: null,
    file: null,
  });
  await openResults(katrina);
  await act("Export All Results");
  await page.getByRole("checkbox", { name: "Use labels as headers" }).click();
  await page.getByRole("button", { name: "Start Export" }).click();
  await expect.poll(() => gateway.received(exports.start).at(-1)?.body).toMatchObject({ format: "csv", labels: true });
  expect(gateway.received(exports.start).at(-1)?.body.columns).toContain("wind");
});
