import { accessList } from "@fairway/contract/datasets";
import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { groupButton, groupList, groupsPath, groupTab, visitGroups } from "../support/dataset-groups.ts";
import {
  airports,
  askedSearches,
  breakAnswer,
  dailyWeather,
  alterAnswer,
  earthquakes,
  expectForm,
  flights,
  formOf,
  holdAnswer,
  openForm,
  picker,
  searchButton,
  storms,
  timeDialog,
} from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows, recentSearches } from "../support/searches.ts";

const hazards = { name: "Hazards", description: "Storms and quakes.", datasets: [storms, earthquakes] };
const travel = { name: "Travel", datasets: [airports, flights] };

/** As when an administrator closes a dataset to this user. */
const loseEarthquakes = (page: Page): Promise<void> =>
  alterAnswer(page, "/api/datasets", (answer) =>
    accessList.parse(answer).map(({ id, description, datasets }) => ({
      id,
      description,
      datasets: datasets.filter(({ datasetId }) => datasetId !== "earthquakes"),
    })),
  );

test("[SEARCH-01][SEARCH-03][SEARCH-07] two tabs, each with its selector; changing the tab clears the selected dataset", async ({
  page,
  request,
}) => {
  await visitGroups(page, request, [hazards]);
  await expect(page.getByRole("tab")).toHaveText(["Datasets", "Dataset Groups"]);
  await expect(groupTab(page)).toHaveAttribute("aria-selected", "true");
  await expect(picker(page)).toHaveCount(0);
  await groupButton(page, "Hazards").click();
  await expect(formOf(page, "Hazards")).toBeVisible();

  await openForm(page, storms);
  await expect(page.getByRole("tab", { name: "Datasets", exact: true })).toHaveAttribute("aria-selected", "true");
  await expect(groupList(page)).toHaveCount(0);
  // Left and Right change the tab, and the focus goes along.
  await page.getByRole("tab", { name: "Datasets", exact: true }).press("ArrowRight");
  await expect(groupTab(page)).toBeFocused();
  await expect(groupButton(page, "Hazards")).toHaveAttribute("aria-pressed", "false");
  await expect(formOf(page, "storm-tracks")).toHaveCount(0);
  await groupTab(page).press("ArrowLeft");
  await expect(picker(page)).toBeVisible();
  await expect(picker(page).getByRole("row", { selected: true })).toHaveCount(0);
  await expect(page).toHaveURL("/search");
  // The address leads back to what was chosen.
  await page.goBack();
  await page.goBack();
  await expectForm(page, storms);
});

test("[GROUPING-02][GROUPING-05][GROUPING-06][GROUPING-07][GROUPING-15][PICKER-06][PICKER-07] a new group needs a name and two datasets; a header chooses all below it and is not sent", async ({
  page,
  request,
}) => {
  await visitGroups(page, request);
  await expect(page.getByText("No dataset groups yet.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "New Dataset Group" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Dataset Group" });
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect(name).toBeFocused();
  await expect(save).toBeDisabled();

  const header = dialog.getByRole("checkbox", { name: "Aviation", exact: true });
  // Pressed as slowly as people do: the name is left, and what is said of it must not move the box away before the click.
  await header.hover();
  await page.mouse.down();
  await expect(name).not.toBeFocused();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.mouse.up();
  await expect(dialog.getByText("The name is blank.").first()).toBeVisible();
  for (const dataset of ["airports", "flights", "bird-strikes"]) {
    await expect(dialog.getByRole("checkbox", { name: dataset, exact: true })).toBeChecked();
  }
  await expect(dialog.getByRole("checkbox", { name: "storm-tracks", exact: true })).not.toBeChecked();
  await name.fill("   ");
  await expect(save).toBeDisabled();
  await name.fill("Flying");
  await expect(save).toBeEnabled();
  await header.uncheck();
  await expect(dialog.getByText("Choose at least 2 datasets.", { exact: true })).toBeVisible();
  await expect(save).toBeDisabled();
  await dialog.getByRole("checkbox", { name: "airports", exact: true }).check();
  await expect(save).toBeDisabled();
  // Half a category is chosen: its header then chooses the rest too.
  await expect(header).toBeChecked({ indeterminate: true });
  await header.check();
  await dialog.getByRole("textbox", { name: "Description" }).fill("Planes and birds.");

  const [saved] = await Promise.all([
    page.waitForRequest((asked) => asked.method() === "POST" && asked.url().endsWith(groupsPath)),
    save.click(),
  ]);
  expect(saved.postDataJSON()).toEqual({
    name: "Flying",
    description: "Planes and birds.",
    datasets: ["airports", "bird-strikes", "flights"].map((datasetId) => ({ datasetCategory: "Aviation", datasetId })),
  });
  await expect(page.getByText("Dataset Group Saved", { exact: true })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(groupButton(page, "Flying")).toHaveAttribute("aria-pressed", "true");
  await expect(formOf(page, "Flying")).toBeVisible();
});

test("[GROUPING-03][GROUPING-05][GROUPING-08] an edited group keeps its name and takes other datasets", async ({ page, request }) => {
  await visitGroups(page, request, [hazards]);
  await page.getByRole("button", { name: "Edit Hazards" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Dataset Group" });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect(name).toHaveValue("Hazards");
  await expect(name).not.toBeEditable();
  await expect(dialog.getByRole("textbox", { name: "Description" })).toHaveValue("Storms and quakes.");
  await expect(dialog.getByRole("checkbox", { checked: true })).toHaveCount(3);
  await dialog.getByRole("searchbox").fill("flights");
  await dialog.getByRole("checkbox", { name: "flights", exact: true }).check();
  const [saved] = await Promise.all([
    page.waitForRequest((asked) => asked.method() === "PUT" && asked.url().endsWith(groupsPath)),
    dialog.getByRole("button", { name: "Save", exact: true }).click(),
  ]);
  expect(saved.postDataJSON()).toEqual({
    name: "Hazards",
    description: "Storms and quakes.",
    datasets: [storms, earthquakes, flights].map(([datasetCategory, datasetId]) => ({ datasetCategory, datasetId })),
  });
  await expect(page.getByText("Dataset Group Saved", { exact: true })).toBeVisible();
  await expect(groupList(page).getByRole("button", { name: "Hazards 3 datasets" })).toBeVisible();
});

test("[GROUPING-13][GROUPING-18] a save that the server refuses says 'Save Failed' and keeps what was chosen", async ({
  page,
  request,
}) => {
  await visitGroups(page, request);
  await page.getByRole("button", { name: "New Dataset Group" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Dataset Group" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Mixed");
  await dialog.getByRole("checkbox", { name: "flights", exact: true }).check();
  await dialog.getByRole("checkbox", { name: "country-development", exact: true }).check();
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST" && answer.url().endsWith(groupsPath));
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  expect((await answered).status()).toBe(400);
  const failure = page.getByRole("dialog", { name: "Save Failed" });
  await expect(
    failure.getByText(
      "An unknown error occurred while saving the Dataset Group. The Grouping you are creating may be invalid. All Datasets in the grouping must contain at least 1 required field to search on.",
      { exact: true },
    ),
  ).toBeVisible();
  await expect(
    failure.getByText("The dataset 'country-development' in 'People & economy' has no required field to search on."),
  ).toBeVisible();
  // Escape closes the failure alone.
  await page.keyboard.press("Escape");
  await expect(failure).toHaveCount(0);
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("Mixed");
  await expect(dialog.getByRole("checkbox", { name: "flights", exact: true })).toBeChecked();
});

test("[GROUPING-04][GROUPING-14][GROUPING-16][GROUPING-17] deleting asks first, says what failed, and deletes by name", async ({
  page,
  request,
}) => {
  const name = "Storms / quakes";
  await visitGroups(page, request, [{ ...hazards, name }, travel]);
  const remove = page.getByRole("button", { name: `Delete ${name}` });
  const question = page.getByRole("dialog", { name: "Delete Dataset Group?" });
  await remove.click();
  await expect(question.getByText("This action cannot be undone", { exact: true })).toBeVisible();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toHaveCount(0);
  await expect(groupButton(page, name)).toBeVisible();

  const address = `${groupsPath}/${encodeURIComponent(name)}`;
  const mend = await breakAnswer(page, address, "The database is away.");
  await remove.click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  const failure = page.getByRole("dialog", { name: "Delete Failed" });
  await expect(
    failure.getByText("An unknown error occurred while deleting the Dataset Group. Please try again.", { exact: true }),
  ).toBeVisible();
  await failure.getByRole("button", { name: "OK" }).click();
  await mend();

  await remove.click();
  const [deleted] = await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === "DELETE"),
    question.getByRole("button", { name: "Delete", exact: true }).click(),
  ]);
  expect(new URL(deleted.url()).pathname).toBe(address);
  expect(deleted.status()).toBe(204);
  await expect(page.getByText("Dataset Group Deleted", { exact: true })).toBeVisible();
  await expect(groupButton(page, name)).toHaveCount(0);
  await expect(groupButton(page, "Travel")).toBeVisible();
});

test("[GROUPING-11][GROUPING-12] groups on their way and groups that failed to load say so, and Retry loads them", async ({
  page,
  signIn,
}) => {
  await signIn();
  const release = await holdAnswer(page, groupsPath, (route) =>
    route.fulfill({ status: 500, json: { errors: [{ code: "internal", message: "Broken." }] } }),
  );
  await page.goto("/search?tab=groups");
  await expect(page.getByRole("status").getByText("Loading dataset groups...", { exact: true })).toBeVisible();
  release();
  const failure = page.getByRole("alert");
  await expect(failure.getByText("Error loading dataset groups.", { exact: true })).toBeVisible();
  await page.unrouteAll({ behavior: "wait" });
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(page.getByRole("button", { name: "New Dataset Group" })).toBeVisible();
});

test("[GROUPING-09][GROUPING-10] a group with a dataset out of reach cannot be chosen, and says why", async ({ page, request }) => {
  const warning =
    "Your account no longer has access to this Dataset Grouping, because you have lost access to 1 or more Datasets in this group.";
  await loseEarthquakes(page);
  await visitGroups(page, request, [hazards, travel]);
  const row = (name: string) => groupList(page).getByRole("listitem").filter({ hasText: name });
  await expect(row("Hazards").getByText(warning, { exact: true })).toBeVisible();
  await expect(groupButton(page, "Hazards")).toBeDisabled();
  await expect(row("Travel").getByText(warning)).toHaveCount(0);
  await expect(groupButton(page, "Travel")).toBeEnabled();
  // Nor by its address.
  await page.goto("/search?tab=groups&group=Hazards");
  await expect(page.getByRole("region", { name: "Filters", exact: true }).getByText(warning, { exact: true })).toBeVisible();
  await expect(searchButton(page)).toHaveCount(0);
});

test("[SEARCH-63][SEARCH-64] a group searches each of its datasets by its own fields and the shared range; each search opens by itself", async ({
  page,
  request,
}) => {
  await visitGroups(page, request, [{ name: "Around Denver", datasets: [airports, flights, dailyWeather] }]);
  const asked = askedSearches(page);
  const broken = "/api/datasets/Aviation/flights/search";
  const mend = await breakAnswer(page, broken, "The engine stumbled.");
  await groupButton(page, "Around Denver").click();
  const form = formOf(page, "Around Denver");
  const section = (name: string) => form.getByRole("region", { name: new RegExp(`^${name}`) });
  await expect(searchButton(page)).toBeDisabled();
  await expect(form.getByText("Filters are still needed for airports, flights, daily-weather", { exact: true })).toBeVisible();

  // The one time range: flights need no more than that, airports have no times.
  await expect(form.getByRole("button", { name: /^Time range:/ })).toHaveCount(1);
  await form.getByRole("button", { name: /^Time range:/ }).click();
  const times = page.getByRole("dialog", { name: "Select Date and Time Range" });
  await times.getByRole("textbox", { name: "Start" }).fill("2001-01-02T00:00:00Z");
  await times.getByRole("textbox", { name: "End" }).fill("2001-01-03T00:00:00Z");
  await times.getByRole("button", { name: "Done" }).click();
  await expect(form.getByText("Filters are still needed for airports, daily-weather", { exact: true })).toBeVisible();
  await section("airports").getByRole("textbox", { name: "Airport code" }).fill("DEN");
  await section("daily-weather").getByRole("textbox", { name: "Location" }).fill("Seattle");
  await expect(searchButton(page)).toBeEnabled();
  await searchButton(page).click();

  const searches = page.getByRole("list", { name: "Searches of Around Denver" });
  const search = (name: string) => searches.getByRole("listitem", { name, exact: true });
  await expect(searches.getByRole("listitem")).toHaveCount(3);
  await expect(page.getByText("3 searches done", { exact: true })).toBeVisible();
  await expect(search("airports").getByText("1 – 1 of 1 result", { exact: true })).toBeVisible();
  await expect(search("daily-weather").getByText("no results", { exact: true })).toBeVisible();
  await expect(search("flights").getByRole("alert")).toContainText("The engine stumbled.");
  const timeRange = { start: "2001-01-02T00:00:00.000Z", end: "2001-01-03T00:00:00.000Z" };
  expect(asked.searches).toEqual([
    {
      path: "/api/datasets/Aviation/airports/search",
      body: { paging: { offset: 0, max: 25 }, filters: [{ name: "iata", value: "DEN", operator: "=" }] },
    },
    { path: broken, body: { paging: { offset: 0, max: 25 }, timeRange, filters: [] } },
    {
      path: "/api/datasets/Tropical weather/daily-weather/search",
      body: { paging: { offset: 0, max: 25 }, timeRange, filters: [{ name: "location", value: "Seattle", operator: "=" }] },
    },
  ]);
  await mend();
  await search("flights").getByRole("button", { name: "Rerun Search" }).click();
  await expect(search("flights").getByText(/^1 – 25 of [\d,]+ results$/)).toBeVisible();

  await expect(recentSearches(page)).toHaveCount(3);
  for (const name of ["airports", "flights", "daily-weather"]) await expect(recentSearches(page).filter({ hasText: name })).toHaveCount(1);
  await search("airports").getByRole("link", { name: "airports" }).click();
  await expectRows(page, "airports");
  await page.goBack();
  await expect(searches.getByRole("listitem")).toHaveCount(3);
  // A reload asks again for what this tab remembers.
  await page.reload();
  await expect(search("airports").getByText("1 – 1 of 1 result", { exact: true })).toBeVisible();
  // Back at the form, everything is as it was.
  await page.getByRole("button", { name: "Edit filters" }).click();
  await expect(section("airports").getByRole("textbox", { name: "Airport code" })).toHaveValue("DEN");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on the groups' tab in ${colorScheme}`, async ({ page, request }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await loseEarthquakes(page);
    await visitGroups(page, request, [hazards, travel]);
    const violations = () => axeViolations(page);
    await groupButton(page, "Travel").click();
    await expect(formOf(page, "Travel")).toBeVisible();
    expect(await violations()).toEqual([]);
    await page.getByRole("button", { name: "Edit Hazards" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Dataset Group" });
    await expect(dialog.getByText("1 dataset that you can no longer reach is left out.")).toBeVisible();
    expect(await violations()).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
    await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
    await searchButton(page).click();
    await expect(page.getByText("2 searches done", { exact: true })).toBeVisible();
    expect(await violations()).toEqual([]);
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a group is made, searched and left again, and nothing scrolls sideways", async ({ page, request }) => {
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await visitGroups(page, request, [travel]);
    expect(await overflow()).toBe(0);
    await groupButton(page, "Travel").tap();
    await expect(formOf(page, "Travel")).toBeVisible();
    expect(await overflow()).toBe(0);
    await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
    await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
    await searchButton(page).tap();
    await expect(page.getByText("2 searches done", { exact: true })).toBeVisible();
    expect(await overflow()).toBe(0);
    await page.getByRole("button", { name: "Dataset group: Travel" }).tap();
    await page.getByRole("button", { name: "Edit Travel" }).tap();
    await expect(page.getByRole("dialog", { name: "Edit Dataset Group" })).toBeVisible();
    expect(await overflow()).toBe(0);
  });
});

test("[SEARCH-63] one time range and one area narrow every dataset that has times or places, from one moment", async ({
  page,
  request,
}) => {
  const begun = Date.UTC(2005, 7, 30, 6, 7, 8);
  await page.clock.setFixedTime(begun);
  await visitGroups(page, request, [{ name: "Gulf", datasets: [storms, airports, flights] }]);
  const asked = askedSearches(page);
  await groupButton(page, "Gulf").click();
  const form = formOf(page, "Gulf");
  const area = form.getByRole("button", { name: /^Area:/ });
  await expect(form.getByRole("button", { name: /^Time range:/ })).toHaveCount(1);
  await expect(area).toHaveCount(1);
  await expect(form.getByText("For storm-tracks, flights: the others have no times.", { exact: true })).toBeVisible();
  await expect(form.getByText("For storm-tracks, airports: the others have no places.", { exact: true })).toBeVisible();

  await area.click();
  const shapes = page.getByRole("dialog", { name: "Select Area", exact: true });
  await shapes.getByRole("textbox", { name: "Coordinates" }).fill("-98 18, -80 18, -80 31, -98 31");
  await shapes.getByRole("button", { name: "Add shape" }).click();
  await shapes.getByRole("button", { name: "Done" }).click();
  await expect(area).toHaveText("Area: Area 18° N – 31° N, 98° W – 80° W");
  await form.getByRole("button", { name: /^Time range:/ }).click();
  await timeDialog(page).getByRole("textbox", { name: "Last", exact: true }).fill("3");
  await timeDialog(page).getByRole("combobox", { name: "Unit", exact: true }).selectOption("days");
  await timeDialog(page).getByRole("button", { name: "Done", exact: true }).click();
  await expect(searchButton(page)).toBeEnabled();
  await searchButton(page).click();

  await expect(page.getByText("3 searches done", { exact: true })).toBeVisible();
  const timeRange = { start: "2005-08-27T06:07:08.000Z", end: "2005-08-30T06:07:08.000Z" };
  const geospatial = { polygons: ["-98 18, -80 18, -80 31, -98 31, -98 18"], antimeridianPolygons: false };
  const paging = { offset: 0, max: 25 };
  expect(asked.searches).toEqual([
    { path: "/api/datasets/Tropical weather/storm-tracks/search", body: { paging, timeRange, geospatial, filters: [] } },
    { path: "/api/datasets/Aviation/airports/search", body: { paging, geospatial, filters: [] } },
    { path: "/api/datasets/Aviation/flights/search", body: { paging, timeRange, filters: [] } },
  ]);
  await expect(page.getByRole("list", { name: "Shared filters" }).getByRole("listitem")).toHaveText([
    "Last 3 days: 08/27/2005, 06:07:08 AM – 08/30/2005, 06:07:08 AM UTC",
    "Area 18° N – 31° N, 98° W – 80° W",
  ]);
  await expect(page.getByRole("link", { name: "storm-tracks", exact: true })).toBeVisible();

  // All again, from one moment too.
  await page.clock.setFixedTime(begun + 3_600_000);
  await page.getByRole("button", { name: "Rerun all", exact: true }).click();
  await expect.poll(() => asked.searches.length).toBe(6);
  const ends = asked.searches.slice(3).map(({ body }) => (body as { timeRange?: { end: string } }).timeRange?.end);
  expect(ends).toEqual(["2005-08-30T07:07:08.000Z", undefined, "2005-08-30T07:07:08.000Z"]);
  // Both shared filters are still there when one comes back to the form.
  await page.getByRole("button", { name: "Edit filters" }).click();
  await expect(area).toHaveText("Area: Area 18° N – 31° N, 98° W – 80° W");
  await expect(form.getByRole("button", { name: /^Time range:/ })).toHaveText("Time range: Last 3 days");
});

test("the searches of a group are cancelled together, a failed one is counted, and each can be asked again", async ({ page, request }) => {
  await visitGroups(page, request, [travel]);
  await groupButton(page, "Travel").click();
  await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
  await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
  const release = await holdAnswer(page, "/api/datasets/Aviation/flights/search");
  await breakAnswer(page, "/api/datasets/Aviation/airports/search", "The engine stumbled.");
  await searchButton(page).click();
  const search = (name: string) => page.getByRole("list", { name: "Searches of Travel" }).getByRole("listitem", { name, exact: true });
  await expect(page.getByText("1 of 2 searches done", { exact: true })).toBeVisible();
  await expect(page.getByText("1 failed", { exact: true })).toBeVisible();
  await expect(search("airports").getByRole("alert")).toContainText("The engine stumbled.");
  await page.getByRole("button", { name: "Cancel all", exact: true }).click();
  await expect(search("flights").getByText("Search cancelled", { exact: true })).toBeVisible();
  await expect(page.getByText("2 searches done", { exact: true })).toBeVisible();
  release();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.getByRole("button", { name: "Rerun all", exact: true }).click();
  await expect(search("airports").getByText("1 – 1 of 1 result", { exact: true })).toBeVisible();
  await expect(search("flights").getByText(/^1 – 25 of [\d,]+ results$/)).toBeVisible();
  await expect(page.getByText("1 failed", { exact: true })).toHaveCount(0);
});
