import type { Page, Route } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
import { stopClock } from "../support/page-clock.ts";
import { expectRows, sample } from "../support/searches.ts";
import { expectDatasets } from "../support/sign-in.ts";

const resultsPart = "**/assets/results-page-*.js";
const message = (page: Page) =>
  page.getByText("This part of the application could not be loaded. Try again, or reload the page.", { exact: true });

/** Opens a dataset's form; Sample then needs the chunk that `handler` breaks. */
async function beforeResults(page: Page, handler: (route: Route) => unknown): Promise<{ loads: () => number }> {
  await page.route(resultsPart, handler);
  await page.goto("/search?category=Tropical+weather&dataset=storm-tracks");
  await expect(page.getByRole("button", { name: "Sample" })).toBeVisible();
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return { loads: () => loads };
}

test("[SHELL-43] a missing chunk of an older release reloads the page once, after which it works", async ({ page, signIn }) => {
  await signIn();
  let broken = true;
  const { loads } = await beforeResults(page, (route) => (broken ? route.fulfill({ status: 404, body: "" }) : route.continue()));
  page.on("request", (request) => {
    if (request.isNavigationRequest()) broken = false;
  });
  await page.getByRole("button", { name: "Sample" }).click();
  await expectRows(page, "storm-tracks");
  expect(loads()).toBe(1);
});

test("[SHELL-43] a chunk that fails to load shows an error without a reload; Retry loads it and nothing is lost", async ({
  page,
  signIn,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/could not be loaded/);
  await signIn();
  const { loads } = await beforeResults(page, (route) => route.abort());
  await page.getByRole("button", { name: "Sample" }).click();
  await expect(message(page)).toBeVisible();
  // The rest of the page keeps working.
  await page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Datasets" }).click();
  await expectDatasets(page);
  await page.goBack();
  await expect(message(page)).toBeVisible();
  await page.unroute(resultsPart);
  await page.getByRole("main").getByRole("button", { name: "Retry" }).click();
  await expectRows(page, "storm-tracks");
  expect(loads()).toBe(0);
});

test("[SHELL-43] after an upgrade a chunk that no longer exists shows that there is a new version and offers Reload", async ({
  page,
  signIn,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/could not be loaded/);
  await signIn();
  await page.route("**/assets/palette-*.js", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("/search");
  await sample(page, "airports");
  await page.keyboard.press("Control+k");
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("A new version of the application is here. Reload the page to use it.");
  await expectRows(page, "airports");
  await page.unroute("**/assets/palette-*.js");
  await alert.getByRole("button", { name: "Reload" }).click();
  await expectRows(page, "airports");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search everything" })).toBeVisible();
});

test("[SHELL-42][SHELL-43] a chunk that does not load within 120 s shows an error", async ({ page, signIn, expectConsoleErrors }) => {
  expectConsoleErrors(/could not be loaded/);
  await page.clock.install();
  await signIn();
  const { loads } = await beforeResults(page, () => undefined);
  await stopClock(page);
  // The rows are requested while the chunk is loading.
  await Promise.all([page.waitForResponse("**/sample"), page.getByRole("button", { name: "Sample" }).click()]);
  await page.clock.runFor(119_000);
  await expect(message(page)).toHaveCount(0);
  await page.clock.runFor(1_100);
  await expect(message(page)).toBeVisible();
  expect(loads()).toBe(0);
});

test.describe("prefetched chunks", () => {
  test.use({ prefetches: true });

  test("[SHELL-34][PROFILE-10] confirmations and errors need no network, and a chunk that failed offline loads once online", async ({
    page,
    context,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors(/could not be loaded/);
    // Not with `page.route`, which also disables the browser's cache.
    const devTools = await context.newCDPSession(page);
    await devTools.send("Network.enable");
    await devTools.send("Network.setBlockedURLs", { urls: ["*/assets/palette-*"] });
    await signInAsNewAccount(page);
    const arrived = ["confirm-dialog", "toasts"].map(async (part) => (await page.waitForResponse(`**/assets/${part}-*.js`)).finished());
    await page.goto("/user-profile");
    await page.getByRole("textbox", { name: "First name" }).fill("Marie");
    await Promise.all(arrived);
    await context.setOffline(true);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Profile Update Failed" })).toContainText("The server could not be reached.");
    await page.getByRole("button", { name: "Logout" }).click();
    const question = page.getByRole("dialog", { name: "Logout?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(question).toBeHidden();
    await page.keyboard.press("Control+k");
    const failed = page.getByRole("alert").filter({ hasText: "This part of the application could not be loaded." });
    await expect(failed).toBeVisible();
    await devTools.send("Network.setBlockedURLs", { urls: [] });
    await context.setOffline(false);
    await expect(page.getByRole("dialog", { name: "Search everything" })).toBeVisible();
    await expect(failed).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("textbox", { name: "First name" })).toHaveValue("Marie");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("status").filter({ hasText: "Profile updated" })).toBeVisible();
    await page.getByRole("button", { name: "Logout" }).click();
    await question.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL("/login");
  });
});

test("a browser in data saver mode loads a dialog only when it is opened", async ({ page, signIn }) => {
  await signIn();
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto("/datasets");
  await expectDatasets(page);
  await page.waitForLoadState("networkidle");
  const palettes = () => loaded.filter((path) => path.startsWith("/assets/palette-") && path.endsWith(".js"));
  expect(palettes()).toEqual([]);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search everything" })).toBeVisible();
  expect(palettes()).not.toEqual([]);
});
