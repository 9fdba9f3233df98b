import { auth, type LoginAnswer } from "@fairway/contract/auth";
import { cac } from "@fairway/contract/cac";
import { oidc } from "@fairway/contract/oidc";
import { profile } from "@fairway/contract/profile";
import { secondFactorSignIn } from "@fairway/contract/second-factors";
import { settings } from "@fairway/contract/settings";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { takeCardReturn } from "#lib/session/card.ts";
import { leaveForProvider, takeProviderReturn } from "#lib/session/provider.ts";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { axeViolations } from "#testing/accessibility.ts";
import { expectAddress, expectText, textsOf } from "#testing/assertions.ts";
import { cardIssuer, cardRequest } from "#testing/cards.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press, type } from "#testing/keyboard.ts";
import { openLogin } from "#testing/open-login.tsx";
import { ada, gateway, tokenOf, uiConfig } from "#testing/open-screen.tsx";
import { setField } from "#testing/quick-fields.ts";

const token = tokenOf(ada);
const username = page.getByRole("textbox", { name: "Username" });
const password = page.getByLabelText("Password", { exact: true });
const login = page.getByRole("button", { name: "Login", exact: true });

const cardRefused = "Unable to login with your CAC. Ensure your CAC is linked to your account or use your password.";

const needsSecondStep = (secondFactors: NonNullable<LoginAnswer["secondFactors"]>): LoginAnswer => ({
  requiresPasswordChange: false,
  requiresSecondFactor: true,
  secondFactors,
  token: { ...token, refresh_token: null },
});

async function logIn(): Promise<void> {
  await setField(username, "ada");
  await setField(password, "secret");
  await login.click();
}

beforeEach(() => {
  gateway.answer(auth.login, { requiresPasswordChange: false, token });
});

it("[LOGIN-13][LOGIN-14] a card is offered only when there is an issuer, by a link with the request to it", async () => {
  const link = page.getByRole("link", { name: "CAC Login" });
  await openLogin();
  await expect.element(login).toBeVisible();
  await expect.element(link).not.toBeInTheDocument();
  gateway.answer(settings.ui, { ...uiConfig, cac: cardIssuer });
  await openLogin();
  await expect.element(link).toHaveAttribute("href", expect.stringContaining("code_challenge="));
  expect(Object.fromEntries(new URL(link.element().getAttribute("href") ?? "").searchParams)).toEqual(
    cardRequest(`${location.origin}/login`),
  );
});

it("[LOGIN-17][LOGIN-18] a card that does not sign in leads back to Login, and a code that Login did not request is not sent", async () => {
  gateway.refuse(cac.login, "wrong-credentials", "No account.");
  history.replaceState(null, "", "/login?code=somebody-elses&state=guessed&redirect=%2Fkeys");
  const unsolicited = takeCardReturn("login");
  await expectAddress("/login?redirect=%2Fkeys");
  for (const [card, calls] of [
    [unsolicited, 0],
    [{ kind: "code", code: "code-1", codeVerifier: "v".repeat(43), redirectUri: `${location.origin}/login` }, 1],
  ] as const) {
    await openLogin(card);
    await expectText(page.getByRole("alert"), `Unable to Login${cardRefused}`);
    await expect.element(username).toHaveFocus();
    expect(gateway.received(cac.login)).toHaveLength(calls);
  }
});

const withProvider = { ...uiConfig, oidc: { displayName: "Harbour ID" } };
const providerButton = page.getByRole("button", { name: "Sign in with Harbour ID" });
// Stays on the page, unlike the address of a provider.
const providerRequest = { address: "#at-the-provider", state: "state-1", request: "sealed-1" };

it("a provider is offered only when there is one, and Login leaves for the address that the gateway names", async () => {
  await openLogin();
  await expect.element(login).toBeVisible();
  await expect.element(providerButton).not.toBeInTheDocument();
  gateway.answer(settings.ui, withProvider);
  await openLogin();
  gateway.refuse(oidc.request, "upstream-failed", "Harbour ID cannot be used right now.");
  await providerButton.click();
  await expectText(page.getByRole("alert"), "Unable to LoginHarbour ID cannot be used right now.");
  gateway.answer(oidc.request, providerRequest);
  await providerButton.click();
  await expect.poll(() => location.hash).toBe("#at-the-provider");
  expect(gateway.received(oidc.request).at(-1)).toMatchObject({ body: { again: false } });
});

it("the provider's response signs in, and leads back to where the user was", async () => {
  gateway.answer(settings.ui, withProvider);
  gateway.answer(oidc.request, providerRequest);
  gateway.answer(oidc.login, { requiresPasswordChange: false, token });
  history.replaceState(null, "", "/login?redirect=%2Fkeys");
  await leaveForProvider();
  history.replaceState(null, "", "/login?code=code-1&state=state-1&iss=https%3A%2F%2Flogin.example.org&session_state=x");
  const response = takeProviderReturn("login");
  await expectAddress("/login?redirect=%2Fkeys");
  const signedIn = await openLogin(null, response);
  await expect.poll(() => signedIn).toEqual([token]);
  const body = { request: "sealed-1", state: "state-1", code: "code-1", iss: "https://login.example.org" };
  expect(gateway.received(oidc.login)).toMatchObject([{ body }]);
});

it("a response of the provider that this tab did not request is not sent, and a canceled or refused one leads back to Login", async () => {
  gateway.answer(settings.ui, withProvider);
  gateway.answer(oidc.request, providerRequest);
  const unconfirmed = "Unable to LoginHarbour ID did not confirm your sign-in. Please try again.";
  history.replaceState(null, "", "/login?code=somebody-elses&state=state-1");
  expect(takeProviderReturn("login")).toBeNull();
  await openLogin(takeCardReturn("login"));
  await expectText(page.getByRole("alert"), unconfirmed);

  await leaveForProvider();
  history.replaceState(null, "", "/login?code=somebody-elses&state=guessed");
  expect(takeProviderReturn("login")).toBeNull();
  history.replaceState(null, "", "/login?error=access_denied&state=state-1");
  await openLogin(null, takeProviderReturn("login"));
  await expectAddress("/login");
  await expectText(page.getByRole("alert"), unconfirmed);
  expect(gateway.received(oidc.login)).toHaveLength(0);

  gateway.refuse(oidc.login, "name-taken", "Your username belongs to another account here.");
  await openLogin(null, { kind: "response", request: "sealed-1", state: "state-1", code: "code-1" });
  await expectText(page.getByRole("alert"), "Unable to LoginYour username belongs to another account here.");
  await expect.element(username).toHaveFocus();
});

it("[LOGIN-15] a card's code signs in, after a new password for an account that needs one", async () => {
  const card = { kind: "code", code: "code-1", codeVerifier: "v".repeat(43), redirectUri: `${location.origin}/login` } as const;
  gateway.answer(cac.login, { requiresPasswordChange: true, token: { ...token, refresh_token: null } });
  gateway.answer(profile.resetPassword, undefined);
  const signedIn = await openLogin(card);
  await setField(page.getByLabelText("New password"), "another one");
  await setField(page.getByLabelText("Confirm password"), "another one");
  await page.getByRole("button", { name: "Update Password" }).click();
  await expect.poll(() => signedIn).toEqual([token]);
  const { kind: _kind, ...proof } = card;
  expect(gateway.received(cac.login).map(({ body }) => body)).toEqual([proof]);
  expect(gateway.received(auth.login).map(({ body }) => body)).toEqual([{ username: "ada", password: "another one" }]);

  gateway.answer(cac.login, { requiresPasswordChange: false, token });
  const signedInAtOnce = await openLogin(card);
  await expect.poll(() => signedInAtOnce).toEqual([token]);
});

it("every demo account fills the form", async () => {
  gateway.answer(settings.portal, { ...defaultPortalSettings, demo: true });
  await openLogin();
  const accounts = page.getByRole("region", { name: "Demo accounts" }).getByRole("button");
  await expect.element(accounts.first()).toBeVisible();
  for (const name of ["admin", "editor", "developer", "viewer"]) {
    await accounts.filter({ hasText: name }).click();
    await expect.element(username).toHaveValue(name);
    await expect.element(password).toHaveValue("fairway-demo");
    await expect.element(password).toHaveFocus();
  }
  expect(textsOf(accounts)).toHaveLength(4);
});

it("axe finds no violations on Login and its second step, light and dark", async () => {
  gateway.answer(settings.ui, { ...uiConfig, cac: cardIssuer });
  gateway.refuse(auth.login, "wrong-credentials", "No.", { times: 1 });
  const expectNoViolations = async () => {
    for (const theme of ["light", "dark"]) {
      document.documentElement.dataset["mantineColorScheme"] = theme;
      expect(await axeViolations()).toEqual([]);
    }
  };
  await openLogin();
  await expect.element(login).toBeVisible();
  await expectNoViolations();
  await logIn();
  await expectText(page.getByRole("alert"), "Invalid username or password. Please try again.");
  await expectNoViolations();
  gateway.answer(auth.login, needsSecondStep({ code: true, passkey: null }));
  await logIn();
  await expect.element(page.getByRole("heading", { level: 1, name: "Second Step" })).toBeVisible();
  await expectNoViolations();
});

it("the second step takes a code, or a recovery code when the device is missing", async () => {
  gateway.answer(auth.login, needsSecondStep({ code: true, passkey: null }));
  gateway.answer(secondFactorSignIn.prove, { requiresPasswordChange: false, token });
  gateway.refuse(secondFactorSignIn.prove, "wrong-credentials", "No.", { times: 1 });
  const signedIn = await openLogin();
  await logIn();
  const code = page.getByRole("textbox", { name: "Code", exact: true });
  await expect.element(code).toHaveFocus();
  await setField(code, "000000");
  await press("Enter");
  await expectText(page.getByRole("alert"), "That code isn't correct. Try the next one.");
  await expect.element(code).toHaveFocus();
  await page.getByRole("button", { name: "Use a recovery code", exact: true }).click();
  await setField(page.getByRole("textbox", { name: "Recovery code", exact: true }), "ABCD-EFGH-IJKL-MNOP-QRST-UVWX");
  await press("Enter");
  await expect.poll(() => signedIn).toEqual([token]);
  expect(gateway.received(secondFactorSignIn.prove).map(({ body }) => body)).toEqual([
    { code: "000000" },
    { recoveryCode: "abcdefghijklmnopqrstuvwx" },
  ]);
});

it("the second step offers a recovery code where passkeys of another address do not work", async () => {
  const passkey = {
    challenge: "aaaa",
    rpId: "portal.example",
    allowCredentials: [],
    timeout: 60_000,
    userVerification: "preferred" as const,
  };
  gateway.answer(auth.login, needsSecondStep({ code: false, passkey }));
  gateway.answer(secondFactorSignIn.prove, { requiresPasswordChange: false, token });
  const signedIn = await openLogin();
  await logIn();
  await expect.element(page.getByText("Your passkeys do not work at this address.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: /passkey/i })).not.toBeInTheDocument();
  await setField(page.getByRole("textbox", { name: "Recovery code", exact: true }), "abcd-efgh-ijkl-mnop-qrst-uvwx");
  await press("Enter");
  await expect.poll(() => signedIn).toEqual([token]);
});

describe("Login", () => {
  openOnce(async () => void (await openLogin()));

  it("[LOGIN-01] has a username box, a password box and a 'Login' button", async () => {
    await expect.element(username).toHaveFocus();
    await expect.element(password).toHaveAttribute("type", "password");
    await expect.element(login).toBeVisible();
  });

  it("[LOGIN-03] sends nothing while the password is empty", async () => {
    await setField(username, "viewer");
    await expect.element(login).toBeDisabled();
    await press("Enter", username);
    expect(gateway.received(auth.login)).toEqual([]);
  });

  it("[LOGIN-02] sends nothing while the username is empty", async () => {
    for (const empty of ["", "  "]) {
      await setField(username, empty);
      await setField(password, "fairway-demo");
      await expect.element(login).toBeDisabled();
      await press("Enter", password);
    }
    expect(gateway.received(auth.login)).toEqual([]);
  });
});

it("a username with spaces around it signs in without them", async () => {
  const signedIn = await openLogin();
  await setField(username, " viewer ");
  await setField(password, "fairway-demo");
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
  await setField(password, "secret");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect.element(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect.element(password).toHaveAttribute("type", "password");
});

it("[LOGIN-11][LOGIN-12] a forced update requires two equal passwords of at least three characters; a failed one shows 'Password Update Failed', keeps the input, and leads back to Login or can be retried", async () => {
  gateway.answer(auth.login, { requiresPasswordChange: true, token: { ...token, refresh_token: null } }, { times: 2 });
  gateway.answer(profile.resetPassword, undefined);
  gateway.disconnect(profile.resetPassword, { times: 1 });
  const signedIn = await openLogin();
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
    await setField(newPassword, first);
    await setField(repeated, second);
    await expect.element(update).toBeDisabled();
    await press("Enter", repeated);
  }
  await expect.element(page.getByText("The two passwords differ.")).toBeVisible();
  await setField(repeated, "abcd");
  await expect.element(update).toBeEnabled();
  expect(gateway.received(profile.resetPassword)).toEqual([]);
  await update.click();
  await expect.element(page.getByRole("alert").getByText("Password Update Failed", { exact: true })).toBeVisible();
  await expect.element(newPassword).toHaveValue("abcd");
  await expect.element(repeated).toHaveValue("abcd");
  expect(signedIn).toEqual([]);
  await page.getByRole("button", { name: "Back to Login" }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "Login", exact: true })).toBeVisible();
  await logIn();
  await setField(newPassword, "abcd");
  await setField(repeated, "abcd");
  await update.click();
  await expect.poll(() => signedIn).toEqual([token]);
  expect(gateway.received(auth.login).at(-1)?.body).toEqual({ username: "ada", password: "abcd" });
});
