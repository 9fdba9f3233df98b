import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { copied, focus, press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { cell, grid, header, katrina, openResults, unemployment } from "#testing/results.ts";

beforeEach(() => serveDatasets(gateway));

it("has a single tab stop in the table, navigates its cells by arrow keys, opens the row details with Enter and returns with Escape; gives assistive technology the number of all rows, including the header", async () => {
  await openResults(katrina);
  expect(grid().element().querySelectorAll("[tabindex='0']")).toHaveLength(1);
  await expect.element(grid()).toHaveAttribute("aria-rowcount", "69");
  await expect.element(grid().getByRole("row").nth(1)).toHaveAttribute("aria-rowindex", "2");
  await focus(header("storm_id"));
  await press("ArrowDown");
  await expect.element(cell(1, "storm_id")).toHaveFocus();
  await press("ArrowRight");
  await expect.element(cell(1, "name")).toHaveFocus();
  await press("End");
  await expect.element(cell(1, "track file")).toHaveFocus();
  await expect.element(cell(1, "track file")).toBeInViewport();
  await press("Control+End");
  await expect.element(cell(25, "track file")).toHaveFocus();
  await expect.element(cell(25, "track file")).toBeInViewport();
  await press("Control+Home");
  await expect.element(cell(1, "storm_id")).toHaveFocus();
  await press("PageDown");
  await expect.poll(() => Number((document.activeElement as HTMLElement).dataset["row"])).toBeGreaterThan(10);
  await press("Control+ArrowUp");
  await expect.element(cell(1, "storm_id")).toHaveFocus();
  await press("ArrowUp");
  await expect.element(header("storm_id")).toHaveFocus();
  await press("ArrowDown");
  await press("ArrowDown");
  await press("Control+c");
  await expect.poll(copied).toBe("2005-06");
  await press("Enter");
  const details = page.getByRole("region", { name: "Row details" });
  await expect.element(details.getByRole("heading", { name: "Katrina" })).toHaveFocus();
  await press("ArrowDown");
  await expect.element(details.getByText("Row 3 of 25 loaded")).toBeVisible();
  await press("Escape");
  await expect.element(details).not.toBeInTheDocument();
  await expect.element(cell(3, "storm_id")).toHaveFocus();

  // Without a count.
  await openResults(unemployment);
  await expect.element(grid()).toHaveAttribute("aria-rowcount", "-1");
});
