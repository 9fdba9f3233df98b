import { readFile } from "node:fs/promises";
import { type ExportManifest, type ExportState, exports } from "@fairway/contract/exports";
import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { chooseAction, type SearchParams, katrina, openResults, portalApi } from "../support/results.ts";

// A user can run one export at a time.
test.describe.configure({ mode: "default" });

/** Three million sorted rows, which take long enough to observe a running export. */
const flights: SearchParams = { category: "Aviation", dataset: "flights", filters: [["origin", "<>", "XXX"]], sort: [["distance", "asc"]] };
const states = /\/api\/exports\/[\w-]+$/;

const dialog = (page: Page) => page.getByRole("dialog", { name: "Export All Results" });
const start = (page: Page) => dialog(page).getByRole("button", { name: "Start Export" });
const progress = (page: Page) => dialog(page).getByRole("progressbar", { name: "Rows written" });
const downloadLink = (page: Page) => dialog(page).getByRole("link", { name: "Download" });
const manifestLink = (page: Page) => dialog(page).getByRole("link", { name: "Manifest" });

async function open(page: Page): Promise<void> {
  await chooseAction(page, "Export All Results");
  await expect(dialog(page)).toBeVisible();
}

async function saved(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent("download");
  await click();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

async function exportAs(page: Page, format: "CSV" | "JSON" | "Parquet"): Promise<void> {
  await dialog(page).getByRole("radio", { name: format, exact: true }).check();
  await start(page).click();
  await expect(downloadLink(page)).toBeVisible();
}

test("a JSON export contains all rows of the search, with a manifest", async ({ page, request, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await open(page);
  await expect(dialog(page)).toContainText("Writes all 68 rows that the search finds, loaded or not, into a file.");
  const requested = page.waitForRequest("**/export");
  await exportAs(page, "JSON");
  expect((await requested).postDataJSON()).toEqual({
    format: "json",
    search: { filters: [{ name: "name", value: "Katrina", operator: "=" }] },
  });
  await expect(dialog(page)).toContainText(/^.*68 rows, \d+ kB\. The server keeps the file for an hour\./);
  await expect(downloadLink(page)).toBeFocused();
  const file = await saved(page, () => page.keyboard.press("Enter"));
  expect(file.name).toBe("Tropical weather_storm-tracks.json");
  expect(JSON.parse(file.text)).toEqual(await (await portalApi(request)).rows(katrina, { offset: 0, max: 1_000 }));
  const manifest = await saved(page, () => manifestLink(page).click());
  expect(manifest.name).toBe("Tropical weather_storm-tracks.manifest.json");
  expect(exports.manifest.response.parse(JSON.parse(manifest.text)) satisfies ExportManifest).toMatchObject({
    dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
    format: "json",
    query: { filters: [{ name: "name", value: "Katrina", operator: "=" }] },
    user: "viewer",
    rows: 68,
    totalRows: 68,
    cut: false,
  });
});

test("a CSV export contains the visible columns of all rows in order, and works by keyboard only", async ({ page, request, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await chooseAction(page, "Show Column Visibility");
  const columns = page.getByRole("region", { name: "Columns", exact: true });
  await columns.getByRole("button", { name: "Select None" }).click();
  for (const column of ["wind", "name", "time", "position"]) await columns.getByRole("checkbox", { name: column, exact: true }).check();
  await page.getByRole("columnheader").first().focus();
  await page.keyboard.press("Alt+ArrowRight");
  await page.getByRole("button", { name: "Actions", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Export All Results" }).focus();
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toContainText("The 4 visible columns in their order.");
  await expect(start(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(downloadLink(page)).toBeFocused();
  const { name, text } = await saved(page, () => page.keyboard.press("Enter"));
  expect(name).toBe("Tropical weather_storm-tracks.csv");
  const rows = await (await portalApi(request)).rows(katrina, { offset: 0, max: 1_000 });
  const lines = rows.map((row) => {
    const time = new Date(Number(row["time"]) * 1_000).toISOString().replace(".000Z", "Z");
    return `${time},${row["name"]},"${row["latitude"]}, ${row["longitude"]}",${row["wind"]}`;
  });
  expect(text).toBe(["time,name,position,wind", ...lines, ""].join("\r\n"));
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Actions", exact: true })).toBeFocused();
});

test("a running export shows its progress, and continues while the dialog is closed and after a reload", async ({ page, signIn }) => {
  let starts = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/export")) starts += 1;
  });
  await signIn();
  await openResults(page, flights);
  await open(page);
  await dialog(page).getByRole("radio", { name: "JSON", exact: true }).check();
  await start(page).click();
  await expect(progress(page)).toBeVisible();
  await dialog(page).getByText("Close", { exact: true }).click();
  await expect(dialog(page)).toHaveCount(0);
  await open(page);
  await expect(dialog(page)).toContainText(/[\d,]+ of 3,000,000 rows written/);
  await page.reload();
  await expect(page.getByRole("gridcell").first()).toBeVisible();
  await open(page);
  await expect(downloadLink(page)).toBeVisible({ timeout: 40_000 });
  await expect(dialog(page)).toContainText("3,000,000 rows, ");
  expect(starts).toBe(1);
});

for (const [device, colorScheme, viewport] of [
  ["desktop", "light", { width: 1440, height: 900 }],
  ["phone", "dark", { width: 390, height: 844 }],
] as const) {
  test.describe(`on a ${device} in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, viewport });

    test("axe finds no violations in the dialog, which fits the screen in every phase", async ({ page, signIn }) => {
      await signIn();
      await openResults(page, katrina);
      await open(page);
      const expectFit = async () => {
        const violations = await axeViolations(page);
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual([]);
        const box = await dialog(page).boundingBox();
        expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= viewport.width).toBe(true);
      };
      await expectFit();
      let cut = false;
      let isRunning = true;
      await page.route(states, async (route) => {
        const response = await route.fetch();
        const state = (await response.json()) as ExportState;
        await route.fulfill({ response, json: isRunning ? { ...state, status: "running", file: null, rows: 34 } : { ...state, cut } });
      });
      await start(page).click();
      await expect(dialog(page)).toContainText("34 of 68 rows written");
      await expectFit();
      cut = true;
      isRunning = false;
      await expect(dialog(page).getByRole("alert")).toContainText("This file is cut");
      await expectFit();
    });
  });
}
