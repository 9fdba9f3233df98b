import { type DatasetAnnouncement, datasetAnnouncements } from "@fairway/contract/dataset-announcements";
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount } from "#testing/assertions.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { serveEntities } from "#testing/entities.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
const weather = { datasetCategory: "Tropical weather", datasetId: "daily-weather" };
const schemaAddress = "/data-catalog/Tropical%20weather/storm-tracks";
const admin = { roles: ["admin"] };

const deprecated: DatasetAnnouncement = {
  dataset: storms,
  kind: "deprecated",
  text: "No seasons after [2020](https://example.org/2020). <b>Sorry</b>.",
  replacement: weather,
  endMs: null,
  version: 4,
  username: "root",
  savedMs: Date.UTC(2026, 10, 2, 12),
};
let stored: DatasetAnnouncement | null;

/** A gateway that keeps the announcement on storm-tracks. */
beforeEach(() => {
  stored = deprecated;
  const list = () => (stored === null ? [] : [stored]);
  gateway.answer(datasetAnnouncements.list, list);
  gateway.answer(datasetAnnouncements.listAll, list);
  const requireVersion = (version: number | undefined) => {
    if (version !== (stored?.version ?? 0)) throw new Refused("stale-version", "The announcement has changed since you read it.");
  };
  gateway.answer(datasetAnnouncements.save, ({ body }) => {
    requireVersion(body.version);
    stored = { ...deprecated, ...body, version: (stored?.version ?? 4) + 1 };
    return stored;
  });
  gateway.answer(datasetAnnouncements.remove, ({ query }) => {
    requireVersion(query?.version);
    stored = null;
    return undefined;
  });
});

const banner = () => page.getByRole("region", { name: "Announcement" });
const dialog = () => page.getByRole("dialog", { name: "Announce on storm-tracks" });
const announce = async () => {
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Announce…" }).click();
};
const line = "Deprecated: No seasons after 2020. <b>Sorry</b>. Use daily-weather instead.";

it("the schema shows an announcement until it is dismissed, in this tab and until it changes", async () => {
  await openScreen(schemaAddress);
  await expect.element(banner()).toHaveTextContent("Deprecated: No seasons after 2020. <b>Sorry</b>. Use daily-weather instead.");
  await expect.element(banner()).toHaveTextContent("root, 11/02/2026");
  await expect.element(banner().getByRole("link", { name: "2020" })).toHaveAttribute("href", "https://example.org/2020");
  await expectAccessible();
  await page.viewport(390, 844);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await page.viewport(1440, 900);
  await banner().getByRole("button", { name: "Dismiss" }).click();
  await expectCount(banner(), 0);
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  await openScreen(schemaAddress);
  await expect.element(page.getByRole("region", { name: "System description" })).toBeVisible();
  await expectCount(banner(), 0);
  // It has changed.
  stored = { ...deprecated, kind: "warning", text: "Being reloaded.", replacement: null, version: 5 };
  await openScreen(schemaAddress);
  await expect.element(banner()).toHaveTextContent("Warning: Being reloaded.");
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: /^History/ })).toBeVisible();
  await expectCount(page.getByRole("menuitem", { name: "Announce…" }), 0);
  // Its failure leaves the rest of the page alone.
  gateway.refuse(datasetAnnouncements.list, "timed-out", "It took too long.", { times: 1 });
  await openScreen(schemaAddress);
  await expect.element(page.getByText("Announcements could not be loaded.")).toBeVisible();
  await expect.element(page.getByRole("region", { name: "System description" })).toBeVisible();
});

it("an announcement is shown wherever the dataset is chosen, with a link to its replacement", async () => {
  await openScreen("/search");
  await expect.element(page.getByRole("grid", { name: "Datasets" }).getByRole("img", { name: line })).toBeVisible();
  await expect.element(page.getByRole("region", { name: "Tropical weather" }).getByRole("img", { name: line })).toBeVisible();
  await page.getByRole("grid", { name: "Datasets" }).getByRole("button", { name: "storm-tracks", exact: true }).click();
  await expect.element(banner()).toHaveTextContent("Use daily-weather instead.");
  await banner().getByRole("link", { name: "daily-weather" }).click();
  await expectAddress("/search?category=Tropical+weather&dataset=daily-weather");
  await userEvent.keyboard("{Control>}k{/Control}");
  await page.getByRole("dialog").getByRole("combobox").fill("storm-tracks");
  await expect.element(page.getByRole("option", { name: /storm-tracks.*Tropical weather · Deprecated/ })).toBeVisible();
});

it("an administrator announces something, changes it and removes it", async () => {
  stored = null;
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
  expect(stored).toBeNull();
});

it("shows what another administrator announced meanwhile, and replaces it only then", async () => {
  await openScreen(schemaAddress, admin);
  await announce();
  await dialog().getByRole("textbox", { name: "Text" }).fill("Mine.");
  stored = { ...deprecated, kind: "warning", text: "Theirs.", replacement: null, version: 5, username: "lovelace" };
  await dialog().getByRole("button", { name: "Save" }).click();
  const conflict = dialog().getByRole("alert");
  await expect.element(conflict).toHaveTextContent("lovelace changed the announcement since you opened it");
  await expect.element(conflict).toHaveTextContent("Warning: Theirs.");
  expect(stored.text).toBe("Theirs.");
  await conflict.getByRole("button", { name: "Use the stored announcement" }).click();
  await expect.element(dialog().getByRole("textbox", { name: "Text" })).toHaveValue("Theirs.");
  await dialog().getByRole("textbox", { name: "Text" }).fill("Ours.");
  await dialog().getByRole("button", { name: "Save" }).click();
  await expect.element(banner()).toHaveTextContent("Warning: Ours.");
});

it("the administrators' list of datasets says what is announced on each", async () => {
  serveEntities("datasets/external", [
    { name: "Tropical weather", baseRoute: "https://example.org", apis: [{ name: "storm-tracks", path: "/", method: 0 }] },
  ]);
  await openScreen("/external-dataset-settings", admin);
  await expect.element(page.getByRole("gridcell", { name: `storm-tracks: ${line}` })).toBeVisible();
});
