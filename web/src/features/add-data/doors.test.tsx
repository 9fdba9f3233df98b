import { catalog } from "@fairway/contract/catalog";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { imports } from "@fairway/contract/imports";
import { ownDatasets } from "@fairway/contract/own-datasets";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { buildOwnData, buildOwnDataset, noOwnData, pasteText, serveImport } from "#testing/own-data.ts";

const addData = () => page.getByRole("main").getByRole("link", { name: "Add data" });

it("leads to data from Datasets, the catalog and the palette", async () => {
  gateway.answer(ownDatasets.list, buildOwnData());
  gateway.answer(catalog.entries, []);
  gateway.answer(descriptionSuggestions.counts, []);
  serveImport(gateway);
  await openScreen("/data-catalog");
  await expect.element(addData()).toBeVisible();
  await openScreen("/search");
  await addData().click();
  await expect.element(page.getByText("Drop a CSV, Excel, JSON, GeoJSON or Parquet file here.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "a sample file" })).toBeVisible();
  await expectAccessible();
  await openScreen("/boards");
  await expect.element(page.getByRole("heading", { level: 1, name: "Boards" })).toBeVisible();
  await press("Control+k");
  await page.getByRole("combobox").fill("Add data");
  await page.getByRole("option", { name: /Add data/ }).click();
  await expect.poll(() => location.pathname).toBe("/add-data");
});

it("makes a dataset of a pasted table", async () => {
  gateway.answer(ownDatasets.list, buildOwnData());
  serveImport(gateway);
  await openScreen("/search");
  await expect.element(addData()).toBeVisible();
  pasteText("just a line of text");
  pasteText("station\train\n0012\t39.8\n");
  await expect.poll(() => location.pathname).toBe("/add-data/import-1");
  expect(gateway.received(imports.start)).toHaveLength(1);
  expect(gateway.received(imports.start)[0]?.body).toMatchObject({ files: [{ file: "Pasted table.tsv", size: 23 }] });
});

it("says whom to ask where one may not, shows nothing where nobody may, and the figures where there is no room", async () => {
  gateway.answer(ownDatasets.list, buildOwnData({ mayImport: false }));
  await openScreen("/search");
  await addData().click();
  await expect
    .element(page.getByText("You may not bring data of your own. Ask an administrator for the role 'data-upload'."))
    .toBeVisible();
  gateway.answer(ownDatasets.list, buildOwnData({ room: { ...noOwnData.room, bytes: 2_000_000_000 } }));
  await openScreen("/search");
  const full = page.getByRole("button", { name: "Add data" });
  await expect.element(full).toHaveAttribute("aria-disabled", "true");
  await expect.element(full).toHaveAccessibleDescription("You keep 2.0 of 2 GB. Delete a dataset or older versions first.");
  gateway.answer(ownDatasets.list, noOwnData);
  await openScreen("/search");
  await expect.element(page.getByRole("grid", { name: "Datasets" })).toBeVisible();
  await expect.element(addData()).not.toBeInTheDocument();
});

it("restores a deleted dataset, or deletes it now", async () => {
  const deleted = buildOwnDataset({ title: "Rain", goneMs: Date.now() + 86_400_000 });
  gateway.answer(ownDatasets.list, buildOwnData({ datasets: [deleted] }));
  gateway.answer(ownDatasets.restore, deleted);
  gateway.answer(ownDatasets.remove, undefined);
  gateway.answer(imports.list, []);
  await openScreen("/add-data");
  await page.getByRole("button", { name: "Restore Rain" }).click();
  await expect.poll(() => gateway.received(ownDatasets.restore)).toHaveLength(1);
  await page.getByRole("button", { name: "Delete Rain now" }).click();
  await page.getByRole("dialog", { name: "Delete Rain now?" }).getByRole("button", { name: "Delete now" }).click();
  await expect.poll(() => gateway.received(ownDatasets.remove)).toHaveLength(1);
  expect(gateway.received(ownDatasets.remove)[0]?.query).toStrictEqual({ now: "true" });
});
