import { type DatasetGroup, datasetGroups } from "@fairway/contract/dataset-groups";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { Refused } from "#testing/contract-gateway.ts";
import {
  airports,
  askedSearches,
  dailyWeather,
  earthquakes,
  expectForm,
  expectRows,
  flights,
  formOf,
  openForm,
  picker,
  searchButton,
  storms,
  timeDialog,
} from "#testing/datasets-screen.ts";
import { demoDataset, demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { recentSearches } from "#testing/results.ts";

const groupTab = () => page.getByRole("tab", { name: "Dataset Groups", exact: true });
const groupList = () => page.getByRole("list", { name: "Dataset groups", exact: true });
const groupButton = (name: string) => groupList().getByRole("button", { name: new RegExp(`^${name} \\d+ datasets$`) });

interface GroupDraft {
  name: string;
  description?: string;
  datasets: readonly (readonly [category: string, datasetId: string])[];
}

beforeEach(() => {
  serveDatasets(gateway);
  serveAnyRows();
});

/** Whatever is asked is answered with two airports, no weather and all flights. */
function serveAnyRows(): void {
  const counts: Record<string, number> = { airports: 2, "daily-weather": 0 };
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, counts[params.datasetId] ?? 25) }));
  gateway.answer(search.aggregate, ({ params }) => ({ totalResults: counts[params.datasetId] ?? 60 }));
}

/** Searches of this dataset fail until the returned function is called. */
function breakSearches(datasetId: string): () => void {
  gateway.answer(search.run, ({ params }) => {
    if (params.datasetId === datasetId) throw new Refused("internal", "The engine stumbled.");
    return {
      results:
        params.datasetId === "daily-weather" ? [] : demoDataset(params.datasetId).rows.slice(0, params.datasetId === "airports" ? 2 : 25),
    };
  });
  return serveAnyRows;
}

/** Opens the tab of dataset groups, at a gateway that keeps them. */
async function visitGroups(drafts: readonly GroupDraft[]): Promise<void> {
  const group = ({ name, description = "", datasets }: GroupDraft): DatasetGroup => ({
    id: `id of ${name}`,
    name,
    description,
    userId: "u-ada",
    datasets: datasets.map(([datasetCategory, datasetId]) => ({ datasetCategory, datasetId })),
  });
  const kept = drafts.map(group);
  gateway.answer(datasetGroups.list, () => kept);
  gateway.answer(datasetGroups.create, ({ body }) => {
    const made = { ...group({ name: body.name, datasets: [] }), ...body };
    kept.push(made);
    return made;
  });
  gateway.answer(datasetGroups.edit, ({ body }) => {
    const found = kept.find(({ name }) => name === body.name);
    if (!found) throw new Refused("not-found", "There is no such group.");
    return Object.assign(found, body);
  });
  gateway.answer(datasetGroups.remove, ({ params }) => {
    kept.splice(
      kept.findIndex(({ name }) => name === params.name),
      1,
    );
    return undefined;
  });
  await openScreen("/search");
  await groupTab().click();
  await expect.element(page.getByRole("button", { name: "New Dataset Group" })).toBeVisible();
}

const hazards = { name: "Hazards", description: "Storms and quakes.", datasets: [storms, earthquakes] };
const travel = { name: "Travel", datasets: [airports, flights] };

it("[SEARCH-01][SEARCH-03][SEARCH-07] two tabs, each with its selector; changing the tab clears the selected dataset", async () => {
  await visitGroups([hazards]);
  await expectTexts(page.getByRole("tab"), ["Datasets", "Dataset Groups"]);
  await expect.element(groupTab()).toHaveAttribute("aria-selected", "true");
  await expect.element(picker()).not.toBeInTheDocument();
  await groupButton("Hazards").click();
  await expect.element(formOf("Hazards")).toBeVisible();

  await openForm(storms);
  await expect.element(page.getByRole("tab", { name: "Datasets", exact: true })).toHaveAttribute("aria-selected", "true");
  await expect.element(groupList()).not.toBeInTheDocument();
  // Left and Right change the tab, and the focus goes along.
  await press("ArrowRight", page.getByRole("tab", { name: "Datasets", exact: true }));
  await expect.element(groupTab()).toHaveFocus();
  await expect.element(groupButton("Hazards")).toHaveAttribute("aria-pressed", "false");
  await expect.element(formOf("storm-tracks")).not.toBeInTheDocument();
  await press("ArrowLeft", groupTab());
  await expect.element(picker()).toBeVisible();
  await expect.element(picker().getByRole("row", { selected: true })).not.toBeInTheDocument();
  await expectAddress("/search");
  // The address leads back to what was chosen.
  history.back();
  history.back();
  await expectForm(storms);
});

it("[GROUPING-02][GROUPING-05][GROUPING-06][GROUPING-07][GROUPING-15][PICKER-06][PICKER-07] a new group needs a name and two datasets; a header chooses all below it and is not sent", async () => {
  await visitGroups([]);
  await expect.element(page.getByText("No dataset groups yet.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "New Dataset Group" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Dataset Group" });
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect.element(name).toHaveFocus();
  await expect.element(save).toBeDisabled();

  const header = dialog.getByRole("checkbox", { name: "Aviation", exact: true });
  await header.click();
  await expect.element(dialog.getByText("The name is blank.").first()).toBeVisible();
  for (const dataset of ["airports", "flights", "bird-strikes"]) {
    await expect.element(dialog.getByRole("checkbox", { name: dataset, exact: true })).toBeChecked();
  }
  await expect.element(dialog.getByRole("checkbox", { name: "storm-tracks", exact: true })).not.toBeChecked();
  await name.fill("   ");
  await expect.element(save).toBeDisabled();
  await name.fill("Flying");
  await expect.element(save).toBeEnabled();
  await header.click();
  await expect.element(dialog.getByText("Choose at least 2 datasets.", { exact: true })).toBeVisible();
  await expect.element(save).toBeDisabled();
  await dialog.getByRole("checkbox", { name: "airports", exact: true }).click();
  await expect.element(save).toBeDisabled();
  // Half a category is chosen: its header then chooses the rest too.
  await expect.element(header).toBePartiallyChecked();
  await header.click();
  await dialog.getByRole("textbox", { name: "Description" }).fill("Planes and birds.");

  await save.click();
  await expect
    .poll(() => gateway.received(datasetGroups.create).at(-1)?.body)
    .toEqual({
      name: "Flying",
      description: "Planes and birds.",
      datasets: ["airports", "bird-strikes", "flights"].map((datasetId) => ({ datasetCategory: "Aviation", datasetId })),
    });
  await expect.element(page.getByText("Dataset Group Saved", { exact: true })).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(groupButton("Flying")).toHaveAttribute("aria-pressed", "true");
  await expect.element(formOf("Flying")).toBeVisible();
});

it("[GROUPING-03][GROUPING-05][GROUPING-08] an edited group keeps its name and takes other datasets", async () => {
  await visitGroups([hazards]);
  await page.getByRole("button", { name: "Edit Hazards" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Dataset Group" });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect.element(name).toHaveValue("Hazards");
  await expect.element(name).toHaveAttribute("readonly");
  await expect.element(dialog.getByRole("textbox", { name: "Description" })).toHaveValue("Storms and quakes.");
  await expectCount(dialog.getByRole("checkbox", { checked: true }), 3);
  await dialog.getByRole("searchbox").fill("flights");
  await dialog.getByRole("checkbox", { name: "flights", exact: true }).click();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => gateway.received(datasetGroups.edit).at(-1)?.body)
    .toEqual({
      name: "Hazards",
      description: "Storms and quakes.",
      datasets: [storms, earthquakes, flights].map(([datasetCategory, datasetId]) => ({ datasetCategory, datasetId })),
    });
  await expect.element(page.getByText("Dataset Group Saved", { exact: true })).toBeVisible();
  await expect.element(groupList().getByRole("button", { name: "Hazards 3 datasets" })).toBeVisible();
});

it("[GROUPING-13][GROUPING-18] a save that the server refuses says 'Save Failed' and keeps what was chosen", async () => {
  await visitGroups([]);
  await page.getByRole("button", { name: "New Dataset Group" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Dataset Group" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Mixed");
  await dialog.getByRole("checkbox", { name: "flights", exact: true }).click();
  await dialog.getByRole("checkbox", { name: "country-development", exact: true }).click();
  const problem = "The dataset 'country-development' in 'People & economy' has no required field to search on.";
  gateway.refuse(datasetGroups.create, "invalid-value", problem);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  const failure = page.getByRole("dialog", { name: "Save Failed" });
  await expect
    .element(
      failure.getByText(
        "An unknown error occurred while saving the Dataset Group. The Grouping you are creating may be invalid. All Datasets in the grouping must contain at least 1 required field to search on.",
        { exact: true },
      ),
    )
    .toBeVisible();
  await expect.element(failure.getByText(problem)).toBeVisible();
  // Escape closes the failure alone.
  await press("Escape");
  await expect.element(failure).not.toBeInTheDocument();
  await expect.element(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("Mixed");
  await expect.element(dialog.getByRole("checkbox", { name: "flights", exact: true })).toBeChecked();
});

it("[GROUPING-04][GROUPING-14][GROUPING-16][GROUPING-17] deleting asks first, says what failed, and deletes by name", async () => {
  const name = "Storms / quakes";
  await visitGroups([{ ...hazards, name }, travel]);
  const remove = page.getByRole("button", { name: `Delete ${name}` });
  const question = page.getByRole("dialog", { name: "Delete Dataset Group?" });
  await remove.click();
  await expect.element(question.getByText("This action cannot be undone", { exact: true })).toBeVisible();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(groupButton(name)).toBeVisible();

  gateway.refuse(datasetGroups.remove, "internal", "The database is away.", { times: 1 });
  await remove.click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  const failure = page.getByRole("dialog", { name: "Delete Failed" });
  await expect
    .element(failure.getByText("An unknown error occurred while deleting the Dataset Group. Please try again.", { exact: true }))
    .toBeVisible();
  await failure.getByRole("button", { name: "OK" }).click();

  await remove.click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.poll(() => gateway.received(datasetGroups.remove).map(({ params }) => params.name)).toEqual([name, name]);
  await expect.element(page.getByText("Dataset Group Deleted", { exact: true })).toBeVisible();
  await expect.element(groupButton(name)).not.toBeInTheDocument();
  await expect.element(groupButton("Travel")).toBeVisible();
});

it("[GROUPING-11][GROUPING-12] groups on their way and groups that failed to load say so, and Retry loads them", async () => {
  gateway.refuse(datasetGroups.list, "internal", "Broken.", { times: 1 });
  const release = gateway.hold(datasetGroups.list);
  await openScreen("/search?tab=groups");
  await expect.element(page.getByRole("status").getByText("Loading dataset groups...", { exact: true })).toBeVisible();
  release();
  const failure = page.getByRole("alert");
  await expect.element(failure.getByText("Error loading dataset groups.", { exact: true })).toBeVisible();
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect.element(page.getByRole("button", { name: "New Dataset Group" })).toBeVisible();
});

it("[GROUPING-09][GROUPING-10] a group with a dataset out of reach cannot be chosen, and says why", async () => {
  const warning =
    "Your account no longer has access to this Dataset Grouping, because you have lost access to 1 or more Datasets in this group.";
  serveDatasets(
    gateway,
    demoDatasets().filter(({ description }) => description.datasetId !== "earthquakes"),
  );
  await visitGroups([hazards, travel]);
  const row = (name: string) => groupList().getByRole("listitem").filter({ hasText: name });
  await expect.element(row("Hazards").getByText(warning, { exact: true })).toBeVisible();
  await expect.element(groupButton("Hazards")).toBeDisabled();
  await expect.element(row("Travel").getByText(warning)).not.toBeInTheDocument();
  await expect.element(groupButton("Travel")).toBeEnabled();
  // Nor by its address.
  await openScreen("/search?tab=groups&group=Hazards");
  await expect.element(page.getByRole("region", { name: "Filters", exact: true }).getByText(warning, { exact: true })).toBeVisible();
  await expect.element(searchButton()).not.toBeInTheDocument();
});

it("[SEARCH-63][SEARCH-64] a group searches each of its datasets by its own fields and the shared range; each search opens by itself", async () => {
  await visitGroups([{ name: "Around Denver", datasets: [airports, flights, dailyWeather] }]);
  const asked = askedSearches();
  const mend = breakSearches("flights");
  await groupButton("Around Denver").click();
  const form = formOf("Around Denver");
  const section = (name: string) => form.getByRole("region", { name: new RegExp(`^${name}`) });
  await expect.element(searchButton()).toBeDisabled();
  await expect.element(form.getByText("Filters are still needed for airports, flights, daily-weather", { exact: true })).toBeVisible();

  // The one time range: flights need no more than that, airports have no times.
  await expectCount(form.getByRole("button", { name: /^Time range:/ }), 1);
  await form.getByRole("button", { name: /^Time range:/ }).click();
  const times = page.getByRole("dialog", { name: "Select Date and Time Range" });
  await times.getByRole("textbox", { name: "Start" }).fill("2001-01-02T00:00:00Z");
  await times.getByRole("textbox", { name: "End" }).fill("2001-01-03T00:00:00Z");
  await times.getByRole("button", { name: "Done" }).click();
  await expect.element(form.getByText("Filters are still needed for airports, daily-weather", { exact: true })).toBeVisible();
  await section("airports").getByRole("textbox", { name: "Airport code" }).fill("DEN");
  await section("daily-weather").getByRole("textbox", { name: "Location" }).fill("Seattle");
  await expect.element(searchButton()).toBeEnabled();
  await searchButton().click();

  const searches = page.getByRole("list", { name: "Searches of Around Denver" });
  const searchOf = (name: string) => searches.getByRole("listitem", { name, exact: true });
  await expectCount(searches.getByRole("listitem"), 3);
  await expect.element(page.getByText("3 searches done", { exact: true })).toBeVisible();
  await expect.element(searchOf("airports").getByText("1 – 2 of 2 results", { exact: true })).toBeVisible();
  await expect.element(searchOf("daily-weather").getByText("no results", { exact: true })).toBeVisible();
  await expect.element(searchOf("flights").getByRole("alert")).toHaveTextContent("The engine stumbled.");
  const timeRange = { start: "2001-01-02T00:00:00.000Z", end: "2001-01-03T00:00:00.000Z" };
  expect(asked.searches).toEqual([
    {
      dataset: "Aviation/airports",
      body: { paging: { offset: 0, max: 25 }, filters: [{ name: "iata", value: "DEN", operator: "=" }] },
    },
    { dataset: "Aviation/flights", body: { paging: { offset: 0, max: 25 }, timeRange, filters: [] } },
    {
      dataset: "Tropical weather/daily-weather",
      body: { paging: { offset: 0, max: 25 }, timeRange, filters: [{ name: "location", value: "Seattle", operator: "=" }] },
    },
  ]);
  mend();
  await searchOf("flights").getByRole("button", { name: "Rerun Search" }).click();
  await expect.element(searchOf("flights").getByText(/^1 – 25 of [\d,]+ results$/)).toBeVisible();

  await expectCount(recentSearches(), 3);
  for (const name of ["airports", "flights", "daily-weather"]) await expectCount(recentSearches().filter({ hasText: name }), 1);
  await searchOf("airports").getByRole("link", { name: "airports" }).click();
  await expectRows("airports");
  history.back();
  await expectCount(searches.getByRole("listitem"), 3);
  // A reload asks again for what this tab remembers.
  await openScreen(location.pathname + location.search + location.hash);
  await expect.element(searchOf("airports").getByText("1 – 2 of 2 results", { exact: true })).toBeVisible();
  // Back at the form, everything is as it was.
  await page.getByRole("button", { name: "Edit filters" }).click();
  await expect.element(section("airports").getByRole("textbox", { name: "Airport code" })).toHaveValue("DEN");
});

it("[SEARCH-63] one time range and one area narrow every dataset that has times or places, from one moment", async () => {
  const begun = Date.UTC(2005, 7, 30, 6, 7, 8);
  vi.setSystemTime(begun);
  await visitGroups([{ name: "Gulf", datasets: [storms, airports, flights] }]);
  const asked = askedSearches();
  await groupButton("Gulf").click();
  const form = formOf("Gulf");
  const area = form.getByRole("button", { name: /^Area:/ });
  await expectCount(form.getByRole("button", { name: /^Time range:/ }), 1);
  await expectCount(area, 1);
  await expect.element(form.getByText("For storm-tracks, flights: the others have no times.", { exact: true })).toBeVisible();
  await expect.element(form.getByText("For storm-tracks, airports: the others have no places.", { exact: true })).toBeVisible();

  await area.click();
  const shapes = page.getByRole("dialog", { name: "Select Area", exact: true });
  await shapes.getByRole("textbox", { name: "Coordinates" }).fill("-98 18, -80 18, -80 31, -98 31");
  await shapes.getByRole("button", { name: "Add shape" }).click();
  await shapes.getByRole("button", { name: "Done" }).click();
  await expectText(area, "Area: Area 18° N – 31° N, 98° W – 80° W");
  await form.getByRole("button", { name: /^Time range:/ }).click();
  await timeDialog().getByRole("textbox", { name: "Last", exact: true }).fill("3");
  await timeDialog().getByRole("combobox", { name: "Unit", exact: true }).selectOptions("days");
  await timeDialog().getByRole("button", { name: "Done", exact: true }).click();
  await expect.element(searchButton()).toBeEnabled();
  await searchButton().click();

  await expect.element(page.getByText("3 searches done", { exact: true })).toBeVisible();
  const timeRange = { start: "2005-08-27T06:07:08.000Z", end: "2005-08-30T06:07:08.000Z" };
  const geospatial = { polygons: ["-98 18, -80 18, -80 31, -98 31, -98 18"], antimeridianPolygons: false };
  const paging = { offset: 0, max: 25 };
  expect(asked.searches).toEqual([
    { dataset: "Tropical weather/storm-tracks", body: { paging, timeRange, geospatial, filters: [] } },
    { dataset: "Aviation/airports", body: { paging, geospatial, filters: [] } },
    { dataset: "Aviation/flights", body: { paging, timeRange, filters: [] } },
  ]);
  await expectTexts(page.getByRole("list", { name: "Shared filters" }).getByRole("listitem"), [
    "Last 3 days: 08/27/2005, 06:07:08 AM – 08/30/2005, 06:07:08 AM UTC",
    "Area 18° N – 31° N, 98° W – 80° W",
  ]);
  await expect.element(page.getByRole("link", { name: "storm-tracks", exact: true })).toBeVisible();

  // All again, from one moment too.
  vi.setSystemTime(begun + 3_600_000);
  await page.getByRole("button", { name: "Rerun all", exact: true }).click();
  await expect.poll(() => asked.searches.length).toBe(6);
  const ends = asked.searches.slice(3).map(({ body }) => (body as { timeRange?: { end: string } }).timeRange?.end);
  expect(ends).toEqual(["2005-08-30T07:07:08.000Z", undefined, "2005-08-30T07:07:08.000Z"]);
  // Both shared filters are still there when one comes back to the form.
  await page.getByRole("button", { name: "Edit filters" }).click();
  await expectText(area, "Area: Area 18° N – 31° N, 98° W – 80° W");
  await expectText(form.getByRole("button", { name: /^Time range:/ }), "Time range: Last 3 days");
});

it("the searches of a group are cancelled together, a failed one is counted, and each can be asked again", async () => {
  await visitGroups([travel]);
  await groupButton("Travel").click();
  await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
  await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
  const mend = breakSearches("airports");
  const release = gateway.hold(search.run, ({ params }) => params.datasetId === "flights");
  await searchButton().click();
  const searchOf = (name: string) => page.getByRole("list", { name: "Searches of Travel" }).getByRole("listitem", { name, exact: true });
  await expect.element(page.getByText("1 of 2 searches done", { exact: true })).toBeVisible();
  await expect.element(page.getByText("1 failed", { exact: true })).toBeVisible();
  await expect.element(searchOf("airports").getByRole("alert")).toHaveTextContent("The engine stumbled.");
  await page.getByRole("button", { name: "Cancel all", exact: true }).click();
  await expect.element(searchOf("flights").getByText("Search cancelled", { exact: true })).toBeVisible();
  await expect.element(page.getByText("2 searches done", { exact: true })).toBeVisible();
  release();
  mend();
  await page.getByRole("button", { name: "Rerun all", exact: true }).click();
  await expect.element(searchOf("airports").getByText("1 – 2 of 2 results", { exact: true })).toBeVisible();
  await expect.element(searchOf("flights").getByText(/^1 – 25 of [\d,]+ results$/)).toBeVisible();
  await expect.element(page.getByText("1 failed", { exact: true })).not.toBeInTheDocument();
});
