import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";

test("without a network or a reachable server the page shows a banner, screens show an error and recover, and Logout works", async ({
  page,
  context,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/could not be loaded/);
  const devTools = await context.newCDPSession(page);
  await devTools.send("Network.enable");
  await devTools.send("Network.setBlockedURLs", { urls: ["*/api/notices"] });
  await signInAsNewAccount(page);
  // The screen's code is loaded, but its data is not.
  await page.goto("/notices");
  const failed = page.getByRole("alert").filter({ hasText: "An error occurred while loading notices." });
  await expect(failed).toContainText("The server could not be reached.");
  const panel = page.getByRole("navigation", { name: "Profile" });
  await panel.getByRole("link", { name: "About" }).click();
  await expect(page.getByRole("textbox", { name: "First name" })).toHaveValue("Grace");
  const bar = page.getByRole("region", { name: "Connection" });
  await expect(bar).toHaveCount(0);

  await test.step("the server does not answer", async () => {
    await page.route("**/api/**", (route) => route.abort());
    await page.getByRole("textbox", { name: "First name" }).fill("Marie");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(bar).toHaveText("The server can't be reached. Trying again every few seconds.");
    await page.unroute("**/api/**");
    await expect(bar).toHaveCount(0);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("status").filter({ hasText: "Profile updated" })).toBeVisible();
  });

  await context.setOffline(true);
  await expect(bar).toHaveText(/^You are offline\./);
  expect(await axeViolations(page)).toEqual([]);
  await panel.getByRole("link", { name: "Notices" }).click();
  await expect(failed.getByRole("button", { name: "Retry" })).toBeVisible();
  await devTools.send("Network.setBlockedURLs", { urls: [] });
  await context.setOffline(false);
  await expect(bar).toHaveCount(0);
  await expect(failed).toHaveCount(0);
  await expect(page.getByText("You are online again.").first()).toBeAttached();

  await page.getByRole("button", { name: "Logout" }).click();
  const question = page.getByRole("dialog", { name: "Logout?" });
  // Journeys fetch nothing ahead, so the dialog's part is fetched now.
  await expect(question).toBeVisible();
  await context.setOffline(true);
  await question.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "You are signed out" })).toBeVisible();
  await expect(page.getByText("Marie")).toHaveCount(0);
  const logoutRequest = page.waitForRequest((request) => request.url().endsWith("/api/auth/logout"));
  await context.setOffline(false);
  await logoutRequest;
  await expect(page).toHaveURL("/login");
});
