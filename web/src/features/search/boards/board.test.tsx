import { type BoardContent, boards } from "@fairway/contract/boards";
import { graphs } from "@fairway/contract/graphs";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { axeViolations, expectAccessible } from "#testing/accessibility.ts";
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
  gateway.answer(boards.edit, ({ body }) => ({ ...board, version: 4, content: body.content ?? board.content }));
  await button("Save board").click();
  await expect.element(button("Edit")).toBeVisible();
  const sent = gateway.received(boards.edit).at(-1)?.body;
  expect(sent?.version).toBe(3);
  expect(sent?.content?.panels.map(({ id }) => id)).toEqual(["notes", "hidden", "graph", "number"]);
  expect(sent?.content?.panels[3]?.place).toEqual(at(0, 9, 4, 3));
  expect(sent?.content?.panels[1]).toEqual({ id: "hidden", kind: "hidden", place: at(6, 0, 6, 3) });
});

/** Somebody else saves version 9 while version 3 is edited. */
function saveMeanwhile(content: BoardContent): void {
  gateway.answer(boards.revision, {
    version: 3,
    name: board.name,
    savedDateMs: 0,
    panels: board.content.panels.length,
    content: board.content,
  });
  gateway.answer(boards.read, { ...board, version: 9, content });
  gateway.answer(boards.edit, ({ body }) => ({ ...board, version: body.version + 1, content: body.content ?? board.content }));
  gateway.refuse(boards.edit, "stale-version", "The board was saved since you read it.", { times: 1 });
}

it("is saved together with what somebody else has saved meanwhile, and shows it", async () => {
  await openBoard();
  await button("Edit").click();
  await button("Remove Countries").click();
  await expect.element(panel("Countries")).not.toBeInTheDocument();
  const added = { id: "new", kind: "text" as const, title: "Added", text: "By grace.", place: at(0, 30, 4, 2) };
  saveMeanwhile({ ...board.content, refreshMinutes: 30, panels: [...board.content.panels, added] });
  await button("Save board").click();
  await expect.element(page.getByText("Board saved, together with someone else's changes")).toBeVisible();
  await expect.element(panel("Added").getByText("By grace.")).toBeVisible();
  await expect.element(page.getByRole("combobox", { name: "Refresh" })).toHaveValue("Every 30 min");
  const sent = gateway.received(boards.edit).at(-1)?.body;
  expect(sent).toMatchObject({ version: 9, content: { refreshMinutes: 30 } });
  expect(sent?.content?.panels.map(({ id }) => id).toSorted()).toEqual(["graph", "hidden", "new", "notes", "number"]);
  expect(gateway.received(boards.revision)).toMatchObject([{ params: { id: "season", version: "3" } }]);
});

it("compares both versions where both have changed the same panel, and goes on with either", async () => {
  await openBoard();
  await button("Edit").click();
  await press("Shift+ArrowRight", button("Move Countries"));
  await button("Remove Observations").click();
  const renamed = board.content.panels.map((one) => (one.id === "number" ? { ...one, title: "Rows" } : one));
  saveMeanwhile({ ...board.content, panels: renamed });
  await button("Save board").click();
  const dialog = page.getByRole("dialog", { name: "Save Board", exact: true });
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("The newest is version 9.");
  await expectAccessible({ within: ["[role=dialog]"] });
  await press("Escape");
  await expect.element(dialog).not.toBeInTheDocument();
  // Nothing is lost.
  await expect.element(panel("Observations")).not.toBeInTheDocument();
  gateway.refuse(boards.edit, "stale-version", "The board was saved since you read it.", { times: 1 });
  await button("Save board").click();
  await dialog.getByRole("button", { name: "Take theirs" }).click();
  await expect.element(panel("Rows")).toBeVisible();
  await button("Remove Rows").click();
  await expect.element(panel("Rows")).not.toBeInTheDocument();
  await button("Save board").click();
  await expect.element(button("Edit")).toBeVisible();
  const sent = gateway.received(boards.edit).at(-1)?.body;
  expect([sent?.version, sent?.content?.panels.some(({ id }) => id === "number")]).toEqual([9, false]);
});

it("keeps the own changes of a panel that somebody else has changed, if asked to", async () => {
  await openBoard();
  await button("Edit").click();
  await button("Remove Observations").click();
  const renamed = board.content.panels.map((one) => (one.id === "number" ? { ...one, title: "Rows" } : one));
  saveMeanwhile({ ...board.content, refreshMinutes: 30, panels: renamed });
  await button("Save board").click();
  const dialog = page.getByRole("dialog", { name: "Save Board", exact: true });
  await dialog.getByRole("button", { name: "Keep mine and continue" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(panel("Observations")).not.toBeInTheDocument();
  await button("Save board").click();
  await expect.element(button("Edit")).toBeVisible();
  const sent = gateway.received(boards.edit).at(-1)?.body;
  // Their other changes stay.
  expect(sent).toMatchObject({ version: 9, content: { refreshMinutes: 30 } });
  expect(sent?.content?.panels.some(({ id }) => id === "number")).toBe(false);
});

it("keeps where panels were put that somebody else has moved meanwhile", async () => {
  await openBoard();
  await button("Edit").click();
  await press("Shift+ArrowRight", button("Move Observations"));
  const moved = board.content.panels.map((one) => (one.id === "number" ? { ...one, place: at(3, 20, 3, 3) } : one));
  saveMeanwhile({ ...board.content, panels: moved });
  await button("Save board").click();
  await expect.element(page.getByText("Board saved, together with someone else's changes")).toBeVisible();
  const sent = gateway.received(boards.edit).at(-1)?.body.content?.panels ?? [];
  expect(sent.find(({ id }) => id === "number")?.place).toMatchObject({ x: 0, w: 4 });
});

it("keeps a typed name when somebody else has saved meanwhile", async () => {
  await openBoard();
  await button("More actions").click();
  await page.getByRole("menuitem", { name: "Name and description" }).click();
  const dialog = page.getByRole("dialog", { name: "Name and Description", exact: true });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Season of 2005");
  saveMeanwhile(board.content);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("The board was saved since you read it.");
  await expect.poll(() => gateway.received(boards.read).length).toBe(2);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.received(boards.edit).at(-1)?.body).toMatchObject({ version: 9, name: "Season of 2005" });
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
