import { type ExportManifest, exports } from "@fairway/contract/exports";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
import { saveFile } from "../support/results-export.ts";
import { arrangeColumns, arrangedCsv, katrina, openResults, portalApi } from "../support/results.ts";

test("a CSV export contains the visible columns of all rows in order, with a manifest, and works by keyboard only; a JSON export contains all columns", async ({
  page,
  request,
}) => {
  // Its columns are its own, as the portal keeps them with the account.
  const { username } = await signInAsNewAccount(page);
  await openResults(page, katrina);
  await arrangeColumns(page);
  await page.getByRole("button", { name: "Actions", exact: true }).focus();
  await page.keyboard.press("Enter");
  // The menu moves the focus to its first item once it is open.
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await page.getByRole("menuitem", { name: "Export All Results" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Export All Results" });
  await expect(dialog).toContainText("The 4 visible columns in their order.");
  await expect(dialog.getByRole("button", { name: "Start Export" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("link", { name: "Download" })).toBeFocused();
  await expect(dialog).toContainText(/^.*68 rows, [\d.]+ KB\. The server keeps the file for an hour\./);
  const { name, text } = await saveFile(page, () => page.keyboard.press("Enter"));
  expect(name).toBe("Tropical weather_storm-tracks.csv");
  const rows = await (await portalApi(request)).rows(katrina, { offset: 0, max: 1_000 });
  expect(text).toBe(arrangedCsv(rows));

  const manifest = await saveFile(page, () => dialog.getByRole("link", { name: "Manifest" }).click());
  expect(manifest.name).toBe("Tropical weather_storm-tracks.manifest.json");
  expect(exports.manifest.response.parse(JSON.parse(manifest.text)) satisfies ExportManifest).toMatchObject({
    dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
    format: "csv",
    query: { filters: [{ name: "name", value: "Katrina", operator: "=" }] },
    user: username,
    rows: 68,
    totalRows: 68,
    cut: false,
  });
  // A JSON export contains every column.
  await dialog.getByRole("button", { name: "New Export" }).click();
  await dialog.getByRole("radio", { name: "JSON", exact: true }).check();
  await dialog.getByRole("button", { name: "Start Export" }).click();
  const json = await saveFile(page, () => dialog.getByRole("link", { name: "Download" }).click());
  expect(json.name).toBe("Tropical weather_storm-tracks.json");
  expect(JSON.parse(json.text)).toEqual(rows);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Actions", exact: true })).toBeFocused();
});
