import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { days, graphsLink, graphMenu } from "#testing/graphs.ts";
import { copied } from "#testing/keyboard.ts";
import { openScreen } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { act } from "#testing/results.ts";
import { breakdownRequests, serveSummaries } from "#testing/summaries.ts";
import { saveSummary } from "./model/summary-store.ts";

const count = { aggregation: "count", column: "*" };
const byName = { measures: [count], by: [{ kind: "value", column: "name", top: { count: 5, other: true } }] };
const summary = (title: string) => page.getByRole("region", { name: title, exact: true });
const pathOf = (link: string) => link.slice(new URL(link).origin.length);

beforeEach(() => {
  skipPauses(400);
  serveSummaries();
});

it("opens the graphs of a link, and copies a link to one of them and to all", async () => {
  await openScreen(graphsLink(days, { graphs: [{ breakdown: byName }, { title: "All storms", breakdown: { measures: [count] } }] }));
  await expect.element(summary("# Occurences by name").getByRole("table")).toBeVisible();
  await expect.element(summary("All storms")).toBeVisible();
  expect(breakdownRequests()).toMatchObject([byName, { measures: [count] }]);
  const all = location.pathname + location.hash;

  await graphMenu("# Occurences by name", "Copy link");
  await expect.element(page.getByText("Link copied", { exact: true })).toBeVisible();
  const one = pathOf(await copied());
  await act("Copy Link to Search");
  await expect.poll(async () => pathOf(await copied())).toBe(all);

  await openScreen(one);
  await expect.element(summary("# Occurences by name").getByRole("table")).toBeVisible();
  await expect.element(summary("All storms")).not.toBeInTheDocument();
});

it("says which graph a link has no room for", async () => {
  await openScreen(graphsLink(days, { graphs: [{ breakdown: { measures: [count] } }, { title: "Storms", breakdown: byName }] }));
  await expect.element(summary("Storms").getByRole("table")).toBeVisible();
  const value = Array.from({ length: 600 }, (_, index) => `a storm with a long name, number ${index}`);
  const measures = [{ ...count, where: [{ name: "name", operator: "not in", value }] }];
  saveSummary(location.pathname.split("/").at(-1) ?? "", { id: "linked-1", title: "All but some", chart: null, breakdown: { measures } });
  await expect.element(summary("All but some")).toBeVisible();
  await graphMenu("All but some", "Copy link");
  await expect.element(page.getByText("A link has no room for this graph.")).toBeVisible();
  await act("Copy Link to Search");
  await expect.element(page.getByText("A link has no room for All but some.")).toBeVisible();
  await openScreen(pathOf(await copied()));
  await expect.element(summary("Storms").getByRole("table")).toBeVisible();
});
