import { expect, test } from "../support/fixtures.ts";
import {
  allRows,
  choose,
  editor,
  graph,
  graphsLink,
  openGraphs,
  recordAggregates,
  save,
  table,
  tableValues,
  type Span,
} from "../support/graphs.ts";

const season: Span = { from: "2005-08-01T00:00:00", to: "2005-09-30T23:00:00" };

test("a column of the table becomes a graph by keyboard, with a preview, top values, totals and a legend that filters", async ({
  page,
  request,
  signIn,
}) => {
  const rows = await allRows(request, season);
  await signIn();
  await openGraphs(page, graphsLink(season));
  await choose(page.getByRole("radiogroup", { name: "View" }), "Table");
  const header = page.getByRole("columnheader", { name: /^name/ });
  await header.focus();
  await page.keyboard.press("Alt+ArrowDown");
  const calls = recordAggregates(page);
  await page.getByRole("menuitem", { name: "Graph this column" }).press("Enter");

  const form = editor(page);
  await expect(form.getByLabel("Title")).toBeFocused();
  await expect(form.getByLabel("Title")).toHaveValue("# Occurences by name");
  const preview = page.getByRole("region", { name: "Preview", exact: true });
  await expect(preview.getByRole("img", { name: /in 9 groups, from .* to Other/ })).toBeVisible();
  await form.getByLabel("Title").fill("Names");
  await page.keyboard.press("Enter");
  await expect(graph(page, "Names")).toBeFocused();
  await expect(graph(page, "Names")).toBeInViewport({ ratio: 0.9 });
  expect(calls.filter(({ path }) => path.endsWith("/aggregate"))).toHaveLength(1);

  const lines = await tableValues(page, "Names");
  for (const [label, count] of lines.slice(0, 8)) expect(Number(count)).toBe(rows.filter(({ name }) => name === label).length);
  expect(lines.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(rows.length);
  await expect(table(page, "Names").locator("tfoot tr")).toHaveText(`Total${rows.length}`);

  // As a doughnut, its list is the legend.
  await graph(page, "Names").getByRole("button", { name: "Graph menu: Names" }).press("Enter");
  await page.getByRole("menuitem", { name: "Edit graph" }).press("Enter");
  await choose(editor(page), "Doughnut");
  await save(page);
  const [first = "", firstCount] = lines[0] ?? [];
  await table(page, "Names").getByRole("button", { name: first, exact: true }).press("Enter");
  await expect(table(page, "Names").locator("tfoot tr")).toContainText(String(rows.length - Number(firstCount)));
  await table(page, "Names").getByRole("button", { name: "Search the rows of Other" }).press("Enter");
  await expect(page.getByRole("button", { name: /^Remove filter/ })).toHaveCount(8);
});

test("on a phone, a graph over months fits, is previewed in the editor, and one by day waits for a press", async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn();
  await openGraphs(page, graphsLink({ from: "2005-06-01T00:00:00", to: "2005-10-31T23:00:00" }));
  await page.getByRole("button", { name: "New graph", exact: true }).click();
  const form = editor(page);
  await expect(form.getByRole("img", { name: /in 22 groups, from 06\/01\/2005 – 06\/07\/2005/ })).toBeVisible();
  await form.getByLabel("Days per group").selectOption({ label: "each day" });
  await form.getByRole("button", { name: "Preview 153 groups" }).click();
  await expect(form.getByRole("img", { name: /in 153 groups/ })).toBeVisible();
  await form.getByLabel("Title").fill("Season");
  // The press named the cost, so that Save does not ask.
  await save(page);
  await expect(graph(page, "Season")).toBeFocused();
  await expect(graph(page, "Season").getByRole("img")).toBeInViewport({ ratio: 0.9 });
});
