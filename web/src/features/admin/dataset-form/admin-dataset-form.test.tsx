import { entityDefinitions } from "@fairway/contract/administration";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { columnField, columnsOf, formButton, openDatasetForm, section, serveForms, shownColumns, storms } from "#testing/dataset-forms.ts";
import { chooseInRow, dialog, dialogButton, jsonText, openAdmin, writeJson } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

const { routes } = entityDefinitions["datasets/internal"];

it("a row action opens the form of a dataset, whose index names its sections", async () => {
  serveForms();
  await openAdmin("/internal-dataset-settings", "Internal Datasets");
  await chooseInRow("storm-tracks", "Edit as form");
  await expect.element(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
  await expectTexts(page.getByRole("navigation", { name: "Sections" }).getByRole("button"), [
    "About",
    "Files",
    "Columns",
    "Time and place",
    "Filters",
    "Links",
    "Lookups",
    "Computed columns",
    "Access",
    "Advanced",
  ]);
  expect(location.search).toBe("?form=storm-tracks");
  await expectAccessible();
  await formButton("Close").click();
  await expect.element(page.getByRole("grid")).toBeVisible();
});

it("labels, units, order and what is shown at first are saved, and unknown fields stay", async () => {
  const served = serveForms();
  served.stored[0] = { ...served.stored[0], version: 3, ownField: { kept: true } };
  await openDatasetForm("storm-tracks");
  await columnField("Label", "wind").fill("Wind speed");
  await columnField("Unit", "wind").fill("m/s");
  await section("Columns").getByRole("checkbox", { name: "Show storm_id at first" }).click();
  await press("Alt+ArrowUp", columnField("Label", "name"));
  await expect.element(shownColumns().first()).toHaveTextContent("name");
  await formButton("Save").click();
  await expect.element(page.getByText("storm-tracks saved")).toBeVisible();
  const sent = gateway.received(routes.edit).at(-1)?.body;
  expect(sent).toMatchObject({
    version: 3,
    ownField: { kept: true },
    schema: {
      columns: [
        { name: "name" },
        { name: "storm_id", hidden: true },
        {},
        {},
        {},
        { name: "wind", label: "Wind speed", unit: "m/s", description: "Highest sustained wind." },
      ],
    },
  });
  expect(sent).not.toHaveProperty("warnings");
  await expect.element(formButton("Save")).toBeDisabled();
});

it("problems stand at their field and in a list that leads there, and keep the dataset from being saved", async () => {
  serveForms();
  await openDatasetForm("storm-tracks");
  await section("About").getByRole("textbox", { name: "Category" }).fill("");
  await section("About").getByRole("textbox", { name: "Contact" }).fill("nobody");
  const problems = page.getByRole("group", { name: "Problems" });
  await expect.element(problems).toHaveTextContent("2 things keep this from being saved");
  await expect.element(section("About").getByText("Is empty.")).toBeVisible();
  await formButton("Save").click();
  await expect.element(problems).toHaveFocus();
  await problems.getByRole("button", { name: "About, contact" }).click();
  await expect.element(section("About").getByRole("textbox", { name: "Contact" })).toHaveFocus();
  expect(gateway.received(routes.edit)).toHaveLength(0);
  await expect.element(page.getByRole("navigation", { name: "Sections" }).getByRole("button", { name: /^About.*problems$/ })).toBeVisible();
});

it("leaving asks while there are unsaved changes", async () => {
  serveForms();
  await openDatasetForm("storm-tracks");
  await section("About").getByRole("textbox", { name: "Owner" }).fill("NOAA");
  await formButton("Close").click();
  await expect.element(page.getByText("Discard your changes?")).toBeVisible();
  await dialogButton("Keep editing").click();
  await expect.element(section("About").getByRole("textbox", { name: "Owner" })).toHaveValue("NOAA");
  await formButton("Close").click();
  await dialogButton("Discard").click();
  await expect.element(page.getByRole("grid")).toBeVisible();
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
