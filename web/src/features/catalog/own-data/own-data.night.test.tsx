import { imports } from "@fairway/contract/imports";
import { ownDatasetForm } from "@fairway/contract/own-dataset-form";
import { ownDatasets } from "@fairway/contract/own-datasets";
import { type ShareCandidate, sharing } from "@fairway/contract/sharing";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { openOwnSchema } from "#testing/opened-screens.ts";
import { buildOwnDataset, serveImport } from "#testing/own-data.ts";
import { buildOwnSettings } from "#testing/own-settings.ts";
import { expectKeptEditing } from "#testing/readings.ts";
import { section } from "#testing/own-data-pages.ts";
import { buildColumn } from "#testing/dataset-builders.ts";

it("shares by the keyboard: Enter adds, Backspace removes the last, and nobody is said", async () => {
  const found: ShareCandidate[] = [
    { kind: "user", id: "u-bob", name: "bob" },
    { kind: "group", id: "g-1", name: "Boats" },
  ];
  gateway.answer(sharing.candidates, ({ query: { text } }) => (text.startsWith("bo") ? found : []));
  gateway.answer(ownDatasets.share, buildOwnDataset());
  await openOwnSchema();
  await section().getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share storm-tracks" });
  const box = dialog.getByRole("combobox", { name: "Share with" });
  await box.fill("zz");
  await expect.element(dialog.getByText("No person or group with this name.")).toBeVisible();
  await box.fill("bo");
  await expectTexts(dialog.getByRole("listbox").getByRole("option"), ["bobPerson", "BoatsGroup"]);
  await expectAccessible({ within: ["[role=dialog]"] });
  await press("ArrowDown", box);
  await press("Enter");
  await box.fill("every");
  await expectTexts(dialog.getByRole("listbox").getByRole("option"), ["EveryoneEveryone who is signed in"]);
  await press("Enter", box);
  await expectTexts(dialog.getByRole("listitem"), ["BoatsGroupViewEdit", "EveryoneEveryone who is signed inViewEdit"]);
  await press("Backspace", box);
  await expect.element(dialog.getByRole("listitem")).toHaveTextContent("Boats");
  await press("Escape");
  await expectKeptEditing();
  await dialog.getByRole("combobox", { name: "What Boats may do" }).selectOptions("Edit");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.received(ownDatasets.share)[0]?.body).toStrictEqual({ shares: [{ to: { kind: "group", id: "g-1" }, can: "edit" }] });
});

it("lists the given files with what could not be read, hands them out, and reads them in another way", async () => {
  gateway.answer(ownDatasetForm.files, {
    dataVersion: 2,
    notReadAgain: null,
    files: [
      {
        number: 1,
        file: "rain-2024.csv",
        size: 58_000,
        rows: 1_200,
        addedMs: 1_700_000_000_000,
        encoding: "windows-1252",
        unreadable: { lines: 1, values: 3, isExact: true, first: [{ column: "wet_days", line: 9, text: "7?" }] },
      },
      { number: 2, file: "rain-2025.csv", size: 900, rows: null, addedMs: 1_700_000_000_000, encoding: null, unreadable: null },
    ],
  });
  serveImport(gateway, { into: { datasetCategory: "Tropical weather", datasetId: "storm-tracks", mode: "read-again" }, openQuestions: [] });
  await openOwnSchema();
  await section().getByRole("link", { name: "Settings" }).click();
  const files = page.getByRole("region", { name: "Files" });
  await expectTexts(files.getByRole("rowheader"), ["rain-2024.csv", "rain-2025.csv"]);
  await expect.element(files).toHaveTextContent(/1,20058.0 KB.*Windows-12521 line and 3 values.*Line 9, wet_days: 7\?/);
  await expect.element(files.getByRole("button", { name: "Add file" })).toBeVisible();
  await expect.element(files.getByRole("button", { name: "Replace" })).toBeVisible();
  await expectAccessible();
  await files.getByRole("button", { name: "Change how it is read" }).click();
  await expect.poll(() => location.pathname).toBe("/add-data/import-1");
  expect(gateway.received(imports.start)[0]?.body).toMatchObject({
    into: { datasetCategory: "Tropical weather", datasetId: "storm-tracks", mode: "read-again" },
  });
  await expect.element(page.getByRole("heading", { name: "Change how storm-tracks is read" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Save as new version" })).toBeEnabled();
  gateway.answer(imports.discard, undefined);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.element(page.getByText("Settings of your dataset")).toBeVisible();
});

it("says why files cannot be read in another way", async () => {
  gateway.answer(ownDatasetForm.files, {
    dataVersion: 1,
    files: [],
    notReadAgain: "The files that this dataset was made of are not kept.",
  });
  await openOwnSchema();
  await section().getByRole("link", { name: "Settings" }).click();
  const files = page.getByRole("region", { name: "Files" });
  await expect.element(files).toHaveTextContent("The files that this dataset was made of are not kept.");
  expect(files.getByRole("button", { name: "Change how it is read" }).elements()).toHaveLength(0);
});

it("says which columns are left out, in the schema view, the settings and at the column", async () => {
  const shore = buildColumn("shore", { computed: { expression: "upper(station)" } });
  const message = "The column 'shore' is left out: There is no column 'land'.";
  gateway.answer(ownDatasetForm.files, { dataVersion: 1, files: [], notReadAgain: null });
  await openOwnSchema(undefined, {
    settings: buildOwnSettings([buildColumn("station"), shore]),
    warnings: [{ code: "computed-broken", message, path: "schema.columns.1.computed.expression" }],
  });
  await expect.element(section().getByRole("list", { name: "Columns that are left out" })).toHaveTextContent(message);
  await section().getByRole("link", { name: "Settings" }).click();
  await expect.element(page.getByRole("note", { name: "Columns that are left out" })).toHaveTextContent(message);
  await expect.element(page.getByRole("group", { name: "Computed column shore" }).getByRole("note")).toHaveTextContent(message);
  await expectAccessible();
});

it("renames a dataset, whose address stays, and opens its settings", async () => {
  gateway.answer(ownDatasetForm.save, { ...buildOwnDataset(), settings: buildOwnSettings(), version: 2 });
  gateway.answer(ownDatasetForm.files, { dataVersion: 1, files: [], notReadAgain: null });
  await openOwnSchema();
  await section().getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Rain of 2024");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => gateway.received(ownDatasetForm.save)[0]?.body).toMatchObject({ version: 1, title: "Rain of 2024" });
  await section().getByRole("link", { name: "Settings" }).click();
  await expect.element(page.getByText("Settings of your dataset")).toBeVisible();
  const description = page.getByRole("textbox", { name: "Description", exact: true }).first();
  await description.fill("Rain by station and month.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => gateway.received(ownDatasetForm.save).at(-1)?.body)
    .toMatchObject({ version: 1, settings: { description: "Rain by station and month." } });
  expect(gateway.received(ownDatasetForm.save).at(-1)?.body.settings).not.toHaveProperty("source");
});
