import type { DatasetDescription } from "@fairway/contract/datasets";
import type { Page } from "@playwright/test";
import {
  airports,
  alterDescription,
  askedSearches,
  birdStrikes,
  countries,
  dailyWeather,
  describePath,
  earthquakes,
  industries,
  openForm,
  searchButton,
  storms,
  timeRange,
} from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows } from "../support/searches.ts";

const addFilter = (page: Page) => page.getByRole("main").getByRole("button", { name: "Add filter", exact: true });
const filterDialog = (page: Page) => page.getByRole("dialog", { name: /^(Add|Edit) filter$/ });
const hint = (page: Page) => page.getByText(/^To perform a search, you must/);
const operatorsOf = (page: Page, display: string) =>
  page.getByRole("combobox", { name: `Operator of ${display}`, exact: true }).getByRole("option");

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

test("[SEARCH-32] a field filter offers the six operators; a boolean those that mean something", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, storms);
  const six = ["=", "<>", "<", "<=", ">", ">="];
  await expect(operatorsOf(page, "Storm name")).toHaveText(six);
  await expect(operatorsOf(page, "Wind at least")).toHaveText(six);
  await addFilter(page).click();
  const operators = filterDialog(page).getByLabel("Operator", { exact: true }).getByRole("option");
  for (const [field, offered] of [
    ["season", six],
    ["latitude", six],
    ["time", six],
    ["status", six],
    ["major", ["=", "<>"]],
  ] as const) {
    await chooseField(page, field);
    await expect(operators).toHaveText([...offered]);
  }
});

test("[SEARCH-33] a filter on a number takes numbers only", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, earthquakes);
  const magnitude = page.getByRole("textbox", { name: "Magnitude at least", exact: true });
  // The keys that a phone shows.
  await expect(magnitude).toHaveAttribute("inputmode", "decimal");
  await magnitude.pressSequentially("a-1b.5");
  await expect(magnitude).toHaveValue("-1.5");
  // What is no number is kept and reported: it must not become another number.
  await magnitude.fill("");
  await magnitude.pressSequentially("4,5");
  await magnitude.blur();
  await expect(magnitude).toHaveValue("4,5");
  await expect(page.getByText("'4,5' is not a number. Write decimals with a point, and thousands without a separator.")).toBeVisible();
  await magnitude.fill("");
  // Text takes what is typed.
  const region = page.getByRole("textbox", { name: "Region", exact: true });
  await region.pressSequentially("a-1b.5");
  await expect(region).toHaveValue("a-1b.5");
  await addFilter(page).click();
  await chooseField(page, "felt");
  const felt = filterDialog(page).getByRole("textbox", { name: "Value", exact: true });
  await expect(felt).toHaveAttribute("inputmode", /^(numeric|decimal)$/);
  await felt.pressSequentially("1x2.5");
  await felt.blur();
  await expect(felt).toHaveValue("12.5");
  await expect(page.getByText("'12.5' is not a whole number.")).toBeVisible();
  await expect(filterDialog(page).getByRole("button", { name: "Add filter", exact: true })).toBeDisabled();
});

test("[SEARCH-31][SEARCH-36][SEARCH-58] a filter is added and edited in a dialog, and is done once it has a value", async ({
  page,
  signIn,
}) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, storms);
  await addFilter(page).click();
  const dialog = filterDialog(page);
  await expect(dialog).toHaveAccessibleName("Add filter");
  const done = dialog.getByRole("button", { name: "Add filter", exact: true });
  const value = dialog.getByLabel("Value", { exact: true });
  await expect(done).toBeDisabled();
  await chooseField(page, "status");
  await expect(done).toBeDisabled();
  await value.fill("   ");
  await expect(done).toBeDisabled();
  await value.press("Enter");
  await expect(dialog).toBeVisible();
  await value.fill("hurricane");
  await expect(done).toBeEnabled();
  await value.press("Enter");
  await expect(dialog).toHaveCount(0);
  const status = page.getByRole("textbox", { name: "status", exact: true });
  await expect(status).toHaveValue("hurricane");
  // The Enter of the dialog adds a filter; it does not search.
  expect(asked.searches).toEqual([]);

  await page.getByRole("button", { name: "Edit filter status", exact: true }).click();
  await expect(dialog).toHaveAccessibleName("Edit filter");
  await value.fill("");
  await expect(dialog.getByRole("button", { name: "Save filter", exact: true })).toBeDisabled();
  await value.fill("tropical storm");
  await dialog.getByLabel("Operator", { exact: true }).selectOption("<>");
  await dialog.getByRole("button", { name: "Save filter", exact: true }).click();
  await expect(status).toHaveValue("tropical storm");
  await expect(page.getByRole("combobox", { name: "Operator of status", exact: true })).toHaveValue("<>");

  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Katrina");
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");
  expect(asked.searches.map(({ body }) => body)).toEqual([
    {
      paging: { offset: 0, max: 25 },
      filters: [
        { name: "name", value: "Katrina", operator: "=" },
        { name: "status", value: "tropical storm", operator: "<>" },
      ],
    },
  ]);
});

test("[SEARCH-34][SEARCH-41] daily-weather is searched only with its required location, which cannot be removed", async ({
  page,
  signIn,
}) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, dailyWeather);
  const location = page.getByRole("textbox", { name: "Location", exact: true });
  await expect(searchButton(page)).toBeDisabled();
  await expect(hint(page)).toHaveText("To perform a search, you must fill in the following filters: Location");
  // Neither a range nor another filter stands in for it.
  await page.getByRole("button", { name: "Newest week", exact: true }).click();
  await add(page, "Weather", "=", "snow");
  await location.fill("  ");
  await location.press("Enter");
  await expect(searchButton(page)).toBeDisabled();
  expect(asked.searches).toEqual([]);
  await expect(page.getByRole("button", { name: "Remove filter Weather", exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove filter Location", exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Clear time range" }).click();
  await location.fill("Seattle");
  await expect(searchButton(page)).toBeEnabled();
  await expect(hint(page)).toHaveCount(0);
  await searchButton(page).click();
  await expectRows(page, "daily-weather");
  expect(asked.searches[0]?.body).toEqual({
    paging: { offset: 0, max: 25 },
    filters: [
      { name: "location", value: "Seattle", operator: "=" },
      { name: "weather", value: "snow", operator: "=" },
    ],
  });
  // Beside the results neither.
  const applied = page.getByRole("group", { name: "Filters applied" });
  await expect(applied.getByText("location = Seattle", { exact: true })).toBeVisible();
  await expect(applied.getByRole("button", { name: "Remove filter Weather", exact: true })).toBeVisible();
  await expect(applied.getByRole("button", { name: "Remove filter Location", exact: true })).toHaveCount(0);
});

test("[SEARCH-35][SEARCH-58] a pre-filled filter is shown and locked, never sent, and still holds", async ({ page, signIn }) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, earthquakes);
  const locked = page.getByRole("group", { name: "Type, locked", exact: true });
  await expect(locked).toContainText("= earthquake");
  await expect(locked.getByRole("button")).toHaveCount(0);
  await expect(locked.getByRole("textbox")).toHaveCount(0);
  await expect(locked.getByRole("combobox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^(Edit|Remove) filter Type$/ })).toHaveCount(0);
  // It alone does not meet what the dataset requires.
  await expect(searchButton(page)).toBeDisabled();
  await page.getByRole("textbox", { name: "Magnitude at least", exact: true }).fill("1");
  const answered = page.waitForResponse((response) => response.url().endsWith("/earthquakes/search"));
  await searchButton(page).click();
  await expectRows(page, "earthquakes");
  expect(asked.searches[0]?.body).toEqual({ paging: { offset: 0, max: 25 }, filters: [{ name: "mag", value: 1, operator: ">=" }] });
  expect(asked.counts[0]?.body).toEqual({ filters: [{ name: "mag", value: 1, operator: ">=" }] });
  const { results } = (await (await answered).json()) as { results: { type: string }[] };
  expect(new Set(results.map(({ type }) => type))).toEqual(new Set(["earthquake"]));
  const applied = page.getByRole("group", { name: "Filters applied" });
  await expect(applied.getByText("type = earthquake", { exact: true })).toBeVisible();
  await expect(applied.getByRole("button", { name: /type = earthquake|Remove filter Type/ })).toHaveCount(0);
});

test("[SEARCH-37][SEARCH-38] an added filter leaves the additional ones, and returns when it is removed", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, dailyWeather);
  await addFilter(page).click();
  const all = ["Weather", "Precipitation at least", "Highest temperature at least", "Lowest temperature at most", "Wind at least"];
  expect(await offeredFields(page)).toEqual(all);
  await filterDialog(page).getByRole("button", { name: "Cancel", exact: true }).click();
  await add(page, "Precipitation at least", ">=", "5");
  await addFilter(page).click();
  expect(await offeredFields(page)).toEqual(all.filter((field) => field !== "Precipitation at least"));
  await filterDialog(page).getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("button", { name: "Remove filter Precipitation at least", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Precipitation at least", exact: true })).toHaveCount(0);
  await addFilter(page).click();
  expect(await offeredFields(page)).toEqual(all);
});

test("[SEARCH-37] two additional filters on one column are added side by side", async ({ page, signIn }) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, industries);
  await add(page, "Rate at least", ">=", "9.5");
  await addFilter(page).click();
  expect(await offeredFields(page)).toEqual(["Year", "Month of the year", "Rate at most", "Unemployed at least"]);
  await filterDialog(page).getByRole("button", { name: "Cancel", exact: true }).click();
  await add(page, "Rate at most", "<=", "10");
  await page.getByRole("button", { name: "Edit filter Rate at most", exact: true }).click();
  await expect(filterDialog(page).getByRole("combobox", { name: "Field" })).toHaveValue("Rate at most");
  await filterDialog(page).getByLabel("Value", { exact: true }).fill("9.7");
  await filterDialog(page).getByRole("button", { name: "Save filter", exact: true }).click();
  await searchButton(page).click();
  await expectRows(page, "industry-unemployment");
  expect(asked.searches[0]?.body).toEqual({
    paging: { offset: 0, max: 25 },
    filters: [
      { name: "rate", value: 9.5, operator: ">=" },
      { name: "rate", value: 9.7, operator: "<=" },
    ],
  });
});

test("[SEARCH-39] with advanced filtering any column takes filters, also several", async ({ page, signIn }) => {
  await signIn();
  const asked = askedSearches(page);
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
  expect(asked.searches[0]?.body).toEqual({
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

test("[SEARCH-40][SEARCH-43] with requiredOrFields Search waits for one of them, and the hint names them", async ({ page, signIn }) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, storms);
  const name = page.getByRole("textbox", { name: "Storm name", exact: true });
  const id = page.getByRole("textbox", { name: "Storm id", exact: true });
  const wind = page.getByRole("textbox", { name: "Wind at least", exact: true });
  const waits = async () => {
    await expect(searchButton(page)).toBeDisabled();
    await expect(hint(page)).toHaveText(/^To perform a search, you must add one of the following filters: /);
  };
  const ready = async () => {
    await expect(searchButton(page)).toBeEnabled();
    await expect(hint(page)).toHaveCount(0);
  };
  await waits();
  const literal = "To perform a search, you must add one of the following filters: Time range, Area, Storm id, Storm name";
  await expect(hint(page)).toHaveText(literal);
  await expect(searchButton(page)).toHaveAccessibleDescription(literal);
  // A field that is not among them changes nothing, nor does a blank one; Enter does not get past it.
  await wind.fill("100");
  await waits();
  await name.fill("   ");
  await waits();
  await name.press("Enter");
  await page.keyboard.press("Control+Enter");
  expect(asked.searches).toEqual([]);
  for (const field of [name, id]) {
    await field.fill("Katrina");
    await ready();
    await field.fill("");
    await waits();
  }
  await page.getByRole("button", { name: "Newest month", exact: true }).click();
  await ready();
  await page.getByRole("button", { name: "Clear time range" }).click();
  await waits();
  // An added filter on a named column counts too.
  await wind.fill("");
  await add(page, "name", "=", "Andrew");
  await ready();
  await page.getByRole("button", { name: "Remove filter name", exact: true }).click();
  await waits();
});

test("[SEARCH-41] of several required filters every one must be filled", async ({ page, signIn }) => {
  await signIn();
  await alterDescription(page, airports, (description) => ({
    ...description,
    filterSupport: {
      ...description.filterSupport,
      requiredOrFields: null,
      staticFilters: description.filterSupport.staticFilters.map((filter) => ({ ...filter, required: filter.name !== "iata" })),
    },
  }));
  await openForm(page, airports);
  await expect(searchButton(page)).toBeDisabled();
  await page.getByRole("textbox", { name: "Airport code", exact: true }).fill("DEN");
  await page.getByRole("textbox", { name: "City", exact: true }).fill("Denver");
  await expect(searchButton(page)).toBeDisabled();
  await expect(hint(page)).toContainText("State");
  await expect(hint(page)).not.toContainText("City");
  await page.getByRole("textbox", { name: "State", exact: true }).fill("CO");
  await expect(searchButton(page)).toBeEnabled();
  await page.getByRole("textbox", { name: "City", exact: true }).fill(" ");
  await expect(searchButton(page)).toBeDisabled();
});

test("[SEARCH-42] where nothing is required Search is enabled at once", async ({ page, signIn }) => {
  await signIn();
  for (const dataset of [countries, industries]) {
    await openForm(page, dataset);
    await expect(searchButton(page)).toBeEnabled();
    await expect(hint(page)).toHaveCount(0);
  }
});

test("a boolean is asked with = and <>, and sent as a boolean", async ({ page, signIn }) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, birdStrikes);
  await expect(operatorsOf(page, "Damaged")).toHaveText(["=", "<>"]);
  const damaged = page.getByRole("combobox", { name: "Damaged", exact: true });
  await expect(damaged.getByRole("option")).toHaveText(["Any", "true", "false"]);
  await damaged.selectOption("true");
  await page.getByRole("combobox", { name: "Operator of Damaged", exact: true }).selectOption("<>");
  await page.getByRole("textbox", { name: "Airport code", exact: true }).fill("DEN");
  const answered = page.waitForResponse((response) => response.url().endsWith("/bird-strikes/search"));
  await searchButton(page).click();
  await expectRows(page, "bird-strikes");
  expect(asked.searches[0]?.body).toEqual({
    paging: { offset: 0, max: 25 },
    filters: [
      { name: "iata", value: "DEN", operator: "=" },
      { name: "damaged", value: true, operator: "<>" },
    ],
  });
  const { results } = (await (await answered).json()) as { results: { damaged: boolean }[] };
  expect(new Set(results.map((row) => row.damaged))).toEqual(new Set([false]));
});

test("a value that its column cannot hold is named beside its field, and Search leads to it instead of asking", async ({
  page,
  signIn,
}) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, storms);
  await add(page, "time", ">=", "2005-08-28T00:00:00Z");
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Katrina");
  const time = page.getByRole("textbox", { name: "time", exact: true });
  await time.fill("late summer");
  await time.press("Enter");
  await expect(page.getByText("Not a time. Try 09/02/2004, 12:00:00 AM or 2004-09-02T00:00:00Z.")).toBeVisible();
  await expect(time).toHaveAttribute("aria-invalid", "true");
  await expect(time).toBeFocused();
  await expect(page).toHaveURL(/\/search\?/);
  expect(asked.searches).toEqual([]);
  await time.fill("2005-08-28T12:00:00Z");
  await time.press("Enter");
  await expectRows(page, "storm-tracks");
  expect(asked.searches[0]?.body).toEqual({
    paging: { offset: 0, max: 25 },
    filters: [
      { name: "name", value: "Katrina", operator: "=" },
      { name: "time", value: "2005-08-28T12:00:00.000Z", operator: ">=" },
    ],
  });
});

test("what was filled in stays with its dataset: over another dataset, another screen and a reload", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, storms);
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Andrew");
  await page.getByRole("combobox", { name: "Operator of Wind at least", exact: true }).selectOption("<");
  await page.getByRole("textbox", { name: "Wind at least", exact: true }).fill("64");
  await page.getByRole("button", { name: "All data", exact: true }).click();
  await add(page, "season", ">", "1990");
  const range = await timeRange(page).textContent();
  const isAsLeft = async () => {
    await expect(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Andrew");
    await expect(page.getByRole("combobox", { name: "Operator of Wind at least", exact: true })).toHaveValue("<");
    await expect(page.getByRole("textbox", { name: "Wind at least", exact: true })).toHaveValue("64");
    await expect(page.getByRole("textbox", { name: "season", exact: true })).toHaveValue("1990");
    await expect(page.getByRole("combobox", { name: "Operator of season", exact: true })).toHaveValue(">");
    expect(range).not.toContain("Any time");
    await expect(timeRange(page)).toHaveText(range ?? "");
  };
  await isAsLeft();
  await page.reload();
  await isAsLeft();
  await page.getByRole("button", { name: "airports", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "City", exact: true })).toHaveValue("");
  await page.goBack();
  await isAsLeft();
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");
  await page.goBack();
  await isAsLeft();
});
