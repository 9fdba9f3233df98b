import { auth } from "@fairway/contract/auth";
import { profile } from "@fairway/contract/profile";
import { settings } from "@fairway/contract/settings";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { press, type } from "#testing/keyboard.ts";
import { openLogin } from "#testing/open-login.tsx";
import { ada, gateway, tokenOf, uiConfig } from "#testing/open-screen.tsx";

const token = tokenOf(ada);
const username = page.getByRole("textbox", { name: "Username" });
const password = page.getByLabelText("Password", { exact: true });
const login = page.getByRole("button", { name: "Login", exact: true });

async function logIn(): Promise<void> {
  await username.fill("ada");
  await password.fill("secret");
  await login.click();
}

beforeEach(() => {
  gateway.answer(auth.login, { requiresPasswordChange: false, token });
});

it("[LOGIN-01] Login has a username box, a password box and a 'Login' button", async () => {
  await openLogin();
  await expect.element(username).toHaveFocus();
  await expect.element(password).toHaveAttribute("type", "password");
  await expect.element(login).toBeVisible();
});

it("[LOGIN-13] a card is offered only when there is an issuer", async () => {
  const link = page.getByRole("link", { name: "CAC Login" });
  await openLogin();
  await expect.element(login).toBeVisible();
  await expect.element(link).not.toBeInTheDocument();
  const cac = { clientId: "fairway", authUrl: "https://cards.example/", scope: "openid", domain: "", pkce: false, nonce: false };
  gateway.answer(settings.ui, { ...uiConfig, cac });
  await openLogin();
  await expect.element(link).toBeVisible();
});

it("[LOGIN-02][LOGIN-03] nothing is sent while username or password is empty", async () => {
  const signedIn = await openLogin();
  await expect.element(login).toBeDisabled();
  await username.fill("viewer");
  await expect.element(login).toBeDisabled();
  await press("Enter", username);
  await username.fill("  ");
  await password.fill("fairway-demo");
  await expect.element(login).toBeDisabled();
  await press("Enter", password);
  expect(gateway.received(auth.login)).toEqual([]);

  await username.fill(" viewer ");
  await expect.element(login).toBeEnabled();
  await login.click();
  await expect.poll(() => signedIn).toEqual([token]);
  expect(gateway.received(auth.login).map(({ body }) => body)).toEqual([{ username: "viewer", password: "fairway-demo" }]);
});

it("users can log in with the keyboard only", async () => {
  const signedIn = await openLogin();
  await expect.element(username).toHaveFocus();
  await type("ada");
  await press("Tab");
  await expect.element(password).toHaveFocus();
  await type("secret");
  await press("Enter");
  await expect.poll(() => signedIn).toEqual([token]);
});

it("a login without a response shows an error and can be retried", async () => {
  gateway.disconnect(auth.login, { times: 1 });
  const signedIn = await openLogin();
  await logIn();
  await expectText(page.getByRole("alert"), "The server could not be reached. Check your connection and try again.");
  await logIn();
  await expect.poll(() => signedIn).toHaveLength(1);
});

it("the typed password can be revealed", async () => {
  await openLogin();
  await password.fill("secret");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect.element(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect.element(password).toHaveAttribute("type", "password");
});

it("[LOGIN-11] a forced update requires two equal passwords of at least three characters", async () => {
  gateway.answer(auth.login, { requiresPasswordChange: true, token: { ...token, refresh_token: null } });
  await openLogin();
  await logIn();
  const newPassword = page.getByLabelText("New password");
  const repeated = page.getByLabelText("Confirm password");
  const update = page.getByRole("button", { name: "Update Password" });
  await expect.element(newPassword).toHaveFocus();
  for (const [first, second] of [
    ["", ""],
    ["abc", ""],
    ["", "abc"],
    ["ab", "ab"],
    ["abcd", "abce"],
  ] as const) {
    await newPassword.fill(first);
    await repeated.fill(second);
    await expect.element(update).toBeDisabled();
    await press("Enter", repeated);
  }
  await expect.element(page.getByText("The two passwords differ.")).toBeVisible();
  await repeated.fill("abcd");
  await expect.element(update).toBeEnabled();
  expect(gateway.received(profile.resetPassword)).toEqual([]);
});

it("[LOGIN-12] a failed update shows 'Password Update Failed', keeps the input and can be retried", async () => {
  gateway.answer(auth.login, { requiresPasswordChange: true, token: { ...token, refresh_token: null } }, { times: 1 });
  gateway.answer(profile.resetPassword, undefined);
  gateway.disconnect(profile.resetPassword, { times: 1 });
  const signedIn = await openLogin();
  await logIn();
  const newPassword = page.getByLabelText("New password");
  const repeated = page.getByLabelText("Confirm password");
  await newPassword.fill("abcd");
  await repeated.fill("abcd");
  const update = page.getByRole("button", { name: "Update Password" });
  await update.click();
  await expect.element(page.getByRole("alert").getByText("Password Update Failed", { exact: true })).toBeVisible();
  await expect.element(newPassword).toHaveValue("abcd");
  await expect.element(repeated).toHaveValue("abcd");
  expect(signedIn).toEqual([]);
  await update.click();
  await expect.poll(() => signedIn).toEqual([token]);
  expect(gateway.received(auth.login).at(-1)?.body).toEqual({ username: "ada", password: "abcd" });
});
