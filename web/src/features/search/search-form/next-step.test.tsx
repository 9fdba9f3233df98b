import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText, expectTexts } from "#testing/assertions.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectForm, expectRows, openForm, searchButton, storms } from "#testing/datasets-screen.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { alterRows, searchLink } from "#testing/results.ts";

beforeEach(() => {
  alterRows((rows) => rows.slice(0, 2));
  // Before rows are counted.
  skipPauses(500);
});

const button = (name: string) => page.getByRole("button", { name, exact: true });

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

it("on a phone, what is missing scrolls with the form, and the footer only has its buttons", async () => {
  await page.viewport(390, 844);
  await openForm(storms);
  await expect.element(searchButton()).toHaveAccessibleDescription(/^To perform a search, you must add one of the following filters:/);
  await expect.element(button("Add a time range")).toBeVisible();
  const footer = searchButton().element().closest("footer");
  expect(footer?.getBoundingClientRect().height).toBeLessThan(80);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await button("Add Storm name").click();
  await expect.element(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveFocus();
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

it("Clear filters empties the form", async () => {
  await openForm(storms);
  await expect.element(button("Clear filters")).not.toBeInTheDocument();
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Katrina");
  await page.getByRole("button", { name: "Newest week", exact: true }).click();
  await button("Clear filters").click();
  await expect.element(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("");
  await expect.element(page.getByRole("button", { name: "Time range: Any time" })).toBeVisible();
  await expect.element(searchButton()).toBeDisabled();
});

it("a link that lacks a required filter opens the form, filled, with its hint", async () => {
  const [category, dataset] = storms;
  await openScreen(searchLink({ category, dataset, filters: [["wind", ">=", "100"]] }));
  await expectForm(storms);
  await expect.element(page.getByRole("textbox", { name: "Wind at least", exact: true })).toHaveValue("100");
  await expectText(page.getByText(/^To perform a search/), /^To perform a search, you must add one of the following filters: /);
  expect(gateway.received(search.run)).toEqual([]);
});

it("a value in another case is offered where nothing matches", async () => {
  const [category, dataset] = storms;
  await openScreen(searchLink({ category, dataset, filters: [["name", "=", "katrina"]] }));
  await expect.element(page.getByText("Nothing matches this filter:")).toBeVisible();
  await button("Search name = Katrina").click();
  await expectRows("storm-tracks");
  expect(gateway.received(search.run).at(-1)?.body.filters).toEqual([{ name: "name", value: "Katrina", operator: "=" }]);
});

it("offers every filter of a search without rows for removal, which searches again", async () => {
  const [category, dataset] = storms;
  await openScreen(
    searchLink({
      category,
      dataset,
      filters: [
        ["name", "=", "Katrina"],
        ["wind", ">=", "1000"],
      ],
    }),
  );
  await expect.element(page.getByText("Nothing matches all of these filters:")).toBeVisible();
  const filters = page.getByRole("list", { name: "Filters of this search" });
  await expectTexts(filters.getByRole("listitem"), ["name = KatrinaRemove", "wind >= 1000Remove"]);
  await expectAccessible();
  await button("Remove wind >= 1000").click();
  await expectRows("storm-tracks");
  expect(gateway.received(search.run).at(-1)?.body.filters).toEqual([{ name: "name", value: "Katrina", operator: "=" }]);
});
