import { userRemoval } from "@fairway/contract/accounts";
import { type OwnedThings, ownership, sharing } from "@fairway/contract/sharing";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectText, expectTexts } from "#testing/assertions.ts";
import { chooseInRow, openAdmin, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { expectKeptEditing } from "#testing/readings.ts";

const owned: OwnedThings = {
  counts: { board: 2, savedSearch: 1, ownDataset: 0 },
  shared: [
    { kind: "board", id: "b-1", name: "Season" },
    { kind: "savedSearch", id: "s-1", name: "Katrina" },
  ],
};
async function openUserDeletion(): Promise<void> {
  serveEntities("users", [{ id: "u-1", username: "grace", email: "grace@fairway.example", groups: [] }]);
  await openAdmin("/user-settings", "Users");
  await chooseInRow("grace", "Delete");
}

const dialog = () => page.getByRole("dialog", { name: "Delete grace?" });
const remove = () => dialog().getByRole("button", { name: "Delete", exact: true });

it("names what the account shares, and gives all of it to somebody else", async () => {
  gateway.answer(ownership.owned, owned);
  gateway.answer(sharing.candidates, [
    { kind: "user", id: "u-1", name: "grace" },
    { kind: "user", id: "u-bob", name: "bob" },
  ]);
  await openUserDeletion();
  await expect.element(dialog()).toHaveTextContent("It owns 2 boards and 1 saved search. It shares:");
  await expectTexts(dialog().getByRole("listitem"), ["Season", "Katrina"]);
  await expect.element(dialog()).toHaveTextContent("What others have stays without owner, as it is shared.");
  await expectAccessible({ within: ["[role=dialog]"] });
  const box = dialog().getByRole("combobox", { name: "Give to" });
  await box.fill("bo");
  // The account itself is not offered.
  await expectTexts(dialog().getByRole("option"), ["bobPerson"]);
  await press("Enter", box);
  await expect.element(dialog()).toHaveTextContent("bob gets all of it: 2 boards and 1 saved search.");
  await press("Escape");
  await expectKeptEditing();
  gateway.refuse(userRemoval, "conflict", "The account of 'bob' has no room for 2 boards.", { times: 1 });
  await remove().click();
  await expectText(dialog().getByRole("alert"), "Delete failed: The account of 'bob' has no room for 2 boards.");
  gateway.answer(userRemoval, undefined);
  await remove().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(gateway.received(userRemoval).at(-1)).toMatchObject({ params: { id: "u-1" }, query: { transferTo: "u-bob" } });
});

it("deletes an account that owns nothing, without offering to give", async () => {
  gateway.answer(ownership.owned, { counts: { board: 0, savedSearch: 0, ownDataset: 0 }, shared: [] });
  gateway.answer(userRemoval, undefined);
  await openUserDeletion();
  await expect.element(dialog()).toHaveTextContent("The account owns no boards, saved searches or datasets.");
  await expect.element(dialog().getByRole("combobox")).not.toBeInTheDocument();
  await remove().click();
  await expect.poll(() => gateway.received(userRemoval).at(-1)?.query).toEqual({});
});

it("says that what the account owns could not be loaded", async () => {
  gateway.refuse(ownership.owned, "internal", "The disk is full.");
  await openUserDeletion();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Failed to load what the account owns");
});

it("deletes several users, says what becomes of their things, and gives these to somebody else", async () => {
  serveEntities(
    "users",
    ["grace", "alan", "root"].map((username) => ({ id: `u-${username}`, username, email: "", groups: [] })),
  );
  gateway.answer(ownership.owned, ({ params }) => (params.id === "u-grace" ? owned : { ...owned, shared: [] }));
  gateway.answer(sharing.candidates, [
    { kind: "user", id: "u-grace", name: "grace" },
    { kind: "user", id: "u-bob", name: "bob" },
  ]);
  await openAdmin("/user-settings", "Users");
  for (const username of ["grace", "alan"]) await page.getByRole("checkbox", { name: `Select ${username}` }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const several = page.getByRole("dialog", { name: "Delete 2 users?" });
  await expect.element(several).toHaveTextContent("They own 4 boards and 2 saved searches. They share:");
  await expectTexts(several.getByRole("listitem"), ["Season", "Katrina"]);
  await expect.element(several).toHaveTextContent("What others have stays without owner, as it is shared.");
  await expectAccessible({ within: ["[role=dialog]"] });
  const box = several.getByRole("combobox", { name: "Give to" });
  await box.fill("bo");
  // Nobody who is deleted is offered.
  await expectTexts(several.getByRole("option"), ["bobPerson"]);
  await press("Enter", box);
  await expect.element(several).toHaveTextContent("bob gets all of it: 4 boards and 2 saved searches.");
  await press("Escape");
  await expectKeptEditing();
  gateway.answer(userRemoval, undefined);
  gateway.refuse(userRemoval, "conflict", "The account of 'bob' has no room for 2 boards.", { times: 1 });
  await several.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(several).not.toBeInTheDocument();
  await expect.element(page.getByText("1 deleted")).toBeVisible();
  await expect.element(page.getByText("alan: The account of 'bob' has no room for 2 boards.")).toBeVisible();
  expect(gateway.received(userRemoval)).toMatchObject([
    { params: { id: "u-alan" }, query: { transferTo: "u-bob" } },
    { params: { id: "u-grace" }, query: { transferTo: "u-bob" } },
  ]);
});

it("deletes several users with one call if nobody gets their things", async () => {
  const { routes } = serveEntities(
    "users",
    ["grace", "alan"].map((username) => ({ id: `u-${username}`, username, email: "", groups: [] })),
  );
  gateway.answer(ownership.owned, owned);
  gateway.answer(routes.bulk, { changed: ["u-grace", "u-alan"], refused: [] });
  await openAdmin("/user-settings", "Users");
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const several = page.getByRole("dialog", { name: "Delete 2 users?" });
  await expect.element(several).toHaveTextContent("The rest is deleted.");
  await several.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(several).not.toBeInTheDocument();
  expect(gateway.received(routes.bulk)).toMatchObject([{ body: { ids: ["u-alan", "u-grace"], action: "delete" } }]);
});
