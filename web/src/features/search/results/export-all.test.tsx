import { datasets } from "@fairway/contract/datasets";
import { exports } from "@fairway/contract/exports";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { demoDataset } from "#testing/demo-datasets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { act, katrina, openResults } from "#testing/results.ts";
import { dialog, done, downloadLink, open, progress, running, serveExports, start } from "#testing/exports-screen.ts";

beforeEach(serveExports);

it("exports the search rather than the loaded rows, and reports an export that ends while the dialog is closed as a toast and offers its file", async () => {
  gateway.answer(exports.state, running);
  await openResults(katrina);
  await open();
  await expect.element(dialog()).toHaveTextContent("Writes all 68 rows of the search, loaded or not, to a file.");
  await dialog().getByRole("radio", { name: "JSON", exact: true }).click();
  await start().click();
  await expect.element(progress()).toBeVisible();
  await press("Escape");
  await expect.element(dialog()).not.toBeInTheDocument();
  gateway.answer(exports.state, done);
  await expect.element(page.getByText("The export of storm-tracks is ready: Actions, Export All Results")).toBeVisible();
  await open();
  await expect.element(downloadLink()).toHaveAttribute("href", "/api/exports/export-1/file");
  await expect.element(dialog()).toHaveTextContent(/68 rows, [\d.]+ KB\. The server keeps the file for an hour\./);
  expect(gateway.received(exports.start).map(({ body }) => body)).toEqual([
    { format: "json", search: { filters: [{ name: "name", value: "Katrina", operator: "=" }] } },
  ]);
});

it("cancels a running export, can start another, and ends it when the search is closed", async () => {
  gateway.answer(exports.state, running);
  await openResults(katrina);
  await open();
  await start().click();
  await expect.element(dialog().getByRole("button", { name: "Cancel Export" })).toHaveFocus();
  await press("Enter");
  await expect.element(dialog()).toHaveTextContent("The export was canceled.");
  expect(gateway.received(exports.remove).map(({ params }) => params.exportId)).toEqual(["export-1"]);
  await start().click();
  await expect.element(progress()).toBeVisible();
  await press("Escape");
  await expect.element(dialog()).not.toBeInTheDocument();
  await act("Close Search");
  await page.getByRole("dialog", { name: "Close Search?" }).getByRole("button", { name: "Close Search" }).click();
  await expect.poll(() => gateway.received(exports.remove)).toHaveLength(2);
});

it("is not offered for a sample or a dataset without export support", async () => {
  await openResults({ category: katrina.category, dataset: katrina.dataset, isSample: true });
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: "Export Current Results" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "Export All Results" })).not.toBeInTheDocument();
  gateway.answer(datasets.describe, { ...demoDataset("storm-tracks").description, assists: [] });
  await openResults(katrina);
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: "Export Current Results" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "Export All Results" })).not.toBeInTheDocument();
});
