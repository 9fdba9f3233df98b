import { datasetAnnouncements } from "@fairway/contract/dataset-announcements";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { serveEntities } from "#testing/entities.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { schemaAddress, admin, kept, serveAnnouncements, banner, dialog, announce, line } from "#testing/announcements.ts";

beforeEach(serveAnnouncements);

it("an administrator announces something, changes it and removes it", async () => {
  kept.stored = null;
  await openScreen(schemaAddress, admin);
  await announce();
  await expect.element(dialog().getByRole("button", { name: "Save" })).toBeDisabled();
  await dialog().getByRole("textbox", { name: "Text" }).fill("Being **reloaded**.");
  await expectAccessible({ within: ["[role=dialog]"] });
  await dialog().getByRole("button", { name: "Save" }).click();
  await expect.element(banner()).toHaveTextContent("Note: Being reloaded.");
  expect(gateway.received(datasetAnnouncements.save).map(({ body }) => body)).toEqual([
    { kind: "note", text: "Being **reloaded**.", replacement: null, endMs: null, version: 0 },
  ]);

  await announce();
  await dialog().getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "Deprecated" }).click();
  await dialog().getByRole("textbox", { name: "Text" }).fill("");
  await dialog().getByRole("combobox", { name: "Replacement" }).fill("daily");
  await page.getByRole("option", { name: "daily-weather (Tropical weather)" }).click();
  await dialog().getByRole("button", { name: "Save" }).click();
  await expect.element(banner()).toHaveTextContent("Deprecated: Use daily-weather instead.");

  await announce();
  await dialog().getByRole("button", { name: "Remove" }).click();
  await expectCount(banner(), 0);
  expect(kept.stored).toBeNull();
});

it("the administrators' list of datasets says what is announced on each", async () => {
  serveEntities("datasets/external", [
    { name: "Tropical weather", baseRoute: "https://example.org", apis: [{ name: "storm-tracks", path: "/", method: 0 }] },
  ]);
  await openScreen("/external-dataset-settings", admin);
  await expect.element(page.getByRole("gridcell", { name: `storm-tracks: ${line}` })).toBeVisible();
});
