import { datasetGroups } from "@fairway/contract/dataset-groups";
import { beforeEach, describe, expect, it } from "vitest";
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
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { setField } from "#testing/quick-fields.ts";

beforeEach(() => serveDatasets(gateway));

const creating = () => page.getByRole("dialog", { name: "Create Dataset Group" });
const nameField = () => creating().getByRole("textbox", { name: "Name" });
const saveGroup = () => creating().getByRole("button", { name: "Save", exact: true });

const hazards = { name: "Hazards", description: "Storms and quakes.", datasets: [storms, earthquakes] };
const slashed = "Storms / quakes";
const travel = { name: "Travel", datasets: [airports, flights] };

describe("the tab of groups", () => {
  openOnce(() => openGroups([hazards]));

  it("[SEARCH-01] is the second of two", async () => {
    await expectTexts(page.getByRole("tab"), ["Datasets", "Dataset Groups"]);
    await expect.element(groupTab()).toHaveAttribute("aria-selected", "true");
    await expect.element(picker()).not.toBeInTheDocument();
  });

  it("[SEARCH-03] selects a group", async () => {
    await groupButton("Hazards").click();
    await expect.element(formOf("Hazards")).toBeVisible();
  });
});

it("[SEARCH-07] clears the selected dataset when the tab changes, and going back restores it", async () => {
  serveGroups([hazards]);
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
  history.back();
  history.back();
  await expectForm(storms);
});

async function openCreating(): Promise<void> {
  await openGroups();
  await expect.element(page.getByText("No dataset groups yet.", { exact: false })).toBeVisible();
  await newGroupButton().click();
  await expect.element(nameField()).toHaveFocus();
}

describe("the dialog of a new group", () => {
  openOnce(openCreating);
  const category = () => creating().getByRole("checkbox", { name: "Aviation", exact: true });
  const choice = (dataset: string) => creating().getByRole("checkbox", { name: dataset, exact: true });

  it("[GROUPING-06] saves no group with a blank name", async () => {
    await expect.element(saveGroup()).toBeDisabled();
    // With a slow press, the blur of the name must not move the checkbox before the click.
    const rectangle = () => category().element().getBoundingClientRect();
    const before = rectangle();
    nameField().element().blur();
    await expect.element(creating().getByText("Enter a name.").first()).toBeVisible();
    expect(rectangle()).toEqual(before);
    await category().click();
    await expect.element(creating().getByText("Enter a name.").first()).toBeVisible();
    await setField(nameField(), "   ");
    await expect.element(saveGroup()).toBeDisabled();
    await setField(nameField(), "Flying");
    await expect.element(saveGroup()).toBeEnabled();
    await category().click();
  });

  it("[PICKER-06] selects all datasets of a category by its header, also the rest of one", async () => {
    await category().click();
    for (const dataset of ["airports", "flights", "bird-strikes"]) await expect.element(choice(dataset)).toBeChecked();
    await expect.element(choice("storm-tracks")).not.toBeChecked();
    await choice("flights").click();
    await expect.element(category()).toBePartiallyChecked();
    await category().click();
    await expect.element(choice("flights")).toBeChecked();
    await category().click();
    await expect.element(choice("flights")).not.toBeChecked();
  });

  it("[GROUPING-07] saves no group of fewer than two datasets", async () => {
    await setField(nameField(), "Flying");
    await choice("airports").click();
    await expect.element(saveGroup()).toBeDisabled();
    await choice("airports").click();
    await expect.element(creating().getByText("Choose at least 2 datasets.", { exact: true })).toBeVisible();
    await expect.element(saveGroup()).toBeDisabled();
  });
});

describe("a new group", () => {
  openOnce(async () => {
    await openCreating();
    await setField(nameField(), "Flying");
    await creating().getByRole("checkbox", { name: "Aviation", exact: true }).click();
    await setField(creating().getByRole("textbox", { name: "Description" }), "Planes and birds.");
    await saveGroup().click();
    await expect.element(creating()).not.toBeInTheDocument();
  });

  it("[GROUPING-15] is said to be saved", async () => {
    await expect.element(page.getByText("Dataset Group Saved", { exact: true })).toBeVisible();
  });

  it("[GROUPING-02][PICKER-07] is sent with its datasets, without the header of their category", () => {
    expect(gateway.received(datasetGroups.create).map(({ body }) => body)).toEqual([
      { name: "Flying", description: "Planes and birds.", datasets: [airports, birdStrikes, flights].map(refOf) },
    ]);
  });

  it("[GROUPING-05] is created and selected", async () => {
    expect(gateway.received(datasetGroups.edit)).toEqual([]);
    await expect.element(groupButton("Flying")).toHaveAttribute("aria-pressed", "true");
    await expect.element(formOf("Flying")).toBeVisible();
  });
});

describe("the dialog of an existing group", () => {
  openOnce(async () => {
    await openGroups([hazards]);
    await page.getByRole("button", { name: "Edit Hazards" }).click();
    await expect.element(page.getByRole("dialog", { name: "Edit Dataset Group" })).toBeVisible();
  });

  const dialog = page.getByRole("dialog", { name: "Edit Dataset Group" });
  beforeEach(() => serveGroups([hazards]));

  it("[GROUPING-08] keeps the name", async () => {
    const name = dialog.getByRole("textbox", { name: "Name" });
    await expect.element(name).toHaveValue("Hazards");
    await expect.element(name).toHaveAttribute("readonly");
    await expect.element(dialog.getByRole("textbox", { name: "Description" })).toHaveValue("Storms and quakes.");
  });

  it("has no axe violations", async () => {
    await showTheme("dark");
    expect(await axeViolations()).toEqual([]);
    await showTheme("light");
  });

  it("[GROUPING-03][GROUPING-05] changes the datasets of the group", async () => {
    await expectCount(dialog.getByRole("checkbox", { checked: true }), 3);
    await setField(dialog.getByRole("searchbox"), "flights");
    await dialog.getByRole("checkbox", { name: "flights", exact: true }).click();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect
      .poll(() => gateway.received(datasetGroups.edit).map(({ body }) => body))
      .toEqual([{ name: "Hazards", description: "Storms and quakes.", datasets: [storms, earthquakes, flights].map(refOf) }]);
    await expect.element(page.getByText("Dataset Group Saved", { exact: true })).toBeVisible();
    await expect.element(groupList().getByRole("button", { name: "Hazards 3 datasets" })).toBeVisible();
  });
});

it("[GROUPING-13][GROUPING-18] shows 'Save Failed' for a refused save and keeps the form", async () => {
  await openGroups();
  await newGroupButton().click();
  const dialog = page.getByRole("dialog", { name: "Create Dataset Group" });
  await setField(dialog.getByRole("textbox", { name: "Name" }), "Mixed");
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

describe("deleting a group", () => {
  openOnce(() => openGroups([{ ...hazards, name: slashed }, travel]));

  beforeEach(() => serveGroups([{ ...hazards, name: slashed }, travel]));
  const remove = page.getByRole("button", { name: `Delete ${slashed}` });
  const confirmDialog = page.getByRole("dialog", { name: "Delete Dataset Group?" });

  it("[GROUPING-17] asks first", async () => {
    await remove.click();
    await expect.element(confirmDialog.getByText("This action cannot be undone", { exact: true })).toBeVisible();
    await confirmDialog.getByRole("button", { name: "Cancel" }).click();
    await expect.element(confirmDialog).not.toBeInTheDocument();
    await expect.element(groupButton(slashed)).toBeVisible();
  });

  it("[GROUPING-14] says that it failed", async () => {
    gateway.refuse(datasetGroups.remove, "internal", "The database is away.", { times: 1 });
    await remove.click();
    await confirmDialog.getByRole("button", { name: "Delete", exact: true }).click();
    const failure = page.getByRole("dialog", { name: "Delete Failed" });
    await expect
      .element(failure.getByText("An unknown error occurred while deleting the Dataset Group. Please try again.", { exact: true }))
      .toBeVisible();
    await failure.getByRole("button", { name: "OK" }).click();
    await expect.element(groupButton(slashed)).toBeVisible();
  });

  it("[GROUPING-04][GROUPING-16] is by name, and said", async () => {
    await remove.click();
    await confirmDialog.getByRole("button", { name: "Delete", exact: true }).click();
    await expect.poll(() => gateway.received(datasetGroups.remove).at(-1)?.params).toEqual({ name: slashed });
    await expect.element(page.getByText("Dataset Group Deleted", { exact: true })).toBeVisible();
    await expect.element(groupButton(slashed)).not.toBeInTheDocument();
    await expect.element(groupButton("Travel")).toBeVisible();
  });
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
