import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { stopClock } from "../support/page-clock.ts";
import { exportResults } from "../support/results-export.ts";
import { act, alterRows, katrina, openResults, portalApi } from "../support/results.ts";

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Export Current Results" });

test("[EXPORT-01] 'Export Current Results' offers CSV, JSON and the cURL command, and says how many rows it covers", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  await expect(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
  await act(page, "Export Current Results");
  await expect(dialogOf(page).getByRole("heading", { name: "Export Current Results" })).toBeVisible();
  for (const name of ["CSV", "JSON", "Copy cURL Command"])
    await expect(dialogOf(page).getByRole("button", { name, exact: true })).toBeEnabled();
  await expect(dialogOf(page)).toContainText("the 25 rows loaded, of 68");
  await page.keyboard.press("Escape");
  await expect(dialogOf(page)).toHaveCount(0);
});

test("[EXPORT-02][EXPORT-04] JSON saves category_datasetId.json with the loaded rows as the server sent them, hidden columns too", async ({
  page,
  request,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  await page.getByRole("button", { name: "Load More" }).click();
  await expect(page.getByText("50 rows loaded")).toBeVisible();
  await act(page, "Show Column Visibility");
  await page.getByRole("checkbox", { name: "season", exact: true }).uncheck();
  const { name, text } = await exportResults(page, "JSON");
  expect(name).toBe("Tropical weather_storm-tracks.json");
  expect(JSON.parse(text)).toEqual(await (await portalApi(request)).rows(katrina, { offset: 0, max: 50 }));
});

test("[EXPORT-03][EXPORT-04] CSV saves category_datasetId.csv: the visible columns in their order, of the loaded rows", async ({
  page,
  request,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  await act(page, "Show Column Visibility");
  const columns = page.getByRole("region", { name: "Columns", exact: true });
  await columns.getByRole("button", { name: "Select None" }).click();
  for (const column of ["wind", "name", "time", "position"]) await columns.getByRole("checkbox", { name: column, exact: true }).check();
  await page.getByRole("columnheader").first().focus();
  await page.keyboard.press("Alt+ArrowRight");
  const { name, text } = await exportResults(page, "CSV");
  expect(name).toBe("Tropical weather_storm-tracks.csv");
  const rows = await (await portalApi(request)).rows(katrina, { offset: 0, max: 25 });
  const lines = rows.map((row) => {
    const time = new Date(Number(row["time"]) * 1_000).toISOString().replace(".000Z", "Z");
    return `${time},${row["name"]},"${row["latitude"]}, ${row["longitude"]}",${row["wind"]}`;
  });
  expect(text).toBe(["time,name,position,wind", ...lines, ""].join("\r\n"));
});

test("texts that a spreadsheet would run are disarmed in CSV and untouched in JSON; numbers are left alone", async ({ page, signIn }) => {
  await signIn();
  const names = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", 'say "so", twice\nor more', "plain"];
  await alterRows(page, (rows) =>
    rows.slice(0, names.length).map((row, index) => ({ name: names[index] ?? "", wind: -5, season: row["season"] ?? null })),
  );
  await openResults(page, katrina);
  await act(page, "Show Column Visibility");
  const columns = page.getByRole("region", { name: "Columns", exact: true });
  await columns.getByRole("button", { name: "Select None" }).click();
  for (const column of ["name", "wind"]) await columns.getByRole("checkbox", { name: column, exact: true }).check();
  const { text } = await exportResults(page, "CSV");
  const fields = ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", `"'\rx"`, `"say ""so"", twice\nor more"`, "plain"];
  expect(text).toBe(["name,wind", ...fields.map((field) => `${field},-5`), ""].join("\r\n"));
  const json = JSON.parse((await exportResults(page, "JSON")).text) as { name: string }[];
  expect(json.map(({ name }) => name)).toEqual(names);
});

test("[EXPORT-05] the address of an exported file is given up 2 seconds after it was saved", async ({ page, signIn }) => {
  await page.addInitScript(() => {
    const spied = { made: [] as string[], revoked: [] as string[] };
    const createObjectURL = URL.createObjectURL.bind(URL);
    const revokeObjectURL = URL.revokeObjectURL.bind(URL);
    URL.createObjectURL = (object) => {
      const url = createObjectURL(object);
      if (object instanceof Blob && object.type === "application/json") spied.made.push(url);
      return url;
    };
    URL.revokeObjectURL = (url) => {
      spied.revoked.push(url);
      revokeObjectURL(url);
    };
    Object.assign(window, { spied });
  });
  const spied = () => page.evaluate(() => (window as unknown as { spied: { made: string[]; revoked: string[] } }).spied);
  await page.clock.install();
  await signIn();
  await openResults(page, katrina);
  await act(page, "Export Current Results");
  await expect(dialogOf(page).getByRole("button", { name: "JSON", exact: true })).toBeVisible();
  await stopClock(page);
  const saved = page.waitForEvent("download");
  await dialogOf(page).getByRole("button", { name: "JSON", exact: true }).click();
  await saved;
  const { made } = await spied();
  expect(made).toHaveLength(1);
  await page.clock.runFor(1_999);
  expect((await spied()).revoked).not.toContain(made[0]);
  await page.clock.runFor(1);
  expect((await spied()).revoked).toContain(made[0]);
});

test("[EXPORT-06] the cURL choice copies the command of the search", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await act(page, "Export Current Results");
  await dialogOf(page).getByRole("button", { name: "Copy cURL Command" }).click();
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(page.getByText("cURL command copied")).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain("/api/datasets/Tropical%20weather/storm-tracks/search'");
  expect(command).toContain('{"name":"name","value":"Katrina","operator":"="}');
});
