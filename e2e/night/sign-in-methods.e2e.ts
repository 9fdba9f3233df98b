import type { LoginAnswer } from "@fairway/contract/auth";
import type { Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { ageSignIns } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
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

test("a user adds an authenticator app and a passkey after confirming the password, signs in and confirms their identity with the passkey, and removes both", async ({
  page,
  request,
}) => {
  await connectAuthenticator(page);
  const account = await signInAsNewAccount(page);
  await ageSignIns(account);
  await page.goto(`${localhost}/sign-in-methods`);
  const main = page.getByRole("navigation", { name: "Main" });
  const confirming = dialog(page, "Confirm It's You");
  const listed = page.getByRole("list", { name: "Passkeys", exact: true }).getByRole("listitem");
  const needsSecondStep = async () => {
    const answer = await request.post("/api/auth/login", { data: account });
    expect(answer.status()).toBe(200);
    return ((await answer.json()) as LoginAnswer).requiresSecondFactor ?? false;
  };

  await test.step("sets up an authenticator app", async () => {
    await page.getByRole("button", { name: "Set Up", exact: true }).click();
    await confirming.getByRole("textbox", { name: "Current password" }).fill(account.password);
    // Without a passkey only the password can confirm it.
    await expect(confirming.getByRole("button", { name: "Use Passkey Instead" })).toHaveCount(0);
    await page.keyboard.press("Enter");
    const setup = dialog(page, "Set Up Authenticator App");
    const secret = ((await setup.locator("code").textContent()) ?? "").replaceAll(" ", "");
    const code = setup.getByRole("textbox", { name: "Code", exact: true });
    await code.fill("12345");
    await page.keyboard.press("Enter");
    await expect(setup.getByText("needs the 6 digits that the authenticator app shows")).toBeVisible();
    await code.fill(new TOTP({ algorithm: "SHA1", digits: 6, period: 30, secret }).generate());
    await page.keyboard.press("Enter");
    const recoveryCodes = dialog(page, "Recovery Codes");
    await expect(recoveryCodes.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveCount(10);
    await recoveryCodes.getByRole("button", { name: "I've Saved Them" }).click();
    await expect(page.getByText("10 left. Each works once, for signing in without your device.")).toBeVisible();
  });

  await test.step("adds a passkey, which its device then recognizes", async () => {
    const adding = dialog(page, "Add Passkey");
    const name = adding.getByRole("textbox", { name: "Name", exact: true });
    await page.getByRole("button", { name: "Add Passkey", exact: true }).click();
    await name.fill("Work laptop");
    await page.keyboard.press("Enter");
    await expect(listed).toHaveText([/^Work laptopAdded /]);
    await page.getByRole("button", { name: "Add Passkey", exact: true }).click();
    await name.fill("WORK LAPTOP");
    await page.keyboard.press("Enter");
    await expect(adding.getByText("Another passkey of yours has this name.")).toBeVisible();
    await name.fill("Another");
    await page.keyboard.press("Enter");
    await expect(adding.getByText("This device already has a passkey of your account.")).toBeVisible();
    await adding.getByRole("button", { name: "Cancel", exact: true }).click();
    expect(await needsSecondStep()).toBe(true);
  });

  await test.step("signs in with the passkey after a wrong code", async () => {
    await main.getByRole("button", { name: "Logout" }).click();
    await dialog(page, "Logout?").getByRole("button", { name: "Logout", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Login", exact: true })).toBeVisible();
    await logIn(page, account.username, account.password);
    await expect(page.getByRole("heading", { level: 1, name: "Second Step" })).toBeVisible();
    await page.getByRole("textbox", { name: "Code", exact: true }).fill("000000");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toHaveText("That code isn't correct. Try the next one.");
    await page.getByRole("button", { name: "Use a Passkey", exact: true }).click();
    await expectDatasets(page);
  });

  await test.step("removes both, confirmed by the passkey", async () => {
    await main.getByRole("link", { name: "Grace Keller" }).click();
    await page.getByRole("link", { name: "Manage Sign-in Methods", exact: true }).click();
    await expect(listed).toHaveText([/^Work laptopAdded .* · last used /]);
    await ageSignIns(account);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await dialog(page, "Remove Authenticator App?").getByRole("button", { name: "Remove", exact: true }).click();
    await confirming.getByRole("button", { name: "Use Passkey Instead", exact: true }).click();
    await expect(page.getByRole("button", { name: "Set Up", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Remove Work laptop", exact: true }).click();
    await dialog(page, "Remove the Passkey Work laptop?").getByRole("button", { name: "Remove", exact: true }).click();
    await expect(listed).toHaveCount(0);
    expect(await needsSecondStep()).toBe(false);
  });
});
