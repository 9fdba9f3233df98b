import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { cell, grid, katrina, openResults, searches } from "#testing/results.ts";

const pages = () => searches().map(({ paging }) => paging);
const wheel = (y: number) => userEvent.wheel(grid(), { delta: { y } });
const loaded = (text: string) => page.getByText(text, { exact: true });

beforeEach(async () => {
  await page.viewport(1440, 700);
});

it("does not load rows when the page itself scrolls, and goes on by keys from the last row", async () => {
  await openResults(katrina);
  await expect.element(loaded("25 of 68 rows")).toBeVisible();
  await press("ArrowDown", grid().css("[role=columnheader][tabindex='0']"));
  await press("Control+ArrowDown");
  await expect.element(cell(25, "storm_id")).toHaveFocus();
  expect(pages()).toHaveLength(1);
  await press("ArrowDown");
  await expect.element(loaded("50 of 68 rows")).toBeVisible();
  await expect.element(cell(25, "storm_id")).toHaveFocus();
});

it("stops after a failed page until Retry", async () => {
  await openResults(katrina);
  await expect.element(loaded("25 of 68 rows")).toBeVisible();
  gateway.refuse(search.run, "engine-busy", "Every engine slot is taken.", { times: 1 });
  await wheel(5_000);
  const alert = page.getByRole("alert").filter({ hasText: "Error getting search results." });
  await expect.element(alert).toBeVisible();
  await wheel(5_000);
  await wheel(-100);
  await wheel(5_000);
  expect(pages()).toHaveLength(2);
  await alert.getByRole("button", { name: "Retry" }).click();
  await expect.element(loaded("50 of 68 rows")).toBeVisible();
  expect(pages().at(-1)).toEqual({ offset: 25, max: 25 });
});

it("loads up to 1,000 rows with one request", async () => {
  await openResults(katrina);
  await page.getByRole("button", { name: "Load More" }).click();
  await expect.element(loaded("50 of 68 rows")).toBeVisible();
  // Load More brings all that is left.
  await expect.element(page.getByRole("button", { name: "Load 1,000" })).not.toBeInTheDocument();
  gateway.answer(search.aggregate, { totalResults: 3_000 });
  await openResults(katrina);
  await expect.element(loaded("25 of 3,000 rows")).toBeVisible();
  await page.getByRole("button", { name: "Load 1,000" }).click();
  await expect.poll(() => pages().at(-1)).toEqual({ offset: 25, max: 1_000 });
  await expect.element(page.getByText("no more results to load")).toBeVisible();
});
