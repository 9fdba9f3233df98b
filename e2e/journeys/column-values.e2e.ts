import type { ColumnProfile } from "@fairway/contract/column-values";
import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { openForm, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { bodyOf, cell, header, katrina, nextSearch, openResults, portalApi } from "../support/results.ts";

const suggestCalls = "**/api/datasets/*/*/columns/*/suggest";
const profileCalls = "**/api/datasets/*/*/columns/*/profile";
const values = (page: Page, column: string) => page.getByRole("listbox", { name: `Values of ${column}` }).getByRole("option");
const profile = (page: Page, column: string) => page.getByRole("dialog", { name: `Profile of ${column}` });

async function openProfile(page: Page, column: string): Promise<void> {
  await header(page, column).hover();
  await page.getByRole("button", { name: `${column} column menu` }).click();
  await page.getByRole("menuitem", { name: `Profile of ${column}` }).click();
  await expect(profile(page, column)).toBeVisible();
}

// Columns beyond the table's edge are not in the document: here every one is in sight.
test.use({ viewport: { width: 2560, height: 900 } });

test.describe("suggested values", () => {
  test("a field offers what the data hold, by mouse and by keyboard, and Enter alone still searches", async ({ page, signIn }) => {
    await signIn();
    await openForm(page, storms);
    const name = page.getByRole("textbox", { name: "Storm name" });
    await name.click();
    await expect(values(page, "name").first()).toBeVisible();
    await name.pressSequentially("kat");
    await expect(values(page, "name").filter({ hasText: "Emily" })).toHaveCount(0);
    for (const text of await values(page, "name").allTextContents()) expect(text.toLowerCase()).toContain("kat");
    await values(page, "name").filter({ hasText: "Katrina" }).click();
    await expect(name).toHaveValue("Katrina");
    await expect(name).toBeFocused();
    await name.fill("iv");
    await expect(values(page, "name").filter({ hasText: "Ivan" })).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expect(name).toHaveAttribute("aria-activedescendant", /./);
    const [chosen = ""] = await values(page, "name").and(page.locator("[aria-selected=true]")).allTextContents();
    await page.keyboard.press("Enter");
    expect(chosen.startsWith(await name.inputValue())).toBe(true);
    await expect(page).toHaveURL(/\/search\?/);
    await expect(values(page, "name")).toHaveCount(0);
    const searched = nextSearch(page);
    await page.keyboard.press("Enter");
    expect(bodyOf(await searched).filters).toEqual([{ name: "name", operator: "=", value: chosen.replace(/[\d,]+$/, "") }]);
  });

  test("Escape puts the list away and leaves the dialog; the range narrows what is suggested", async ({ page, signIn }) => {
    await signIn();
    await page.goto("/search?category=Tropical+weather&dataset=storm-tracks");
    await page.getByRole("button", { name: "Newest month" }).click();
    const asked = page.waitForRequest(suggestCalls);
    await page.getByRole("main").getByRole("button", { name: "Add filter" }).click();
    const dialog = page.getByRole("dialog", { name: "Add filter" });
    await dialog.getByRole("combobox", { name: "Field" }).click();
    await page.getByRole("listbox").getByRole("option", { name: "status", exact: true }).click();
    const value = dialog.getByRole("textbox", { name: "Value" });
    await value.click();
    const body = (await asked).postDataJSON() as { contains: string; timeRange: { start: string; end: string } };
    expect(body).toMatchObject({ contains: "", timeRange: { start: expect.stringMatching(/^20/), end: expect.stringMatching(/^20/) } });
    await expect(values(page, "status").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(values(page, "status")).toHaveCount(0);
    await expect(dialog).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expect(values(page, "status").first()).toBeVisible();
    // The list floats above the page, outside its landmarks, as every list of a field does.
    expect(await axeViolations(page, { withoutRules: ["region"] })).toEqual([]);
  });

  test("a server that suggests nothing, or fails, is not noticed", async ({ page, signIn }) => {
    await page.route(suggestCalls, (route) =>
      route.fulfill({ status: 503, json: { errors: [{ code: "engine-busy", message: "Busy." }] } }),
    );
    await signIn();
    await openForm(page, storms);
    const answered = page.waitForResponse(suggestCalls);
    const name = page.getByRole("textbox", { name: "Storm name" });
    await name.fill("Katrina");
    await answered;
    await expect(page.getByRole("alert")).toHaveCount(0);
    await name.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
    await expect(cell(page, 1, "name")).toHaveText(/Katrina/);
  });
});

test.describe("a value in the results", () => {
  test("is kept or left out from its cell, an exclusion being '<>', and turned around rather than contradicted", async ({
    page,
    signIn,
  }) => {
    await signIn();
    await openResults(page, katrina);
    await cell(page, 1, "status").hover();
    const status = "tropical depression";
    let searched = nextSearch(page);
    await page.getByRole("button", { name: `Leave out status ${status}` }).click();
    expect(bodyOf(await searched).filters).toContainEqual({ name: "status", operator: "<>", value: status });
    await expect(page.getByRole("button", { name: `Edit filter status <> ${status}`, exact: true })).toBeVisible();
    await expect(cell(page, 1, "status")).not.toHaveText(new RegExp(status));
    await expect(page.getByRole("region", { name: "Row details" })).toHaveCount(0);

    // By keyboard: the buttons of the cell that holds the focus are reached by Tab.
    await cell(page, 1, "wind").click();
    await page.keyboard.press("Escape");
    await cell(page, 1, "wind").focus();
    await page.keyboard.press("Tab");
    const keep = cell(page, 1, "wind").getByRole("button", { name: /^Keep only wind/ });
    await expect(keep).toBeFocused();
    const wind = Number(/\d+$/.exec((await keep.getAttribute("aria-label")) ?? "")?.[0]);
    searched = nextSearch(page);
    await page.keyboard.press("Enter");
    expect(bodyOf(await searched).filters).toContainEqual({ name: "wind", operator: "=", value: wind });
    // The focus goes on in the rows that came.
    await expect(page.getByRole("grid").locator("[data-row]:focus")).toHaveCount(1);
    await cell(page, 1, "name").click();
    const details = page.getByRole("region", { name: "Row details" });
    await expect(details.getByText(`${wind} kt`)).toBeVisible();
    searched = nextSearch(page);
    await details.getByRole("button", { name: "Leave out this wind" }).click();
    const filters = bodyOf(await searched).filters ?? [];
    expect(filters.filter(({ name }) => name === "wind")).toEqual([{ name: "wind", operator: "<>", value: wind }]);
  });

  test("offers nothing where there is no value, in a combined column, or in a sample", async ({ page, signIn }) => {
    await signIn();
    await openResults(page, katrina);
    await cell(page, 1, "position").hover();
    await expect(page.getByRole("button", { name: /^(Keep only|Leave out) / })).toHaveCount(0);
    await cell(page, 1, "status").hover();
    await expect(page.getByRole("button", { name: /^(Keep only|Leave out) / })).toHaveCount(2);
    await openResults(page, { category: katrina.category, dataset: katrina.dataset, isSample: true });
    await cell(page, 1, "status").hover();
    await expect(page.getByRole("button", { name: /^(Keep only|Leave out) / })).toHaveCount(0);
  });
});

test.describe("the profile of a column", () => {
  test("covers the loaded rows at once, and all that match when asked; a value of it filters", async ({ page, request, signIn }) => {
    const api = await portalApi(request);
    const all = await api.rows(katrina, { offset: 0, max: 1_000 });
    const winds = all.map(({ wind }) => Number(wind));
    await signIn();
    await openResults(page, katrina);
    const calls: string[] = [];
    page.on("request", (one) => calls.push(new URL(one.url()).pathname));
    await openProfile(page, "wind");
    const dialog = profile(page, "wind");
    await expect(dialog.getByText("25 loaded rows")).toBeVisible();
    await expect(dialog.getByRole("definition").first()).toHaveText("25");
    expect(calls.filter((path) => path.endsWith("/profile"))).toEqual([]);

    const asked = page.waitForRequest(profileCalls);
    await dialog.getByText("All rows", { exact: true }).click();
    expect(bodyOf(await asked)).toEqual({ filters: [{ name: "name", operator: "=", value: "Katrina" }] });
    await expect(dialog.getByRole("definition")).toHaveText([
      String(all.length),
      "0 (0%)",
      String(new Set(winds).size),
      String(Math.min(...winds)),
      String(Math.max(...winds)),
    ]);
    const steps = await dialog.getByRole("region", { name: "Distribution" }).getByRole("listitem").allTextContents();
    const counted = steps.map((text) => Number(/: ([\d,]+) rows/.exec(text)?.[1]));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(all.length);
    expect(await axeViolations(page)).toEqual([]);

    const searched = nextSearch(page);
    await dialog
      .getByRole("button", { name: /^Leave out wind / })
      .first()
      .click();
    const { filters = [] } = bodyOf(await searched);
    expect(filters.at(-1)).toMatchObject({ name: "wind", operator: "<>" });
    await expect(dialog).toHaveCount(0);
  });

  test("that fails says why and is asked for again; one that takes long can be left", async ({ page, signIn }) => {
    await signIn();
    await openResults(page, katrina);
    await page.route(
      profileCalls,
      (route) => route.fulfill({ status: 504, json: { errors: [{ code: "timed-out", message: "It took too long." }] } }),
      {
        times: 1,
      },
    );
    await openProfile(page, "status");
    const dialog = profile(page, "status");
    await dialog.getByText("All rows", { exact: true }).click();
    await expect(dialog.getByRole("alert")).toContainText("It took too long.");
    const answered = page.waitForResponse(profileCalls);
    await dialog.getByRole("button", { name: "Retry" }).click();
    const { distinct } = (await (await answered).json()) as ColumnProfile;
    await expect(dialog.getByRole("definition").nth(2)).toHaveText(String(distinct));
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);

    await page.route(profileCalls, () => {});
    await openProfile(page, "season");
    const other = profile(page, "season");
    const left = page.waitForEvent("requestfailed", (one) => one.url().includes("/season/profile"));
    await other.getByText("All rows", { exact: true }).click();
    await other.getByRole("button", { name: "Cancel" }).click();
    await left;
    await expect(other.getByText("25 loaded rows")).toBeVisible();
    await expect(other.getByRole("definition").first()).toHaveText("25");
  });

  test("is not asked of the engine for a sample", async ({ page, signIn }) => {
    await signIn();
    await openResults(page, { category: katrina.category, dataset: katrina.dataset, isSample: true });
    await openProfile(page, "wind");
    await expect(profile(page, "wind").getByText("All rows", { exact: true })).toHaveCount(0);
  });
});
