import { columnValues } from "@fairway/contract/column-values";
import { search } from "@fairway/contract/search";
import { expect, it } from "vitest";
import { type Locator, page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { isWithinWindow } from "#testing/assertions.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { act, cell, fewRows, grid, header, katrina, openResults, searchLink } from "#testing/results.ts";

const details = () => page.getByRole("region", { name: "Row details" });
const columns = () => page.getByRole("region", { name: "Columns", exact: true });
const inDialogs = { within: ["[role=dialog]"] };

it("has no axe violations in the table, its details, its columns, its dialogs and its menu, in both themes", async () => {
  const top = [{ value: "Katrina", rows: 4 }];
  gateway.answer(columnValues.profile, { rows: 4, empty: 0, distinct: 1, min: "Katrina", max: "Katrina", top, histogram: [] });
  await openResults(fewRows);
  await expect.element(page.getByText(/^1 – \d of \d results$/)).toBeVisible();
  await cell(1, "name").click();
  await expect.element(details()).toBeVisible();
  await expectAccessible();
  await act("Show Column Visibility");
  await expect.element(columns()).toBeVisible();
  await expectAccessible({ within: ["main"] });
  await act("Export Current Results");
  await expect.element(page.getByRole("dialog").getByRole("button", { name: "CSV", exact: true })).toBeVisible();
  await expectAccessible(inDialogs);
  await press("Escape");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await act("Explore Dataset Schema");
  await expect.element(page.getByRole("dialog").getByRole("rowheader").first()).toBeVisible();
  await expectAccessible(inDialogs);
  await press("Escape");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await cell(1, "name").hover();
  await header("name").getByRole("button", { name: "name column menu" }).click();
  await page.getByRole("menuitem", { name: "Summary of name" }).click();
  await page.getByRole("dialog", { name: "Summary of name" }).getByText("All rows", { exact: true }).click();
  await expect.element(page.getByRole("dialog").getByRole("button", { name: "Leave out name Katrina" })).toBeVisible();
  await expectAccessible(inDialogs);
  await press("Escape");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: "Rerun Search" })).toBeVisible();
  await expectAccessible({ within: ["[role=menu]"] });
});

it("has no axe violations in the raw view and with an error, in both themes", async () => {
  await openResults(fewRows);
  await page.getByText("Raw", { exact: true }).click();
  await expect.element(page.getByRole("treegrid", { name: "Raw results" })).toBeVisible();
  await expectAccessible({ within: ["main"] });
  gateway.refuse(search.run, "engine-busy", "Every engine slot is taken.", { times: 1 });
  await openScreen(searchLink(fewRows));
  await expect.element(page.getByText("Error getting search results.")).toBeVisible();
  await expectAccessible({ within: ["main"] });
});

it("can be read, paged, arranged and exported on a phone without horizontal scrolling", async () => {
  await page.viewport(390, 844);
  const expectFit = () => expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  const isShown = (locator: ReturnType<typeof details>) => expect.poll(() => isWithinWindow(locator)).toBe(true);
  await openResults(katrina);
  await isShown(page.getByRole("heading", { level: 1, name: "storm-tracks" }));
  await isShown(page.getByText("1 – 25 of 68 results", { exact: true }));
  await expectFit();
  await page.getByRole("button", { name: "Load More" }).click();
  await expect.element(page.getByText("1 – 50 of 68 results", { exact: true })).toBeVisible();

  await cell(1, "name").click();
  await isShown(details().getByRole("heading", { name: "Katrina" }));
  await details().getByRole("button", { name: "Next row" }).click();
  await isShown(details().getByText("Row 2 of 50 loaded"));
  await details().getByRole("button", { name: "Close row details" }).click();
  await expect.element(details()).not.toBeInTheDocument();

  await act("Show Column Visibility");
  await columns().getByRole("checkbox", { name: "name", exact: true }).click();
  await isShown(columns().getByText("17 columns, 1 hidden"));
  await columns().getByRole("button", { name: "Close columns" }).click();
  await expect.element(columns()).not.toBeInTheDocument();
  await expect.element(cell(1, "name")).not.toBeInTheDocument();
  await expect.element(grid()).toBeVisible();

  await page.getByText("Raw", { exact: true }).click();
  await expect.element(page.getByRole("treegrid", { name: "Raw results" })).toBeVisible();
  await expectFit();
  await act("Export Current Results");
  await isShown(page.getByRole("dialog").getByRole("button", { name: "JSON", exact: true }));
  await expectFit();
});

it("keeps find and the typed filter behind buttons on a phone until they are used, and reaches every filter by scrolling", async () => {
  await page.viewport(390, 844);
  await openResults(fewRows);
  const find = page.getByRole("textbox", { name: "Find in loaded rows" });
  const bar = page.getByRole("combobox", { name: "Type a filter", exact: true });
  const widthOf = (locator: Locator) => Math.round(locator.element().getBoundingClientRect().width);
  const switchTop = () => page.getByRole("radiogroup", { name: "View" }).element().getBoundingClientRect().top;
  await expect.poll(() => [find, bar].map(widthOf)).toEqual([expect.closeTo(40, -1), 40]);
  // Parts that come late, such as the count, move the switch.
  await expect.element(page.getByText(/^1 – \d of \d results$/)).toBeVisible();
  const top = switchTop();
  await find.click();
  await expect.poll(() => widthOf(find)).toBeGreaterThan(250);
  await expect.poll(switchTop).toBeGreaterThan(top);
  await find.fill("x");
  await expect.element(page.getByRole("search").getByText("no match", { exact: true })).toBeVisible();
  await bar.click();
  await expect.poll(() => widthOf(bar)).toBeGreaterThan(300);
  await expect.poll(() => widthOf(find)).toBeGreaterThan(100);
  await find.fill("");
  await focus(page.getByRole("button", { name: "Actions", exact: true }));
  await expect.poll(switchTop).toBe(top);
  const last = page.getByRole("button", { name: "Add filter", exact: true });
  last.element().scrollIntoView({ behavior: "instant" });
  await expect.poll(() => isWithinWindow(last)).toBe(true);
  await expectAccessible({ within: ["main"] });
});
