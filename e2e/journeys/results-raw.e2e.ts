import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { katrina, openResults, portalApi } from "../support/results.ts";

const raw = (page: Page) => page.getByRole("treegrid", { name: "Raw results" });
const line = (page: Page, number: number) => raw(page).locator(`[role=row][aria-rowindex="${number}"]`);

async function openRaw(page: Page): Promise<void> {
  await openResults(page, katrina);
  await page.getByText("Raw", { exact: true }).click();
  await expect(raw(page)).toBeVisible();
}

test("[RESULT-21] Raw shows the rows as formatted JSON, line by line", async ({ page, request, signIn }) => {
  await signIn();
  await openRaw(page);
  const rows = await (await portalApi(request)).rows(katrina, { offset: 0, max: 25 });
  const expected = JSON.stringify(rows, null, 2).split("\n");
  await expect(raw(page)).toHaveAttribute("aria-rowcount", String(expected.length));
  for (const number of [1, 2, 3, 6, 17, 18]) await expect(line(page, number)).toContainText(expected[number - 1] ?? "");
  await raw(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  await expect(line(page, expected.length - 2)).toContainText(expected.at(-3) ?? "");
  await page.getByRole("button", { name: "Copy all" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(expected.join("\n"));
});
