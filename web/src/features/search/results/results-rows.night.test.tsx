import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { press } from "#testing/keyboard.ts";
import { act, cell, header, katrina, openResults, fewRows, searches } from "#testing/results.ts";
import { details } from "#testing/result-rows.ts";

beforeEach(async () => {
  // Columns out of view are not rendered; this viewport shows all of them.
  await page.viewport(2560, 700);
});

it("says how many columns are hidden, also without the filters, and shows them", async () => {
  await openResults(katrina);
  const show = page.getByRole("button", { name: "2 hidden Show" });
  await act("Show Column Visibility");
  await page.getByRole("checkbox", { name: "season", exact: true }).click();
  await page.getByRole("checkbox", { name: "wind", exact: true }).click();
  await expect.element(show).toBeVisible();
  await act("Hide Filters");
  await expect.element(show).toBeVisible();
  await act("Show Filters");
  await show.click();
  await expect.element(header("wind")).toBeInTheDocument();
  await expect.element(show).not.toBeInTheDocument();
});

it("has compact rows, which are remembered", async () => {
  const height = () => cell(2, "name").element().getBoundingClientRect().height;
  await openResults(katrina);
  const before = height();
  await page.getByRole("button", { name: "Compact rows" }).click();
  await expect.poll(height).toBe(before - 8);
  await openResults(katrina);
  await expect.poll(height).toBe(before - 8);
  const top = (row: number) => cell(row, "name").element().getBoundingClientRect().top;
  expect(top(3) - top(2)).toBe(24);
});

it("closes row details with Escape wherever the focus is, and opens a position from them", async () => {
  await openResults(katrina);
  await cell(1, "name").click();
  await expect.element(details()).toBeVisible();
  await press("Escape", page.getByRole("button", { name: "Actions", exact: true }));
  await expect.element(details()).not.toBeInTheDocument();
  await expect.element(cell(1, "position").getByRole("button", { name: /^Show .* on the map$/ })).toBeVisible();
  await cell(2, "name").click();
  await details()
    .getByRole("button", { name: /^Show .* on the map$/ })
    .click();
  await expect.element(page.getByRole("dialog", { name: "position" })).toBeVisible();
});

it("shows numbers with units first in row details and filters on the row's title", async () => {
  await openResults(fewRows);
  await cell(1, "name").click();
  await expect.element(details().css("dl").first().getByText("wind", { exact: true })).toBeVisible();
  await details().getByRole("button", { name: "Filter on this name" }).click();
  await expect.poll(() => searches().at(-1)?.filters).toContainEqual({ name: "name", operator: "=", value: "Katrina" });
});
