import { apiKeys } from "@fairway/contract/api-keys";
import { cac, type CacConfiguration } from "@fairway/contract/cac";
import { profile } from "@fairway/contract/profile";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import { ownSessions } from "@fairway/contract/sessions";
import { settings } from "@fairway/contract/settings";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectText } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen, uiConfig } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";

const issuer: CacConfiguration = {
  clientId: "fairway",
  authUrl: "https://cards.example.org/auth",
  scope: "UserProfile.me",
  domain: "DefaultDomain",
  pkce: true,
  nonce: true,
};
const linked = { linked: true, linkedTimestamp: "2026-03-04T19:07:00Z" };
const status = page.getByRole("region", { name: "CAC status" }).getByRole("status");
const question = page.getByRole("dialog", { name: "Unlink CAC?" });
const unlink = page.getByRole("button", { name: "Unlink", exact: true });
const offerCards = () => gateway.answer(settings.ui, { ...uiConfig, cac: issuer });

beforeEach(() => serveDatasets(gateway));

it("[CAC-03][CAC-04] a linked card can only be unlinked, an unlinked one can only be linked", async () => {
  offerCards();
  gateway.answer(cac.status, linked);
  await openScreen("/manage-cac");
  await expectText(status, "Linked");
  await expect.element(page.getByText("Linked 03-04-2026, 2:07:00 pm")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Link", exact: true })).not.toBeInTheDocument();
  await unlink.click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(gateway.received(cac.unlink)).toEqual([]);
  gateway.answer(cac.unlink, undefined);
  await unlink.click();
  await question.getByRole("button", { name: "Unlink" }).click();
  await expectText(status, "Not linked");
  await expect.element(unlink).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Link", exact: true })).toBeEnabled();
});

it("[CAC-11][CAC-12] a status that failed to load can be retried; a failed unlink reloads it", async () => {
  offerCards();
  gateway.answer(cac.status, linked);
  gateway.refuse(cac.status, "internal", "Not now.", { times: 1 });
  await openScreen("/manage-cac");
  await expect.element(page.getByText("Error loading CAC status.")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expectText(status, "Linked");

  gateway.refuse(cac.unlink, "internal", "Not now.");
  const loads = gateway.received(cac.status).length;
  await unlink.click();
  await question.getByRole("button", { name: "Unlink" }).click();
  await expect.element(page.getByRole("alert").filter({ hasText: "Unable to Unlink CAC" })).toBeVisible();
  await expect.poll(() => gateway.received(cac.status).length).toBe(loads + 1);
  await expectText(status, "Linked");
});

it("[SHELL-28][CAC-13] there is no entry and no screen for cards without an issuer", async () => {
  gateway.answer(profile.read, { username: "ada", email: "ada@fairway.example", firstName: "Ada", lastName: "Lovelace", roles: [] });
  gateway.answer(ownSessions.list, []);
  gateway.answer(ownSessions.signIns, []);
  gateway.answer(ownSecurityEvents.list, []);
  gateway.answer(apiKeys.list, []);
  gateway.answer(cac.status, linked);
  await openScreen("/user-profile");
  const entries = page.getByRole("navigation", { name: "Profile" }).getByRole("link");
  await expect.element(entries.filter({ hasText: "API Keys" })).toBeVisible();
  await expect.element(entries.filter({ hasText: "Manage CAC" })).not.toBeInTheDocument();
  await openScreen("/manage-cac");
  await expectDatasets();
  await expectAddress("/search");
});
