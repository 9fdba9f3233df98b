import { columnValues } from "@fairway/contract/column-values";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectRows, searchButton, serveSearchForms } from "#testing/datasets-screen.ts";
import { press, type } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { openSaved, savedDialog } from "#testing/saved-dialog.ts";
import { buildSavedSearch, serveSavedSearches } from "#testing/saved-searches.ts";

const computed = [{ name: "twice", expression: "wind * 2" }];
const filters = [
  { name: "name", operator: "=", value: "Katrina" },
  { name: "twice", operator: ">=", value: 200 },
];

beforeEach(() => {
  serveSearchForms();
  skipPauses(250);
});

async function loadFast(): Promise<void> {
  serveSavedSearches([buildSavedSearch("Fast", JSON.stringify({ filters, computed }))]);
  await openSaved();
  await savedDialog().getByRole("radio", { name: "Fast" }).click();
  await savedDialog().getByRole("button", { name: "Load", exact: true }).click();
  await expect.element(savedDialog()).not.toBeInTheDocument();
}

const status = () => page.getByRole("status").filter({ hasText: "From the saved search Fast" });

it("a loaded search keeps its computed columns and the filters on them, which every call of the form carries", async () => {
  await loadFast();
  await expect.element(status()).toBeVisible();
  await expect.element(status()).not.toHaveTextContent("Left out");
  await expect.element(page.getByRole("textbox", { name: "twice" })).toHaveValue("200");
  await expect.poll(() => gateway.received(search.rowCount).at(-1)?.body).toEqual({ filters, computed });
  await type("status = hur", page.getByRole("combobox", { name: "Type a filter", exact: true }));
  await expect.poll(() => gateway.received(columnValues.suggest).at(-1)?.body).toEqual({ contains: "hur", search: { filters, computed } });
  await page.getByRole("combobox", { name: "Type a filter", exact: true }).fill("");
  await press("Escape");
  await searchButton().click();
  await expectRows("storm-tracks");
  expect(gateway.received(search.run).at(-1)?.body).toMatchObject({ filters, computed });
});

it("detached from the saved search, the form keeps the columns that its filters name", async () => {
  await loadFast();
  await page.getByRole("button", { name: "Detach from Fast" }).click();
  await expect.element(status()).not.toBeInTheDocument();
  await expect.element(page.getByRole("textbox", { name: "twice" })).toHaveValue("200");
  await searchButton().click();
  await expectRows("storm-tracks");
  expect(gateway.received(search.run).at(-1)?.body).toMatchObject({ filters, computed });
});
