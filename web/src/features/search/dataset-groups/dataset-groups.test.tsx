import { datasetGroups } from "@fairway/contract/dataset-groups";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { axeViolations, showTheme } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { groupButton, groupList, groupTab, newGroupButton, openGroups, refOf, serveGroups } from "#testing/dataset-groups.ts";
import {
  airports,
  birdStrikes,
  earthquakes,
  expectForm,
  flights,
  formOf,
  openForm,
  picker,
  searchButton,
  storms,
} from "#testing/datasets-screen.ts";
import { demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

beforeEach(() => serveDatasets(gateway));

const hazards = { name: "Hazards", description: "Storms and quakes.", datasets: [storms, earthquakes] };
const travel = { name: "Travel", datasets: [airports, flights] };

it("[SEARCH-01][SEARCH-03][SEARCH-07] shows two tabs with their selectors; changing the tab clears the selected dataset", async () => {
  await openGroups([hazards]);
  await expectTexts(page.getByRole("tab"), ["Datasets", "Dataset Groups"]);
  await expect.element(groupTab()).toHaveAttribute("aria-selected", "true");
  await expect.element(picker()).not.toBeInTheDocument();
  await groupButton("Hazards").click();
  await expect.element(formOf("Hazards")).toBeVisible();

  await openForm(storms);
  await expect.element(page.getByRole("tab", { name: "Datasets", exact: true })).toHaveAttribute("aria-selected", "true");
  await expect.element(groupList()).not.toBeInTheDocument();
  // Left and Right change the tab and move the focus.
  await press("ArrowRight", page.getByRole("tab", { name: "Datasets", exact: true }));
  await expect.element(groupTab()).toHaveFocus();
  await expect.element(groupButton("Hazards")).toHaveAttribute("aria-pressed", "false");
  await expect.element(formOf("storm-tracks")).not.toBeInTheDocument();
  await press("ArrowLeft", groupTab());
  await expect.element(picker()).toBeVisible();
  await expect.element(picker().getByRole("row", { selected: true })).not.toBeInTheDocument();
  await expectAddress("/search");
  // Going back restores the selection.
  history.back();
  history.back();
  await expectForm(storms);
});

it("[GROUPING-02][GROUPING-05][GROUPING-06][GROUPING-07][GROUPING-15][PICKER-06][PICKER-07] requires a name and two datasets; a category header selects its datasets and is not sent", async () => {
  await openGroups();
  await expect.element(page.getByText("No dataset groups yet.", { exact: false })).toBeVisible();
  await newGroupButton().click();
  const dialog = page.getByRole("dialog", { name: "Create Dataset Group" });
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect.element(name).toHaveFocus();
  await expect.element(save).toBeDisabled();

  const header = dialog.getByRole("checkbox", { name: "Aviation", exact: true });
  // With a slow press, the blur of the name must not move the checkbox before the click.
  const rectangle = () => header.element().getBoundingClientRect();
  const before = rectangle();
  name.element().blur();
  await expect.element(dialog.getByText("Enter a name.").first()).toBeVisible();
  expect(rectangle()).toEqual(before);
  await header.click();
  await expect.element(dialog.getByText("Enter a name.").first()).toBeVisible();
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
  // A partially selected category; its header selects the rest.
  await expect.element(header).toBePartiallyChecked();
  await header.click();
  await dialog.getByRole("textbox", { name: "Description" }).fill("Planes and birds.");

  await save.click();
  await expect
    .poll(() => gateway.received(datasetGroups.create).map(({ body }) => body))
    .toEqual([{ name: "Flying", description: "Planes and birds.", datasets: [airports, birdStrikes, flights].map(refOf) }]);
  await expect.element(page.getByText("Dataset Group Saved", { exact: true })).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(groupButton("Flying")).toHaveAttribute("aria-pressed", "true");
  await expect.element(formOf("Flying")).toBeVisible();
});

it("[GROUPING-03][GROUPING-05][GROUPING-08] keeps the name of an edited group and changes its datasets; axe finds no violations in the dialog", async () => {
  await openGroups([hazards]);
  await page.getByRole("button", { name: "Edit Hazards" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Dataset Group" });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect.element(name).toHaveValue("Hazards");
  await expect.element(name).toHaveAttribute("readonly");
  await expect.element(dialog.getByRole("textbox", { name: "Description" })).toHaveValue("Storms and quakes.");
  await expectCount(dialog.getByRole("checkbox", { checked: true }), 3);
  await dialog.getByRole("searchbox").fill("flights");
  await dialog.getByRole("checkbox", { name: "flights", exact: true }).click();
  await showTheme("dark");
  expect(await axeViolations()).toEqual([]);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => gateway.received(datasetGroups.edit).map(({ body }) => body))
    .toEqual([{ name: "Hazards", description: "Storms and quakes.", datasets: [storms, earthquakes, flights].map(refOf) }]);
  await expect.element(page.getByText("Dataset Group Saved", { exact: true })).toBeVisible();
  await expect.element(groupList().getByRole("button", { name: "Hazards 3 datasets" })).toBeVisible();
});

it("[GROUPING-13][GROUPING-18] shows 'Save Failed' for a refused save and keeps the form", async () => {
  await openGroups();
  await newGroupButton().click();
  const dialog = page.getByRole("dialog", { name: "Create Dataset Group" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Mixed");
  await dialog.getByRole("checkbox", { name: "flights", exact: true }).click();
  await dialog.getByRole("checkbox", { name: "country-development", exact: true }).click();
  gateway.refuse(
    datasetGroups.create,
    "invalid-value",
    "The dataset 'country-development' in 'People & economy' has no required field to search on.",
  );
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
  await expect
    .element(failure.getByText("The dataset 'country-development' in 'People & economy' has no required field to search on."))
    .toBeVisible();
  // Escape closes only the failure dialog.
  await press("Escape");
  await expect.element(failure).not.toBeInTheDocument();
  await expect.element(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("Mixed");
  await expect.element(dialog.getByRole("checkbox", { name: "flights", exact: true })).toBeChecked();
});

it("[GROUPING-04][GROUPING-14][GROUPING-16][GROUPING-17] confirms deletion, shows failures, and deletes by name", async () => {
  const name = "Storms / quakes";
  await openGroups([{ ...hazards, name }, travel]);
  const remove = page.getByRole("button", { name: `Delete ${name}` });
  const confirmDialog = page.getByRole("dialog", { name: "Delete Dataset Group?" });
  await remove.click();
  await expect.element(confirmDialog.getByText("This action cannot be undone", { exact: true })).toBeVisible();
  await confirmDialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(confirmDialog).not.toBeInTheDocument();
  await expect.element(groupButton(name)).toBeVisible();

  gateway.refuse(datasetGroups.remove, "internal", "The database is away.", { times: 1 });
  await remove.click();
  await confirmDialog.getByRole("button", { name: "Delete", exact: true }).click();
  const failure = page.getByRole("dialog", { name: "Delete Failed" });
  await expect
    .element(failure.getByText("An unknown error occurred while deleting the Dataset Group. Please try again.", { exact: true }))
    .toBeVisible();
  await failure.getByRole("button", { name: "OK" }).click();

  await remove.click();
  await confirmDialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.poll(() => gateway.received(datasetGroups.remove).map(({ params }) => params)).toEqual([{ name }, { name }]);
  await expect.element(page.getByText("Dataset Group Deleted", { exact: true })).toBeVisible();
  await expect.element(groupButton(name)).not.toBeInTheDocument();
  await expect.element(groupButton("Travel")).toBeVisible();
});

it("[GROUPING-11][GROUPING-12] shows loading and failed states of groups, and Retry loads them", async () => {
  serveGroups();
  gateway.refuse(datasetGroups.list, "internal", "Broken.", { times: 1 });
  const release = gateway.hold(datasetGroups.list);
  await openScreen("/search?tab=groups");
  await expect.element(page.getByRole("status").getByText("Loading dataset groups...", { exact: true })).toBeVisible();
  release();
  const failure = page.getByRole("alert");
  await expect.element(failure.getByText("Error loading dataset groups.", { exact: true })).toBeVisible();
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect.element(newGroupButton()).toBeVisible();
});

it("[GROUPING-09][GROUPING-10] disables a group with an inaccessible dataset and explains why", async () => {
  const warning =
    "Your account no longer has access to this Dataset Grouping, because you have lost access to 1 or more Datasets in this group.";
  serveDatasets(
    gateway,
    demoDatasets().filter(({ description }) => description.datasetId !== "earthquakes"),
  );
  await openGroups([hazards, travel]);
  const row = (name: string) => groupList().getByRole("listitem").filter({ hasText: name });
  await expect.element(row("Hazards").getByText(warning, { exact: true })).toBeVisible();
  await expect.element(groupButton("Hazards")).toBeDisabled();
  await expect.element(row("Travel").getByText(warning)).not.toBeInTheDocument();
  await expect.element(groupButton("Travel")).toBeEnabled();
  // The address does not open it either.
  await openScreen("/search?tab=groups&group=Hazards");
  await expect.element(page.getByRole("region", { name: "Filters", exact: true }).getByText(warning, { exact: true })).toBeVisible();
  await expect.element(searchButton()).not.toBeInTheDocument();
});
