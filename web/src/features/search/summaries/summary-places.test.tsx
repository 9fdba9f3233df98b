import { boards } from "@fairway/contract/boards";
import { breakdowns } from "@fairway/contract/breakdowns";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { boardOf, inPanel, katrina, openBoard, storms } from "#testing/board-panels.ts";
import { days, graphMenu, graphsLink } from "#testing/graphs.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { act, searches } from "#testing/results.ts";
import { breakdownRequests, serveSummaries } from "#testing/summaries.ts";
import { breakdown, button, card, stored, title } from "#testing/summary-places.ts";

beforeEach(() => {
  skipPauses(400);
  serveSummaries();
});

it("[GRAPH-29][RESULT-44] draws removed summaries again on the rows of now, from the toast and from the empty tab", async () => {
  await openScreen(graphsLink(days, { filters: [["name", "=", "Katrina"]], graphs: [{ breakdown }] }));
  await expect.element(card().getByRole("table")).toBeVisible();
  await button("Remove filter Storm name").click();
  await expect.element(page.getByText("No graphs yet")).toBeVisible();
  await expect.element(page.getByText("Filter removed, with 1 graph")).toBeVisible();
  await page.getByRole("status").getByRole("button", { name: "Draw again" }).click();
  await expect.element(card().getByRole("table")).toBeVisible();
  expect(breakdownRequests().map(({ search }) => search.filters)).toEqual([[{ name: "name", operator: "=", value: "Katrina" }], []]);

  await act("Rerun Search");
  await expect.element(card()).not.toBeInTheDocument();
  await page.getByRole("main").getByRole("button", { name: "Draw again" }).click();
  await expect.element(card().getByRole("table")).toBeVisible();
  await expect.element(page.getByText("No graphs yet")).not.toBeInTheDocument();
  expect(breakdownRequests()).toHaveLength(3);
});

it("adds a summary to a board, whose panel draws it and opens the rows of a group", async () => {
  gateway.answer(boards.list, [{ ...boardOf() }]);
  gateway.answer(boards.addPanel, { panelId: "added", version: 2 });
  await openScreen(graphsLink(days, { graphs: [{ breakdown }] }));
  gateway.answer(boards.read, boardOf());
  await graphMenu(title, "Add to board");
  await page.getByRole("dialog", { name: "Add to Board" }).getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "Season" })).toBeVisible();
  const panel = gateway.received(boards.addPanel)[0]?.body.panel;
  expect(panel).toMatchObject({ kind: "graph", title, dataset: storms, graph: stored });

  await openBoard({ id: "a", kind: "graph", title: "Storms", dataset: storms, query: katrina, graph: stored, place: inPanel(0, 8) });
  const group = card("Storms").getByRole("button", { name: /^Katrina, # Occurences/ });
  await expect.element(group).toBeVisible();
  expect(breakdownRequests().at(-1)).toMatchObject({ ...breakdown, search: katrina });
  await group.click();
  await page.getByRole("menuitem", { name: /^Show \d+ rows$/ }).click();
  await expect.poll(() => searches().at(-1)?.filters).toHaveLength(2);
});

it("shows the statements to administrators", async () => {
  gateway.answer(breakdowns.explain, { statements: [{ sql: "select count(*) from 'Tropical weather/storm-tracks'", engine: "DuckDB" }] });
  await openScreen(graphsLink(days, { graphs: [{ breakdown }] }), { roles: ["admin"] });
  await card().getByText("How this was computed").click();
  await expect.element(card().getByText("select count(*) from 'Tropical weather/storm-tracks'")).toBeVisible();
});
