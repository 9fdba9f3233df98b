import { randomUUID } from "node:crypto";
import type { ResultRow } from "@fairway/contract/search";
import { expect, test } from "../support/fixtures.ts";
import {
  allRows,
  recordAggregates,
  avgOf,
  graph,
  graphMenu,
  graphsLink,
  msOf,
  newGraph,
  openGraphs,
  save,
  setColumn,
  setGroup,
  formatNumber,
  tableValues,
  type Span,
  sumOf,
  winds,
} from "../support/graphs.ts";

/** Two and a half days with Katrina and other storms. */
const span: Span = { from: "2005-08-28T00:00:00", to: "2005-08-30T12:00:00" };
/** The search that the template is drawn for. */
const later: Span = { from: "2005-09-18T00:00:00", to: "2005-09-21T12:00:00" };
const timeOf = ({ time }: ResultRow): number => Number(time) * 1_000;
const between = (rows: readonly ResultRow[], from: number, to: number) => rows.filter((row) => timeOf(row) >= from && timeOf(row) < to);

test("graphs by day, by hour and by custom groups show the values of all rows; one is saved as a template, drawn for another search, and deleted", async ({
  page,
  request,
  signIn,
}) => {
  const rows = await allRows(request, span);
  const startMs = msOf(span.from);
  await signIn();
  const calls = recordAggregates(page);
  await openGraphs(page, graphsLink(span));

  await test.step("by day, with one call per value", async () => {
    const form = await newGraph(page);
    await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
    await setColumn(form, 1, "# Occurences");
    await setColumn(form, 2, "avg", "wind");
    await setColumn(form, 3, "min", "wind");
    await setColumn(form, 4, "max", "wind");
    await setColumn(form, 5, "sum", "wind");
    await form.getByLabel("Title").fill("Days");
    await save(page);
    const expected = ["08/28/2005", "08/29/2005", "08/30/2005"].map((label, day) => {
      const of = winds(between(rows, startMs + day * 86_400_000, startMs + (day + 1) * 86_400_000));
      return [
        label,
        formatNumber(of.length),
        formatNumber(avgOf(of)),
        formatNumber(Math.min(...of)),
        formatNumber(Math.max(...of)),
        formatNumber(sumOf(of)),
      ];
    });
    await expect(graph(page, "Days").getByRole("img")).toBeVisible();
    expect(await tableValues(page, "Days")).toEqual(expected);
    expect(calls.filter(({ path }) => path.endsWith("/aggregate"))).toEqual([]);
    expect(calls.length).toBeGreaterThanOrEqual(15);
  });

  await test.step("by hour, with all values in one call", async () => {
    const form = await newGraph(page);
    await form.getByLabel("Group by").selectOption({ label: "Temporal (Hour)" });
    await setColumn(form, 2, "max", "wind");
    await form.getByLabel("Title").fill("Hours");
    await save(page);
    await page.getByRole("dialog", { name: "A lot of groupings" }).getByRole("button", { name: "Draw graph" }).click();
    const expected = Array.from({ length: 61 }, (_, hour) => {
      const of = winds(between(rows, startMs + hour * 3_600_000, startMs + (hour + 1) * 3_600_000));
      return [String(of.length), of.length === 0 ? "" : String(Math.max(...of))];
    });
    expect((await tableValues(page, "Hours")).map(([, ...values]) => values)).toEqual(expected);
    expect(expected).toContainEqual(["0", ""]);
    expect(calls.filter(({ path }) => path.endsWith("/aggregate"))).toHaveLength(1);
  });

  await test.step("by custom groups, with a derived column", async () => {
    const form = await newGraph(page);
    await form.getByLabel("Group by").selectOption({ label: "Custom" });
    await setGroup(form, 1, "Hurricanes", [["wind", ">=", "64"]]);
    await setGroup(form, 2, "Katrina", [
      ["wind", ">=", "64"],
      ["name", "=", "Katrina"],
    ]);
    await form.getByRole("button", { name: "Add derived column" }).click();
    const column = form.getByRole("group", { name: /^Derived column \d$/ });
    await column.getByPlaceholder("Label").fill("The ratio");
    await column.getByLabel("Derived type").selectOption({ label: "ratio" });
    await column.getByLabel("First aggregation").selectOption({ label: "sum" });
    await column.getByLabel("First column").selectOption({ label: "wind" });
    await column.getByLabel("Second aggregation").selectOption({ label: "# Occurences" });
    await column.getByLabel("Second column").selectOption({ label: "pressure" });
    await form.getByLabel("Title").fill("Strengths");
    await save(page);
    const strong = rows.filter(({ wind }) => Number(wind) >= 64);
    const lineOf = (label: string, of: readonly ResultRow[]) => [
      label,
      formatNumber(of.length),
      formatNumber(sumOf(winds(of)) / of.filter(({ pressure }) => pressure !== null).length),
    ];
    expect(await tableValues(page, "Strengths")).toEqual([
      lineOf("Hurricanes", strong),
      lineOf(
        "Katrina",
        strong.filter(({ name }) => name === "Katrina"),
      ),
    ]);
  });

  await test.step("as a template", async () => {
    // Other runs of this journey use the same account.
    const name = `Days ${randomUUID()}`;
    await graphMenu(page, "Days", "Save as template");
    const saving = page.getByRole("dialog", { name: "Save graph template", exact: true });
    await saving.getByRole("textbox", { name: "Name" }).fill(name);
    await saving.getByRole("button", { name: "Save", exact: true }).click();
    await expect(saving).toHaveCount(0);

    await openGraphs(page, graphsLink(later));
    const templates = page.getByRole("dialog", { name: "Graph templates", exact: true });
    await page.getByRole("button", { name: "Templates", exact: true }).click();
    await templates.getByRole("radio", { name }).check();
    await templates.getByRole("button", { name: "Load" }).click();
    expect((await tableValues(page, "Days")).map(([label]) => label)).toEqual(["09/18/2005", "09/19/2005", "09/20/2005", "09/21/2005"]);

    await page.getByRole("button", { name: "Templates", exact: true }).click();
    await templates.getByRole("radio", { name }).check();
    await templates.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog", { name: "Delete Graph Template?" }).getByRole("button", { name: "Delete" }).click();
    await expect(templates.getByRole("radio", { name })).toHaveCount(0);
  });
});
