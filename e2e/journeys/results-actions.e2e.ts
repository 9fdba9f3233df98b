import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { SearchAnswer } from "@fairway/contract/search";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { exportedRows } from "../support/results-export.ts";
import {
  act,
  type Asked,
  bodyOf,
  cell,
  failOnce,
  grid,
  header,
  katrina,
  nextSearch,
  openResults,
  portalApi,
  searchLink,
  unemployment,
} from "../support/results.ts";
import { recentSearches } from "../support/searches.ts";
import { expectDatasets } from "../support/sign-in.ts";

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const filters = (page: Page) => page.getByRole("group", { name: "Filters applied" });
const sampled: Asked = { category: katrina.category, dataset: katrina.dataset, isSample: true };

test("[RESULT-34] the Actions menu has its entries, by mouse and by keyboard", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  const button = page.getByRole("button", { name: "Actions", exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  for (const entry of [
    "Close Search",
    "Copy cURL Command",
    "Explore Dataset Schema",
    "Export Current Results",
    "Show Column Visibility",
    "Hide Filters",
    "Rerun Search",
    "Save Search Filters",
  ]) {
    await expect(page.getByRole("menuitem", { name: entry, exact: true })).toBeEnabled();
  }
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("[RESULT-35][RESULT-36][RESULT-37] Close Search asks first: declined it keeps the search, confirmed it removes it for good", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  const address = page.url();
  const question = page.getByRole("dialog", { name: "Close Search?" });
  await act(page, "Close Search");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL(address);
  await expect(cell(page, 1, "name")).toHaveText("Katrina");
  await expect(recentSearches(page)).toHaveCount(1);
  await act(page, "Close Search");
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(recentSearches(page)).toHaveCount(1);

  await act(page, "Close Search");
  await question.getByRole("button", { name: "Close Search" }).click();
  await expect(page).toHaveURL(/\/search$/);
  await expectDatasets(page);
  await expect(recentSearches(page)).toHaveCount(0);
  await page.goto(address);
  await expect(page).toHaveURL(/\/search$/);
  await expectDatasets(page);
});

test("[RESULT-37] closing the open search from the recent searches leads to the datasets screen, closing another one does not", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  await openResults(page, unemployment);
  await expect(recentSearches(page)).toHaveCount(2);
  await page.getByRole("button", { name: /^Close storm-tracks of / }).click();
  await expect(recentSearches(page)).toHaveCount(1);
  await expect(grid(page)).toBeVisible();
  await page.getByRole("button", { name: /^Close industry-unemployment of / }).click();
  await expect(page).toHaveURL(/\/search$/);
  await expectDatasets(page);
});

for (const address of ["/search/unknown", "/search/unknown#1.bm90IGpzb24"]) {
  test(`[RESULT-37] ${address}, which names no search, leads to the datasets screen`, async ({ page, signIn }) => {
    await signIn();
    await page.goto(address);
    await expect(page).toHaveURL(/\/search$/);
    await expectDatasets(page);
  });
}

for (const [what, asked] of [
  [
    "a search with quotes in its filter and an order",
    { ...katrina, filters: [["name", "<>", "O'Neil $HOME `x`"]], sort: [["wind", "desc"]] },
  ],
  ["a search that does not page", { category: "People & economy", dataset: "country-development", filters: [["country", "=", "Brazil"]] }],
  ["a sample", sampled],
] as const satisfies [string, Asked][]) {
  test(`[RESULT-38] the copied cURL command of ${what} runs in a shell and answers the rows on the screen`, async ({
    page,
    request,
    signIn,
  }) => {
    await signIn();
    await openResults(page, asked);
    await act(page, "Copy cURL Command");
    await expect(page.getByText("cURL command copied")).toBeVisible();
    const command = await clipboard(page);
    expect(command).toMatch(/^curl /);
    const { token } = await portalApi(request);
    expect(command).not.toContain(token);
    const { stdout } = await promisify(execFile)("bash", ["-c", command], { env: { ...process.env, FAIRWAY_API_KEY: token } });
    const { results } = JSON.parse(stdout) as SearchAnswer;
    expect(results.length).toBeGreaterThan(0);
    expect(results).toEqual(await exportedRows(page));
  });
}

test("[RESULT-39] where the browser refuses the clipboard, 'Copy Failed' shows the text, selected, to copy by hand", async ({
  page,
  signIn,
}) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("Write permission denied.", "NotAllowedError"));
  });
  await signIn();
  await openResults(page, katrina);
  await act(page, "Copy cURL Command");
  const dialog = page.getByRole("dialog", { name: "Copy Failed" });
  const text = dialog.getByRole("textbox");
  await expect(text).toHaveValue(/^curl -X POST/);
  await expect(text).toHaveValue(/storm-tracks\/search'/);
  await expect(text).toBeFocused();
  expect(await page.evaluate(() => getSelection()?.toString())).toContain("curl -X POST");
  await expect(page.getByText("cURL command copied")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(dialog).toHaveCount(0);
});

test("[RESULT-40] Explore Dataset Schema opens 'Schema for …' with every column", async ({ page, request, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await act(page, "Explore Dataset Schema");
  const dialog = page.getByRole("dialog", { name: "Schema for storm-tracks" });
  const { schema } = await (await portalApi(request)).describe(katrina);
  for (const { name } of schema.columns) await expect(dialog.getByRole("rowheader", { name, exact: true })).toBeAttached();
  await expect(dialog.getByRole("row", { name: /^wind integer Highest sustained wind/i })).toBeAttached();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

test("[RESULT-40] a schema that cannot be loaded says so, and its retry brings it", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  const errors = [{ code: "timed-out", message: "The engine took too long." }];
  await page.route("**/api/datasets/*/*/schema", (route) => route.fulfill({ status: 504, json: { errors } }), { times: 1 });
  await act(page, "Explore Dataset Schema");
  const dialog = page.getByRole("dialog", { name: "Schema for storm-tracks" });
  await expect(dialog.getByRole("alert")).toContainText("The engine took too long.");
  await dialog.getByRole("button", { name: "Retry" }).click();
  await expect(dialog.getByRole("rowheader", { name: "wind", exact: true })).toBeAttached();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
});

test("[RESULT-27][RESULT-42] the filters-applied panel is hidden and shown from the Actions menu", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await expect(filters(page).getByText("name = Katrina")).toBeVisible();
  await act(page, "Hide Filters");
  await expect(filters(page)).toHaveCount(0);
  await act(page, "Show Filters");
  await expect(filters(page).getByText("name = Katrina")).toBeVisible();
});

test("[RESULT-28][RESULT-42] a sample has no filters-applied panel, and no entry to show one", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, sampled);
  await expect(filters(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: /^(Show|Hide) Filters$/ })).toBeDisabled();
});

test("[RESULT-29] adding, editing and removing a filter goes through the filter modal and searches again", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await filters(page).getByRole("button", { name: "Edit filter name = Katrina" }).click();
  const edit = page.getByRole("dialog", { name: "Edit filter" });
  await edit.getByLabel("Value").fill("Wilma");
  let asked = nextSearch(page);
  await edit.getByRole("button", { name: "Save filter" }).click();
  expect(bodyOf(await asked)).toEqual({ paging: { offset: 0, max: 25 }, filters: [{ name: "name", value: "Wilma", operator: "=" }] });
  await expect(cell(page, 1, "name")).toHaveText("Wilma");

  await filters(page).getByRole("button", { name: "Add filter" }).click();
  const add = page.getByRole("dialog", { name: "Add filter" });
  await add.getByRole("combobox", { name: "Field" }).fill("wind");
  await page.getByRole("option", { name: "wind", exact: true }).click();
  await add.getByLabel("Operator").selectOption(">=");
  await add.getByLabel("Value").fill("150");
  asked = nextSearch(page);
  await add.getByRole("button", { name: "Add filter" }).click();
  expect(bodyOf(await asked).filters).toEqual([
    { name: "name", value: "Wilma", operator: "=" },
    { name: "wind", value: 150, operator: ">=" },
  ]);
  await expect(filters(page).getByText("wind >= 150")).toBeVisible();

  asked = nextSearch(page);
  await filters(page)
    .getByRole("button", { name: /^Remove filter wind/i })
    .click();
  expect(bodyOf(await asked).filters).toEqual([{ name: "name", value: "Wilma", operator: "=" }]);
  await expect(filters(page).getByText("wind >= 150")).toHaveCount(0);
});

test("removing the filter that the dataset requires is refused with its hint, and the rows stay", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await filters(page)
    .getByRole("button", { name: /^Remove filter/ })
    .click();
  await expect(page.getByText(/To perform a search, you must add one of the following filters/)).toBeVisible();
  await expect(filters(page).getByText("name = Katrina")).toBeVisible();
  await expect(cell(page, 1, "name")).toHaveText("Katrina");
});

test("[RESULT-43] Rerun Search after an error brings the rows in the same order and with the same filters", async ({ page, signIn }) => {
  await signIn();
  await failOnce(page, "**/api/datasets/*/*/search");
  await page.goto(searchLink({ ...katrina, sort: [["season", "asc"]] }));
  await expect(page.getByText("error performing search", { exact: true })).toBeVisible();
  const asked = nextSearch(page);
  await act(page, "Rerun Search");
  expect(bodyOf(await asked)).toEqual({
    paging: { offset: 0, max: 25 },
    filters: [{ name: "name", value: "Katrina", operator: "=" }],
    sort: [{ column: "season", direction: "asc" }],
  });
  await expect(cell(page, 1, "season")).toHaveText("1981");
  await expect(header(page, "season")).toHaveAttribute("aria-sort", "ascending");
});
