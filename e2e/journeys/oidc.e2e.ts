import { createServer } from "node:net";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider.ts";
import { type ProductionPortal, startProductionPortal } from "../support/production-portal.ts";
import { expectLogin } from "../support/sign-in.ts";

let provider: IdentityProvider;
let portal: ProductionPortal;
test.beforeAll(async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  provider = await startIdentityProvider(address);
  portal = await startProductionPortal(
    {},
    {
      PORT: String(port),
      PUBLIC_URL: address,
      FAIRWAY_UPSTREAM_ADDRESSES: "127.0.0.1",
      FAIRWAY_ADMIN_USERNAME: "founder",
      FAIRWAY_ADMIN_PASSWORD: "of-the-first-hour",
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: "fairway",
      OIDC_CLIENT_SECRET: provider.clientSecret,
      OIDC_DISPLAY_NAME: "Harbour ID",
    },
  );
});
test.afterAll(async () => {
  await portal.stop();
  provider.stop();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const button = (page: Page) => page.getByRole("button", { name: "Sign in with Harbour ID" });

async function signInThere(page: Page, name: string): Promise<void> {
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("known to the provider");
  await page.getByRole("button", { name: "Sign-in" }).click();
}

test("a person signs in at the organization's provider, returns to the requested page, and signs out there as well", async ({ page }) => {
  await test.step("signs in for the first time", async () => {
    await page.goto(`${portal.address}/keys`);
    await expectLogin(page);
    await button(page).click();
    await expect(page).toHaveURL((url) => url.origin === provider.issuer);
    await signInThere(page, "marie");
    await expect(page.getByRole("heading", { level: 1, name: "API Keys" })).toBeVisible();
    await expect(page).toHaveURL(`${portal.address}/keys`);
  });

  await test.step("has no password, and goes on after a reload", async () => {
    await page.reload();
    await expect(page.getByRole("navigation", { name: "Profile" }).getByRole("link", { name: "About" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Update Password" })).toHaveCount(0);
    await page.goto(`${portal.address}/user-profile`);
    await expect(page.getByRole("textbox", { name: "First name" })).toHaveValue("Marie");
    await expect(page.getByRole("textbox", { name: "First name" })).not.toBeEditable();
  });

  await test.step("signs out here and there", async () => {
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("dialog", { name: "Logout?" }).getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL((url) => url.origin === provider.issuer);
    await page.getByRole("button", { name: "Yes, sign me out" }).click();
    await expectLogin(page);
    await expect(page).toHaveURL(`${portal.address}/login`);
    await button(page).click();
    await expect(page.locator("input[name=login]")).toBeVisible();
  });

  await test.step("the owner of a name that a local account has sees an error", async () => {
    await signInThere(page, "founder");
    await expect(page.getByRole("alert")).toContainText("Your username at Harbour ID, 'founder', belongs to another account here.");
    await expectLogin(page);
  });
});
