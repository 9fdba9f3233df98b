import { exports } from "@fairway/contract/exports";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { done } from "#testing/exports-screen.ts";
import { days, graphMenu, graphsLink } from "#testing/graphs.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { clickQuickly, setField } from "#testing/quick-fields.ts";
import { act, grid, searches } from "#testing/results.ts";
import { breakdownRequests, serveSummaries } from "#testing/summaries.ts";

const dialog = () => page.getByRole("dialog", { name: "Summaries of storm-tracks", exact: true });
const title = "# Occurences by name";
const card = () => dialog().getByRole("region", { name: title, exact: true });
const breakdown = {
  measures: [{ aggregation: "count", column: "*" }],
  by: [{ kind: "value", column: "name", top: { count: 5, other: true } }],
};

beforeEach(() => {
  skipPauses(400);
  serveSummaries({ hasNumbers: false });
});

it("[RESULT-04] draws summaries of a dataset without a graphs view in a dialog over its results, and opens the rows of a group", async () => {
  await openScreen(graphsLink(days));
  await expect.element(grid()).toBeVisible();
  await expect.element(dialog()).not.toBeInTheDocument();
  await clickQuickly(page.getByRole("button", { name: "name column menu" }));
  await clickQuickly(page.getByRole("menuitem", { name: "Summarize by name" }));
  await expect.element(card().getByRole("table")).toBeVisible();
  expect(breakdownRequests().at(-1)).toMatchObject({ measures: breakdown.measures, by: [{ kind: "value", column: "name" }] });
  const editor = page.getByRole("form", { name: "Edit summary" });
  await expect.element(editor.getByRole("radio", { name: "Groups by hand" })).toBeDisabled();
  await expect.element(dialog().getByRole("button", { name: "New graph" })).not.toBeInTheDocument();
  await setField(editor.getByLabelText("Title"), "Storms");
  await clickQuickly(editor.getByRole("button", { name: "Save graph", exact: true }));

  const storms = dialog().getByRole("region", { name: "Storms", exact: true });
  const group = storms.getByRole("button", { name: /^Katrina, # Occurences/ });
  group.element().focus();
  await press("Enter");
  await clickQuickly(page.getByRole("menuitem", { name: /^Show \d+ rows$/ }));
  await expect.poll(() => searches().at(-1)?.filters).toEqual([{ name: "name", operator: "=", value: "Katrina" }]);
  await expect.element(dialog()).not.toBeInTheDocument();
  history.back();
  await expect.element(storms).toBeVisible();
  await press("Escape");
  await expect.element(dialog()).not.toBeInTheDocument();
  await act("Summarize Results");
  await expect.element(storms.getByRole("table")).toBeVisible();
});

it("opens it from an address, exports its table, and closes with the last summary", async () => {
  gateway.answer(exports.startBreakdown, { exportId: "export-1" });
  gateway.answer(exports.state, done);
  await openScreen(graphsLink(days, { graphs: [{ breakdown }] }));
  await expect.element(card().getByRole("table")).toBeVisible();
  await graphMenu(title, "Export table");
  const exporting = page.getByRole("dialog", { name: "Export Table" });
  await clickQuickly(exporting.getByRole("button", { name: "Start Export" }));
  await expect.element(exporting.getByRole("link", { name: "Download" })).toBeVisible();
  await press("Escape");
  await expect.element(exporting).not.toBeInTheDocument();
  await graphMenu(title, "Remove graph");
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(grid()).toBeVisible();
  await clickQuickly(page.getByRole("button", { name: "Undo", exact: true }));
  await expect.element(card().getByRole("table")).toBeVisible();
});
