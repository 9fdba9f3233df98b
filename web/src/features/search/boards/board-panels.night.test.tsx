import { boards } from "@fairway/contract/boards";
import { distributions } from "@fairway/contract/distributions";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { collectDownloads } from "#testing/files.ts";
import { serveAggregates } from "#testing/graphs.ts";
import { loggedFailures } from "#testing/logged-failures.ts";
import { serveStorms } from "#testing/maps.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { drawCoarsely } from "#testing/pixels.ts";
import { buildSavedSearch, serveSavedSearches } from "#testing/saved-searches.ts";
import {
  number,
  boardOf,
  openBoard,
  storms,
  katrina,
  inPanel,
  countries,
  panel,
  button,
  dialog,
  radio,
  servePanelData,
} from "#testing/board-panels.ts";
import { graphTemplates } from "@fairway/contract/graph-templates";

const buckets = Array.from({ length: 8 }, (_, day) => ({ startMs: day * 86_400_000, endMs: (day + 1) * 86_400_000, rows: day }));

beforeEach(() => {
  serveAggregates();
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 25) }));
});

beforeEach(servePanelData);

it("says which saved searches cannot be added", async () => {
  serveSavedSearches([
    buildSavedSearch("Unreadable", "no JSON"),
    buildSavedSearch("Lost", JSON.stringify({ filters: [] }), { datasetCategory: "Gone", datasetId: "gone" }),
  ]);
  await openBoard(number);
  await button("Edit").click();
  await button("Add panel").click();
  await radio("Unreadable").click();
  await expect.element(dialog().getByText("Unreadable can’t be added: its filters can’t be read.")).toBeVisible();
  await radio("Lost").click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("gone could not be loaded");
  await expect.element(dialog().getByRole("button", { name: "Add", exact: true })).toBeDisabled();
});

it("shows how the rows of a number lie over time, and does without when that fails", async () => {
  gateway.answer(distributions.overTime, { unit: "day", size: 1, buckets, newestMs: null });
  await openBoard(number, { ...number, id: "average", title: "Wind", value: { aggregation: "avg", column: "wind" }, place: inPanel(3, 3) });
  await expect.element(panel("Observations").getByRole("img")).toHaveAccessibleName("Rows per day, 01/01/1970 – 01/08/1970, at most 7");
  await expect.element(panel("Observations")).toHaveTextContent(/storm-tracks · per day/);
  await expect.element(panel("Wind").getByRole("paragraph")).toBeVisible();
  expect(gateway.received(distributions.overTime).map(({ body }) => body.filters)).toEqual([katrina.filters]);
  expect(await axeViolations()).toEqual([]);
  const logged = loggedFailures();
  gateway.refuse(distributions.overTime, "engine-busy", "Busy.");
  await button("Refresh now").click();
  await expect.element(panel("Observations").getByRole("img")).not.toBeInTheDocument();
  await expect.element(panel("Observations").getByRole("paragraph")).toBeVisible();
  await expectCount(page.getByRole("alert"), 0);
  await expect.poll(logged).toContain("The trend of a panel could not be loaded:");
});

it("adds up neighbors where a number has more of them than its panel has room for", async () => {
  const many = Array.from({ length: 41 }, (_, day) => ({ startMs: day * 86_400_000, endMs: (day + 1) * 86_400_000, rows: 1 }));
  gateway.answer(distributions.overTime, { unit: "day", size: 1, buckets: many, newestMs: null });
  await openBoard(number);
  await expect.element(panel("Observations")).toHaveTextContent(/storm-tracks · per 2 days/);
  // The last one is whole.
  await expect.element(panel("Observations").getByRole("img")).toHaveAccessibleName("Rows per 2 days, 01/01/1970 – 02/10/1970, at most 2");
});

it("saves the map of a panel as a picture", async () => {
  serveStorms();
  drawCoarsely();
  const downloads = collectDownloads();
  await openBoard({ id: "map", kind: "map", title: "Last positions", dataset: storms, query: { filters: [] }, place: inPanel(0, 6) });
  await expect.element(panel("Last positions").getByRole("application")).toHaveAttribute("data-ready");
  await button("Menu of Last positions").click();
  await page.getByRole("menuitem", { name: "Download PNG", exact: true }).click();
  await expect.poll(() => downloads.saved.map(({ name }) => name)).toEqual(["storm-tracks_Last positions.png"]);
  const picture = await createImageBitmap(downloads.saved[0]?.blob ?? new Blob());
  expect(picture.width).toBeGreaterThan(100);
});

it("colors and sizes the markers of a map by columns, which its dialog changes", async () => {
  serveStorms();
  drawCoarsely();
  const place = inPanel(0, 6);
  await openBoard({ id: "map", kind: "map", title: "Last positions", dataset: storms, query: { filters: [] }, colorBy: "wind", place });
  await expect.element(panel("Last positions").getByText("Latest wind (kt)")).toBeVisible();
  await button("Edit").click();
  await button("Edit Last positions").click();
  const edit = page.getByRole("dialog", { name: "Edit Panel", exact: true });
  const color = edit.getByRole("combobox", { name: "Color by", exact: true });
  await expect.element(color).toHaveDisplayValue("wind (kt)");
  await color.selectOptions("name");
  await edit.getByRole("combobox", { name: "Size by", exact: true }).selectOptions("wind (kt)");
  await edit.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(panel("Last positions").getByText("Latest name")).toBeVisible();
  await expect.element(panel("Last positions").getByText(/^Size: wind \(kt\), \d+ to \d+$/)).toBeVisible();
});

it("prints all panels, also those that have not been in view, with pictures of maps", async () => {
  serveStorms();
  drawCoarsely();
  const print = vi.spyOn(globalThis, "print").mockImplementation(() => dispatchEvent(new Event("beforeprint")));
  await openBoard(
    { id: "map", kind: "map", title: "Last positions", dataset: storms, query: { filters: [] }, place: inPanel(0, 6) },
    { ...number, title: "Far below", place: { x: 0, y: 60, w: 3, h: 4 } },
  );
  await expect.element(panel("Last positions").getByRole("application")).toBeVisible();
  expect(gateway.received(search.aggregate)).toEqual([]);
  await button("More actions").click();
  await page.getByRole("menuitem", { name: "Print or save as PDF", exact: true }).click();
  await expect.poll(() => print.mock.calls.length).toBe(1);
  expect(gateway.received(search.aggregate)).toHaveLength(1);
  const picture = () => panel("Last positions").element().querySelector<HTMLCanvasElement>("[class*=printedMap]");
  expect(picture()?.width).toBeGreaterThan(100);
  dispatchEvent(new Event("afterprint"));
  expect(picture()).toBeNull();
});

it("opens a new board without asking about what was typed", async () => {
  gateway.answer(boards.list, []);
  gateway.answer(boards.create, boardOf());
  await openScreen("/boards");
  gateway.answer(boards.read, boardOf());
  await button("New board").first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("Season");
  await button("Save").click();
  await expect.element(page.getByRole("heading", { level: 1, name: "Season" })).toBeVisible();
  await expectCount(page.getByRole("dialog"), 0);
});

it("gets a graph of a saved search from a template of its dataset", async () => {
  const byDay = {
    title: "By day",
    type: "bar",
    groupingType: "day",
    groupings: [],
    columns: [{ id: "rows", model: "*", aggregation: "count", color: "#099bf1" }],
  };
  const template = (templateName: string, dataset: typeof storms, json: unknown) => ({
    ...dataset,
    id: templateName,
    templateName,
    templateJson: JSON.stringify(json),
    createdDateMs: 0,
  });
  gateway.answer(graphTemplates.list, [
    template("Broken", storms, {}),
    template("Days", storms, byDay),
    template("Of countries", countries, byDay),
  ]);
  const lastDays = { start: "2005-08-28T00:00:00Z", end: "2005-08-31T23:59:59Z" };
  serveSavedSearches([buildSavedSearch("Katrina", JSON.stringify({ ...katrina, timeRange: lastDays, view: "graphs" }))]);
  await openBoard(number);
  await button("Edit").click();
  await button("Add panel").click();
  await radio("Katrina").click();
  await expect.element(radio("Graph of a template")).toBeChecked();
  const templates = dialog().getByRole("combobox", { name: "Graph template" });
  await expect.element(templates).toHaveValue("Broken");
  await expect.element(dialog().getByRole("button", { name: "Add", exact: true })).toBeDisabled();
  await templates.click();
  await expectCount(page.getByRole("option"), 2);
  await page.getByRole("option", { name: "Days" }).click();
  await dialog().getByRole("button", { name: "Add", exact: true }).click();
  await expect.element(panel("Katrina").getByRole("img")).toHaveAccessibleName(/in 4 groups/);
});
