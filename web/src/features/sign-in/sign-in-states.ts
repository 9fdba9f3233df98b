import { auth, type LoginAnswer } from "@fairway/contract/auth";
import { settings } from "@fairway/contract/settings";
import { page } from "vitest/browser";
import { cardIssuer } from "#testing/cards.ts";
import { openLogin } from "#testing/open-login.tsx";
import { ada, gateway, tokenOf, uiConfig } from "#testing/open-screen.tsx";
import { failure, type ScreenState } from "#testing/screen-state.ts";

const login = () => page.getByRole("button", { name: "Login", exact: true });

async function open(): Promise<void> {
  history.replaceState(null, "", "/login");
  await openLogin();
}

async function logIn(): Promise<void> {
  await page.getByRole("textbox", { name: "Username" }).fill("ada");
  await page.getByLabelText("Password", { exact: true }).fill("secret");
  await login().click();
}

/** Answers the password with a further step. */
const needs = (more: Omit<LoginAnswer, "token">) => () =>
  gateway.answer(auth.login, { ...more, token: { ...tokenOf(ada), refresh_token: null } });

export const states: readonly ScreenState[] = [
  { name: "login", open, shows: login, phone: true },
  {
    name: "login-with-card-and-provider",
    answers: () => gateway.answer(settings.ui, { ...uiConfig, cac: cardIssuer, oidc: { displayName: "Harbour ID" } }),
    open,
    shows: () => page.getByRole("button", { name: "Sign in with Harbour ID" }),
  },
  { name: "login-refused", answers: () => gateway.refuse(auth.login, "wrong-credentials", "No."), open, steps: [logIn], shows: failure },
  {
    name: "login-second-factor",
    answers: needs({ requiresPasswordChange: false, requiresSecondFactor: true, secondFactors: { code: true, passkey: null } }),
    open,
    steps: [logIn],
    shows: () => page.getByRole("textbox").first(),
  },
  {
    name: "login-new-password",
    answers: needs({ requiresPasswordChange: true }),
    open,
    steps: [logIn],
    shows: () => page.getByLabelText("New password", { exact: true }),
  },
];
