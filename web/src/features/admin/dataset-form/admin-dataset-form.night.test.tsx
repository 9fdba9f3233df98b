import { entityDefinitions } from "@fairway/contract/administration";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { buildColumn } from "#testing/dataset-builders.ts";
import {
  columnField,
  columnsOf,
  formButton,
  openDatasetForm,
  section,
  serveForms,
  shownColumns,
  storms,
  wide,
} from "#testing/dataset-forms.ts";
import { dialog, dialogButton, jsonText, writeJson } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

const { routes } = entityDefinitions["datasets/internal"];
const place = buildColumn("place", { type: "STRING", combined: { type: "COORDINATES", fields: ["latitude", "longitude"], joinedBy: "," } });
const columns = () => section("Columns");

const saved = async () => {
  await formButton("Save").click();
  await expect.element(page.getByText("storm-tracks saved")).toBeVisible();
  return gateway.received(routes.edit).at(-1)?.body;
};

it("several columns are hidden and get a unit at once", async () => {
  const served = serveForms();
  await openDatasetForm("storm-tracks");
  await columns().getByRole("checkbox", { name: "Select latitude", exact: true }).click();
  await columns().getByRole("checkbox", { name: "Select longitude", exact: true }).click();
  const selected = columns().getByRole("group", { name: "Selected columns" });
  await expect.element(selected).toHaveTextContent("2 columns selected");
  await selected.getByRole("textbox", { name: "Unit" }).fill("°");
  await selected.getByRole("button", { name: "Set unit" }).click();
  await selected.getByRole("button", { name: "Hide at first" }).click();
  await expect.element(columns().getByRole("status")).toHaveTextContent("6 columns, 2 not shown at first");
  await selected.getByRole("button", { name: "Clear selection" }).click();
  await saved();
  expect(columnsOf(served).slice(3, 5)).toMatchObject([
    { name: "latitude", unit: "°", hidden: true },
    { name: "longitude", unit: "°", hidden: true },
  ]);
});

it("a thousand columns are in the document as far as they are in view, and are filtered", async () => {
  serveForms([wide(1_000)]);
  await openDatasetForm("storm-tracks");
  await expect.element(columns().getByRole("table")).toHaveAttribute("aria-rowcount", "1001");
  expect(shownColumns().elements().length).toBeLessThan(40);
  await columns().getByRole("textbox", { name: "Filter columns" }).fill("c99");
  await expect.element(columns().getByRole("status")).toHaveTextContent("11 of 1,000 columns");
  await columnField("Label", "c99").fill("The last");
  await press("Alt+ArrowDown", columnField("Label", "c99"));
  await expect.element(columnField("Label", "c99")).toHaveFocus();
});

it("a problem of a column that the filter leaves out is led to", async () => {
  serveForms([wide(200)]);
  await openDatasetForm("storm-tracks");
  await columnField("Label", "c1").fill("  ");
  await columns().getByRole("textbox", { name: "Filter columns" }).fill("c199");
  await page.getByRole("button", { name: "Columns, c1, label" }).click();
  await expect.element(columnField("Label", "c1")).toHaveFocus();
});

it("latitude and longitude become the location, which a map with tracks needs beside a time", async () => {
  serveForms();
  await openDatasetForm("storm-tracks");
  const place = section("Time and place");
  await expect.element(place.getByRole("combobox", { name: "Item" })).toBeDisabled();
  await place.getByRole("combobox", { name: "Time", exact: true }).selectOptions("time");
  await place.getByRole("button", { name: "Combine latitude and longitude" }).click();
  await place.getByRole("button", { name: "Use as location" }).click();
  await place.getByRole("combobox", { name: "Item" }).selectOptions("storm_id");
  await place.getByRole("combobox", { name: "Title", exact: true }).selectOptions("name");
  await place.getByRole("combobox", { name: "Map shows first" }).selectOptions("All rows");
  const rows = place.getByRole("group", { name: "All rows on the map" });
  await rows.getByRole("combobox", { name: "Color by" }).selectOptions("Average wind");
  await expect.element(place.getByRole("figure", { name: /places on a map$/ })).toBeVisible();
  await expect.element(place.getByRole("table", { name: "How rows are called" })).toBeVisible();
  expect(await saved()).toMatchObject({
    temporalField: "time",
    locationField: "location",
    titleField: "name",
    mapSupport: { groupItemField: "storm_id", itemLocationField: "location", itemTemporalField: "time" },
    mapView: { show: "rows", rows: { measure: { aggregation: "avg", column: "wind" } } },
    filterSupport: { supportsTimeRange: true, supportsGeospatial: true },
    schema: { columns: [{}, {}, {}, {}, {}, {}, { combined: { type: "COORDINATES", fields: ["latitude", "longitude"] } }] },
  });
});

it("the first look of all rows is chosen in the words of the map, and saved as the map keeps it", async () => {
  serveForms([{ ...storms, schema: { columns: [...storms.schema.columns, place] }, locationField: "place" }]);
  await openDatasetForm("storm-tracks");
  const rows = section("Time and place").getByRole("group", { name: "All rows on the map" });
  const choose = async (name: string, option: string) => rows.getByRole("combobox", { name }).selectOptions(option);
  await expectTexts(rows.getByRole("combobox", { name: "Range" }).getByRole("option"), ["Automatic", "Full", "Typed"]);
  await choose("Color by", "Average wind");
  await choose("Cell size", "16 px");
  await choose("Scale", "Steps");
  await choose("Colors", "Balance");
  await choose("Range", "Typed");
  const high = rows.getByRole("textbox", { name: "High" });
  await high.fill("-5");
  await expect.element(page.getByRole("group", { name: "Problems" })).toBeVisible();
  await expect.element(high).toHaveAccessibleDescription(/Has a high end below its low end\./);
  await high.fill("many");
  await expect.element(high).toHaveAccessibleDescription(/Enter a number\./);
  await high.fill("137");
  await expectAccessible();
  await formButton("Save").click();
  await expect.element(page.getByText("storm-tracks saved")).toBeVisible();
  expect(gateway.received(routes.edit).at(-1)?.body).toMatchObject({
    mapView: {
      show: "items",
      rows: {
        cell: 16,
        measure: { aggregation: "avg", column: "wind" },
        scale: "steps",
        palette: "balance",
        range: { low: 1, high: 137, isTyped: true },
      },
    },
  });
});

it("filters are suggested, required and fixed, with values as in the search form", async () => {
  serveForms();
  await openDatasetForm("storm-tracks");
  const filters = section("Filters");
  await filters.getByRole("button", { name: "Add a fixed filter" }).click();
  const fixed = filters.getByRole("group", { name: "Fixed filters: storm_id" });
  await fixed.getByRole("combobox", { name: "Column" }).selectOptions("wind");
  const wind = filters.getByRole("group", { name: "Fixed filters: wind" });
  await wind.getByRole("combobox", { name: "Operator of wind" }).selectOptions(">=");
  await wind.getByRole("textbox", { name: "wind", exact: true }).fill("soon");
  await expect.element(page.getByRole("group", { name: "Problems" })).toBeVisible();
  await wind.getByRole("textbox", { name: "wind", exact: true }).fill("64");
  await filters.getByRole("button", { name: "Suggest a filter" }).click();
  await filters.getByRole("checkbox", { name: "Required" }).click();
  await filters.getByRole("checkbox", { name: "Pages" }).click();
  expect(await saved()).toMatchObject({
    features: ["SAMPLE", "COUNT"],
    filterSupport: {
      staticFilters: [{ name: "storm_id", required: true }],
      preFilledFilters: [{ name: "wind", operator: ">=", value: "64", preFilled: true }],
    },
  });
});

it("links go on by columns of the same name", async () => {
  serveForms();
  await openDatasetForm("storm-tracks");
  const links = section("Links");
  await links.getByRole("button", { name: "Add a link" }).click();
  await links.getByRole("combobox", { name: "Dataset" }).selectOptions("daily-weather (Tropical weather)");
  await expect.element(links.getByRole("textbox", { name: "Text" })).toHaveValue("daily-weather");
  await links.getByRole("button", { name: "Add a condition" }).click();
  const body = await saved();
  expect(body).toMatchObject({ linkedDatasets: [{ datasetId: "daily-weather", display: "daily-weather", filters: [{ operator: "=" }] }] });
});

it("roles that do not exist are named, and no role at all means everyone", async () => {
  serveForms([{ ...storms, roles: ["ghosts", "pilots"] }]);
  await openDatasetForm("storm-tracks");
  const access = section("Access");
  await expectTexts(access.getByRole("list", { name: "Roles that do not exist" }).getByRole("listitem"), ["ghosts: no such role yet"]);
  await press("Backspace", access.getByLabelText("Roles", { exact: true }));
  await press("Backspace", access.getByLabelText("Roles", { exact: true }));
  await expect.element(access.getByText("Everyone who is signed in")).toBeVisible();
});

it("a reload keeps the draft, and a dataset that is gone says so", async () => {
  serveForms();
  await openDatasetForm("storm-tracks");
  await section("About").getByRole("textbox", { name: "Owner" }).fill("NOAA");
  await openDatasetForm("storm-tracks");
  await expect.element(section("About").getByRole("textbox", { name: "Owner" })).toHaveValue("NOAA");
  await expect.element(page.getByText("Restored what you typed before the page was reloaded.")).toBeVisible();
});

it("columns of another dataset are looked up by a key that names propose", async () => {
  serveForms();
  await openDatasetForm("storm-tracks");
  const lookups = section("Lookups");
  await lookups.getByRole("button", { name: "Look up columns" }).click();
  await lookups.getByRole("combobox", { name: "Dataset" }).click();
  await page.getByRole("option", { name: "airports" }).click();
  await expect.element(lookups.getByRole("combobox", { name: "Column here" })).toHaveValue("=name");
  await lookups.getByRole("checkbox", { name: "state", exact: true }).click();
  await lookups.getByRole("checkbox", { name: "latitude", exact: true }).click();
  expect(await saved()).toMatchObject({
    lookups: [
      {
        id: "lookup-1",
        dataset: { datasetCategory: "Aviation", datasetId: "airports" },
        key: [{ column: "name", on: "name" }],
        columns: [
          { from: "state", name: "state" },
          { from: "latitude", name: "name_latitude" },
        ],
      },
    ],
  });
});

it("looked-up columns that formulas use are removed only when that is known", async () => {
  serveForms();
  await openDatasetForm("storm-tracks");
  const lookups = section("Lookups");
  await lookups.getByRole("button", { name: "Look up columns" }).click();
  await lookups.getByRole("combobox", { name: "Dataset" }).click();
  await page.getByRole("option", { name: "airports" }).click();
  const state = lookups.getByRole("checkbox", { name: "state", exact: true });
  await state.click();
  await lookups.getByRole("checkbox", { name: "latitude", exact: true }).click();
  const computed = section("Computed columns");
  await computed.getByRole("button", { name: "Add a computed column" }).click();
  await computed.getByRole("textbox", { name: "Formula" }).fill("upper(state)");
  await expect.element(computed.getByRole("textbox", { name: "Formula" })).toHaveTextContent("upper(state)");
  await lookups.getByRole("checkbox", { name: "latitude", exact: true }).click();
  await state.click();
  const question = page.getByRole("dialog", { name: "Remove 'state'?" });
  await expect
    .element(question)
    .toHaveTextContent("The formula of 'computed_1' uses it, and must be changed before the dataset can be saved.");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect.element(state).toBeChecked();
  await lookups.getByRole("button", { name: "Remove lookup 1" }).click();
  await question.getByRole("button", { name: "Remove" }).click();
  await expect.element(state).not.toBeInTheDocument();
});

it("latitude and longitude of a lookup can be the location", async () => {
  serveForms();
  await openDatasetForm("storm-tracks");
  const lookups = section("Lookups");
  await lookups.getByRole("button", { name: "Look up columns" }).click();
  await lookups.getByRole("combobox", { name: "Dataset" }).click();
  await page.getByRole("option", { name: "airports" }).click();
  await lookups.getByRole("checkbox", { name: "latitude", exact: true }).click();
  await lookups.getByRole("checkbox", { name: "longitude", exact: true }).click();
  const place = section("Time and place");
  await place.getByRole("button", { name: "Combine latitude and longitude" }).click();
  const pair = place.getByRole("group", { name: "New location" });
  await pair.getByRole("combobox", { name: "Latitude" }).selectOptions("name_latitude");
  await pair.getByRole("combobox", { name: "Longitude" }).selectOptions("name_longitude");
  await place.getByRole("button", { name: "Use as location" }).click();
  await expect.element(place.getByText("Places are shown once the dataset is saved.")).toBeVisible();
  expect(await saved()).toMatchObject({ locationField: "location", filterSupport: { supportsGeospatial: true } });
});

it("a computed column gets its type from its formula, whose mistakes are said below it", async () => {
  const served = serveForms();
  await openDatasetForm("storm-tracks");
  const computed = section("Computed columns");
  await computed.getByRole("button", { name: "Add a computed column" }).click();
  await computed.getByRole("textbox", { name: "Name" }).fill("strong");
  await computed.getByRole("textbox", { name: "Formula" }).fill("windd >= 64");
  await expect.element(computed.getByText("There is no column 'windd'. Did you mean 'wind'?")).toBeVisible();
  await computed.getByRole("textbox", { name: "Formula" }).fill("wind >= 64");
  await expect.element(computed.getByText(/^True or false\. /)).toBeVisible();
  await expect.element(computed.getByRole("columnheader", { name: "strong" })).toBeVisible();
  await saved();
  expect(columnsOf(served).at(-1)).toMatchObject({ name: "strong", type: "BOOLEAN", computed: { expression: "wind >= 64" } });
});

it("types of text files say what they would lose, and are saved with the reading", async () => {
  const served = serveForms();
  await openDatasetForm("visits");
  await expect.element(section("Files")).toHaveTextContent("UTF-8, comma, column names in line 1, 3 rows");
  await expectTexts(columnField("Type", "visit").getByRole("option"), ["time: 1 value lost", "text: nothing lost"]);
  await columnField("Type", "visit").selectOptions("text: nothing lost");
  await columnField("Label", "who").fill("Visitor");
  await expect.element(formButton("Save")).toBeEnabled();
  await formButton("Save").click();
  await expect.element(page.getByText("visits saved")).toBeVisible();
  expect(columnsOf(served, "visits")).toMatchObject([
    { name: "visit", type: "STRING" },
    { name: "who", label: "Visitor" },
  ]);
  expect(served.stored.find(({ id }) => id === "visits")).toMatchObject({ source: { reading: { columns: expect.anything() } } });
});

it("a conflict shows both versions, and one of them is kept", async () => {
  const served = serveForms();
  await openDatasetForm("storm-tracks");
  await columnField("Label", "wind").fill("Wind speed");
  served.stored[0] = {
    ...storms,
    enabled: true,
    version: 9,
    schema: { columns: storms.schema.columns.map((one) => (one.name === "wind" ? { ...one, label: "Gusts" } : one)) },
  };
  await formButton("Save").click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("The dataset was saved while you edited version 1. The newest is version 9.");
  await expect.element(page.getByText('"label": "Gusts"')).toBeVisible();
  await formButton("Keep mine and continue").click();
  await expect.element(columnField("Label", "wind")).toHaveValue("Wind speed");
  await formButton("Save").click();
  await expect.element(page.getByText("storm-tracks saved")).toBeVisible();
  expect(columnsOf(served).at(-1)).toMatchObject({ label: "Wind speed" });
});

it("the JSON of the form can be edited and taken over", async () => {
  serveForms();
  await openDatasetForm("storm-tracks");
  await section("About").getByRole("textbox", { name: "Description" }).fill("Tracks of storms.");
  await section("Advanced").getByRole("button", { name: "Show the JSON" }).click();
  await expect.element(jsonText()).toHaveTextContent('"description": "Tracks of storms."');
  await writeJson({ ...storms, id: "other" });
  await expect.element(dialog()).toHaveTextContent("The id of a dataset cannot be changed.");
  await expect.element(dialogButton("Take over")).toBeDisabled();
  await writeJson({ ...storms, owner: "NHC" });
  await dialogButton("Take over").click();
  await expect.element(section("About").getByRole("textbox", { name: "Owner" })).toHaveValue("NHC");
});
