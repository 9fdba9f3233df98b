import { alerts } from "@fairway/contract/alerts";
import { breakdowns } from "@fairway/contract/breakdowns";
import { exports } from "@fairway/contract/exports";
import { graphTemplates } from "@fairway/contract/graph-templates";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { serveAlerts } from "#testing/alerts.ts";
import { done } from "#testing/exports-screen.ts";
import { days, graphMenu, graphsLink } from "#testing/graphs.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { serveGraphTemplates, serveSavedSearches } from "#testing/saved-searches.ts";
import { breakdownRequests, serveSummaries } from "#testing/summaries.ts";
import { breakdown, button, card, stored, title } from "#testing/summary-places.ts";

beforeEach(() => {
  skipPauses(400);
  serveSummaries();
});

it("saves a summary as a template of version 2, and loads one", async () => {
  serveGraphTemplates();
  await openScreen(graphsLink(days, { graphs: [{ breakdown }] }));
  await graphMenu(title, "Save as template");
  const dialog = page.getByRole("dialog", { name: "Save graph template" });
  await expect.element(dialog.getByRole("textbox", { name: "Name" })).toHaveValue(title);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  const [saved] = gateway.received(graphTemplates.create).map(({ body }) => body);
  expect(JSON.parse(saved?.templateJson ?? "")).toEqual(stored);

  await openScreen(graphsLink(days));
  await button("Load a template").click();
  await page.getByRole("radio", { name: title }).click();
  await button("Load").click();
  await expect.element(card().getByRole("table")).toBeVisible();
});

it("makes an alert on the groups of a summary's measure", async () => {
  serveAlerts([]);
  serveSavedSearches();
  const average = { measures: [{ aggregation: "avg", column: "wind" }], by: [{ kind: "value", column: "name" }] };
  await openScreen(graphsLink(days, { graphs: [{ title: "Winds", breakdown: average }] }));
  await graphMenu("Winds", "Alert on this measure");
  const dialog = page.getByRole("dialog", { name: "New Alert" });
  await expect.element(dialog.getByRole("textbox", { name: "Figure" })).toHaveValue("Average of wind");
  await expect.element(dialog.getByRole("textbox", { name: "Of each value of" })).toHaveValue("name");
  await expect.element(dialog.getByText(/^This search has a fixed time range, so rows after its end are not watched\./)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Limit" }).fill("60");
  await expect.element(dialog.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Average of wind by name over 60");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => gateway.received(alerts.create).map(({ body }) => body.condition))
    .toEqual([{ kind: "groups", by: "name", measure: { aggregation: "avg", column: "wind" }, operator: ">", value: 60 }]);
});

it("exports the table of a summary with the groups shown, or with all in their order", async () => {
  const named = ["Katrina", "Rita"].map((value) => ({ kind: "value" as const, value, narrow: null }));
  gateway.answer(breakdowns.run, {
    by: [
      {
        id: "name",
        kind: "value",
        column: "name",
        type: "STRING",
        found: 30,
        failing: { groups: 0, rows: 0 },
        entries: [...named, { kind: "other", count: 28, narrow: null }],
      },
    ],
    measures: [{ id: "count(*)", unit: null, type: "integer", isEstimate: false }],
    cells: [9, 8, 70].map((rows, at) => ({ at: [at], values: [rows] })),
    totals: { all: { values: [87] }, axes: [] },
    rows: 87,
    compare: null,
    isCut: false,
    engine: "DuckDB",
    zoneData: "2025b",
    computedMs: 1_764_244_931_000,
    durationMs: 64,
  });
  gateway.answer(exports.startBreakdown, { exportId: "export-1" });
  gateway.answer(exports.state, done);
  const by = [{ kind: "value" as const, column: "name", top: { count: 2, direction: "asc" as const, by: "count(*)", other: true } }];
  await openScreen(graphsLink(days, { graphs: [{ breakdown: { ...breakdown, by } }] }));
  await expect.element(card().getByRole("table")).toBeVisible();
  await graphMenu(title, "Export table");
  const dialog = page.getByRole("dialog", { name: "Export Table" });
  await expect.element(dialog.getByRole("radio", { name: "The 2 names shown" })).toBeChecked();
  await expect.element(dialog.getByText("All other rows are one group, Other (28).")).toBeVisible();
  await dialog.getByRole("button", { name: "Start Export" }).click();
  await dialog.getByRole("button", { name: "New Export" }).click();
  await dialog.getByText("All 30 names", { exact: true }).click();
  await dialog.getByRole("button", { name: "Start Export" }).click();
  await expect.element(dialog.getByRole("link", { name: "Download" })).toBeVisible();
  const [shown, all] = gateway.received(exports.startBreakdown).map(({ body }) => body);
  expect(shown).toMatchObject({ format: "csv", breakdown: { ...breakdown, by, search: { filters: [] } } });
  expect(all?.breakdown.by).toEqual([{ kind: "value", column: "name", sort: { by: "count(*)", direction: "asc" } }]);
});

it("refuses a value in a condition of a measure while it is typed", async () => {
  await openScreen(graphsLink(days, { graphs: [{ breakdown }] }));
  await graphMenu(title, "Edit graph");
  const editor = page.getByRole("form", { name: "Edit summary" });
  await editor.getByRole("button", { name: "Condition of measure 1" }).click();
  const condition = editor.getByRole("textbox", { name: "Only rows of measure 1" });
  await expect.element(condition).toHaveAttribute("placeholder", "wind >= 15");
  await condition.fill("wind >= strong");
  await expect.element(editor.getByText("'strong' is not a whole number.")).toBeVisible();
  await condition.fill("wind >= 64 kt");
  const where = [{ name: "wind", operator: ">=", value: 64 }];
  await expect.poll(() => breakdownRequests().at(-1)?.measures).toMatchObject([{ aggregation: "count", where }]);
  expect(JSON.stringify(breakdownRequests())).not.toContain("strong");
});

it("says how a summary was computed and when, and computes it again", async () => {
  await openScreen(graphsLink(days, { graphs: [{ breakdown }] }));
  await card().getByText("How this was computed").click();
  await expect.element(card().getByText("DuckDB", { exact: true })).toBeVisible();
  await expect.element(card().getByText(/UTC, in 64 ms$/)).toBeVisible();
  await card().getByRole("button", { name: "Refresh", exact: true }).click();
  await expect.poll(() => breakdownRequests().map(({ fresh = false }) => fresh)).toEqual([false, true]);
  expect(gateway.received(breakdowns.explain)).toEqual([]);
});
