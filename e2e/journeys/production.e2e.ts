import { demoPassword } from "@fairway/contract/api";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { type ProductionPortal, startProductionPortal } from "../support/production-portal.ts";
import { expectDatasets, expectLogin, logIn } from "../support/sign-in.ts";

const banner = { text: "Training data", textColor: "#ffffff", bgColor: "#00703c" };

let portal: ProductionPortal;
test.beforeAll(async () => {
  portal = await startProductionPortal({ appTitle: "Harbour data", appSubtitle: "Harbour office", banner }, {});
});
test.afterAll(() => portal.stop());

async function expectBranding(page: Page, height: number): Promise<void> {
  await expect(page).toHaveTitle("Harbour data");
  const lines = page.getByRole("note").filter({ hasText: banner.text });
  await expect(lines).toHaveCount(2);
  for (const line of await lines.all()) {
    await expect(line).toHaveText(banner.text);
    await expect(line).toHaveCSS("color", "rgb(255, 255, 255)");
    await expect(line).toHaveCSS("background-color", "rgb(0, 112, 60)");
  }
  const boxes = await Promise.all((await lines.all()).map((line) => line.boundingBox()));
  expect(boxes.map((box) => [box?.y, box?.height])).toEqual([
    [0, 24],
    [height - 24, 24],
  ]);
}

test("[SHELL-36][SHELL-37][SHELL-38][SHELL-40][SESSION-16][SESSION-28][LOGIN-13] a production start has no demo accounts, and its setup link creates the first administrator once; banner and branding are on Login and every screen, also on a phone and after a logout", async ({
  page,
}) => {
  const administrator = { username: "founder", password: "of-the-first-hour" };

  await test.step("the setup link creates the first administrator once", async () => {
    for (const username of ["admin", "viewer"]) {
      const refused = await page.request.post(`${portal.address}/api/auth/login`, { data: { username, password: demoPassword } });
      expect(refused.status()).toBe(401);
    }
    const link = /http:\S+\/setup#token=\S+/.exec(portal.output.join("\n"))?.[0] ?? "";
    const [requested] = await Promise.all([page.waitForRequest("**/api/ui/config"), page.goto(link)]);
    expect(requested.headers()["authorization"]).toBeUndefined();
    const answer: unknown = await (await page.request.get(`${portal.address}/api/ui/config`)).json();
    const downloadableTools = ["Command line", "Python client", "TypeScript client"].map((display) => ({ display }));
    expect(answer).toMatchObject({ appTitle: "Harbour data", feedbackEnabled: true, availableTorchServices: [], downloadableTools });
    await expect(page.getByRole("heading", { name: "Set up the portal" })).toBeVisible();
    await page.getByLabel("Username").fill(administrator.username);
    await page.getByLabel("Password", { exact: true }).fill(administrator.password);
    await page.getByLabel("Confirm password").fill(administrator.password);
    await page.getByRole("button", { name: "Create administrator" }).click();
    await expectLogin(page);
    await expect(page.getByText("demo", { exact: false })).toHaveCount(0);
    await expect(page.getByRole("link", { name: "CAC Login" })).toHaveCount(0);
    const setUpAgain = await page.request.post(`${portal.address}/api/setup`, {
      data: { setupToken: new URL(link).hash.slice("#token=".length), username: "intruder", password: "of-the-second-hour" },
    });
    expect(setUpAgain.status()).toBe(404);
  });

  await test.step("banner and branding are on Login and on every screen, also on a phone", async () => {
    await expectBranding(page, 900);
    await logIn(page, administrator.username, administrator.password);
    await expectDatasets(page);
    await expect(page.getByText("No Datasets Available", { exact: true })).toBeVisible();
    await expectBranding(page, 900);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole("button", { name: "Open menu" })).toBeVisible();
    await expectBranding(page, 844);
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step("a logout keeps the branding and the feedback flag, even if they cannot be loaded", async () => {
    await page.route("**/api/ui/config", (route) => route.abort());
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
    await expectLogin(page);
    await expect(page).toHaveTitle("Harbour data");
    await logIn(page, administrator.username, administrator.password);
    await expectDatasets(page);
    await expect(page).toHaveTitle("Harbour data");
    await expect(page.getByRole("button", { name: "Submit Feedback" })).toBeVisible();
  });
});
