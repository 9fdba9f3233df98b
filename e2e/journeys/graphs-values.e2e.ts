import type { ResultRow } from "@fairway/contract/search";
import { expect, test } from "../support/fixtures.ts";
import {
  allRows,
  askedValues,
  avgOf,
  batchCalls,
  choose,
  editor,
  graph,
  graphMenu,
  graphsLink,
  msOf,
  newGraph,
  openGraphs,
  picture,
  save,
  setColumn,
  setGroup,
  shown,
  shownValues,
  type Span,
  sumOf,
  table,
  winds,
} from "../support/graphs.ts";

/** Katrina on her way to Louisiana, from the middle of a day to the middle of another; the 27th of July has no storm. */
const days: Span = { from: "2005-08-26T06:00:00", to: "2005-08-29T18:00:00" };
const timeOf = ({ time }: ResultRow): number => Number(time) * 1_000;
const between = (rows: readonly ResultRow[], from: number, to: number) => rows.filter((row) => timeOf(row) >= from && timeOf(row) < to);

test("[GRAPH-01][GRAPH-12][GRAPH-13][GRAPH-26][GRAPH-30][GRAPH-31] a graph by day has the values of all rows and asks for each by a call of its own", async ({
  page,
  request,
  signIn,
}) => {
  const rows = await allRows(request, days);
  await signIn();
  const asked = askedValues(page);
  await openGraphs(page, graphsLink(days));
  const form = await newGraph(page);
  await expect(form.getByLabel("Group by").getByRole("option")).toHaveText(["Temporal (Day)", "Temporal (Hour)", "Custom"]);
  await expect(form.getByLabel("Aggregation", { exact: true }).getByRole("option")).toHaveText([
    "# Occurences",
    "avg",
    "min",
    "max",
    "sum",
  ]);
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await setColumn(form, 1, "# Occurences");
  await setColumn(form, 2, "avg", "wind");
  await setColumn(form, 3, "min", "wind");
  await setColumn(form, 4, "max", "wind");
  await setColumn(form, 5, "sum", "wind");
  await expect(form.getByRole("button", { name: "Add column", exact: true })).toBeDisabled();
  await form.getByLabel("Title").fill("Days");
  await expect(form.getByRole("status")).toHaveText("4 groups × 5 values: 20 values");
  expect(asked).toEqual([]);
  await save(page);

  const expected = ["08/26/2005", "08/27/2005", "08/28/2005", "08/29/2005"].map((label) => {
    const [month, day, year] = label.split("/");
    const begin = msOf(`${year}-${month}-${day}T00:00:00`);
    const of = winds(between(rows, begin, begin + 86_400_000));
    return [label, shown(of.length), shown(avgOf(of)), shown(Math.min(...of)), shown(Math.max(...of)), shown(sumOf(of))];
  });
  await expect(graph(page, "Days").getByRole("img")).toBeVisible();
  expect(await shownValues(page, "Days")).toEqual(expected);
  await expect(table(page, "Days").getByRole("columnheader")).toHaveText([
    "Group",
    "# Occurences",
    "avg of wind (kt)",
    "min of wind (kt)",
    "max of wind (kt)",
    "sum of wind (kt)",
    "Rows",
  ]);

  const paths = ["count/*", "avg/wind", "min/wind", "max/wind", "sum/wind"];
  const ranges = [
    ["2005-08-26T06:00:00.000Z", "2005-08-26T23:59:59.999Z"],
    ["2005-08-27T00:00:00.000Z", "2005-08-27T23:59:59.999Z"],
    ["2005-08-28T00:00:00.000Z", "2005-08-28T23:59:59.999Z"],
    ["2005-08-29T00:00:00.000Z", "2005-08-29T18:00:00.000Z"],
  ];
  expect(asked).toEqual(
    ranges.flatMap(([start, end]) =>
      paths.map((path) => ({
        path: `/api/datasets/Tropical weather/storm-tracks/aggregate/${path}`,
        body: { timeRange: { start, end }, filters: [] },
      })),
    ),
  );
});

test("[GRAPH-27][GRAPH-28] a graph with many groupings warns once, says how many, and asks for all by one call; empty hours count zero", async ({
  page,
  request,
  signIn,
}) => {
  const span = { from: "2005-08-28T00:00:00", to: "2005-08-30T12:00:00" };
  const rows = await allRows(request, span);
  await signIn();
  const asked = askedValues(page);
  await openGraphs(page, graphsLink(span));
  const form = await newGraph(page);
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Hour)" });
  await setColumn(form, 2, "max", "wind");
  await form.getByLabel("Title").fill("Hours");
  await save(page);
  const question = page.getByRole("dialog", { name: "A lot of groupings" });
  await expect(question).toContainText("This graph has a lot a lot of groupings and may be slow or fail to render.");
  await expect(question).toContainText("61 groups × 2 values: 122 values");
  expect(asked).toEqual([]);
  await question.getByRole("button", { name: "Draw graph" }).click();

  const begin = msOf(span.from);
  const expected = Array.from({ length: 61 }, (_, hour) => {
    const of = winds(between(rows, begin + hour * 3_600_000, begin + (hour + 1) * 3_600_000));
    return [String(of.length), of.length === 0 ? "" : String(Math.max(...of))];
  });
  const lines = await shownValues(page, "Hours");
  expect(lines.map(([, ...values]) => values)).toEqual(expected);
  expect(expected).toContainEqual(["0", ""]);
  expect([lines[0]?.[0], lines[13]?.[0], lines.at(-1)?.[0]]).toEqual([
    "08/28/2005, 12:00 AM",
    "08/28/2005, 01:00 PM",
    "08/30/2005, 12:00 PM",
  ]);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    path: "/api/datasets/Tropical weather/storm-tracks/aggregate",
    body: {
      search: { timeRange: { start: "2005-08-28T00:00:00.000Z", end: "2005-08-30T12:00:00.000Z" }, filters: [] },
      aggregations: [
        { aggregation: "count", column: "*" },
        { aggregation: "max", column: "wind" },
      ],
    },
  });

  // Edited to other values it is as large as before, and not warned of again.
  await graphMenu(page, "Hours", "Edit graph");
  await setColumn(editor(page), 2, "min", "wind");
  const again = page.waitForRequest(batchCalls);
  await save(page);
  await again;
  await expect(question).toHaveCount(0);
  await expect(table(page, "Hours").getByRole("columnheader", { name: "min of wind" })).toBeVisible();
});

test("[GRAPH-28] an edit that would make a graph large is declined once and for all: nothing is drawn until it is saved again", async ({
  page,
  signIn,
}) => {
  await signIn();
  const asked = askedValues(page);
  await openGraphs(page, graphsLink({ from: "2005-08-28T00:00:00", to: "2005-08-30T12:00:00" }));
  const form = await newGraph(page);
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await form.getByLabel("Title").fill("Grown");
  await save(page);
  await expect(picture(page, "Grown")).toBeVisible();
  const before = asked.length;
  const question = page.getByRole("dialog", { name: "A lot of groupings" });
  const growth = async () => {
    await graphMenu(page, "Grown", "Edit graph");
    await editor(page).getByLabel("Group by").selectOption({ label: "Temporal (Hour)" });
    await save(page);
  };
  await growth();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toHaveCount(0);
  await editor(page).getByRole("button", { name: "Cancel", exact: true }).click();
  await page.reload();
  await expect(page.getByRole("img", { name: /^Grown\. Bar graph of # Occurences in 3 groups/ })).toBeVisible();
  expect(asked.slice(before).every(({ path }) => path.endsWith("/aggregate/count/*"))).toBe(true);
  await growth();
  await expect(page.getByRole("img", { name: /^Grown\. Bar graph of # Occurences in 61 groups/ })).toBeVisible();
  await expect(question).toHaveCount(0);
});

test("[GRAPH-11][GRAPH-21][GRAPH-22] custom groups hold the rows that meet all their conditions, up to a limit, the first of which stays", async ({
  page,
  request,
  signIn,
}) => {
  const season: Span = { from: "2005-08-20T00:00:00", to: "2005-09-10T00:00:00" };
  const rows = await allRows(request, season);
  await signIn();
  const asked = askedValues(page);
  await openGraphs(page, graphsLink(season));
  const form = await newGraph(page);
  await choose(form, "Doughnut");
  await form.getByLabel("Group by").selectOption({ label: "Custom" });
  await setGroup(form, 1, "Weak", [["wind", "<", "64"]]);
  const strong = await setGroup(form, 2, "Strong", [
    ["wind", ">=", "64"],
    ["wind", "<", "96"],
    ["name", "=", "Katrina"],
  ]);
  await expect(strong.getByRole("button", { name: "Remove condition" })).toHaveCount(2);
  await strong.getByRole("button", { name: "Add condition" }).click();
  await strong.getByRole("button", { name: "Add condition" }).click();
  await expect(strong.getByText("5 of 5")).toBeVisible();
  await expect(strong.getByRole("button", { name: "Add condition" })).toBeDisabled();
  await expect(form.getByRole("button", { name: "Save graph" })).toBeDisabled();
  await strong.getByRole("button", { name: "Remove condition" }).last().click();
  await strong.getByRole("button", { name: "Remove condition" }).last().click();
  await form.getByRole("button", { name: /^Colour of Strong: / }).click();
  await page.getByRole("menuitem", { name: "Rust" }).click();
  await expect(form.getByRole("button", { name: "Colour of Strong: Rust" })).toBeVisible();
  await form.getByLabel("Title").fill("Strengths");
  await save(page);

  const weak = rows.filter(({ wind }) => Number(wind) < 64).length;
  const middling = rows.filter(({ wind, name }) => Number(wind) >= 64 && Number(wind) < 96 && name === "Katrina").length;
  const share = (count: number): string => `${((count / (weak + middling)) * 100).toFixed(1)} %`;
  expect(await shownValues(page, "Strengths")).toEqual([
    ["Weak", String(weak), share(weak)],
    ["Strong", String(middling), share(middling)],
  ]);
  await expect(table(page, "Strengths").locator("tfoot tr")).toContainText(String(weak + middling));
  await expect(table(page, "Strengths").locator("tbody i").nth(1)).toHaveCSS("background-color", "rgb(180, 56, 11)");
  expect(asked.map(({ body }) => (body as { filters: unknown }).filters)).toEqual([
    [{ name: "wind", value: 64, operator: "<" }],
    [
      { name: "wind", value: 64, operator: ">=" },
      { name: "wind", value: 96, operator: "<" },
      { name: "name", value: "Katrina", operator: "=" },
    ],
  ]);
});

test("[GRAPH-14][GRAPH-15][GRAPH-16][GRAPH-17] derived columns are worked out of two values of each group", async ({
  page,
  request,
  signIn,
}) => {
  const rows = await allRows(request, days);
  await signIn();
  await openGraphs(page, graphsLink(days));
  const form = await newGraph(page);
  await form.getByLabel("Group by").selectOption({ label: "Custom" });
  await setGroup(form, 1, "Hurricanes", [["wind", ">=", "64"]]);
  await setGroup(form, 2, "Nothing", [["wind", ">=", "1000"]]);
  await form.getByRole("button", { name: "Remove # Occurences" }).click();
  const types = ["ratio", "ratio as percent", "product", "sum", "delta"];
  for (const [index, type] of types.entries()) {
    await form.getByRole("button", { name: "Add derived column" }).click();
    const column = form.getByRole("group", { name: `Derived column ${index + 1}`, exact: true });
    await expect(column.getByLabel("Derived type").getByRole("option")).toHaveText(types);
    await column.getByPlaceholder("Label").fill(`The ${type}`);
    await column.getByLabel("Derived type").selectOption({ label: type });
    await column.getByLabel("First aggregation").selectOption({ label: "# Occurences" });
    await column.getByLabel("First column").selectOption({ label: "wind" });
    await column.getByLabel("Second aggregation").selectOption({ label: "# Occurences" });
    await column.getByLabel("Second column").selectOption({ label: type === "delta" ? "storm_force_diameter" : "pressure" });
  }
  // One that is no count, so that ratios are no whole numbers.
  await form.getByRole("group", { name: "Derived column 1", exact: true }).getByLabel("First aggregation").selectOption({ label: "sum" });
  await form.getByRole("group", { name: "Derived column 1", exact: true }).getByLabel("First column").selectOption({ label: "wind" });
  await form
    .getByRole("group", { name: "Derived column 2", exact: true })
    .getByLabel("First aggregation")
    .selectOption({ label: "# Occurences" });
  await form.getByLabel("Title").fill("Derived");
  await save(page);

  const strong = rows.filter(({ wind }) => Number(wind) >= 64);
  const count = (name: string): number => strong.filter((row) => row[name] !== null).length;
  const [all, pressures, diameters] = [strong.length, count("pressure"), count("storm_force_diameter")];
  const wind = sumOf(winds(strong));
  expect((await shownValues(page, "Derived")).map(([, ...values]) => values)).toEqual([
    [shown(wind / pressures), shown((all / pressures) * 100), shown(all * pressures), shown(all + pressures), shown(all - diameters)],
    // No rows: a ratio is 0, as its divisor is empty or 0.
    ["0", "0", "0", "0", "0"],
  ]);
  await expect(table(page, "Derived").getByRole("columnheader")).toHaveText([
    "Group",
    ...types.map((type) => `The ${type}${type === "ratio as percent" ? " (%)" : ""}`),
    "Rows",
  ]);
});
