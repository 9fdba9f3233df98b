import { search } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectText, textsOf } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import {
  choose,
  days,
  editor,
  graph,
  graphMenu,
  graphsLink,
  newGraph,
  newGraphButton,
  openGraphs,
  picture,
  save,
  serveAggregates,
  setColumn,
  setGroup,
  valueRequests,
} from "#testing/graphs.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { act, alterColumns, openResults, searchLink } from "#testing/results.ts";
import { setField } from "#testing/quick-fields.ts";

const viewSwitch = () => page.getByRole("radiogroup", { name: "View" });
const saving = () => editor().getByRole("button", { name: "Save graph" });

beforeEach(() => {
  serveDatasets(gateway);
  serveAggregates();
});

it("[RESULT-04][RESULT-33] offers Graphs without Load More for searches with numeric columns, but not for samples", async () => {
  const storms = { category: "Tropical weather", dataset: "storm-tracks", filters: [["name", "=", "Katrina"]] } as const;
  await openResults(storms);
  await expect.element(page.getByRole("button", { name: "Load More" })).toBeVisible();
  await choose(viewSwitch(), "Graphs");
  await expect.element(page.getByRole("button", { name: "Create graph" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Load More" })).not.toBeInTheDocument();
  await expect.element(page.getByText(/rows loaded/)).not.toBeInTheDocument();

  await openResults({ ...storms, filters: [], isSample: true });
  await expect.element(viewSwitch().getByText("Table", { exact: true })).toBeVisible();
  await expect.element(viewSwitch().getByText("Graphs", { exact: true })).not.toBeInTheDocument();

  alterColumns((columns) => columns.filter(({ type }) => type !== "integer" && type !== "decimal"));
  await openScreen(searchLink(storms));
  await expect.element(viewSwitch().getByText("Table", { exact: true })).toBeVisible();
  await expect.element(viewSwitch().getByText("Graphs", { exact: true })).not.toBeInTheDocument();
});

describe("the editor of a new graph", () => {
  openOnce(async () => {
    await openGraphs(graphsLink(days));
    const form = await newGraph();
    await setField(form.getByLabelText("Title"), "Strengths");
    await expect.element(saving()).toBeEnabled();
  });

  it("[GRAPH-18] saves only with a title", async () => {
    const title = editor().getByLabelText("Title");
    await setField(title, "   ");
    await expect.element(saving()).toBeDisabled();
    await expectText(editor().getByRole("status"), "The graph needs a title.");
    await setField(title, "Strengths");
    await expect.element(saving()).toBeEnabled();
  });

  it("[GRAPH-19][GRAPH-24] saves only with a column, which must be numeric", async () => {
    const form = editor();
    await form.getByRole("button", { name: "Remove # Occurences" }).click();
    await expectText(form.getByRole("status"), "The graph needs at least 1 column.");
    await expect.element(saving()).toBeDisabled();
    await setColumn(form, 1, "max");
    const columns = textsOf(form.getByLabelText("Column", { exact: true }).getByRole("option"));
    expect(columns).toContain("wind");
    expect(columns).toContain("latitude");
    for (const other of ["name", "time", "major", "position"]) expect(columns).not.toContain(other);
    // Identical columns have distinguishable controls.
    await setColumn(form, 1, "max", "wind");
    await setColumn(form, 2, "max", "wind");
    await expectCount(form.getByRole("button", { name: /^Color of max of wind/ }), 2);
    await expectCount(form.getByRole("button", { name: /^Color of max of wind:/ }), 1);
    await form.getByRole("button", { name: "Remove max of wind (2)", exact: true }).click();
    await expectCount(form.getByRole("group", { name: /^column \d$/ }), 1);
    await setColumn(form, 1, "# Occurences");
  });

  it("[GRAPH-19][GRAPH-20] saves only with a grouping, which needs a label", async () => {
    const form = editor();
    await setField(form.getByLabelText("Group by"), "Custom");
    await expect.element(saving()).toBeDisabled();
    const group = await setGroup(form, 1, "Strong", [["wind", ">=", "64"]]);
    await expect.element(saving()).toBeEnabled();
    await setField(group.getByPlaceholder("Label"), " ");
    await expectText(form.getByRole("status"), "Every grouping needs a label.");
    await expect.element(saving()).toBeDisabled();
    await group
      .getByRole("button", { name: /^Remove Group 1|^Remove/ })
      .first()
      .click();
    await expectText(form.getByRole("status"), "The graph needs at least 1 grouping.");
    await expect.element(saving()).toBeDisabled();
  });
});

it("[GRAPH-25] offers only custom grouping without a time range and explains why", async () => {
  await openGraphs(graphsLink(null, { filters: [["name", "=", "Katrina"]] }));
  const form = await newGraph();
  const groupBy = form.getByLabelText("Group by");
  await expect.element(groupBy).toHaveValue("custom");
  await expect.element(groupBy.getByRole("option", { name: "Temporal (Day)" })).toBeDisabled();
  await expect.element(groupBy.getByRole("option", { name: "Temporal (Hour)" })).toBeDisabled();
  await expect.element(form.getByText("Temporal grouping needs a time range on the search.")).toBeVisible();
  await expect.element(form.getByText("Add one above, such as that of the data: 06/27/1975 – 11/18/2020.")).toBeVisible();
});

describe("two graphs", () => {
  openOnce(async () => {
    await openGraphs(graphsLink(days));
    for (const title of ["One", "Two"]) {
      const form = await newGraph();
      await setField(form.getByLabelText("Title"), title);
      await setField(form.getByLabelText("Group by"), "Temporal (Day)");
      await save();
      await expect.element(picture(title)).toBeVisible();
    }
    expect(valueRequests()).toHaveLength(8);
  });

  it("[GRAPH-09][GRAPH-10] change their type without new requests: bars and lines have a color for each column, slices for each group", async () => {
    const before = valueRequests().length;
    for (const type of ["Line", "Doughnut", "Pie", "Bar"]) {
      await graphMenu("One", "Edit graph");
      await choose(editor(), type);
      const ofColumn = editor().getByRole("button", { name: /^Color of # Occurences/ });
      await expectCount(ofColumn, type === "Bar" || type === "Line" ? 1 : 0);
      await expectCount(editor().getByRole("button", { name: /^Color of 08\/2\d\/2005/ }), type === "Bar" || type === "Line" ? 0 : 4);
      await save();
      await expect.element(page.getByRole("img", { name: new RegExp(`^One\\. ${type} graph of # Occurences in 4 groups`) })).toBeVisible();
    }
    expect(valueRequests()).toHaveLength(before);
  });

  it("[GRAPH-02] are edited: a color changes without new requests", async () => {
    const before = valueRequests().length;
    await graphMenu("One", "Edit graph");
    await editor().getByRole("button", { name: "Color of # Occurences: Blue" }).click();
    await page.getByRole("menuitem", { name: "Indigo" }).click();
    await save();
    await expect
      .element(graph("One").getByRole("button", { name: "# Occurences" }).css("i"))
      .toHaveStyle({ backgroundColor: "rgb(88, 106, 217)" });
    expect(valueRequests()).toHaveLength(before);
  });

  it("[GRAPH-04] are zoomed", async () => {
    const height = () => picture("One").query()?.getBoundingClientRect().height ?? 0;
    const small = height();
    await graph("One").getByRole("button", { name: "Zoom graph: One" }).click();
    await expect.element(graph("Two")).not.toBeInTheDocument();
    await expect.poll(height).toBeGreaterThan(small + 100);
    await press("Escape");
    await expect.element(graph("Two")).toBeVisible();
  });

  it("[GRAPH-32][GRAPH-33] stay when another fails because its response has extra keys or no value, which Retry reloads", async () => {
    gateway.answer(search.aggregate, { "max(wind)": 140, "max(more)": 1 });
    const form = await newGraph();
    await setField(form.getByLabelText("Title"), "Bad");
    await setField(form.getByLabelText("Group by"), "Temporal (Day)");
    await setColumn(form, 1, "max", "wind");
    await save();
    const failed = graph("Bad").getByRole("alert");
    await expect.element(failed).toHaveTextContent("Error loading graph.");
    await expect.element(failed).toHaveTextContent("The server returned 2 values instead of one.");
    await expect.element(picture("Two")).toBeVisible();

    gateway.refuse(search.aggregate, "engine-busy", "Every engine slot is taken.");
    await failed.getByRole("button", { name: "Retry" }).click();
    await expect.element(failed).toHaveTextContent("Every engine slot is taken.");
    serveAggregates();
    await failed.getByRole("button", { name: "Retry" }).click();
    await expect.element(picture("Bad")).toBeVisible();
    await expect.element(failed).not.toBeInTheDocument();
  });

  it("[GRAPH-03] are removed", async () => {
    await graphMenu("One", "Remove graph");
    await expect.element(graph("One")).not.toBeInTheDocument();
    await expect.element(graph("Two")).toBeVisible();
  });
});

it("[GRAPH-29][RESULT-44] removes the graphs on a filter change or rerun, and restores them on a reload", async () => {
  await openGraphs(graphsLink(days, { filters: [["name", "=", "Katrina"]] }));
  const draw = async () => {
    const form = await newGraph();
    await setField(form.getByLabelText("Title"), "Kept");
    await save();
    await expect.element(picture("Kept")).toBeVisible();
  };
  await draw();
  await reloadScreen();
  await expect.element(picture("Kept")).toBeVisible();

  await act("Rerun Search");
  await expect.element(page.getByText("No graphs yet")).toBeVisible();
  await expect.element(graph("Kept")).not.toBeInTheDocument();
  await draw();
  await page.getByRole("button", { name: "Remove filter Storm name", exact: true }).click();
  await expect.element(page.getByText("No graphs yet")).toBeVisible();
  await reloadScreen();
  await expect.element(newGraphButton()).toBeVisible();
  await expect.element(page.getByText("No graphs yet")).toBeVisible();
});
