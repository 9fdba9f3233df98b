import { datasetAnnouncements } from "@fairway/contract/dataset-announcements";
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount } from "#testing/assertions.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { schemaAddress, admin, deprecated, kept, serveAnnouncements, banner, dialog, announce, line } from "#testing/announcements.ts";

beforeEach(serveAnnouncements);

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
  kept.stored = { ...deprecated, kind: "warning", text: "Being reloaded.", replacement: null, version: 5 };
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

it("shows what another administrator announced meanwhile, and replaces it only then", async () => {
  await openScreen(schemaAddress, admin);
  await announce();
  await dialog().getByRole("textbox", { name: "Text" }).fill("Mine.");
  kept.stored = { ...deprecated, kind: "warning", text: "Theirs.", replacement: null, version: 5, username: "lovelace" };
  await dialog().getByRole("button", { name: "Save" }).click();
  const conflict = dialog().getByRole("alert");
  await expect.element(conflict).toHaveTextContent("lovelace changed the announcement since you opened it");
  await expect.element(conflict).toHaveTextContent("Warning: Theirs.");
  expect(kept.stored.text).toBe("Theirs.");
  await conflict.getByRole("button", { name: "Use the stored announcement" }).click();
  await expect.element(dialog().getByRole("textbox", { name: "Text" })).toHaveValue("Theirs.");
  await dialog().getByRole("textbox", { name: "Text" }).fill("Ours.");
  await dialog().getByRole("button", { name: "Save" }).click();
  await expect.element(banner()).toHaveTextContent("Warning: Ours.");
});
