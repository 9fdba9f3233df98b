import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { expectForm, openForm, searchButton, storms } from "#testing/datasets-screen.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { searchLink } from "#testing/results.ts";
import { prepareNextSteps, button } from "#testing/next-steps.ts";

beforeEach(prepareNextSteps);

it("missing parts of a search are a button away: it opens the time range or the area, or leads to the field", async () => {
  await openForm(storms);
  await expect.element(searchButton()).toBeDisabled();
  await button("Add Storm name").click();
  await expect.element(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveFocus();
  await button("Add an area").click();
  await expect.element(page.getByRole("dialog", { name: "Select Area" })).toBeVisible();
  await press("Escape");
  await button("Add a time range").click();
  const dialog = page.getByRole("dialog", { name: "Select Date and Time Range" });
  await dialog.getByRole("button", { name: "All data" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect.element(searchButton()).toBeEnabled();
  await expect.element(button("Add a time range")).not.toBeInTheDocument();
});

it("the number of rows stands beside Search as filters change, describes it, and is left out if it fails", async () => {
  await openForm(storms);
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Katrina");
  await expect.element(searchButton()).toHaveAccessibleDescription(/^\d+ rows$/);
  expect(gateway.received(search.rowCount).at(-1)?.body).toEqual({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Nobody");
  await expect.element(searchButton()).toHaveAccessibleDescription("No rows");
  gateway.refuse(search.rowCount, "internal", "The query failed.");
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Wilma");
  await expect.poll(() => gateway.received(search.rowCount).at(-1)?.body.filters[0]?.value).toBe("Wilma");
  await expect.element(searchButton()).toHaveAccessibleDescription("");
  await expect.element(searchButton()).toBeEnabled();
});

it("rows that no area finds because their coordinates are no place are counted and named with the results", async () => {
  gateway.answer(search.rowCount, ({ body }) => ({ rows: 12, ...(body.geospatial ? { outOfRange: 3 } : {}) }));
  const [category, dataset] = storms;
  await openScreen(searchLink({ category, dataset, filters: [["wind", ">=", 30]], area: ["-160 20, -150 20, -150 30, -160 20"] }));
  await expect
    .element(page.getByRole("note").filter({ hasText: "out of range" }))
    .toHaveTextContent("3 rows are in no area: coordinates out of range");
});

it("a link that lacks a required filter opens the form, filled, with its hint", async () => {
  const [category, dataset] = storms;
  await openScreen(searchLink({ category, dataset, filters: [["wind", ">=", "100"]] }));
  await expectForm(storms);
  await expect.element(page.getByRole("textbox", { name: "Wind at least", exact: true })).toHaveValue("100");
  await expectText(page.getByText(/^To perform a search/), /^To perform a search, you must add one of the following filters: /);
  expect(gateway.received(search.run)).toEqual([]);
});
