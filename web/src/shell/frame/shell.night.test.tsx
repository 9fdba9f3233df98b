import { profile } from "@fairway/contract/profile";
import { notices } from "@fairway/contract/notices";
import { apiKeys } from "@fairway/contract/api-keys";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import { ownSessions } from "@fairway/contract/sessions";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { sample } from "#testing/datasets-screen.ts";
import { demoDataset, serveDatasets } from "#testing/demo-datasets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";

const rail = () => page.getByRole("navigation", { name: "Main" });
const panel = () => page.getByRole("navigation", { name: "Search", exact: true });

beforeEach(() => {
  gateway.answer(profile.read, { username: "ada", email: "ada@fairway.example", firstName: "Ada", lastName: "Lovelace", roles: [] });
  gateway.answer(ownSessions.list, []);
  gateway.answer(ownSessions.signIns, []);
  gateway.answer(ownSecurityEvents.list, []);
  gateway.answer(apiKeys.list, []);
  gateway.answer(notices.list, []);
});

it("the chosen theme is kept after a reload", async () => {
  await openScreen("/search");
  const theme = () => document.documentElement.dataset["mantineColorScheme"];
  for (const [label, scheme] of [
    ["Dark", "dark"],
    ["Light", "light"],
    ["Dark", "dark"],
  ] as const) {
    await rail().getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitemradio", { name: label }).click();
    await expect.element(page.getByRole("menu")).not.toBeInTheDocument();
    await expect.poll(theme).toBe(scheme);
  }
  await reloadScreen();
  await expectDatasets();
  expect(theme()).toBe("dark");
  await rail().getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitemradio", { name: "System" }).click();
  await expect.poll(theme).toBe("light");
});

it("axe finds no violations in the shell, its menu and its dialogs, light and dark", async () => {
  serveDatasets(gateway, [demoDataset("storm-tracks"), demoDataset("airports")]);
  await openScreen("/search");
  await sample("storm-tracks");
  await panel().getByRole("link", { name: "Datasets" }).click();
  await expectDatasets();
  await expectAccessible();
  await rail().getByRole("button", { name: "More" }).click();
  await expect.element(page.getByRole("menu", { name: "More" })).toBeVisible();
  await expectAccessible({ within: ["[role=menu]"] });
  await press("Escape");
  const dialog = page.getByRole("dialog");
  for (const open of [() => press("Control+k"), () => press("?"), () => rail().getByRole("button", { name: "Logout" }).click()]) {
    await open();
    await expect.element(dialog).toBeVisible();
    await expectAccessible({ within: ["[role=dialog]"] });
    await press("Escape");
    await expect.element(dialog).not.toBeInTheDocument();
  }
});
