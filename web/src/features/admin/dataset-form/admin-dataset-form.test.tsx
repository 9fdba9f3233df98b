import { entityDefinitions } from "@fairway/contract/administration";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { columnField, formButton, openDatasetForm, section, serveForms, shownColumns } from "#testing/dataset-forms.ts";
import { chooseInRow, dialogButton, openAdmin } from "#testing/entities.ts";
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
