import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectTexts } from "#testing/assertions.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectRows, openForm, searchButton, storms } from "#testing/datasets-screen.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { searchLink } from "#testing/results.ts";
import { prepareNextSteps, button } from "#testing/next-steps.ts";

beforeEach(prepareNextSteps);

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

it("a value in another case is offered where nothing matches", async () => {
  const [category, dataset] = storms;
  await openScreen(searchLink({ category, dataset, filters: [["name", "=", "katrina"]] }));
  await expect.element(page.getByText("Nothing matches this filter:")).toBeVisible();
  await button("Search name = Katrina").click();
  await expectRows("storm-tracks");
  expect(gateway.received(search.run).at(-1)?.body.filters).toEqual([{ name: "name", value: "Katrina", operator: "=" }]);
});

it("offers every filter of a search without rows for removal that its dataset does not require, which searches again", async () => {
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
  await expectTexts(filters.getByRole("listitem"), ["name = Katrina", "wind >= 1000Remove"]);
  await expectAccessible();
  await button("Remove wind >= 1000").click();
  await expectRows("storm-tracks");
  expect(gateway.received(search.run).at(-1)?.body.filters).toEqual([{ name: "name", value: "Katrina", operator: "=" }]);
});
