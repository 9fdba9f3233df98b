import type { DatasetDescription } from "@fairway/contract/datasets";
import type { Page } from "@playwright/test";
import { recordSearches, describePath, earthquakes, openForm, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows } from "../support/searches.ts";

const addFilter = (page: Page) => page.getByRole("main").getByRole("button", { name: "Add filter", exact: true });
const filterDialog = (page: Page) => page.getByRole("dialog", { name: /^(Add|Edit) filter$/ });

/** The fields that the open dialog offers. */
async function offeredFields(page: Page): Promise<string[]> {
  const field = filterDialog(page).getByRole("combobox", { name: "Field" });
  await field.click();
  const options = page.getByRole("listbox").getByRole("option");
  await expect(options.first()).toBeVisible();
  const offered = await options.allTextContents();
  await page.keyboard.press("Escape");
  return offered;
}

async function chooseField(page: Page, display: string): Promise<void> {
  await filterDialog(page).getByRole("combobox", { name: "Field" }).click();
  await page.getByRole("listbox").getByRole("option", { name: display, exact: true }).click();
}

/** Adds a filter in its dialog. */
async function add(page: Page, display: string, operator: string, value: string): Promise<void> {
  await addFilter(page).click();
  await chooseField(page, display);
  await filterDialog(page).getByLabel("Operator", { exact: true }).selectOption(operator);
  await filterDialog(page).getByLabel("Value", { exact: true }).fill(value);
  await filterDialog(page).getByRole("button", { name: "Add filter", exact: true }).click();
  await expect(filterDialog(page)).toHaveCount(0);
}

test("[SEARCH-35][SEARCH-58] a pre-filled filter is shown locked and applies although it is never sent", async ({ page, signIn }) => {
  await signIn();
  const calls = recordSearches(page);
  await openForm(page, earthquakes);
  const locked = page.getByRole("group", { name: "Type, locked", exact: true });
  await expect(locked).toContainText("= earthquake");
  await expect(locked.getByRole("button")).toHaveCount(0);
  await expect(locked.getByRole("textbox")).toHaveCount(0);
  await expect(locked.getByRole("combobox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^(Edit|Remove) filter Type$/ })).toHaveCount(0);
  // It does not count as a required filter.
  await expect(searchButton(page)).toBeDisabled();
  await page.getByRole("textbox", { name: "Magnitude at least", exact: true }).fill("1");
  const answered = page.waitForResponse((response) => response.url().endsWith("/earthquakes/search"));
  await searchButton(page).click();
  await expectRows(page, "earthquakes");
  expect(calls.searches[0]?.body).toEqual({ paging: { offset: 0, max: 25 }, filters: [{ name: "mag", value: 1, operator: ">=" }] });
  expect(calls.counts[0]?.body).toEqual({ filters: [{ name: "mag", value: 1, operator: ">=" }] });
  const { results } = (await (await answered).json()) as { results: { type: string }[] };
  expect(new Set(results.map(({ type }) => type))).toEqual(new Set(["earthquake"]));
  const applied = page.getByRole("group", { name: "Filters applied" });
  await expect(applied.getByText("type = earthquake", { exact: true })).toBeVisible();
  await expect(applied.getByRole("button", { name: /type = earthquake|Remove filter Type/ })).toHaveCount(0);
});

test("[SEARCH-39] with advanced filtering every column accepts one or more filters", async ({ page, signIn }) => {
  await signIn();
  const calls = recordSearches(page);
  const described = page.waitForResponse((response) => new URL(response.url()).pathname === describePath(storms));
  await openForm(page, storms);
  const { schema } = (await (await described).json()) as DatasetDescription;
  await addFilter(page).click();
  // Combined columns have no value of their own.
  const own = schema.columns.filter(({ combined }) => combined === null).map(({ name }) => name);
  expect(await offeredFields(page)).toEqual(own);
  await filterDialog(page).getByRole("button", { name: "Cancel", exact: true }).click();
  await add(page, "wind", ">=", "100");
  await add(page, "wind", "<", "140");
  await add(page, "wind", "<>", "120");
  await addFilter(page).click();
  expect(await offeredFields(page)).toEqual(own);
  await filterDialog(page).getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("button", { name: "Remove filter wind", exact: true }).nth(1).click();
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Katrina");
  const answered = page.waitForResponse((response) => response.url().endsWith("/storm-tracks/search"));
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");
  expect(calls.searches[0]?.body).toEqual({
    paging: { offset: 0, max: 25 },
    filters: [
      { name: "name", value: "Katrina", operator: "=" },
      { name: "wind", value: 100, operator: ">=" },
      { name: "wind", value: 120, operator: "<>" },
    ],
  });
  const { results } = (await (await answered).json()) as { results: { name: string; wind: number }[] };
  expect(results.length).toBeGreaterThan(0);
  expect(results.every(({ name, wind }) => name === "Katrina" && wind >= 100 && wind !== 120)).toBe(true);
});
