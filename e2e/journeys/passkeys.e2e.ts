import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { ageSignIns, createAccount } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { loginStatus } from "../support/own-account.ts";
import { port } from "../support/platform.ts";
import { expectDatasets, logIn } from "../support/sign-in.ts";

/** Browsers support passkeys for host names only, and the journeys use an IP address. */
const localhost = `http://localhost:${port}`;

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });

/** A virtual authenticator that always confirms the user's presence. */
async function connectAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Logout" }).click();
  await dialog(page, "Logout?").getByRole("button", { name: "Logout", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Login", exact: true })).toBeVisible();
}

test("a user adds a passkey, signs in and confirms their identity with it, and renames and removes it", async ({ page, request }) => {
  await connectAuthenticator(page);
  const account = await createAccount();
  await page.goto(`${localhost}/login`);
  await logIn(page, account.username, account.password);
  await expectDatasets(page);
  await ageSignIns(account);
  await page.goto(`${localhost}/sign-in-methods`);
  await page.getByRole("button", { name: "Add Passkey", exact: true }).click();
  const adding = dialog(page, "Add Passkey");
  const name = adding.getByRole("textbox", { name: "Name", exact: true });
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("Linux computer");
  expect(await axeViolations(page)).toEqual([]);
  await name.fill("Work laptop");
  await page.keyboard.press("Enter");
  // Without a passkey only the password can confirm it.
  const confirming = dialog(page, "Confirm It Is You");
  await confirming.getByRole("textbox", { name: "Current password" }).fill(account.password);
  await expect(confirming.getByRole("button", { name: "Use Passkey Instead" })).toHaveCount(0);
  await page.keyboard.press("Enter");
  const recoveryCodes = dialog(page, "Recovery Codes");
  const codes = recoveryCodes.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const code = (await codes.first().textContent()) ?? "";
  await recoveryCodes.getByRole("button", { name: "I Have Kept Them" }).click();
  const listed = page.getByRole("list", { name: "Passkeys", exact: true }).getByRole("listitem");
  await expect(listed).toHaveText([/^Work laptopAdded /]);
  expect(await axeViolations(page)).toEqual([]);

  // The device recognizes its passkey.
  await page.getByRole("button", { name: "Add Passkey", exact: true }).click();
  await name.fill("WORK LAPTOP");
  await page.keyboard.press("Enter");
  await expect(adding.getByText("Another passkey of yours has this name.")).toBeVisible();
  await name.fill("Another");
  await page.keyboard.press("Enter");
  await expect(adding.getByText("This device already holds a passkey of your account.")).toBeVisible();
  await adding.getByRole("button", { name: "Cancel", exact: true }).click();

  await logOut(page);
  await logIn(page, account.username, account.password);
  await expect(page.getByRole("heading", { level: 1, name: "Second Step" })).toBeVisible();
  const use = page.getByRole("button", { name: "Use a Passkey", exact: true });
  await expect(use).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  await use.click();
  await expectDatasets(page);

  await page.goto(`${localhost}/sign-in-methods`);
  await expect(listed).toHaveText([/^Work laptopAdded .* · last used /]);
  await page.getByRole("button", { name: "Rename Work laptop", exact: true }).click();
  await dialog(page, "Rename Passkey").getByRole("textbox", { name: "Name", exact: true }).fill("Old laptop");
  await page.keyboard.press("Enter");
  await expect(listed).toHaveText([/^Old laptop/]);

  // The passkey does not work at another address, as the screen states.
  await page.goto("/login");
  await logIn(page, account.username, account.password);
  await expect(page.getByText("Your passkeys do not work at this address.")).toBeVisible();
  await page.getByRole("textbox", { name: "Recovery code", exact: true }).fill(code);
  await page.keyboard.press("Enter");
  await expectDatasets(page);
  await page.goto("/sign-in-methods");
  await expect(page.getByText("Passkeys need https and a host name, or localhost.")).toBeVisible();
  await expect(listed).toHaveText([/works at localhost only/]);
  await expect(page.getByRole("button", { name: "Add Passkey" })).toHaveCount(0);

  await page.goto(`${localhost}/sign-in-methods`);
  await expect(listed).toHaveCount(1);
  await ageSignIns(account);
  await page.getByRole("button", { name: "Remove Old laptop", exact: true }).click();
  await dialog(page, "Remove the Passkey Old laptop?").getByRole("button", { name: "Remove", exact: true }).click();
  await confirming.getByRole("button", { name: "Use Passkey Instead", exact: true }).click();
  await expect(page.getByText("Passkey removed")).toBeVisible();
  await expect(listed).toHaveCount(0);
  const answer = await request.post("/api/auth/login", { data: account });
  expect(await answer.json()).not.toHaveProperty("requiresSecondFactor");
  expect(await loginStatus(request, account)).toBe(200);
});
