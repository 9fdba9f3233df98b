import { boards } from "@fairway/contract/boards";
import { graphs } from "@fairway/contract/graphs";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { expectCount, expectText } from "#testing/assertions.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { at, katrina } from "./boards-states.ts";
import { board, openBoard, panel, serveBoard } from "#testing/board-screens.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });

beforeEach(serveBoard);

/** The positions of the panels, by their titles. */
const positions = () =>
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

it("says of a panel whose own dataset is gone that it no longer exists", async () => {
  const gone = { kind: "hidden" as const, id: "gone", place: at(0, 0, 6, 3), isGone: true as const };
  gateway.answer(boards.list, [board]);
  gateway.answer(boards.read, { ...board, content: { ...board.content, panels: [gone] } });
  await openScreen("/boards/season");
  await expect.element(panel("Hidden panel")).toHaveTextContent("This dataset no longer exists.");
});

it("is arranged by keyboard, and saved with the version that was changed", async () => {
  await openBoard();
  await button("Edit").click();
  await expect.element(button("Save board")).toBeDisabled();
  await press("ArrowDown", button("Move Observations"));
  expect(positions()).toMatchObject({ "By day": "1 / span 6 | 4 / span 6", Observations: "1 / span 3 | 10 / span 3" });
  await press("Shift+ArrowRight", button("Move Observations"));
  expect(positions()).toMatchObject({ Observations: "1 / span 4 | 10 / span 3" });
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

it("lists boards with who shares them, and reports a missing one", async () => {
  gateway.answer(boards.list, [
    { ...board, shares: [{ to: { kind: "everyone", name: "Everyone" }, can: "view" }] },
    { ...board, id: "other", name: "Quakes", isOwn: false, can: "view", owner: "grace", description: "" },
  ]);
  await openScreen("/boards");
  const items = page.getByRole("list", { name: "Boards", exact: true }).getByRole("listitem");
  await expect.element(items.nth(0)).toHaveTextContent("5 panels · shared with everyone · The storms of 2005.");
  await expect.element(items.nth(1)).toHaveTextContent("5 panels · shared by grace · view only");
  expect(await axeViolations()).toEqual([]);
  gateway.refuse(boards.read, "not-found", "There is no such board.");
  await items.nth(1).getByRole("link").click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("It was deleted, or it isn’t shared with you.");
});
