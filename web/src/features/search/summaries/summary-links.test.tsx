import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { days, graphMenu, graphsLink } from "#testing/graphs.ts";
import { copied } from "#testing/keyboard.ts";
import { openScreen } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { act } from "#testing/results.ts";
import { breakdownRequests, serveSummaries } from "#testing/summaries.ts";
import { byName, count, pathOf, summary } from "#testing/summary-links.ts";

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
