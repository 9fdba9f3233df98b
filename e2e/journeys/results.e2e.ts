import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Column } from "@fairway/contract/columns";
import type { ResultRow, SearchAnswer } from "@fairway/contract/search";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
import { exportResults } from "../support/results-export.ts";
import {
  arrangeColumns,
  arrangedCsv,
  bodyOf,
  cell,
  chooseAction,
  header,
  katrina,
  openResults,
  portalApi,
  utcText,
  visibleColumns,
} from "../support/results.ts";

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

// Wide enough to show all columns, because columns outside the viewport are not rendered.
test.use({ viewport: { width: 2560, height: 900 } });

test("[RESULT-18][RESULT-38] the rows of the server are shown in the table, a profile and as JSON, loaded page by page, exported to files, and returned by the copied cURL command", async ({
  page,
  request,
}) => {
  const api = await portalApi(request);
  const rows = await api.rows(katrina, { offset: 0, max: 1_000 });
  const { schema } = await api.describe(katrina);
  // Its columns are its own, as the portal keeps them with the account.
  await signInAsNewAccount(page);
  await openResults(page, katrina);
  await test.step("the table shows the values, times in UTC and joined combined columns", async () => {
    const shown = await visibleColumns(page);
    expect(shown.slice(0, 8)).toEqual(schema.columns.slice(0, 8).map(({ name }) => name));
    for (const row of [1, 10]) {
      for (const column of schema.columns.slice(0, 8)) {
        await expect(cell(page, row, column.name).locator("span").first()).toHaveText(textOf(column, rows[row - 1]));
      }
    }
    // One literal value that does not depend on the test's own helper: 1125424800 s is 2 PM in New York.
    await expect(cell(page, 1, "time")).toHaveText("08/30/2005, 06:00:00 PM");
    await expect(cell(page, 1, "position")).toHaveText("37, -87");
  });

  await test.step("the copied cURL command runs in a shell", async () => {
    await chooseAction(page, "Copy cURL Command");
    await expect(page.getByText("cURL command copied")).toBeVisible();
    const command = await clipboard(page);
    expect(command).toMatch(/^curl /);
    expect(command).not.toContain(api.token);
    const { stdout } = await promisify(execFile)("bash", ["-c", command], { env: { ...process.env, FAIRWAY_API_KEY: api.token } });
    expect((JSON.parse(stdout) as SearchAnswer).results).toEqual(rows.slice(0, 25));
  });

  await test.step("the profile of all rows is computed by the server", async () => {
    await header(page, "wind").hover();
    await page.getByRole("button", { name: "wind column menu" }).click();
    const requested = page.waitForRequest("**/api/datasets/*/*/columns/*/profile");
    await page.getByRole("menuitem", { name: "Summary of wind" }).click();
    const dialog = page.getByRole("dialog", { name: "Summary of wind" });
    expect(bodyOf(await requested)).toEqual({ filters: [{ name: "name", operator: "=", value: "Katrina" }] });
    const winds = rows.map(({ wind }) => Number(wind));
    await expect(dialog.getByRole("definition")).toHaveText([
      String(rows.length),
      "0 (0%)",
      String(new Set(winds).size),
      String(Math.min(...winds)),
      String(Math.max(...winds)),
    ]);
    const steps = await dialog.getByRole("region", { name: "Distribution" }).getByRole("listitem").allTextContents();
    const counted = steps.map((text) => Number(/: ([\d,]+) rows?/.exec(text)?.[1]));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(rows.length);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  });

  await test.step("CSV contains the visible columns of the loaded rows in order", async () => {
    await arrangeColumns(page);
    const { name, text } = await exportResults(page, "CSV");
    expect(name).toBe("Tropical weather_storm-tracks.csv");
    expect(text).toBe(arrangedCsv(rows.slice(0, 25)));
  });

  await test.step("Load More appends 25 rows until all are loaded, and JSON contains them with hidden columns", async () => {
    const more = page.getByRole("button", { name: "Load More" });
    await more.click();
    await expect(page.getByText("1 – 50 of 68 results", { exact: true })).toBeVisible();
    await more.click();
    await expect(page.getByText("no more results to load", { exact: true })).toBeVisible();
    const { name, text } = await exportResults(page, "JSON");
    expect(name).toBe("Tropical weather_storm-tracks.json");
    expect(JSON.parse(text)).toEqual(rows);
  });

  await test.step("Raw shows the rows as formatted JSON, line by line", async () => {
    await page.getByText("Raw", { exact: true }).click();
    const raw = page.getByRole("treegrid", { name: "Raw results" });
    const line = (number: number) => raw.locator(`[role=row][aria-rowindex="${number}"]`);
    const expected = JSON.stringify(rows, null, 2).split("\n");
    await expect(raw).toHaveAttribute("aria-rowcount", String(expected.length));
    for (const number of [1, 2, 3, 6, 17, 18]) await expect(line(number)).toContainText(expected[number - 1] ?? "");
    await raw.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await expect(line(expected.length - 2)).toContainText(expected.at(-3) ?? "");
    await page.getByRole("button", { name: "Copy all" }).click();
    await expect.poll(() => clipboard(page)).toBe(expected.join("\n"));
  });
});

function textOf({ name, type, combined }: Column, row: ResultRow | undefined): string {
  if (combined) return combined.fields.map((field) => String(row?.[field])).join(combined.joinedBy);
  const value = row?.[name];
  return type === "TIMESTAMP_SECONDS" ? utcText(Number(value) * 1_000) : String(value);
}
