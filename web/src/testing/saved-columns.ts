import { expect } from "vitest";
import { page } from "vitest/browser";
import { openSaved, savedDialog } from "#testing/saved-dialog.ts";
import { buildSavedSearch, serveSavedSearches } from "#testing/saved-searches.ts";

export const computed = [{ name: "twice", expression: "wind * 2" }];

export const filters = [
  { name: "name", operator: "=", value: "Katrina" },
  { name: "twice", operator: ">=", value: 200 },
];

export async function loadFast(): Promise<void> {
  serveSavedSearches([buildSavedSearch("Fast", JSON.stringify({ filters, computed }))]);
  await openSaved();
  await savedDialog().getByRole("radio", { name: "Fast" }).click();
  await savedDialog().getByRole("button", { name: "Load", exact: true }).click();
  await expect.element(savedDialog()).not.toBeInTheDocument();
}

export const status = () => page.getByRole("status").filter({ hasText: "From the saved search Fast" });
