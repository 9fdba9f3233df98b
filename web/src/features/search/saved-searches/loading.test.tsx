import { savedSearches } from "@fairway/contract/saved-searches";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectText } from "#testing/assertions.ts";
import { storms } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { buildSavedSearch, buildSharedSearch, serveSavedSearches } from "#testing/saved-searches.ts";
import { openSaved, savedDialog, savedButton } from "#testing/saved-dialog.ts";
import { setField } from "#testing/quick-fields.ts";

const [datasetCategory, datasetId] = storms;
const query = JSON.stringify({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
const choice = (name: string) => savedDialog().getByRole("radio", { name, exact: true });
const inDialog = (name: string) => savedDialog().getByRole("button", { name, exact: true });
const serveSaved = (names: readonly string[]) => serveSavedSearches(names.map((name) => buildSavedSearch(name, query)));

beforeEach(() => serveDatasets(gateway));

describe("a chosen saved search", () => {
  openOnce(async () => {
    serveSaved(["Katrina", "Rita"]);
    await openSaved();
    await expectCount(savedDialog().getByRole("radio"), 2);
    await setField(savedDialog().getByRole("searchbox"), "kat");
    await expectCount(savedDialog().getByRole("radio"), 1);
    await choice("Katrina").click();
  });

  const confirmDialog = page.getByRole("dialog", { name: "Delete Saved Search?" });

  it("[SAVED-11] is deleted only after confirmation, of which Escape closes no more than the question", async () => {
    await inDialog("Delete").click();
    await confirmDialog.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect.element(choice("Katrina")).toBeVisible();
    await inDialog("Delete").click();
    await expect.element(confirmDialog).toBeVisible();
    await press("Escape");
    await expect.element(confirmDialog).not.toBeInTheDocument();
    await expect.element(choice("Katrina")).toBeVisible();
    expect(gateway.received(savedSearches.remove)).toEqual([]);
  });

  it("[SAVED-12] disappears at once, and comes back if the server refuses", async () => {
    gateway.refuse(savedSearches.remove, "internal", "The disk is full.", { times: 1 });
    const refuse = gateway.hold(savedSearches.remove);
    await inDialog("Delete").click();
    await confirmDialog.getByRole("button", { name: "Delete", exact: true }).click();
    await expect.element(choice("Katrina")).not.toBeInTheDocument();
    refuse();
    await expectText(savedDialog().getByRole("alert"), "Delete failed: The disk is full.");
    await expect.element(choice("Katrina")).toBeVisible();
  });

  it("[SAVED-09] is deleted, and Cancel closes the list of the others", async () => {
    await inDialog("Delete").click();
    await confirmDialog.getByRole("button", { name: "Delete", exact: true }).click();
    await expect
      .poll(() => gateway.received(savedSearches.remove).at(-1)?.body)
      .toEqual({ datasetCategory, datasetId, queryName: "Katrina", query });
    await expect.element(choice("Katrina")).not.toBeInTheDocument();
    await setField(savedDialog().getByRole("searchbox"), "");
    await expect.element(choice("Rita")).toBeVisible();
    await inDialog("Cancel").click();
    await expect.element(savedDialog()).not.toBeInTheDocument();
  });
});

it("[SAVED-08] renames and describes a saved search; a duplicate name is refused", async () => {
  serveSaved(["Katrina", "Rita"]);
  await openSaved();
  const editing = page.getByRole("dialog", { name: "Edit Saved Search", exact: true });
  const edit = savedDialog().getByRole("button", { name: "Edit Katrina", exact: true });
  await edit.click();
  const name = editing.getByRole("textbox", { name: "Name" });
  await expect.element(name).toHaveValue("Katrina");
  await expect.element(name).toHaveFocus();
  await setField(name, "RITA");
  await editing.getByRole("button", { name: "Save", exact: true }).click();
  await expectText(editing.getByRole("alert"), "Save failed: A saved search with this name already exists for this dataset.");
  await setField(name, " ");
  await expect.element(editing.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await setField(name, "The big one");
  await setField(editing.getByRole("textbox", { name: "Description" }), "August 2005");
  await editing.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => gateway.received(savedSearches.edit).at(-1)?.body)
    .toEqual({ queryName: "The big one", description: "August 2005", version: 1 });
  await expect.element(editing).not.toBeInTheDocument();
  await expect.element(choice("The big one")).toBeVisible();
  await expect.element(choice("Katrina")).not.toBeInTheDocument();
  await expect.element(savedDialog().getByText("August 2005", { exact: true })).toBeVisible();
  // Escape closes the editor, then the list.
  await press("Enter", savedDialog().getByRole("button", { name: "Edit Rita", exact: true }));
  await expect.element(editing).toBeVisible();
  await press("Escape");
  await expect.element(editing).not.toBeInTheDocument();
  await expect.element(savedDialog().getByRole("button", { name: "Edit Rita", exact: true })).toHaveFocus();
  await press("Escape");
  await expect.element(savedDialog()).not.toBeInTheDocument();
  await expect.element(savedButton()).toHaveFocus();
});

it("loads a search that is shared for viewing, but neither edits nor deletes it", async () => {
  serveSavedSearches([], [buildSharedSearch("For the desk", query)]);
  await openSaved();
  await choice("For the desk").click();
  await expect.element(savedDialog().getByText("Shared by grace · view only", { exact: true })).toBeVisible();
  await expect.element(inDialog("Delete")).toBeDisabled();
  await expect.element(savedDialog().getByRole("button", { name: /^Edit / })).not.toBeInTheDocument();
  await inDialog("Load").click();
  await expect.element(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Katrina");
});
