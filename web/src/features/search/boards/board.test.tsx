import { type Board, boards } from "@fairway/contract/boards";
import { graphs } from "@fairway/contract/graphs";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { expectCount, expectText } from "#testing/assertions.ts";
import { demoDataset, serveDatasets } from "#testing/demo-datasets.ts";
import { serveAggregates } from "#testing/graphs.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { at, katrina, stormsOf2005 } from "./boards-states.ts";

const board: Board = {
  id: "season",
  name: "Season",
  description: "The storms of 2005.",
  owner: "ada",
  isOwn: true,
  sharedWithRoles: [],
  panels: 5,
  version: 3,
  createdDateMs: 0,
  updatedDateMs: 0,
  content: stormsOf2005,
};

const panel = (name: string) => page.getByRole("region", { name, exact: true });
const button = (name: string) => page.getByRole("button", { name, exact: true });

beforeEach(() => {
  serveDatasets(gateway);
  serveAggregates();
  gateway.answer(boards.list, [board]);
  gateway.answer(boards.read, board);
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 25) }));
});

async function openBoard(): Promise<void> {
  await openScreen("/boards/season");
  await expect.element(page.getByRole("heading", { level: 1, name: "Season" })).toBeVisible();
  await expect.element(panel("By day").getByRole("img")).toBeVisible();
}

/** The places of the panels, by their titles. */
const places = () =>
  Object.fromEntries(
    [...document.querySelectorAll<HTMLElement>("section[data-kind]")].map((section) => [
      section.querySelector("h2")?.textContent,
      `${section.style.gridColumn} | ${section.style.gridRow}`,
    ]),
  );

it("shows each panel narrowed by the board, says which are not, and hides what the user may not read", async () => {
  await openBoard();
  expect(gateway.received(search.aggregate).at(0)).toMatchObject({
    params: { datasetId: "storm-tracks", aggregationType: "count", column: "*" },
    body: { timeRange: { start: "2005-08-28T00:00:00.000Z", end: "2005-08-31T23:59:59.000Z" }, filters: katrina.filters },
  });
  await expect.element(panel("By day").getByRole("img")).toHaveAccessibleName(/in 4 groups/);
  expect(gateway.received(graphs.batch)).toHaveLength(1);
  await expect.element(panel("Notes").getByText("Read")).toBeVisible();
  await expectText(panel("Hidden panel"), "Hidden panelYou don’t have access to this panel’s dataset.");
  await expect.element(panel("Countries")).toHaveTextContent("country-development · time range doesn’t apply");
  await expectCount(panel("Countries").getByRole("columnheader"), 2);
  expect(await axeViolations()).toEqual([]);
});

it("loads again on demand, keeps the others when one fails, and retries that one", async () => {
  gateway.refuse(search.run, "engine-busy", "The server is busy.");
  await openBoard();
  const failed = panel("Countries").getByRole("alert");
  await expect.element(failed).toHaveTextContent("The panel could not be loaded");
  await expect.element(failed).toHaveTextContent("The server is busy.");
  gateway.answer(search.run, { results: [{ country: "Chad", year: 1990 }] });
  const before = gateway.received(graphs.batch).length;
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.element(panel("Countries").getByRole("cell", { name: "Chad" })).toBeVisible();
  expect(gateway.received(graphs.batch)).toHaveLength(before);
  await button("Refresh now").click();
  await expect.poll(() => gateway.received(graphs.batch).length).toBe(before + 1);
});

it("narrows the board to a pressed group, and opens its rows", async () => {
  await openBoard();
  await focus(panel("By day").getByRole("img"));
  await press("ArrowRight");
  await press("Enter");
  const pressed = page.getByRole("group", { name: /^Selected: / });
  await pressed.getByRole("button", { name: "Set as time range" }).click();
  await expect.element(panel("By day").getByRole("img")).toHaveAccessibleName(/in 1 groups/);
  await pressed.getByRole("button", { name: "Open rows" }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
  await expect.element(page.getByRole("radio", { name: "Table" })).toBeChecked();
  expect(gateway.received(search.run).at(-1)?.body.timeRange?.start).toMatch(/^2005-08-(28|29)T00:00:00/);
});

it("offers the rows of a bar that is pressed by the pointer", async () => {
  await openBoard();
  const chart = panel("By day").getByRole("img");
  await expect.element(chart).toHaveAccessibleName(/in \d+ groups/);
  const { width, height } = chart.element().getBoundingClientRect();
  await chart.click({ position: { x: width / 2, y: height / 2 } });
  await expect.element(page.getByRole("group", { name: /^Selected: / }).getByRole("button", { name: "Open rows" })).toBeVisible();
});

it("keeps a changed time range in the address, for links and for the way back from rows", async () => {
  await openBoard();
  expect(location.hash).toBe("");
  await focus(panel("By day").getByRole("img"));
  await press("ArrowRight");
  await press("Enter");
  const pressed = page.getByRole("group", { name: /^Selected: / });
  await pressed.getByRole("button", { name: "Set as time range" }).click();
  await expect.element(panel("By day").getByRole("img")).toHaveAccessibleName(/in 1 groups/);
  await expect.poll(() => location.hash).not.toBe("");
  const narrowed = location.pathname + location.hash;
  await pressed.getByRole("button", { name: "Open rows" }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
  history.back();
  await expect.element(panel("By day").getByRole("img")).toHaveAccessibleName(/in 1 groups/);
  await openScreen(narrowed);
  await expect.element(panel("By day").getByRole("img")).toHaveAccessibleName(/in 1 groups/);
  await button("Clear time range").click();
  await expect.poll(() => location.hash).not.toBe(narrowed.slice(narrowed.indexOf("#")));
  await expect.element(button("Any time")).toBeVisible();
  await openScreen("/boards/season#not-a-range");
  await expect.element(panel("By day").getByRole("img")).toHaveAccessibleName(/in 4 groups/);
});

it("is arranged by keyboard, and saved with the version that was changed", async () => {
  await openBoard();
  await button("Edit").click();
  await expect.element(button("Save board")).toBeDisabled();
  await press("ArrowDown", button("Move Observations"));
  expect(places()).toMatchObject({ "By day": "1 / span 6 | 4 / span 6", Observations: "1 / span 3 | 10 / span 3" });
  await press("Shift+ArrowRight", button("Move Observations"));
  expect(places()).toMatchObject({ Observations: "1 / span 4 | 10 / span 3" });
  await button("Remove Countries").click();
  await expect.element(panel("Countries")).not.toBeInTheDocument();
  gateway.answer(boards.read, { ...board, version: 9 });
  gateway.refuse(boards.edit, "stale-version", "The board was saved since you read it.");
  await button("Save board").click();
  await expect.element(page.getByText("The board was saved since you read it.")).toBeVisible();
  // Read again meanwhile, it must not be saved over unseen.
  await expect.poll(() => gateway.received(boards.read).length).toBe(2);
  gateway.answer(boards.edit, ({ body }) => ({ ...board, version: 4, content: body.content ?? board.content }));
  await button("Save board").click();
  await expect.element(button("Edit")).toBeVisible();
  const sent = gateway.received(boards.edit).at(-1)?.body;
  expect(sent?.version).toBe(3);
  expect(sent?.content?.panels.map(({ id }) => id)).toEqual(["notes", "hidden", "graph", "number"]);
  expect(sent?.content?.panels[3]?.place).toEqual(at(0, 9, 4, 3));
  expect(sent?.content?.panels[1]).toEqual({ id: "hidden", kind: "hidden", place: at(6, 0, 6, 3) });
});

it("asks before changes are lost, and Cancel drops them", async () => {
  await openBoard();
  await button("Edit").click();
  await button("Add text").click();
  const dialog = page.getByRole("dialog", { name: "Text Panel", exact: true });
  await dialog.getByRole("textbox", { name: "Text" }).fill("- one\n- two");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(panel("Text").getByRole("listitem").first()).toBeVisible();
  await page.getByRole("link", { name: "Filesets", exact: true }).click();
  await expect.element(page.getByRole("dialog", { name: "Discard your changes?" })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Keep editing" }).click();
  await button("Cancel").click();
  await expect.element(panel("Text")).not.toBeInTheDocument();
});

it("is one column on a phone, without horizontal scrolling or axe violations", async () => {
  await page.viewport(390, 844);
  await openBoard();
  expect(document.documentElement.scrollWidth).toBe(390);
  const lefts = [...document.querySelectorAll("section[data-kind]")].map((section) => section.getBoundingClientRect().left);
  expect(new Set(lefts).size).toBe(1);
  expect(await axeViolations()).toEqual([]);
});

it("lists boards with who shares them, and tells a missing one", async () => {
  gateway.answer(boards.list, [
    { ...board, sharedWithRoles: ["*"] },
    { ...board, id: "other", name: "Quakes", isOwn: false, owner: "grace", description: "" },
  ]);
  await openScreen("/boards");
  const items = page.getByRole("list", { name: "Boards", exact: true }).getByRole("listitem");
  await expect.element(items.nth(0)).toHaveTextContent("5 panels · shared with everyone · The storms of 2005.");
  await expect.element(items.nth(1)).toHaveTextContent("5 panels · shared by grace");
  expect(await axeViolations()).toEqual([]);
  gateway.refuse(boards.read, "not-found", "There is no such board.");
  await items.nth(1).getByRole("link").click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("It was deleted, or it isn’t shared with you.");
});
