import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { alterDescription, openForm, searchButton, storms } from "#testing/datasets-screen.ts";
import { focus, press, type } from "#testing/keyboard.ts";
import { expectSearch } from "#testing/results.ts";
import { buildSavedSearch, serveSavedSearches } from "#testing/saved-searches.ts";
import { openSaved, savedDialog, savedButton } from "#testing/saved-dialog.ts";

const query = JSON.stringify({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
const choice = (name: string) => savedDialog().getByRole("radio", { name, exact: true });
const inDialog = (name: string) => savedDialog().getByRole("button", { name, exact: true });
const serveSaved = (names: readonly string[]) => serveSavedSearches(names.map((name) => buildSavedSearch(name, query)));

it("names what the dataset no longer has on loading, and searches with the rest", async () => {
  const whole = JSON.stringify({
    filters: [
      { name: "name", value: "Katrina", operator: "=" },
      { name: "wind", value: 64, operator: ">=" },
    ],
    columns: ["name", "wind"],
    sort: [{ column: "wind", direction: "desc" }],
  });
  serveSavedSearches([buildSavedSearch("Strong", whole)]);
  alterDescription(storms, (description) => ({
    ...description,
    schema: { columns: description.schema.columns.filter(({ name }) => name !== "wind") },
    filterSupport: {
      ...description.filterSupport,
      staticFilters: description.filterSupport.staticFilters.filter(({ name }) => name !== "wind"),
    },
  }));
  await openSaved();
  await choice("Strong").click();
  await inDialog("Load").click();
  const banner = page.getByRole("status").filter({ hasText: "From the saved search Strong" });
  await expect
    .element(banner)
    .toHaveTextContent("Left out because the dataset no longer has it: wind >= 64, the column wind, the order by wind");
  await searchButton().click();
  await expectSearch({ paging: { offset: 0, max: 25 }, filters: [{ name: "name", value: "Katrina", operator: "=" }] });
});

it("finds, edits and loads a saved search by keyboard", async () => {
  serveSaved(["Andrew", "Katrina", "Rita"]);
  await openForm(storms);
  await focus(savedButton());
  await press("Enter");
  await expect.element(savedDialog().getByRole("searchbox")).toHaveFocus();
  await type("RIT");
  // Nothing is selected yet: Enter neither loads nor searches.
  await press("Enter");
  await expectCount(savedDialog().getByRole("radio"), 1);
  await press("Tab");
  await expect.element(choice("Rita")).toHaveFocus();
  await press("Space");
  await press("Tab");
  await expect.element(savedDialog().getByRole("button", { name: "Edit Rita", exact: true })).toHaveFocus();
  await press("Enter");
  const editing = page.getByRole("dialog", { name: "Edit Saved Search", exact: true });
  await expect.element(editing.getByRole("textbox", { name: "Name" })).toHaveFocus();
  await press("End");
  await type(" 2005");
  await press("Enter");
  await expect.element(editing).not.toBeInTheDocument();
  await expect.element(choice("Rita 2005")).toBeChecked();
  await expect.element(savedDialog().getByRole("button", { name: "Edit Rita 2005", exact: true })).toHaveFocus();
  for (const name of ["Share Rita 2005", "Create alert for Rita 2005", "Delete", "Cancel", "Load"]) {
    await press("Tab");
    await expect.element(inDialog(name)).toHaveFocus();
  }
  await press("Enter");
  await expect.element(savedDialog()).not.toBeInTheDocument();
  await expect.element(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Katrina");
  await expect.element(savedButton()).toHaveFocus();
});
