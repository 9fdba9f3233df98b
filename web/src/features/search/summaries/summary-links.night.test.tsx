import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { days, graphMenu, graphsLink } from "#testing/graphs.ts";
import { copied } from "#testing/keyboard.ts";
import { openScreen } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { act } from "#testing/results.ts";
import { serveSummaries } from "#testing/summaries.ts";
import { saveSummary } from "./model/summary-store.ts";
import { byName, count, pathOf, summary } from "#testing/summary-links.ts";

beforeEach(() => {
  skipPauses(400);
  serveSummaries();
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
