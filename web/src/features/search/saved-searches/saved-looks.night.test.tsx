import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { openForm, storms } from "#testing/datasets-screen.ts";
import { press } from "#testing/keyboard.ts";
import { act, fewRows, openResults } from "#testing/results.ts";
import { buildSavedSearch, serveSavedSearches } from "#testing/saved-searches.ts";

const query = JSON.stringify({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
const saveDialog = () => page.getByRole("dialog", { name: "Save Search Filters", exact: true });
const savedDialog = () => page.getByRole("dialog", { name: "Saved search filters", exact: true });

beforeEach(() => {
  serveSavedSearches([buildSavedSearch("A name of a saved search that is rather longer than a telephone is wide", query)]);
});

it("saves, edits and loads searches on a phone without axe violations in both themes and without horizontal scrolling", async () => {
  await page.viewport(390, 844);
  const expectFit = () => expect.poll(() => document.documentElement.scrollWidth - document.documentElement.clientWidth).toBe(0);
  const expectGoodDialog = async () => {
    await expectFit();
    await expectAccessible({ within: ["[role=dialog]"] });
  };
  await openResults(fewRows);
  await act("Save Search Filters");
  await expect.element(saveDialog().getByRole("textbox", { name: "Name" })).toHaveFocus();
  await expectGoodDialog();
  await press("Escape");
  await openForm(storms);
  await page.getByRole("button", { name: "Saved search filters", exact: true }).click();
  await savedDialog().getByRole("radio").click();
  await expectGoodDialog();
  await savedDialog()
    .getByRole("button", { name: /^Edit A name/ })
    .click();
  const editing = page.getByRole("dialog", { name: "Edit Saved Search", exact: true });
  await expect.element(editing.getByRole("textbox", { name: "Description" })).toBeVisible();
  await expectGoodDialog();
  await press("Escape");
  await expect.element(editing).not.toBeInTheDocument();
  await savedDialog().getByRole("button", { name: "Load", exact: true }).click();
  await expect.element(page.getByRole("status").filter({ hasText: "From the saved search" })).toBeVisible();
  await expectFit();
  await page.viewport(1440, 900);
  await expectAccessible({ within: ["main"] });
});
