import { type OwnerlessEntry, ownership, sharing } from "@fairway/contract/sharing";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { openAdmin } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { expectKeptEditing } from "#testing/readings.ts";

const boats = { to: { kind: "group" as const, id: "g-1", name: "Boats" }, can: "view" as const };
const entries: OwnerlessEntry[] = [
  { kind: "board", id: "b-1", name: "Season", formerOwner: "grace", shares: [boats] },
  { kind: "ownDataset", id: "d-1", name: "rain-2024", formerOwner: "", shares: [] },
];
const button = (name: string) => page.getByRole("button", { name, exact: true });
const rows = () =>
  page
    .getByRole("region", { name: "Without owner" })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });

const openOwnerless = () => openAdmin("/ownerless-settings", "Without owner");

it("lists what has no owner, and gives it to an account", async () => {
  let listed = entries;
  gateway.answer(ownership.ownerless, () => ({ entries: listed }));
  gateway.answer(sharing.candidates, [
    { kind: "user", id: "u-bob", name: "bob" },
    { kind: "group", id: "g-2", name: "bobs" },
  ]);
  gateway.refuse(ownership.give, "conflict", "The account of 'bob' has no room for another board.", { times: 1 });
  await openOwnerless();
  await expectTexts(rows().getByRole("rowheader"), ["Season", "rain-2024"]);
  await expect.element(rows().nth(0)).toHaveTextContent(/^SeasonBoardgraceBoats/);
  await expect.element(rows().nth(1)).toHaveTextContent(/^rain-2024Own datasetnot knownnobody, deleted soon/);
  await expect.element(page.getByRole("link", { name: "Without owner" })).toHaveAttribute("aria-current", "page");
  await expectAccessible();
  await press("Enter", button("Give Season to"));
  const dialog = page.getByRole("dialog", { name: "Give Season to" });
  await expect.element(dialog.getByRole("button", { name: "Give" })).toBeDisabled();
  await dialog.getByRole("combobox", { name: "New owner" }).fill("bob");
  await dialog.getByRole("option").click();
  await expect.element(dialog).toHaveTextContent("bob becomes its owner.");
  await press("Escape");
  await expectKeptEditing();
  await dialog.getByRole("button", { name: "Give" }).click();
  await expectText(dialog.getByRole("alert"), "Give failed: The account of 'bob' has no room for another board.");
  gateway.answer(ownership.give, () => {
    listed = entries.slice(1);
    return undefined;
  });
  await dialog.getByRole("button", { name: "Give" }).click();
  await expectCount(rows(), 1);
  expect(gateway.received(ownership.give).at(-1)).toMatchObject({ params: { kind: "board", id: "b-1" }, body: { userId: "u-bob" } });
});

it("deletes what has no owner once confirmed, and says when that failed", async () => {
  let listed = entries;
  gateway.answer(ownership.ownerless, () => ({ entries: listed }));
  gateway.refuse(ownership.remove, "not-found", "There is no such board.", { times: 1 });
  await openOwnerless();
  const remove = async () => {
    await button("Delete Season").click();
    const question = page.getByRole("dialog", { name: "Delete Season?" });
    await expect.element(question).toHaveTextContent("This deletes the board for everyone, immediately.");
    await question.getByRole("button", { name: "Delete" }).click();
  };
  await remove();
  await expect.element(page.getByText("There is no such board.")).toBeVisible();
  gateway.answer(ownership.remove, () => {
    listed = [];
    return undefined;
  });
  await remove();
  await expect.element(page.getByText("Everything has an owner.", { exact: false })).toBeVisible();
  expect(gateway.received(ownership.remove).at(-1)?.params).toEqual({ kind: "board", id: "b-1" });
});

it("says that the list could not be loaded", async () => {
  gateway.refuse(ownership.ownerless, "internal", "The disk is full.");
  await openOwnerless();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Failed to load what has no owner");
});
