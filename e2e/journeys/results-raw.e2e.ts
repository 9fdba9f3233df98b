import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { alterRows, katrina, openResults, portalApi } from "../support/results.ts";

const raw = (page: Page) => page.getByRole("treegrid", { name: "Raw results" });
const line = (page: Page, number: number) => raw(page).locator(`[role=row][aria-rowindex="${number}"]`);
const lines = (page: Page) => raw(page).getAttribute("aria-rowcount").then(Number);

async function openRaw(page: Page): Promise<void> {
  await openResults(page, katrina);
  await page.getByText("Raw", { exact: true }).click();
  await expect(raw(page)).toBeVisible();
}

test("[RESULT-21] Raw shows the rows as JSON, line by line as JSON is laid out", async ({ page, request, signIn }) => {
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

test("rows fold and unfold by mouse and by keyboard", async ({ page, signIn }) => {
  await signIn();
  await openRaw(page);
  const all = await lines(page);
  await line(page, 2).getByRole("button", { name: "Fold line 2" }).click();
  await expect(line(page, 2)).toContainText("{…}");
  await expect(line(page, 2)).toHaveAttribute("aria-expanded", "false");
  await expect(raw(page)).toHaveAttribute("aria-rowcount", String(all - 16));
  await line(page, 2).focus();
  await page.keyboard.press("ArrowRight");
  await expect(raw(page)).toHaveAttribute("aria-rowcount", String(all));
  await expect(line(page, 2)).toBeFocused();
  await page.getByRole("button", { name: "Fold all", exact: true }).click();
  await expect(raw(page)).toHaveAttribute("aria-rowcount", "27");
  await page.getByRole("button", { name: "Unfold all" }).click();
  await expect(raw(page)).toHaveAttribute("aria-rowcount", String(all));
});

test("a line gives its path and its value to the clipboard", async ({ page, signIn }) => {
  await signIn();
  await openRaw(page);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await line(page, 4).hover();
  await line(page, 4).getByRole("button", { name: "Copy path" }).click();
  await expect.poll(clipboard).toBe("[0].name");
  await line(page, 4).getByRole("button", { name: "Copy value" }).click();
  await expect.poll(clipboard).toBe("Katrina");
});

test("find counts its matches and steps through them, unfolding what hides one", async ({ page, signIn }) => {
  await signIn();
  await alterRows(page, (rows) => rows.map((row, index) => (index === 3 || index === 20 ? { ...row, name: `needle ${index}` } : row)));
  await openRaw(page);
  await page.getByRole("button", { name: "Fold all", exact: true }).click();
  const find = page.getByRole("textbox", { name: "Find in loaded rows" });
  await find.fill("NEEDLE");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("1 of 2");
  await expect(raw(page).getByText('"needle 3"')).toBeInViewport();
  await find.press("Enter");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("2 of 2");
  await expect(raw(page).getByText('"needle 20"')).toBeInViewport();
  await find.press("Shift+Enter");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("1 of 2");
  await find.fill("nothing like it");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("no match");
});

test("find marks the cells of the table and brings a match into sight", async ({ page, signIn }) => {
  await signIn();
  await alterRows(page, (rows) => rows.map((row, index) => (index === 24 ? { ...row, track_path: "a needle" } : row)));
  await openResults(page, katrina);
  await page.keyboard.press("/");
  const find = page.getByRole("textbox", { name: "Find in loaded rows" });
  await expect(find).toBeFocused();
  await find.fill("needle");
  await expect(page.getByRole("search").getByRole("status")).toHaveText(/^1 of \d$/);
  await expect(page.getByRole("grid").locator("mark").filter({ hasText: "needle" }).first()).toBeInViewport();
});

test("an answer of 10 MB is shown, scrolled to its end and searched", async ({ page, signIn }) => {
  await signIn();
  await alterRows(page, (rows) => {
    const wide = rows[0] ?? {};
    const many = Array.from({ length: 33_000 }, (_, index) => ({ ...wide, season: index, name: index === 32_998 ? "needle" : "Katrina" }));
    expect(JSON.stringify(many).length).toBeGreaterThan(10_000_000);
    return many;
  });
  await openRaw(page);
  await expect(page.getByText("33,000 rows loaded")).toBeVisible();
  await page.getByRole("textbox", { name: "Find in loaded rows" }).fill("needle");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("1 of 1");
  await expect(raw(page).locator("mark", { hasText: "needle" })).toBeInViewport();
  await raw(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  await expect(line(page, await lines(page))).toContainText("]");
});
