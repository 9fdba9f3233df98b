import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { ageSignIns } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToastFor, failNext, signInAsNewcomer } from "../support/own-account.ts";
import { stopClock } from "../support/page-clock.ts";

const profileCalls = "**/api/profile";
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });
const field = (page: Page, label: "Username" | "Email" | "First name" | "Last name") => page.getByRole("textbox", { name: label });

test("[ROUTE-03][PROFILE-01][PROFILE-02][PROFILE-03][PROFILE-04][PROFILE-05] /user-profile shows the username to read, email and names to edit, and the roles in order", async ({
  page,
}) => {
  const { username } = await signInAsNewcomer(page, ["journey-role-c", "journey-role-a", "journey-role-b"]);
  await page.goto("/user-profile");
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
  await expect(field(page, "Username")).toHaveValue(username);
  await expect(field(page, "Username")).not.toBeEditable();
  for (const [label, value] of [
    ["Email", "grace@fairway.example"],
    ["First name", "Grace"],
    ["Last name", "Keller"],
  ] as const) {
    await expect(field(page, label)).toHaveValue(value);
    await expect(field(page, label)).toBeEditable();
  }
  await expect(page.getByRole("list", { name: "Roles" }).getByRole("listitem")).toHaveText([
    "journey-role-a",
    "journey-role-b",
    "journey-role-c",
  ]);
});

test("[PROFILE-06][PROFILE-07][PROFILE-08][PROFILE-09][PROFILE-11] a profile that is complete is saved, and the person has their new name at once", async ({
  page,
}) => {
  await page.clock.install();
  await signInAsNewcomer(page);
  await page.goto("/user-profile");
  await expect(save(page)).toBeEnabled();
  for (const [label, tooShort, enough] of [
    ["Email", "a@b", "a@bc"],
    ["First name", "", "A"],
    ["Last name", "", "B"],
  ] as const) {
    await field(page, label).fill(tooShort);
    await expect(save(page)).toBeDisabled();
    await field(page, label).fill(enough);
    await expect(save(page)).toBeEnabled();
  }
  await field(page, "Email").fill("ada@fairway.example");
  await field(page, "First name").fill("<b>Ada</b>");
  await field(page, "Last name").fill("Lovelace");
  await stopClock(page);
  const [request] = await Promise.all([page.waitForRequest((one) => one.method() === "PUT"), save(page).click()]);
  expect(new URL(request.url()).pathname).toBe("/api/profile");
  expect(request.postDataJSON()).toEqual({ email: "ada@fairway.example", firstName: "<b>Ada</b>", lastName: "Lovelace" });
  await expectToastFor(page, "Profile updated", 2000);
  await expect(page.getByRole("link", { name: "<b>Ada</b> Lovelace" })).toBeVisible();
  await page.clock.resume();
  await page.reload();
  await expect(field(page, "Email")).toHaveValue("ada@fairway.example");
  await expect(field(page, "Last name")).toHaveValue("Lovelace");
});

test("[PROFILE-10] a profile that could not be saved says so, keeps what was typed, and can be saved again", async ({ page }) => {
  await signInAsNewcomer(page);
  await page.goto("/user-profile");
  await field(page, "First name").fill("Marie");
  await failNext(page, profileCalls, "PUT");
  await save(page).click();
  const alert = page.getByRole("alert").filter({ hasText: "Profile Update Failed" });
  await expect(alert).toContainText("The gateway is starting.");
  await expect(field(page, "First name")).toHaveValue("Marie");
  await save(page).click();
  await expect(page.getByRole("status").filter({ hasText: "Profile updated" })).toBeVisible();
});

test("a new email after a sign-in of long ago asks for the password first, and is saved then; a new name is saved at once", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const account = await signInAsNewcomer(page);
  await ageSignIns(account);
  await page.goto("/user-profile");
  await field(page, "First name").fill("Marie");
  await save(page).click();
  await expect(page.getByRole("status").filter({ hasText: "Profile updated" })).toBeVisible();
  await field(page, "Email").fill("marie@fairway.example");
  await page.keyboard.press("Enter");
  const again = page.getByRole("dialog", { name: "Confirm It Is You" });
  await expect(again.getByRole("textbox", { name: "Current password" })).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  await again.getByRole("button", { name: "Cancel" }).click();
  await expect(field(page, "Email")).toHaveValue("marie@fairway.example");
  await expect(field(page, "Email")).toBeFocused();
  await save(page).click();
  await again.getByRole("textbox", { name: "Current password" }).fill(account.password);
  await again.getByRole("button", { name: "Go On" }).click();
  await expect(again).toBeHidden();
  await expect(save(page)).toBeFocused();
  await page.reload();
  await expect(field(page, "Email")).toHaveValue("marie@fairway.example");
});

test("[API-05] what of the profile could not be loaded is loaded again by its Retry", async ({ page }) => {
  await signInAsNewcomer(page);
  await failNext(page, profileCalls, "GET");
  await failNext(page, "**/api/profile/sessions", "GET");
  await failNext(page, "**/api/profile/sign-ins", "GET");
  await page.goto("/user-profile");
  for (const message of ["Failed to load the profile", "Failed to load your sessions", "Failed to load recent sign-ins"]) {
    const alert = page.getByRole("alert").filter({ hasText: message });
    await alert.getByRole("button", { name: "Retry" }).click();
    await expect(alert).toHaveCount(0);
  }
  await expect(field(page, "First name")).toHaveValue("Grace");
  await expect(page.getByRole("list", { name: "Sessions" }).getByText("This session")).toBeVisible();
  await expect(page.getByRole("table", { name: "Recent Sign-ins" }).getByText("Succeeded")).toBeVisible();
});

test("[SHELL-26] the Profile group has no item in the rail, and its entries show while one of its pages is open", async ({ page }) => {
  await signInAsNewcomer(page);
  await page.goto("/search");
  const rail = page.getByRole("navigation", { name: "Main" });
  await expect(rail.getByRole("button", { name: "Search" })).toBeVisible();
  await expect(rail.getByRole("button", { name: "Profile" })).toHaveCount(0);
  const panel = page.getByRole("navigation", { name: "Profile" });
  await expect(panel).toHaveCount(0);
  await rail.getByRole("link", { name: "Grace Keller" }).click();
  await expect(page).toHaveURL("/user-profile");
  await expect(panel.getByRole("link", { name: "About", exact: true })).toHaveAttribute("aria-current", "page");
  await panel.getByRole("link", { name: "API Keys" }).click();
  await expect(page).toHaveURL("/keys");
  await expect(panel).toBeVisible();
  await panel.getByRole("link", { name: "Update Password" }).click();
  await expect(page).toHaveURL("/change-password");
  await expect(panel).toBeVisible();
  await rail.getByRole("link", { name: "Fairway, to the datasets" }).click();
  await expect(page.getByRole("navigation", { name: "Search" })).toBeVisible();
  await expect(panel).toHaveCount(0);
});

test("[SHELL-25] the Profile group has its entries in their order, 'About' being the profile", async ({ page }) => {
  await signInAsNewcomer(page);
  await page.goto("/notices");
  const entries = page.getByRole("navigation", { name: "Profile" }).getByRole("link");
  await expect(entries).toHaveText(["About", "API Keys", "Manage CAC", "Notices", "Update Password"]);
  await entries.filter({ hasText: "About" }).click();
  await expect(page).toHaveURL("/user-profile");
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on the profile, the password and the API keys in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await signInAsNewcomer(page, ["journey-role-a"]);
    await page.goto("/user-profile");
    await expect(page.getByRole("table", { name: "Recent Sign-ins" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await page.goto("/change-password");
    await expect(page.getByRole("button", { name: "Update Password" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await page.goto("/keys");
    await page.getByRole("button", { name: "Help" }).click();
    await expect(page.getByRole("region", { name: "cURL program" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Create Key" }).click();
    await expect(page.getByRole("checkbox", { name: "storm-tracks" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
  });
}
