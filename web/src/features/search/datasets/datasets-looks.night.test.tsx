import { datasets } from "@fairway/contract/datasets";
import { expect, it } from "vitest";
import { type Locator, page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, isWithinWindow } from "#testing/assertions.ts";
import {
  earthquakes,
  expectForm,
  expectRows,
  flights,
  pick,
  picker,
  searchButton,
  storms,
  timeDialog,
  timeRange,
} from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { press, type } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { grid } from "#testing/results.ts";

const addFilter = () => page.getByRole("main").getByRole("button", { name: "Add filter", exact: true });
const filterDialog = () => page.getByRole("dialog", { name: "Add filter" });

async function chooseField(name: string): Promise<void> {
  await addFilter().click();
  await filterDialog().getByRole("combobox", { name: "Field" }).click();
  await page.getByRole("listbox").getByRole("option", { name, exact: true }).click();
}

/** Presses Tab until a control with this name has the focus. */
async function tabTo(name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 40; presses += 1) {
    await press("Tab");
    const focused = (document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim();
    if (name.test(focused.replaceAll(/\s+/g, " "))) return;
    passed.push(focused);
  }
  throw new Error(`${String(name)} was not reached by Tab, only ${passed.join(" | ")}`);
}

it("chooses a dataset, filters it and searches on a phone without horizontal scrolling", async () => {
  await page.viewport(390, 844);
  const isShown = (locator: Locator) => expect.poll(() => isWithinWindow(locator)).toBe(true);
  const expectFit = async () => {
    // Popovers are positioned one frame after they open.
    await expect.poll(() => document.documentElement.scrollWidth - document.documentElement.clientWidth).toBe(0);
    const main = page.getByRole("main").element();
    expect(main.scrollWidth - main.clientWidth).toBe(0);
  };
  await openScreen("/search");
  await expect.element(picker()).toBeVisible();
  await expectFit();
  await pick("storm-tracks");
  await expectForm(storms);
  await expectFit();
  await isShown(page.getByText(/^To perform a search, you must add one of the following filters: /));
  await isShown(searchButton());
  // Datasets are changed in a sheet.
  await page.getByRole("button", { name: "Dataset: storm-tracks" }).click();
  const sheet = page.getByRole("dialog", { name: "Choose a dataset" });
  await sheet.getByRole("button", { name: "earthquakes", exact: true }).click();
  await expectCount(sheet, 0);
  await expectForm(earthquakes);
  await expectFit();

  await timeRange().click();
  await isShown(timeDialog().getByRole("button", { name: "Done", exact: true }));
  await expectFit();
  await timeDialog().getByRole("button", { name: "Newest week", exact: true }).click();
  await timeDialog().getByRole("button", { name: "Done", exact: true }).click();
  await addFilter().click();
  const cancel = filterDialog().getByRole("button", { name: "Cancel" });
  await isShown(cancel);
  await expectFit();
  // The list of fields is open on top of the dialog: Escape closes the topmost layer.
  await press("Escape");
  await cancel.click();
  await searchButton().click();
  await expectRows("earthquakes");
});

it("has no axe violations without and with a dataset, and in its dialogs, in both themes", async () => {
  await openScreen("/search");
  await expect.element(picker()).toBeVisible();
  await expectAccessible();
  await pick("earthquakes");
  await expectForm(earthquakes);
  await page.getByRole("textbox", { name: "Region", exact: true }).fill("Alaska");
  await page.getByRole("button", { name: "Newest day", exact: true }).click();
  await chooseField("depth");
  await filterDialog().getByLabelText("Value", { exact: true }).fill("10");
  await filterDialog().getByRole("button", { name: "Add filter", exact: true }).click();
  await expect.element(filterDialog()).not.toBeInTheDocument();
  await expectAccessible({ within: ["main"] });

  await timeRange().click();
  await timeDialog().getByRole("textbox", { name: "End" }).fill("2001");
  await timeDialog().getByRole("button", { name: "Done", exact: true }).click();
  await expect.element(timeDialog().getByText("The end is before the start.")).toBeVisible();
  await expect.element(timeDialog().getByRole("button", { name: "Next month" })).toBeVisible();
  await expectAccessible({ within: ["[role='dialog']"] });
  await press("Escape");
  await page.getByRole("dialog", { name: "Discard your changes?" }).getByRole("button", { name: "Discard" }).click();
  await expect.element(timeDialog()).not.toBeInTheDocument();
  await chooseField("time");
  await filterDialog().getByLabelText("Value", { exact: true }).fill("soon");
  await press("Tab");
  await expect.element(filterDialog().getByText(/^Not a time\./)).toBeVisible();
  await expectAccessible({ within: ["[role='dialog']"] });
});

it("has no axe violations when datasets and a description fail to load, and without favorites, in both themes", async () => {
  gateway.refuse(datasets.list, "internal", "Broken.");
  gateway.refuse(datasets.describe, "internal", "Broken.");
  await openScreen("/search?category=Aviation&dataset=flights");
  await expect.element(page.getByText("Error loading datasets.", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Failed to load dataset filters", { exact: true })).toBeVisible();
  await expectAccessible({ within: ["main"] });
  serveDatasets(gateway);
  await page.getByRole("region", { name: "Choose a dataset" }).getByRole("button", { name: "Retry" }).click();
  await page.getByRole("button", { name: "Favorites only" }).click();
  await expect.element(page.getByText("No favorites yet. Star a dataset to add it.")).toBeVisible();
  await expectAccessible({ within: ["main"] });
});

it("finds a dataset, sets a time range and a filter, and searches with the keyboard only", async () => {
  await openScreen("/search");
  await expect.element(picker()).toBeVisible();
  await press("/");
  await type("flights");
  await press("Enter");
  await expectForm(flights);
  // Continue to the time range, which is set in a dialog.
  await tabTo(/^Time range/);
  await press("Enter");
  await expect.element(timeDialog().getByRole("textbox", { name: "Start" })).toHaveFocus();
  await type("2001-05-01 – 2001-05-02");
  await press("Enter");
  await expect.element(timeDialog()).not.toBeInTheDocument();
  await expect.element(timeRange()).toHaveFocus();
  await tabTo(/^Operator of Origin$/);
  await press("Tab");
  await expect.element(page.getByRole("textbox", { name: "Origin", exact: true })).toHaveFocus();
  await type("DEN");
  await tabTo(/^Search$/);
  await expect.element(searchButton()).toHaveFocus();
  await press("Enter");
  await expectRows("flights");
  await expect.element(page.getByRole("group", { name: "Filters applied" }).getByText("origin = DEN", { exact: true })).toBeVisible();
  // The table is a single tab stop.
  for (let presses = 0; presses < 40 && grid().query()?.contains(document.activeElement) !== true; presses += 1) await press("Tab");
  expect(grid().element().contains(document.activeElement)).toBe(true);
  await press("Tab");
  expect(grid().element().contains(document.activeElement)).toBe(false);
});
