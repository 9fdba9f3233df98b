import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectForm, expectRows, flights, picker, searchButton, timeDialog, timeRange } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { press, type } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { grid } from "#testing/results.ts";

beforeEach(() => serveDatasets(gateway));

/** Presses Tab until a control with this name has the focus. */
async function tabTo(name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 40; presses += 1) {
    await press("Tab");
    const focused = (document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim();
    if (name.test(focused.replaceAll(/\s+/g, " "))) return;
    passed.push(focused);
  }
  throw new Error(`${String(name)} was not reached by Tab, only ${passed.join(" | ")}`);
}

it("finds a dataset, sets a time range and a filter, and searches with the keyboard only", async () => {
  await openScreen("/search");
  await expect.element(picker()).toBeVisible();
  await press("/");
  await type("flights");
  await press("Enter");
  await expectForm(flights);
  // Continue to the time range, which is set in a dialog.
  await tabTo(/^Time range/);
  await press("Enter");
  await expect.element(timeDialog().getByRole("textbox", { name: "Start" })).toHaveFocus();
  await type("2001-05-01 – 2001-05-02");
  await press("Enter");
  await expect.element(timeDialog()).not.toBeInTheDocument();
  await expect.element(timeRange()).toHaveFocus();
  await tabTo(/^Operator of Origin$/);
  await press("Tab");
  await expect.element(page.getByRole("textbox", { name: "Origin", exact: true })).toHaveFocus();
  await type("DEN");
  await tabTo(/^Search$/);
  await expect.element(searchButton()).toHaveFocus();
  await press("Enter");
  await expectRows("flights");
  await expect.element(page.getByRole("group", { name: "Filters applied" }).getByText("origin = DEN", { exact: true })).toBeVisible();
  // The table is a single tab stop.
  for (let presses = 0; presses < 40 && grid().query()?.contains(document.activeElement) !== true; presses += 1) await press("Tab");
  expect(grid().element().contains(document.activeElement)).toBe(true);
  await press("Tab");
  expect(grid().element().contains(document.activeElement)).toBe(false);
});
