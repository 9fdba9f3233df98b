import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import {
  askedValues,
  batchCalls,
  choose,
  editor,
  graph,
  graphMenu,
  graphsLink,
  newGraph,
  newGraphButton,
  openGraphs,
  picture,
  save,
  setColumn,
  setGroup,
  shownValues,
  singleCalls,
  table,
} from "../support/graphs.ts";
import { act, alterAnswer, hold, openResults, searchLink } from "../support/results.ts";

const days = { from: "2005-08-26T06:00:00", to: "2005-08-29T18:00:00" };
const hours = { from: "2005-08-28T00:00:00", to: "2005-08-29T23:00:00" };
const viewSwitch = (page: Parameters<typeof editor>[0]) => page.getByRole("radiogroup", { name: "View" });

test("[RESULT-04][RESULT-33] Graphs is offered for searches of numbers, not for samples nor for texts alone, and has no Load More", async ({
  page,
  signIn,
}) => {
  await signIn();
  const storms = { category: "Tropical weather", dataset: "storm-tracks", filters: [["name", "=", "Katrina"]] } as const;
  await openResults(page, storms);
  await expect(page.getByRole("button", { name: "Load More" })).toBeVisible();
  await choose(viewSwitch(page), "Graphs");
  await expect(page.getByRole("button", { name: "Create graph" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Load More" })).toHaveCount(0);
  await expect(page.getByText(/rows loaded/)).toHaveCount(0);

  await openResults(page, { ...storms, filters: [], isSample: true });
  await expect(viewSwitch(page).getByText("Table", { exact: true })).toBeVisible();
  await expect(viewSwitch(page).getByText("Graphs", { exact: true })).toHaveCount(0);

  await alterAnswer(page, "**/api/datasets/*/*/describe", (answer) => {
    const schema = answer["schema"] as { columns: { type: string }[] };
    return { ...answer, schema: { columns: schema.columns.filter(({ type }) => type !== "integer" && type !== "decimal") } };
  });
  await page.goto(searchLink(storms));
  await page.reload();
  await expect(viewSwitch(page).getByText("Table", { exact: true })).toBeVisible();
  await expect(viewSwitch(page).getByText("Graphs", { exact: true })).toHaveCount(0);
});

test("[GRAPH-18][GRAPH-19][GRAPH-20][GRAPH-24] a graph is saved only with a title, labelled groupings and columns of numbers", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openGraphs(page, graphsLink(days));
  const form = await newGraph(page);
  const saving = form.getByRole("button", { name: "Save graph" });
  await expect(saving).toBeEnabled();
  const title = form.getByLabel("Title");
  await title.fill("   ");
  await expect(saving).toBeDisabled();
  await expect(form.getByRole("status")).toHaveText("The graph needs a title.");
  await title.fill("Strengths");
  await expect(saving).toBeEnabled();

  await form.getByRole("button", { name: "Remove # Occurences" }).click();
  await expect(form.getByRole("status")).toHaveText("The graph needs at least 1 column.");
  await expect(saving).toBeDisabled();
  await setColumn(form, 1, "max");
  const columns = await form.getByLabel("Column", { exact: true }).getByRole("option").allInnerTexts();
  expect(columns).toContain("wind");
  expect(columns).toContain("latitude");
  for (const other of ["name", "time", "major", "position"]) expect(columns).not.toContain(other);
  // Two of the same are told apart by their controls.
  await setColumn(form, 1, "max", "wind");
  await setColumn(form, 2, "max", "wind");
  await expect(form.getByRole("button", { name: /^Colour of max of wind/ })).toHaveCount(2);
  await expect(form.getByRole("button", { name: /^Colour of max of wind:/ })).toHaveCount(1);
  await form.getByRole("button", { name: "Remove max of wind (2)", exact: true }).click();
  await expect(form.getByRole("group", { name: /^column \d$/ })).toHaveCount(1);

  await form.getByLabel("Group by").selectOption({ label: "Custom" });
  await expect(saving).toBeDisabled();
  const group = await setGroup(form, 1, "Strong", [["wind", ">=", "64"]]);
  await expect(saving).toBeEnabled();
  await group.getByPlaceholder("Label").fill(" ");
  await expect(form.getByRole("status")).toHaveText("Every grouping needs a label.");
  await expect(saving).toBeDisabled();
  await group
    .getByRole("button", { name: /^Remove Group 1|^Remove/ })
    .first()
    .click();
  await expect(form.getByRole("status")).toHaveText("The graph needs at least 1 grouping.");
  await expect(saving).toBeDisabled();
});

test("[GRAPH-25] without a time range only custom grouping is offered, and the editor says why", async ({ page, signIn }) => {
  await signIn();
  await openGraphs(page, graphsLink(null, { filters: [["name", "=", "Katrina"]] }));
  const form = await newGraph(page);
  const groupBy = form.getByLabel("Group by");
  await expect(groupBy).toHaveValue("custom");
  await expect(groupBy.getByRole("option", { name: "Temporal (Day)" })).toBeDisabled();
  await expect(groupBy.getByRole("option", { name: "Temporal (Hour)" })).toBeDisabled();
  await expect(form.getByText("Temporal grouping needs a time range on the search.")).toBeVisible();
});

test("[GRAPH-02][GRAPH-03][GRAPH-04][GRAPH-09][GRAPH-10] a graph changes its type and colours without new values, is zoomed and removed", async ({
  page,
  signIn,
}) => {
  await signIn();
  const asked = askedValues(page);
  await openGraphs(page, graphsLink(days));
  for (const title of ["One", "Two"]) {
    const form = await newGraph(page);
    await form.getByLabel("Title").fill(title);
    await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
    await save(page);
    await expect(picture(page, title)).toBeVisible();
  }
  const before = asked.length;
  expect(before).toBe(8);
  for (const type of ["Bar", "Line", "Doughnut", "Pie"]) {
    await graphMenu(page, "One", "Edit graph");
    await choose(editor(page), type);
    const ofColumn = editor(page).getByRole("button", { name: /^Colour of # Occurences/ });
    await expect(ofColumn).toHaveCount(type === "Bar" || type === "Line" ? 1 : 0);
    await expect(editor(page).getByRole("button", { name: /^Colour of 08\/2\d\/2005/ })).toHaveCount(
      type === "Bar" || type === "Line" ? 0 : 4,
    );
    await save(page);
    await expect(page.getByRole("img", { name: new RegExp(`^One\\. ${type} graph of # Occurences in 4 groups`) })).toBeVisible();
  }
  await graphMenu(page, "One", "Edit graph");
  await choose(editor(page), "Bar");
  await editor(page).getByRole("button", { name: "Colour of # Occurences: Blue" }).click();
  await page.getByRole("menuitem", { name: "Indigo" }).click();
  await save(page);
  await expect(graph(page, "One").getByRole("button", { name: "# Occurences" }).locator("i")).toHaveCSS(
    "background-color",
    "rgb(88, 106, 217)",
  );
  expect(asked).toHaveLength(before);

  const small = await picture(page, "One").boundingBox();
  await graph(page, "One").getByRole("button", { name: "Zoom graph: One" }).click();
  await expect(graph(page, "Two")).toHaveCount(0);
  await expect.poll(async () => (await picture(page, "One").boundingBox())?.height ?? 0).toBeGreaterThan((small?.height ?? 0) + 100);
  await page.keyboard.press("Escape");
  await expect(graph(page, "Two")).toBeVisible();

  await graphMenu(page, "One", "Remove graph");
  await expect(graph(page, "One")).toHaveCount(0);
  await expect(graph(page, "Two")).toBeVisible();
});

test("[GRAPH-32][GRAPH-33] a graph whose value comes with a second key, or not at all, fails by itself and loads with Retry", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openGraphs(page, graphsLink(days));
  const good = await newGraph(page);
  await good.getByLabel("Title").fill("Good");
  await good.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await save(page);
  await expect(picture(page, "Good")).toBeVisible();

  await alterAnswer(page, "**/aggregate/max/wind", (answer) => ({ ...answer, "max(more)": 1 }));
  const form = await newGraph(page);
  await form.getByLabel("Title").fill("Bad");
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await setColumn(form, 1, "max", "wind");
  await save(page);
  const failed = graph(page, "Bad").getByRole("alert");
  await expect(failed).toContainText("Error loading graph.");
  await expect(failed).toContainText("The server answered 2 values in place of one.");
  await expect(picture(page, "Good")).toBeVisible();

  await page.unroute("**/aggregate/max/wind");
  await page.route("**/aggregate/max/wind", (route) =>
    route.fulfill({ status: 503, json: { errors: [{ code: "engine-busy", message: "Every engine slot is taken." }] } }),
  );
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(failed).toContainText("Every engine slot is taken.");
  await page.unroute("**/aggregate/max/wind");
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(picture(page, "Bad")).toBeVisible();
  await expect(failed).toHaveCount(0);
});

test("a graph that takes long says what it computes and can be cancelled, which drops its call, and loads again", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openGraphs(page, graphsLink(hours));
  const release = await hold(page, batchCalls);
  const form = await newGraph(page);
  await form.getByLabel("Title").fill("Slow");
  const asked = page.waitForRequest(batchCalls);
  await save(page);
  const running = await asked;
  await expect(graph(page, "Slow").getByText("Computing 48 values")).toBeVisible();
  const dropped = page.waitForEvent("requestfailed", (request) => request === running);
  await graph(page, "Slow").getByRole("button", { name: "Cancel" }).click();
  await dropped;
  await expect(graph(page, "Slow").getByText("Cancelled before its values came.")).toBeVisible();
  release();
  await graph(page, "Slow").getByRole("button", { name: "Load graph" }).click();
  await expect(picture(page, "Slow")).toBeVisible();
});

test("at most six values of a graph are on their way", async ({ page, signIn }) => {
  await signIn();
  await openGraphs(page, graphsLink({ from: "2005-08-20T00:00:00", to: "2005-08-31T12:00:00" }));
  let running = 0;
  let most = 0;
  await page.route(singleCalls, async (route) => {
    running += 1;
    most = Math.max(most, running);
    const response = await route.fetch();
    running -= 1;
    await route.fulfill({ response });
  });
  const form = await newGraph(page);
  await form.getByLabel("Title").fill("Twelve");
  await save(page);
  await expect(picture(page, "Twelve")).toBeVisible();
  expect(most).toBe(6);
  expect(await shownValues(page, "Twelve")).toHaveLength(12);
});

test("[GRAPH-29][RESULT-44] editing a filter or running again removes the graphs; a reload brings them back", async ({ page, signIn }) => {
  await signIn();
  await openGraphs(page, graphsLink(days, { filters: [["name", "=", "Katrina"]] }));
  const draw = async () => {
    const form = await newGraph(page);
    await form.getByLabel("Title").fill("Kept");
    await save(page);
    const warning = page.getByRole("button", { name: "Draw graph" });
    await expect(warning.or(picture(page, "Kept"))).toBeVisible();
    if (await warning.isVisible()) await warning.click();
    await expect(picture(page, "Kept")).toBeVisible();
  };
  await draw();
  await page.reload();
  await expect(picture(page, "Kept")).toBeVisible();

  await act(page, "Rerun Search");
  await expect(page.getByText("No graphs yet")).toBeVisible();
  await expect(graph(page, "Kept")).toHaveCount(0);
  await draw();
  await page.getByRole("button", { name: "Remove filter Storm name", exact: true }).click();
  await expect(page.getByText("No graphs yet")).toBeVisible();
  await page.reload();
  await expect(newGraphButton(page)).toBeVisible();
  await expect(page.getByText("No graphs yet")).toBeVisible();
});

for (const [device, colorScheme, viewport] of [
  ["screen", "light", { width: 1440, height: 900 }],
  ["phone", "dark", { width: 390, height: 844 }],
] as const) {
  test.describe(`on a ${device} of ${viewport.width} pixels in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, viewport });

    test("graphs, their tables and their editor are clean to axe and do not scroll sideways", async ({ page, signIn }) => {
      await signIn();
      await openGraphs(page, graphsLink(days));
      const clean = async () => {
        expect(await axeViolations(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      };
      const form = await newGraph(page);
      await choose(form, "Pie");
      await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
      await form.getByRole("button", { name: "Add derived column" }).click();
      await form.getByPlaceholder("Label").fill("Mean");
      await form.getByLabel("Title").fill("Shares");
      await expect(form.getByRole("button", { name: "Save graph" })).toBeEnabled();
      await clean();
      await save(page);
      await expect(picture(page, "Shares")).toBeVisible();
      await clean();
      await choose(graph(page, "Shares"), "Table");
      await expect(table(page, "Shares")).toBeVisible();
      await clean();
    });
  });
}
