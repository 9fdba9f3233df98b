import { boards } from "@fairway/contract/boards";
import { live } from "@fairway/contract/live";
import { sharing } from "@fairway/contract/sharing";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { board, openBoard, panel, serveBoard } from "#testing/board-screens.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { expectKeptEditing } from "#testing/readings.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const menuItems = () => page.getByRole("menu", { name: "More actions" }).getByRole("menuitem");
const bob = { kind: "user" as const, id: "u-bob", name: "bob" };
const boats = { kind: "group" as const, id: "g-1", name: "Boats" };
const toMe = { to: { kind: "user" as const, id: "u-ada", name: "ada" }, can: "view" as const };

/** The board of somebody else, as the user may read it. */
const shared = { ...board, isOwn: false, can: "view" as const, owner: "grace", shares: [toMe] };

beforeEach(serveBoard);

it("is shared with people and groups by its owner, and says why that failed", async () => {
  gateway.answer(sharing.candidates, ({ query: { text } }) => (text.startsWith("bo") ? [bob, boats] : []));
  await openBoard();
  await button("Share").click();
  const dialog = page.getByRole("dialog", { name: "Share Season" });
  await expect.element(dialog.getByText("People see only rows and columns that they may see.")).toBeVisible();
  const box = dialog.getByRole("combobox", { name: "Share with" });
  await box.fill("bo");
  await expect.element(dialog.getByRole("option").nth(1)).toBeVisible();
  await press("Enter", box);
  await box.fill("bo");
  await expectTexts(dialog.getByRole("listbox").getByRole("option"), ["BoatsGroup"]);
  await press("Enter", box);
  await dialog.getByRole("combobox", { name: "What bob may do" }).selectOptions("Edit");
  await expectAccessible({ within: ["[role=dialog]"] });
  gateway.refuse(boards.share, "internal", "The disk is full.", { times: 1 });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("Save failed: The disk is full.");
  await press("Escape");
  await expectKeptEditing();
  const { content: _, ...summary } = board;
  gateway.answer(boards.share, summary);
  await press("Control+Enter", box);
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.received(boards.share).at(-1)).toMatchObject({
    params: { id: "season" },
    body: {
      shares: [
        { to: { kind: "user", id: "u-bob" }, can: "edit" },
        { to: { kind: "group", id: "g-1" }, can: "view" },
      ],
    },
  });
});

it("is shared in the step that makes it", async () => {
  gateway.answer(sharing.candidates, [boats]);
  gateway.answer(boards.list, []);
  gateway.answer(boards.create, board);
  await openScreen("/boards");
  await button("New board").first().click();
  const dialog = page.getByRole("dialog", { name: "New Board" });
  const box = dialog.getByRole("combobox", { name: "Share with" });
  await box.fill("boats");
  await expect.element(dialog.getByRole("option", { name: /Boats/ })).toBeVisible();
  await press("Enter", box);
  await dialog.getByRole("textbox", { name: "Name" }).fill("Season");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "Season" })).toBeVisible();
  expect(gateway.received(boards.create).at(-1)?.body).toMatchObject({
    name: "Season",
    shares: [{ to: { kind: "group", id: "g-1" }, can: "view" }],
  });
});

it("is given to somebody who can edit it, and a full account refuses it", async () => {
  gateway.answer(sharing.candidates, [bob]);
  gateway.answer(boards.read, { ...board, shares: [{ to: bob, can: "edit" }] });
  gateway.refuse(boards.transfer, "conflict", "The account of 'bob' has no room for another board.", { times: 1 });
  await openBoard();
  await button("More actions").click();
  await page.getByRole("menuitem", { name: "Give away" }).click();
  const dialog = page.getByRole("dialog", { name: "Give away Season" });
  await dialog.getByRole("combobox", { name: "New owner" }).fill("bob");
  await dialog.getByRole("option", { name: /bob/ }).click();
  await expect.element(dialog).toHaveTextContent("bob becomes the owner of it.");
  await dialog.getByRole("button", { name: "Give away" }).click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("has no room for another board");
  gateway.answer(boards.transfer, undefined);
  gateway.answer(boards.read, { ...shared, can: "edit", owner: "bob" });
  await dialog.getByRole("button", { name: "Give away" }).click();
  await expect.element(page.getByText("shared by bob, you can edit it", { exact: false })).toBeVisible();
  expect(gateway.received(boards.transfer).at(-1)?.body).toEqual({ userId: "u-bob" });
  await expect.element(button("Share")).not.toBeInTheDocument();
});

it("is arranged and named by an editor, who can neither share, give nor delete it, nor remove what is hidden", async () => {
  gateway.answer(boards.read, { ...shared, can: "edit" });
  await openBoard();
  await expect.element(button("Share")).not.toBeInTheDocument();
  await button("More actions").click();
  await expect.element(page.getByRole("menuitem", { name: "Leave board" })).toBeVisible();
  await expectTexts(menuItems(), [
    "Full screen",
    "Print or save as PDF",
    "Make a copy",
    "Send by email …",
    "Name and description",
    "History",
    "Leave board",
  ]);
  gateway.answer(boards.edit, ({ body }) => ({ ...shared, can: "edit" as const, version: 4, name: body.name ?? board.name }));
  await page.getByRole("menuitem", { name: "Name and description" }).click();
  const naming = page.getByRole("dialog", { name: "Name and Description" });
  await naming.getByRole("textbox", { name: "Name" }).fill("Season of 2005");
  await naming.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "Season of 2005" })).toBeVisible();
  expect(gateway.received(boards.edit).at(-1)?.body).toEqual({
    name: "Season of 2005",
    description: "The storms of 2005.",
    version: 3,
  });
  await button("Edit").click();
  await expect.element(button("Remove Notes")).toBeVisible();
  await expect.element(button("Remove Hidden panel")).not.toBeInTheDocument();
  await button("Remove Notes").click();
  await button("Save board").click();
  await expect.poll(() => gateway.received(boards.edit).at(-1)?.body.content?.panels[0]?.id).toBe("number");
  expect(gateway.received(boards.edit).at(-1)?.body.content?.panels).toContainEqual(board.content.panels[2]);
});

it("is only read, copied and left by a viewer", async () => {
  gateway.answer(boards.read, { ...shared, ownerState: "disabled" });
  gateway.refuse(boards.leave, "conflict", "This board is shared with a group.", { times: 1 });
  await openBoard();
  await expect.element(page.getByText("shared by grace, whose account is disabled, view only", { exact: false })).toBeVisible();
  await expect.element(button("Edit")).not.toBeInTheDocument();
  const leave = async () => {
    await button("More actions").click();
    await expectTexts(menuItems(), ["Full screen", "Print or save as PDF", "Make a copy", "Send by email …", "Leave board"]);
    await page.getByRole("menuitem", { name: "Leave board" }).click();
    await page.getByRole("dialog", { name: "Leave Board?" }).getByRole("button", { name: "Leave" }).click();
  };
  await leave();
  await expect.element(page.getByText("This board is shared with a group.")).toBeVisible();
  gateway.answer(boards.leave, undefined);
  gateway.answer(boards.list, []);
  await leave();
  await expect.poll(() => location.pathname).toBe("/boards");
  expect(gateway.received(boards.leave).at(-1)?.params).toEqual({ id: "season" });
});

it("offers nothing to leave where only a group shares it", async () => {
  gateway.answer(boards.read, { ...shared, owner: "", ownerState: "gone", shares: [{ to: boats, can: "view" }] });
  await openBoard();
  await expect.element(page.getByText("shared by a deleted account, view only", { exact: false })).toBeVisible();
  await button("More actions").click();
  await expectTexts(menuItems(), ["Full screen", "Print or save as PDF", "Make a copy", "Send by email …"]);
});

it("empties itself as soon as it is no longer shared", async () => {
  const stream = gateway.serveEvents(live.stream, { kind: "open", build: null });
  gateway.answer(boards.read, shared);
  await openBoard();
  gateway.refuse(boards.read, "not-found", "There is no such board.");
  stream.send({ kind: "changed", topic: "boards", id: null });
  await expect.element(page.getByRole("alert")).toHaveTextContent("This board is no longer shared with you.");
  await expect.element(page.getByRole("alert")).not.toHaveTextContent("There is no such board.");
  await expect.element(panel("Notes")).not.toBeInTheDocument();
  await expectAccessible();
});

it("appears in the list as soon as it is shared", async () => {
  const stream = gateway.serveEvents(live.stream, { kind: "open", build: null });
  gateway.answer(boards.list, []);
  await openScreen("/boards");
  await expect.element(page.getByText("No boards yet")).toBeVisible();
  const { content: _, ...summary } = shared;
  gateway.answer(boards.list, [{ ...summary, can: "edit", ownerState: "gone", owner: "" }]);
  stream.send({ kind: "changed", topic: "boards", id: null });
  const item = page.getByRole("list", { name: "Boards", exact: true }).getByRole("listitem");
  await expect.element(item).toHaveTextContent("5 panels · shared by a deleted account · you can edit it · The storms of 2005.");
});
