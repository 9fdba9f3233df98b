import { auth } from "@fairway/contract/auth";
import { type SignInMethods, secondFactorSignIn, signInMethods } from "@fairway/contract/second-factors";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress } from "#testing/assertions.ts";
import { rowOf, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { ada, gateway, openScreen, tokenOf } from "#testing/open-screen.tsx";

const needed = page.getByRole("heading", { level: 1, name: "Second Factor Needed" });
const none: SignInMethods = { authenticator: null, recoveryCodesLeft: 0, passkeys: [], required: true };
const withApp: SignInMethods = { ...none, authenticator: { addedMs: 0, lastUsedMs: null }, recoveryCodesLeft: 10 };

/** Refuses the list of users until `prove` is called. */
function serveUsers(): { prove: () => void } {
  const { routes, stored } = serveEntities("users", [{ id: "u-1", username: "grace" }]);
  gateway.refuse(routes.list, "second-factor-required", "Administrators of this portal sign in with a second factor.");
  return { prove: () => gateway.answer(routes.list, () => stored) };
}

let methods = none;
beforeEach(() => {
  methods = none;
  gateway.answer(signInMethods.read, () => methods);
});

it("leads an administrator without a second factor to set one up, and back", async () => {
  const { prove } = serveUsers();
  await openScreen("/user-settings", { roles: ["admin"] });
  await expect.element(needed).toBeVisible();
  await page.getByRole("link", { name: "Set Up a Second Factor" }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "Sign-in Methods" })).toBeVisible();
  gateway.answer(signInMethods.beginAuthenticator, {
    secret: "JBSWY3DPEHPK3PXP",
    uri: "otpauth://totp/Fairway:ada?secret=JBSWY3DPEHPK3PXP",
  });
  gateway.answer(signInMethods.confirmAuthenticator, () => {
    methods = withApp;
    prove();
    return { recoveryCodes: ["aaaa-bbbb"] };
  });
  await page.getByRole("button", { name: "Set Up", exact: true }).click();
  const setup = page.getByRole("dialog", { name: "Set Up Authenticator App" });
  await setup.getByRole("textbox", { name: "Code", exact: true }).fill("123456");
  await press("Enter");
  await page.getByRole("dialog", { name: "Recovery Codes" }).getByRole("button", { name: "I've Saved Them" }).click();
  expect(gateway.received(signInMethods.confirmAuthenticator).map(({ body }) => body)).toEqual([{ code: "123456" }]);
  await page.getByRole("button", { name: "Back to Administration" }).click();
  await expectAddress("/user-settings");
  await expect.element(rowOf("grace")).toBeVisible();
});

it("asks an administrator whose session lacks the second factor to sign in again, over the page", async () => {
  methods = withApp;
  const { prove } = serveUsers();
  await openScreen("/user-settings", { roles: ["admin"] });
  await expect.element(needed).toBeVisible();
  await page.getByRole("button", { name: "Sign In Again" }).click();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  gateway.answer(auth.login, {
    requiresPasswordChange: false,
    requiresSecondFactor: true,
    secondFactors: { code: true, passkey: null },
    token: { ...tokenOf(ada), refresh_token: null },
  });
  gateway.answer(secondFactorSignIn.prove, () => {
    prove();
    return { requiresPasswordChange: false, token: tokenOf({ ...ada, roles: ["admin"] }, "refresh-2") };
  });
  await again.getByRole("textbox", { name: "Password" }).fill("secret");
  await press("Enter");
  await again.getByRole("textbox", { name: "Code", exact: true }).fill("654321");
  await press("Enter");
  await expect.element(again).not.toBeInTheDocument();
  await expect.element(rowOf("grace")).toBeVisible();
  expect(gateway.received(secondFactorSignIn.prove).map(({ body }) => body)).toEqual([{ code: "654321" }]);
});
