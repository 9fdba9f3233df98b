import { cac } from "@fairway/contract/cac";
import { settings } from "@fairway/contract/settings";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectText } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen, uiConfig } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";

const status = () => page.getByRole("region", { name: "CAC status" }).getByRole("status");
const cards = { clientId: "fairway", authUrl: "https://cards.example/", scope: "openid", domain: "", pkce: true, nonce: true };

it("[CAC-11][CAC-12] a status that cannot be loaded can be asked for again; a failed unlink asks for it by itself", async () => {
  gateway.answer(settings.ui, { ...uiConfig, cac: cards });
  gateway.answer(cac.status, { linked: true, linkedTimestamp: "2026-01-02T03:04:05.000Z" });
  gateway.refuse(cac.status, "internal", "Not now.", { times: 1 });
  gateway.refuse(cac.unlink, "not-ready", "Not now.");
  await openScreen("/manage-cac");
  await expect.element(page.getByText("Error loading CAC status.")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expectText(status(), "Linked");
  const asked = gateway.received(cac.status).length;
  await page.getByRole("button", { name: "Unlink" }).click();
  await page.getByRole("dialog", { name: "Unlink CAC?" }).getByRole("button", { name: "Unlink" }).click();
  await expect.element(page.getByRole("alert").filter({ hasText: "Unable to Unlink CAC" })).toBeVisible();
  await expect.poll(() => gateway.received(cac.status).length).toBe(asked + 1);
  await expectText(status(), "Linked");
});

it("[SHELL-28][CAC-13] without an issuer no screen of cards is offered", async () => {
  serveDatasets(gateway);
  gateway.refuse(cac.status, "not-found", "There are no cards here.");
  await openScreen("/search?category=Aviation&dataset=airports");
  await expectDatasets();
  await openScreen("/manage-cac");
  await expectAddress("/search");
  await expectDatasets();
  await expect.element(page.getByRole("link", { name: "Manage CAC" })).not.toBeInTheDocument();
});
