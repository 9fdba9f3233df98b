import type { BreakdownEntry } from "@fairway/contract/breakdowns";
import { breakdowns } from "@fairway/contract/breakdowns";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { days, graphsLink } from "#testing/graphs.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { clickQuickly, setField } from "#testing/quick-fields.ts";
import { serveSummaries } from "#testing/summaries.ts";

const most = 1_000;
const nameOf = (index: number): string => `S${String(index + 1).padStart(4, "0")}`;

/** As many groups as an answer lists, the last ones alone with a long figure. */
function serveManyGroups(): void {
  const named = Array.from({ length: most }, (_, index): BreakdownEntry => ({ kind: "value", value: nameOf(index), narrow: null }));
  const entries: BreakdownEntry[] = [...named, { kind: "other", count: 27_412, narrow: null }, { kind: "empty", narrow: null }];
  gateway.answer(breakdowns.run, {
    by: [{ id: "name", kind: "value", column: "name", type: "STRING", found: 28_412, failing: { groups: 0, rows: 0 }, entries }],
    measures: [{ id: "count(*)", unit: null, type: "integer", isEstimate: false }],
    cells: entries.map((_, index) => ({ at: [index], values: [index < most - 1 ? most - index : 1_234_567_890] })),
    totals: { all: { values: [3_000_000] }, axes: [] },
    rows: 3_000_000,
    compare: null,
    isCut: true,
    engine: "DuckDB",
    zoneData: "2025b",
    computedMs: 1_764_244_931_000,
    durationMs: 64,
  });
}

const card = () => page.getByRole("region", { name: "Storms", exact: true });
const table = () => card().getByRole("table");
const group = (name: string) => card().getByRole("button", { name: new RegExp(`^${name.replace(/[()]/g, "\\$&")},`) });
const hasFocus = (name: string) => expect.element(group(name)).toHaveFocus();

/** Whether the row of a group is in the part of the table that scrolls: below the head, above what is pinned. */
function expectInView(name: string): void {
  const { top, bottom } = group(name).element().getBoundingClientRect();
  const [head, foot] = ["thead tr", "tfoot"].map((part) => table().element().querySelector(part)?.getBoundingClientRect());
  expect([top >= (head?.bottom ?? 0) - 1, bottom <= (foot?.top ?? 0) + 1]).toEqual([true, true]);
}

it("holds the groups in view of a thousand, with head, Other, Empty and all rows beside them", async () => {
  skipPauses(400);
  serveSummaries();
  serveManyGroups();
  const breakdown = { measures: [{ aggregation: "count", column: "*" }], by: [{ kind: "value", column: "name" }] };
  await openScreen(graphsLink(days, { graphs: [{ title: "Storms", breakdown }] }));
  await expect.element(group(nameOf(0))).toBeVisible();
  await expect.element(table()).toHaveAttribute("aria-rowcount", "1004");
  await expect.element(card()).toHaveTextContent("1,000 of 28,412 names");
  await expect.element(card().getByRole("button", { name: "Export table", exact: true })).toBeVisible();
  await expect.element(card()).toHaveTextContent("The first 50 of 1,002 groups have a bar; the table has all.");
  const inDocument = () => table().element().querySelectorAll("tbody [data-group]").length;
  expect(inDocument()).toBeLessThan(80);
  const pinned = () => [...table().element().querySelectorAll("tfoot tr")].map((row) => row.querySelector("th")?.textContent);
  expect(pinned()).toEqual(["Other (27,412)", "Empty", "All rows"]);

  const width = () => [...table().element().querySelectorAll("thead th")].map((head) => Math.round(head.getBoundingClientRect().width));
  const widths = width();
  group(nameOf(0)).element().focus();
  await press("PageDown");
  await hasFocus(nameOf(10));
  await press("End");
  await hasFocus("Empty");
  await press("ArrowUp");
  await press("ArrowUp");
  await hasFocus(nameOf(most - 1));
  await expect.poll(() => group(nameOf(most - 2)).elements()).toHaveLength(1);
  expectInView(nameOf(most - 1));
  expect(width()).toEqual(widths);
  expect(inDocument()).toBeLessThan(80);

  // The highest figure first, then back to the names.
  await clickQuickly(card().getByRole("button", { name: "# Occurences", exact: true }));
  await clickQuickly(card().getByRole("button", { name: "# Occurences", exact: true }));
  await expect.element(card()).toHaveTextContent("Only the 1,000 groups shown are sorted; 27,412 others are not in the list.");
  await press("Home");
  await clickQuickly(card().getByRole("button", { name: "name", exact: true }));
  await expect.element(group(nameOf(0))).toBeVisible();
  await expect.element(card()).not.toHaveTextContent("groups shown are sorted");
  expect(pinned()).toEqual(["Other (27,412)", "Empty", "All rows"]);
  await setField(card().getByRole("textbox", { name: "Find in Storms" }), "s0500");
  await expect.poll(() => inDocument()).toBe(1);
  expectInView(nameOf(499));
});
