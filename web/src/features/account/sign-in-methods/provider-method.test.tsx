import { oidc } from "@fairway/contract/oidc";
import { type SignInMethods, signInMethods } from "@fairway/contract/second-factors";
import { settings } from "@fairway/contract/settings";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress } from "#testing/assertions.ts";
import { gateway, openScreen, uiConfig } from "#testing/open-screen.tsx";

const none: SignInMethods = { authenticator: null, recoveryCodesLeft: 0, passkeys: [], required: false };
const notLinked = { linked: false, linkedTimestamp: null };
const linked = { linked: true, linkedTimestamp: "2026-03-04T19:07:00Z" };
const methods = page.getByRole("list", { name: "Sign-in methods" });

beforeEach(() => {
  gateway.answer(settings.ui, { ...uiConfig, oidc: { displayName: "Harbour ID" } });
  gateway.answer(signInMethods.read, none);
  gateway.answer(oidc.link, notLinked);
});

it("a local account is linked to a person of the provider, and unlinked", async () => {
  // Stays on the page, unlike the address of a provider.
  gateway.answer(oidc.requestLink, { address: "#at-the-provider", state: "state-1", request: "sealed-1" });
  gateway.answer(oidc.addLink, () => {
    gateway.answer(oidc.link, linked);
    return linked;
  });
  await openScreen("/sign-in-methods");
  await page.getByRole("button", { name: "Link Harbour ID" }).click();
  await expect.poll(() => location.hash).toBe("#at-the-provider");

  await openScreen("/sign-in-methods?code=code-1&state=state-1");
  await expect.element(page.getByRole("button", { name: "Unlink Harbour ID" })).toBeVisible();
  await expectAddress("/sign-in-methods");
  expect(gateway.received(oidc.addLink)).toMatchObject([{ body: { request: "sealed-1", state: "state-1", code: "code-1" } }]);
  await expectAccessible();

  gateway.answer(oidc.removeLink, () => {
    gateway.answer(oidc.link, notLinked);
    return undefined;
  });
  await page.getByRole("button", { name: "Unlink Harbour ID" }).click();
  await page.getByRole("dialog", { name: "Unlink Harbour ID?" }).getByRole("button", { name: "Unlink" }).click();
  await expect.element(page.getByRole("button", { name: "Link Harbour ID", exact: true })).toBeVisible();
});

it("an account without a password sees no password and no second factors", async () => {
  gateway.answer(oidc.link, linked);
  await openScreen("/sign-in-methods", { from_provider: true, passwordless: true });
  await expect.element(methods).toHaveTextContent("Harbour IDThe only way to sign in to your account");
  await expect.element(methods.getByRole("listitem")).toHaveLength(1);
  const panel = page.getByRole("navigation", { name: "Profile" });
  await expect.element(panel.getByRole("link", { name: "API Keys" })).toBeVisible();
  await expect.element(panel.getByRole("link", { name: "Update Password" })).not.toBeInTheDocument();
  await openScreen("/change-password", { from_provider: true, passwordless: true });
  await expectAddress("/search");
});
