import { expect, test } from "../support/fixtures.ts";
import { refuseLiveStream } from "../support/live-stream.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
import { expectRows } from "../support/searches.ts";
import { expectDatasets } from "../support/sign-in.ts";

const resultsPart = "**/assets/results-page-*.js";
const palettePart = "**/assets/palette-*.js";

test("[SHELL-43] a chunk that fails to load shows an error and Retry loads it; one of an older release offers Reload in a dialog, and reloads the page once for a screen", async ({
  page,
  signIn,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/could not be loaded/);
  let loads = 0;
  const requested: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
    requested.push(new URL(request.url()).pathname);
  });
  const failed = page.getByText("This part of the application could not be loaded. Try again, or reload the page.", { exact: true });
  const sampleButton = page.getByRole("button", { name: "Sample" });
  await refuseLiveStream(page);
  await signIn();
  await test.step("a chunk that cannot be fetched shows an error without a page load, and nothing is lost", async () => {
    await page.route(resultsPart, (route) => route.abort());
    await page.goto("/search?category=Tropical+weather&dataset=storm-tracks");
    await expect(sampleButton).toBeVisible();
    // In data saver mode, a dialog is loaded only when it is opened.
    await page.waitForLoadState("networkidle");
    expect(requested.filter((path) => /^\/assets\/palette-.*\.js$/.test(path))).toEqual([]);
    // The rows are requested while the chunk is loading.
    await Promise.all([page.waitForResponse("**/sample"), sampleButton.click()]);
    await expect(failed).toBeVisible();
    // The rest of the page keeps working.
    await page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Datasets" }).click();
    await expectDatasets(page);
    await page.goBack();
    await expect(failed).toBeVisible();
    await page.unroute(resultsPart);
    await page.getByRole("main").getByRole("button", { name: "Retry" }).click();
    await expectRows(page, "storm-tracks");
    expect(loads).toBe(1);
  });
  await test.step("after an upgrade, a missing chunk of a dialog shows that there is a new version and offers Reload", async () => {
    await page.route(palettePart, (route) => route.fulfill({ status: 404, body: "" }));
    await page.keyboard.press("Control+k");
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("A new version is available. Reload the page to use it.");
    await expectRows(page, "storm-tracks");
    await page.unroute(palettePart);
    await alert.getByRole("button", { name: "Reload" }).click();
    await expectRows(page, "storm-tracks");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog", { name: "Search everything" })).toBeVisible();
    expect(loads).toBe(2);
  });
  await test.step("a missing chunk of a screen reloads the page once, after which it works", async () => {
    await page.goto("/search?category=Tropical+weather&dataset=storm-tracks");
    await page.route(resultsPart, (route) => (loads === 3 ? route.fulfill({ status: 404, body: "" }) : route.continue()));
    await sampleButton.click();
    await expectRows(page, "storm-tracks");
    expect(loads).toBe(4);
  });
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
    const arrived = ["messages", "overlays"].map(async (part) => (await page.waitForResponse(`**/assets/${part}-*.js`)).finished());
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
