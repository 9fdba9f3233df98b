import { catalog } from "@fairway/contract/catalog";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { imports } from "@fairway/contract/imports";
import { ownDatasets } from "@fairway/contract/own-datasets";
import { sharing } from "@fairway/contract/sharing";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { openOwnSchema } from "#testing/opened-screens.ts";
import { buildOwnData, buildOwnDataset, buildVersion, serveImport } from "#testing/own-data.ts";
import { expectKeptEditing } from "#testing/readings.ts";
import { section } from "#testing/own-data-pages.ts";

function serveCatalog(): void {
  gateway.answer(catalog.entries, []);
  gateway.answer(descriptionSuggestions.counts, []);
}

it("shows rows, room and versions of an own dataset, and goes back to an earlier version", async () => {
  const after = [buildVersion({ version: 3, kind: "restored", isCurrent: true }), buildVersion()];
  gateway.answer(ownDatasets.goBack, () => {
    gateway.answer(ownDatasets.versions, after);
    return after;
  });
  await openOwnSchema();
  await expect.element(section()).toHaveTextContent("1,200 rows · 58.0 KB · only you see it · you keep 0 bytes of 2 GB");
  await expectTexts(section().getByRole("rowheader"), ["2 (current)", "1"]);
  await expectAccessible();
  await section().getByRole("button", { name: "Go back to version 1" }).click();
  await expectTexts(section().getByRole("rowheader"), ["3 (current)", "1"]);
  expect(gateway.received(ownDatasets.goBack)[0]?.params).toStrictEqual({ id: "own-1", n: "1" });
});

it("appends files of this device to the dataset", async () => {
  serveImport(gateway);
  await openOwnSchema();
  await expect.element(section().getByRole("button", { name: "Append" })).toBeVisible();
  const input = (await section().getByLabelText("Files with data").first().findElement()) as HTMLInputElement;
  const transfer = new DataTransfer();
  transfer.items.add(new File(["a,b\n1,2\n"], "more.csv"));
  input.files = transfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  await expect.poll(() => location.pathname).toBe("/add-data/import-1");
  expect(gateway.received(imports.start)[0]?.body).toMatchObject({
    into: { datasetCategory: "Tropical weather", datasetId: "storm-tracks", mode: "append" },
  });
});

it("gives the dataset to somebody who can edit it, and says before what that means", async () => {
  const to = { kind: "user" as const, id: "u-bob", name: "bob" };
  const own = buildOwnDataset({
    datasetCategory: "Tropical weather",
    datasetId: "storm-tracks",
    shares: [
      { to, can: "edit" },
      { to: { kind: "group", id: "g-1", name: "Boats" }, can: "view" },
    ],
  });
  gateway.answer(sharing.candidates, ({ query: { text } }) =>
    text.startsWith("bo") ? [to] : [{ kind: "user" as const, id: "u-eve", name: "eve" }],
  );
  gateway.answer(ownDatasets.transfer, () => {
    gateway.answer(ownDatasets.list, buildOwnData({ datasets: [{ ...own, can: "edit", owner: { userId: "u-bob", username: "bob" } }] }));
    return undefined;
  });
  await openOwnSchema(own);
  await section().getByRole("button", { name: "Give away" }).click();
  const dialog = page.getByRole("dialog", { name: "Give away storm-tracks" });
  const box = dialog.getByRole("combobox", { name: "New owner" });
  await box.fill("eve");
  await dialog.getByRole("option", { name: /eve/ }).click();
  await expect.element(dialog).toHaveTextContent("eve may not edit it. Share it with eve first");
  await expect.element(dialog.getByRole("button", { name: "Give away" })).toBeDisabled();
  await box.fill("bob");
  await dialog.getByRole("option", { name: /bob/ }).click();
  await expect.element(dialog).toHaveTextContent("Its 58.0 KB take room of bob, and none of yours.");
  await expect.element(dialog).toHaveTextContent("Boats keeps access.");
  await press("Escape");
  await expectKeptEditing();
  await expectAccessible({ within: ["[role=dialog]"] });
  await dialog.getByRole("button", { name: "Give away" }).click();
  await expect.element(page.getByText("storm-tracks belongs to bob now")).toBeVisible();
  expect(gateway.received(ownDatasets.transfer)[0]).toMatchObject({ params: { id: "own-1" }, body: { userId: "u-bob" } });
  const shared = page.getByRole("region", { name: "Shared with you" });
  await expect.element(shared).toHaveTextContent("of bob");
  expect(shared.getByRole("button", { name: "Give away" }).elements()).toHaveLength(0);
});

it("asks with what depends on the dataset before it is deleted", async () => {
  gateway.answer(ownDatasets.dependents, { savedSearches: 2, boards: 1, alerts: 0, lookups: 0, favorites: 3, shares: 0 });
  gateway.answer(ownDatasets.remove, undefined);
  serveCatalog();
  await openOwnSchema();
  await section().getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete storm-tracks?" });
  await expect.element(dialog).toHaveTextContent("2 saved searches and 1 board depend on it. It is gone for everyone at once.");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect.poll(() => location.pathname).toBe("/data-catalog");
  await expect.poll(() => gateway.received(ownDatasets.remove)[0]?.query).toStrictEqual({});
});

it("offers a viewer nothing but to leave", async () => {
  const shared = buildOwnDataset({
    datasetCategory: "Tropical weather",
    datasetId: "storm-tracks",
    can: "view",
    owner: { userId: "u-bob", username: "bob" },
  });
  await openOwnSchema(shared);
  gateway.answer(ownDatasets.leave, undefined);
  serveCatalog();
  const viewed = page.getByRole("region", { name: "Shared with you" });
  await expect.element(viewed).toHaveTextContent("1,200 rows · 58.0 KB · of bob");
  expect(viewed.getByRole("button").elements()).toHaveLength(1);
  await viewed.getByRole("button", { name: "Remove from my datasets" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect.poll(() => gateway.received(ownDatasets.leave)).toHaveLength(1);
});
