import type { ResultRow } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import {
  batchRequests,
  valueRequests,
  avgOf,
  choose,
  days,
  editor,
  graph,
  graphMenu,
  graphsLink,
  msOf,
  newGraph,
  openGraphs,
  save,
  serveAggregates,
  setColumn,
  setGroup,
  shown,
  shownValues,
  type Span,
  stormRows,
  sumOf,
  table,
  winds,
} from "#testing/graphs.ts";
import { gateway } from "#testing/open-screen.tsx";
import { clickQuickly, setField } from "#testing/quick-fields.ts";

const timeOf = ({ time }: ResultRow): number => Number(time) * 1_000;
const between = (rows: readonly ResultRow[], from: number, to: number) => rows.filter((row) => timeOf(row) >= from && timeOf(row) < to);

const season: Span = { from: "2005-08-20T00:00:00", to: "2005-09-10T00:00:00" };

beforeEach(() => {
  serveDatasets(gateway);
  serveAggregates();
});

describe("a daily graph", () => {
  openOnce(async () => {
    await openGraphs(graphsLink(days));
    const form = await newGraph();
    await setField(form.getByLabelText("Group by"), "Temporal (Day)");
    await setColumn(form, 1, "# Occurences");
    await setColumn(form, 2, "avg", "wind");
    await setColumn(form, 3, "min", "wind");
    await setColumn(form, 4, "max", "wind");
    await setColumn(form, 5, "sum", "wind");
    await expect.element(form.getByRole("button", { name: "Add column", exact: true })).toBeDisabled();
    await setField(form.getByLabelText("Title"), "Days");
    await expectText(form.getByRole("status"), "4 groups × 5 values: 20 values");
    await save();
    await expect.element(graph("Days").getByRole("img")).toBeVisible();
  });

  it("[GRAPH-30][GRAPH-31] requests each value separately, in the time of its group", () => {
    const paths = ["count/*", "avg/wind", "min/wind", "max/wind", "sum/wind"];
    const ranges = [
      ["2005-08-26T06:00:00.000Z", "2005-08-26T23:59:59.999Z"],
      ["2005-08-27T00:00:00.000Z", "2005-08-27T23:59:59.999Z"],
      ["2005-08-28T00:00:00.000Z", "2005-08-28T23:59:59.999Z"],
      ["2005-08-29T00:00:00.000Z", "2005-08-29T18:00:00.000Z"],
    ];
    // Previews of earlier drafts made others.
    expect(valueRequests().slice(-20)).toEqual(
      ranges.flatMap(([start, end]) =>
        paths.map((path) => ({
          path,
          body: { timeRange: { start, end }, filters: [] },
        })),
      ),
    );
    expect(batchRequests()).toEqual([]);
  });

  it("[GRAPH-01][GRAPH-26] is created, with groups labeled by day that cover all rows", async () => {
    const rows = stormRows(days);
    const expected = ["08/26/2005", "08/27/2005", "08/28/2005", "08/29/2005"].map((label) => {
      const [month, day, year] = label.split("/");
      const startMs = msOf(`${year}-${month}-${day}T00:00:00`);
      const values = winds(between(rows, startMs, startMs + 86_400_000));
      return [
        label,
        shown(values.length),
        shown(avgOf(values)),
        shown(Math.min(...values)),
        shown(Math.max(...values)),
        shown(sumOf(values)),
      ];
    });
    await expectAccessible({ within: ["main"] });
    expect(await shownValues("Days")).toEqual(expected);
    await expectTexts(table("Days").getByRole("columnheader"), [
      "Group",
      "# Occurences",
      "avg of wind (kt)",
      "min of wind (kt)",
      "max of wind (kt)",
      "sum of wind (kt)",
      "Rows",
    ]);
  });

  it("[GRAPH-12][GRAPH-13] offers three groupings and five aggregations", async () => {
    await graphMenu("Days", "Edit graph");
    await expectTexts(editor().getByLabelText("Group by").getByRole("option"), ["Temporal (Day)", "Temporal (Hour)", "Custom"]);
    await expectTexts(editor().getByLabelText("Aggregation", { exact: true }).first().getByRole("option"), [
      "# Occurences",
      "avg",
      "min",
      "max",
      "sum",
    ]);
    await editor().getByRole("button", { name: "Cancel", exact: true }).click();
    await expect.element(editor()).not.toBeInTheDocument();
  });
});

describe("a graph of custom groups", () => {
  openOnce(async () => {
    await openGraphs(graphsLink(season));
    const form = await newGraph();
    await choose(form, "Doughnut");
    await setField(form.getByLabelText("Group by"), "Custom");
    await setGroup(form, 1, "Weak", [["wind", "<", "64"]]);
    await setGroup(form, 2, "Strong", [
      ["wind", ">=", "64"],
      ["wind", "<", "96"],
      ["name", "=", "Katrina"],
    ]);
    await setField(form.getByLabelText("Title"), "Strengths");
  });

  const strong = () => editor().getByRole("group", { name: "Groupings", exact: true }).getByRole("group").nth(1);
  const removals = () => strong().getByRole("button", { name: "Remove condition" });

  it("[GRAPH-21] keeps the first condition", async () => {
    await expectCount(removals(), 2);
  });

  it("[GRAPH-22] takes conditions up to the limit", async () => {
    const add = strong().getByRole("button", { name: "Add condition" });
    await add.click();
    await add.click();
    await expect.element(strong().getByText("5 of 5")).toBeVisible();
    await expect.element(add).toBeDisabled();
    await expect.element(editor().getByRole("button", { name: "Save graph" })).toBeDisabled();
    await removals().last().click();
    await removals().last().click();
    await expect.element(editor().getByRole("button", { name: "Save graph" })).toBeEnabled();
  });

  it("[GRAPH-11] groups rows by all their conditions, in the colors of the groups", async () => {
    await editor()
      .getByRole("button", { name: /^Color of Strong: / })
      .click();
    await page.getByRole("menuitem", { name: "Rust" }).click();
    await expect.element(editor().getByRole("button", { name: "Color of Strong: Rust" })).toBeVisible();
    await save();

    const rows = stormRows(season);
    const weak = rows.filter(({ wind }) => Number(wind) < 64).length;
    const middling = rows.filter(({ wind, name }) => Number(wind) >= 64 && Number(wind) < 96 && name === "Katrina").length;
    const share = (count: number): string => `${((count / (weak + middling)) * 100).toFixed(1)} %`;
    expect(await shownValues("Strengths")).toEqual([
      ["Weak", String(weak), share(weak)],
      ["Strong", String(middling), share(middling)],
    ]);
    await expect.element(table("Strengths").css("tfoot tr")).toHaveTextContent(String(weak + middling));
    await expect.element(table("Strengths").css("tbody i").nth(1)).toHaveStyle({ backgroundColor: "rgb(180, 56, 11)" });
    expect(
      valueRequests()
        .slice(-2)
        .map(({ body }) => (body as { filters: unknown }).filters),
    ).toEqual([
      [{ name: "wind", value: 64, operator: "<" }],
      [
        { name: "wind", value: 64, operator: ">=" },
        { name: "wind", value: 96, operator: "<" },
        { name: "name", value: "Katrina", operator: "=" },
      ],
    ]);
  });
});

const derivedTypes = ["ratio", "ratio as percent", "product", "sum", "delta"];
let derived: string[][] = [];

describe("derived columns", () => {
  openOnce(async () => {
    await openGraphs(graphsLink(days));
    const form = await newGraph();
    await setField(form.getByLabelText("Group by"), "Custom");
    await setGroup(form, 1, "Hurricanes", [["wind", ">=", "64"]]);
    await setGroup(form, 2, "Nothing", [["wind", ">=", "1000"]]);
    await form.getByRole("button", { name: "Remove # Occurences" }).click();
    for (const [index, type] of derivedTypes.entries()) {
      await clickQuickly(form.getByRole("button", { name: "Add derived column" }));
      const column = form.getByRole("group", { name: `Derived column ${index + 1}`, exact: true });
      await setField(column.getByPlaceholder("Label"), `The ${type}`);
      await setField(column.getByLabelText("Derived type"), type);
      // Not a count, so that the ratio is not an integer.
      await setField(column.getByLabelText("First aggregation"), type === "ratio" ? "sum" : "# Occurences");
      await setField(column.getByLabelText("First column"), "wind");
      await setField(column.getByLabelText("Second aggregation"), "# Occurences");
      await setField(column.getByLabelText("Second column"), type === "delta" ? "storm_force_diameter" : "pressure");
    }
    await setField(form.getByLabelText("Title"), "Derived");
    await save();
    derived = (await shownValues("Derived")).map(([, ...values]) => values);
  });

  it("[GRAPH-16] have a label, a type and two columns", async () => {
    await expectTexts(table("Derived").getByRole("columnheader"), [
      "Group",
      ...derivedTypes.map((type) => `The ${type}${type === "ratio as percent" ? " (%)" : ""}`),
      "Rows",
    ]);
  });

  it("[GRAPH-17] multiply, add, subtract and divide the two values of each group", () => {
    const strong = stormRows(days).filter(({ wind }) => Number(wind) >= 64);
    const count = (name: string): number => strong.filter((row) => row[name] !== null).length;
    const [all, pressures, diameters] = [strong.length, count("pressure"), count("storm_force_diameter")];
    const wind = sumOf(winds(strong));
    expect(derived[0]).toEqual([
      shown(wind / pressures),
      shown((all / pressures) * 100),
      shown(all * pressures),
      shown(all + pressures),
      shown(all - diameters),
    ]);
  });

  it("[GRAPH-15] are a ratio of 0 without rows, because the divisor is empty or 0", () => {
    expect(derived[1]).toEqual(["0", "0", "0", "0", "0"]);
  });

  it("[GRAPH-14] are of five types", async () => {
    await graphMenu("Derived", "Edit graph");
    for (const index of derivedTypes.keys())
      await expectTexts(
        editor()
          .getByRole("group", { name: `Derived column ${index + 1}`, exact: true })
          .getByLabelText("Derived type")
          .getByRole("option"),
        derivedTypes,
      );
    await editor().getByRole("button", { name: "Cancel", exact: true }).click();
  });
});
