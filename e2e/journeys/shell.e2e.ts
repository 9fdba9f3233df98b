import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { stopClock } from "../support/page-clock.ts";
import { expectRows, recentSearches, sample } from "../support/searches.ts";
import { expectDatasets } from "../support/sign-in.ts";

const rail = (page: Page) => page.getByRole("navigation", { name: "Main" });
const panel = (page: Page) => page.getByRole("navigation", { name: "Search", exact: true });

test("[SHELL-02][SHELL-03] the second panel shows the group's entries, can be hidden and shown again, and stays as it was left", async ({
  page,
  signIn,
}) => {
  await signIn();
  await page.goto("/search");
  await expect(panel(page).getByRole("link", { name: "Datasets" })).toBeVisible();
  await panel(page).getByRole("button", { name: "Hide panel" }).click();
  await expect(panel(page)).toHaveCount(0);
  await page.reload();
  await expectDatasets(page);
  await expect(panel(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Show panel" }).click();
  await expect(panel(page)).toBeVisible();
  await panel(page).getByRole("button", { name: "Hide panel" }).click();
  await rail(page).getByRole("button", { name: "Search", exact: true }).click();
  await expect(panel(page).getByRole("link", { name: "Datasets" })).toBeVisible();
});

test("[ACCESS-01] an entry for everyone is shown to a person without any role", async ({ page, signIn }) => {
  await signIn("viewer");
  await page.goto("/search");
  const roles = await page.evaluate(() => {
    const { access_token } = JSON.parse(sessionStorage.getItem("fairway.session") ?? "") as { access_token: string };
    return (JSON.parse(atob((access_token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"))) as { roles: unknown }).roles;
  });
  expect(roles).toEqual([]);
  await expect(rail(page).getByRole("button", { name: "Search", exact: true })).toBeVisible();
  await expect(panel(page).getByRole("link", { name: "Datasets" })).toBeVisible();
});

test("[SHELL-04][SHELL-05] 'Datasets' opens the datasets; recent searches stand below it, each opening its own results", async ({
  page,
  signIn,
}) => {
  await signIn();
  await page.goto("/search");
  await sample(page, "storm-tracks");
  const storms = page.url();
  await panel(page).getByRole("link", { name: "Datasets" }).click();
  await expect(page).toHaveURL("/search");
  await expectDatasets(page);
  await sample(page, "earthquakes");
  const quakes = page.url();
  await expect(recentSearches(page)).toHaveCount(2);
  await expect(recentSearches(page).nth(0)).toContainText("earthquakes");
  await expect(recentSearches(page).nth(1)).toContainText("storm-tracks");

  await recentSearches(page).nth(1).getByRole("link").click();
  await expectRows(page, "storm-tracks");
  await expect(page).toHaveURL(storms);
  await recentSearches(page).nth(0).getByRole("link").click();
  await expectRows(page, "earthquakes");
  await expect(page).toHaveURL(quakes);
  await expect(recentSearches(page).nth(0).getByRole("link")).toHaveAttribute("aria-current", "page");

  await recentSearches(page).nth(0).hover();
  await recentSearches(page)
    .nth(0)
    .getByRole("button", { name: /^Close earthquakes/ })
    .click();
  await expect(page).toHaveURL("/search");
  await expect(recentSearches(page)).toHaveCount(1);
});

test("[SHELL-06] a recent search shows its start as 'h:mm a' of the browser's zone", async ({ page, signIn }) => {
  await page.clock.install({ time: new Date("2026-03-04T19:07:00Z") });
  await signIn();
  await page.goto("/search");
  await sample(page, "storm-tracks");
  await expect(recentSearches(page).getByRole("time")).toHaveText(/^2:0[7-9] pm$/);
  await page.clock.fastForward("11:00:00");
  await panel(page).getByRole("link", { name: "Datasets" }).click();
  await sample(page, "airports");
  await expect(recentSearches(page).nth(0).getByRole("time")).toHaveText(/^1:0[7-9] am$/);
});

test("[SHELL-07] the preview of a recent search comes 200 ms after the pointer and goes with it at once", async ({ page, signIn }) => {
  await page.clock.install();
  await signIn();
  await page.goto("/search");
  await sample(page, "storm-tracks");
  const preview = page.getByRole("tooltip");
  await stopClock(page);
  await recentSearches(page).getByRole("link").hover();
  await page.clock.runFor(199);
  await expect(preview).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(preview).toContainText("Tropical weather, storm-tracks");
  await expect(preview).toContainText("Sample");
  await page.getByRole("heading", { level: 1 }).hover();
  await expect(preview).toHaveCount(0);
});

test("[SHELL-31][SHELL-32] the bottom of the rail shows the person, as a link to the profile, and Logout", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  const person = rail(page).getByRole("link", { name: "Tomás Rivera", exact: true });
  await expect(person).toHaveAttribute("href", "/user-profile");
  await expect(rail(page).getByRole("button", { name: "Logout", exact: true })).toBeVisible();
  const places = await Promise.all([
    rail(page).getByRole("button", { name: "Search", exact: true }).boundingBox(),
    person.boundingBox(),
    rail(page).getByRole("button", { name: "Logout", exact: true }).boundingBox(),
  ]);
  const [top = 0, middle = 0, bottom = 0] = places.map((box) => box?.y);
  expect(top).toBeLessThan(300);
  expect(middle).toBeGreaterThan(600);
  expect(bottom).toBeGreaterThan(middle);
  expect(bottom + (places[2]?.height ?? 0)).toBeLessThanOrEqual(900);
});

test("a change of screen is announced by its h1, which takes the focus", async ({ page, signIn }) => {
  let announced = "";
  await page.exposeFunction("announced", (text: string) => {
    announced += `${text}\n`;
  });
  await page.addInitScript(() => {
    let last = "";
    new MutationObserver(() => {
      const text = document.querySelector("output[aria-live=polite]")?.textContent ?? "";
      if (text !== last) (globalThis as unknown as { announced: (text: string) => void }).announced(text);
      last = text;
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await signIn();
  await page.goto("/search");
  await expectDatasets(page);
  await sample(page, "storm-tracks");
  await expect(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeFocused();
  await expect.poll(() => announced.indexOf("storm-tracks")).toBeGreaterThan(announced.indexOf("Datasets"));
  await panel(page).getByRole("link", { name: "Datasets" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Datasets" })).toBeFocused();
  await expect.poll(() => announced.lastIndexOf("Datasets")).toBeGreaterThan(announced.indexOf("storm-tracks"));
});

test("Skip to content is the first thing that Tab reaches, and leads past the menus", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  await expectDatasets(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page).toHaveURL("/search");
});

test("the theme is chosen, kept over a reload, and follows the system until then", async ({ page, signIn }) => {
  const html = page.locator("html");
  const chooseTheme = async (name: string) => {
    await rail(page).getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitemradio", { name }).click();
    await expect(page.getByRole("menu")).toBeHidden();
  };
  await page.emulateMedia({ colorScheme: "light" });
  await signIn();
  await page.goto("/search");
  await expectDatasets(page);
  await expect(html).toHaveAttribute("data-mantine-color-scheme", "light");
  const lightGround = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(html).toHaveAttribute("data-mantine-color-scheme", "dark");
  await expect(page.locator("body")).not.toHaveCSS("background-color", lightGround);

  await chooseTheme("Light");
  await expect(html).toHaveAttribute("data-mantine-color-scheme", "light");
  await page.reload({ waitUntil: "commit" });
  await expectDatasets(page);
  await expect(html).toHaveAttribute("data-mantine-color-scheme", "light");
  await chooseTheme("System");
  await expect(html).toHaveAttribute("data-mantine-color-scheme", "dark");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on the shell in ${colorScheme}, with what lies over it`, async ({ page, signIn }) => {
    // Dialogs fade in; a half-faded one has no contrast to judge.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await signIn();
    await page.goto("/search");
    await sample(page, "storm-tracks");
    await panel(page).getByRole("link", { name: "Datasets" }).click();
    await expectDatasets(page);
    const nothingFound = async (within: string) => {
      expect(await axeViolations(page, { within: [within] })).toEqual([]);
    };
    await nothingFound("html");
    await rail(page).getByRole("button", { name: "More" }).click();
    await expect(page.getByRole("menu", { name: "More" })).toBeVisible();
    await nothingFound("[role=menu]");
    await page.keyboard.press("Escape");
    for (const [keys, dialog] of [
      ["Control+k", "Search everything"],
      ["?", "Keyboard shortcuts"],
    ] as const) {
      await page.keyboard.press(keys);
      await expect(page.getByRole("dialog", { name: dialog })).toBeVisible();
      await nothingFound("[role=dialog]");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
    await rail(page).getByRole("button", { name: "Logout" }).click();
    await expect(page.getByRole("dialog", { name: "Logout?" })).toBeVisible();
    await nothingFound("[role=dialog]");
  });
}
