import { live } from "@fairway/contract/live";
import { savedSearches } from "@fairway/contract/saved-searches";
import { sharing } from "@fairway/contract/sharing";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { act, katrina, openResults } from "#testing/results.ts";
import { openSaved, savedDialog } from "#testing/saved-dialog.ts";
import { buildSavedSearch, buildSharedSearch, serveSavedSearches } from "#testing/saved-searches.ts";

const query = JSON.stringify({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
const choice = (name: string) => savedDialog().getByRole("radio", { name, exact: true });
const inDialog = (name: string) => savedDialog().getByRole("button", { name, exact: true });
const bob = { kind: "user" as const, id: "u-bob", name: "bob" };
const toMe = { kind: "user" as const, id: "u-ada", name: "ada" };

beforeEach(() => serveDatasets(gateway));

it("shares a saved search, and says with whom", async () => {
  serveSavedSearches([buildSavedSearch("Katrina", query)]);
  gateway.answer(sharing.candidates, [bob]);
  gateway.answer(savedSearches.share, () => {
    const saved = buildSavedSearch("Katrina", query, { shares: [{ to: bob, can: "view" }] });
    gateway.answer(savedSearches.list, [saved]);
    return saved;
  });
  await openSaved();
  await press("Enter", inDialog("Share Katrina"));
  const dialog = page.getByRole("dialog", { name: "Share Katrina", exact: true });
  const box = dialog.getByRole("combobox", { name: "Share with" });
  await box.fill("bob");
  await expect.element(dialog.getByRole("option")).toBeVisible();
  await press("Enter", box);
  await expectAccessible({ within: ["[role=dialog]"] });
  gateway.refuse(savedSearches.share, "invalid-value", "There is no such person.", { times: 1 });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectText(dialog.getByRole("alert"), "Save failed: There is no such person.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(savedDialog().getByText("Shared with bob", { exact: true })).toBeVisible();
  expect(gateway.received(savedSearches.share).at(-1)).toMatchObject({
    params: { id: "s-Katrina" },
    body: { shares: [{ to: { kind: "user", id: "u-bob" }, can: "view" }] },
  });
});

it("shares a search in the step that saves it", async () => {
  serveSavedSearches([]);
  gateway.answer(sharing.candidates, [bob]);
  await openResults(katrina);
  await act("Save Search Filters");
  const dialog = page.getByRole("dialog", { name: "Save Search Filters", exact: true });
  const name = dialog.getByRole("textbox", { name: "Name" });
  const box = dialog.getByRole("combobox", { name: "Share with" });
  await expect.element(box).toBeVisible();
  await expect.element(name).toHaveFocus();
  await name.fill("Katrina");
  await box.fill("bob");
  await expect.element(dialog.getByRole("option", { name: /bob/ })).toBeVisible();
  await press("Enter", box);
  await dialog.getByRole("combobox", { name: "What bob may do" }).selectOptions("Edit");
  await box.fill("every");
  await press("Enter", box);
  await expectTexts(dialog.getByRole("list", { name: "Shared with" }).getByRole("listitem"), [/^bobPerson/, /^EveryoneEveryone/]);
  await expectAccessible({ within: ["[role=dialog]"] });
  gateway.refuse(savedSearches.create, "invalid-value", "There is no such person.", { times: 1 });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expectText(dialog.getByRole("alert"), "Save failed: There is no such person.");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.received(savedSearches.create).at(-1)?.body).toMatchObject({
    queryName: "Katrina",
    shares: [
      { to: { kind: "user", id: "u-bob" }, can: "edit" },
      { to: { kind: "everyone" }, can: "view" },
    ],
  });
});

it("shares a search that replaces one of the same name, and leaves it shared as it was without new shares", async () => {
  const saved = buildSavedSearch("Katrina", query, { shares: [{ to: bob, can: "view" }] });
  serveSavedSearches([saved]);
  gateway.answer(savedSearches.share, saved);
  gateway.answer(sharing.candidates, []);
  const replace = async () => {
    const dialog = page.getByRole("dialog", { name: "Save Search Filters", exact: true });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Katrina");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("button", { name: "Replace" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
  };
  await openResults(katrina);
  await act("Save Search Filters");
  await replace();
  expect(gateway.received(savedSearches.share)).toEqual([]);
  await act("Save Search Filters");
  const box = page.getByRole("dialog", { name: "Save Search Filters", exact: true }).getByRole("combobox", { name: "Share with" });
  await box.fill("everyone");
  await press("Enter", box);
  await replace();
  expect(gateway.received(savedSearches.share).at(-1)).toMatchObject({
    params: { id: "s-Katrina" },
    body: { shares: [{ to: { kind: "everyone" }, can: "view" }] },
  });
});

it("gives a saved search to somebody who can edit it", async () => {
  serveSavedSearches([buildSavedSearch("Katrina", query, { shares: [{ to: bob, can: "edit" }] }), buildSavedSearch("Rita", query)]);
  gateway.answer(sharing.candidates, [bob]);
  gateway.answer(savedSearches.transfer, undefined);
  await openSaved();
  await choice("Rita").click();
  await expect.element(inDialog("Give away")).not.toBeInTheDocument();
  await choice("Katrina").click();
  await inDialog("Give away").click();
  const dialog = page.getByRole("dialog", { name: "Give away Katrina", exact: true });
  await dialog.getByRole("combobox", { name: "New owner" }).fill("bob");
  await dialog.getByRole("option").click();
  await dialog.getByRole("button", { name: "Give away" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.received(savedSearches.transfer)[0]).toMatchObject({ params: { id: "s-Katrina" }, body: { userId: "u-bob" } });
});

it("lets an editor rename a search of somebody else, but neither share nor delete it, also after it was changed meanwhile", async () => {
  const shared = buildSharedSearch("Rita", query, { can: "edit", ownerState: "gone", owner: "", version: 4 });
  serveSavedSearches([], [shared]);
  await openSaved();
  await choice("Rita").click();
  await expect.element(savedDialog().getByText("Shared by a deleted account · you can edit it", { exact: true })).toBeVisible();
  await expect.element(inDialog("Delete")).toBeDisabled();
  await expect.element(inDialog("Share Rita")).not.toBeInTheDocument();
  gateway.refuse(savedSearches.edit, "stale-version", "The saved search was saved since you read it.", { times: 1 });
  await inDialog("Edit Rita").click();
  const editing = page.getByRole("dialog", { name: "Edit Saved Search", exact: true });
  await editing.getByRole("textbox", { name: "Name" }).fill("Rita 2005");
  await editing.getByRole("button", { name: "Save", exact: true }).click();
  await expectText(editing.getByRole("alert"), "Save failed: The saved search was saved since you read it.");
  expect(gateway.received(savedSearches.edit).at(-1)?.body).toEqual({ queryName: "Rita 2005", description: "", version: 4 });
  serveSavedSearches([], [{ ...shared, version: 7 }]);
  gateway.answer(savedSearches.edit, shared);
  await editing.getByRole("button", { name: "Save anyway" }).click();
  await expect.element(editing).not.toBeInTheDocument();
  expect(gateway.received(savedSearches.edit).at(-1)?.body).toEqual({ queryName: "Rita 2005", description: "", version: 7 });
});

it("replaces the filters of a search that the user may edit, also after it was changed meanwhile", async () => {
  const rita = buildSharedSearch("Rita", query, { can: "edit", version: 4 });
  serveSavedSearches([], [rita, buildSharedSearch("Only read", query)]);
  gateway.answer(savedSearches.edit, rita);
  await openResults(katrina);
  await act("Save Search Filters");
  const dialog = page.getByRole("dialog", { name: "Save Search Filters", exact: true });
  const target = dialog.getByRole("combobox", { name: "Save as" });
  await expectTexts(target.getByRole("option"), ["A new saved search", "Rita, shared by grace"]);
  await target.selectOptions("Rita, shared by grace");
  await expect.element(dialog.getByRole("textbox", { name: "Name" })).not.toBeInTheDocument();
  gateway.refuse(savedSearches.edit, "stale-version", "The saved search was saved since you read it.", { times: 1 });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expectText(dialog.getByRole("alert"), "Save failed: The saved search was saved since you read it.");
  serveSavedSearches([], [{ ...rita, version: 7 }]);
  gateway.answer(savedSearches.edit, rita);
  await dialog.getByRole("button", { name: "Save anyway" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.received(savedSearches.edit).map(({ params, body }) => [params.id, body])).toEqual([
    ["s-Rita", { queryName: "Rita", query, version: 4 }],
    ["s-Rita", { queryName: "Rita", query, version: 7 }],
  ]);
  expect(gateway.received(savedSearches.create)).toEqual([]);
});

it("leaves a search that is shared with the user, and keeps it when that is refused", async () => {
  serveSavedSearches([], [buildSharedSearch("Rita", query, { shares: [{ to: toMe, can: "view" }] })]);
  gateway.refuse(savedSearches.leave, "conflict", "This saved search is shared with a group.", { times: 1 });
  await openSaved();
  await choice("Rita").click();
  const leave = async () => {
    await inDialog("Leave").click();
    await page.getByRole("dialog", { name: "Leave Saved Search?" }).getByRole("button", { name: "Leave" }).click();
  };
  await leave();
  await expectText(savedDialog().getByRole("alert"), "Leave failed: This saved search is shared with a group.");
  gateway.answer(savedSearches.leave, () => {
    gateway.answer(savedSearches.shared, []);
    return undefined;
  });
  await leave();
  await expect.element(choice("Rita")).not.toBeInTheDocument();
  await expect.element(savedDialog().getByRole("alert")).not.toBeInTheDocument();
});

it("says that the chosen search is no longer shared", async () => {
  const stream = gateway.serveEvents(live.stream, { kind: "open", build: null });
  serveSavedSearches([buildSavedSearch("Katrina", query)], [buildSharedSearch("Rita", query)]);
  await openSaved();
  await choice("Rita").click();
  gateway.answer(savedSearches.shared, []);
  stream.send({ kind: "changed", topic: "savedSearches", id: null });
  await expectText(savedDialog().getByRole("alert"), "This saved search is no longer shared with you.");
  await expectCount(savedDialog().getByRole("radio"), 1);
  await expect.element(inDialog("Load")).toBeDisabled();
});
