import { demoPassword } from "@fairway/contract/api";
import { expect, type Page, test } from "@playwright/test";
import { type ProductionPortal, startProductionPortal } from "../support/production-portal.ts";
import { describeJourney } from "../support/shared-page.ts";
import { expectDatasets, expectLogin, logIn } from "../support/sign-in.ts";

const banner = { text: "Training data", textColor: "#ffffff", bgColor: "#00703c" };

let portal: ProductionPortal;
test.beforeAll(async () => {
  portal = await startProductionPortal({ appTitle: "Harbour data", appSubtitle: "Harbour office", banner }, {});
});
test.afterAll(() => portal.stop());

const lines = (page: Page) => page.getByRole("note").filter({ hasText: banner.text });
const boxes = async (page: Page) => Promise.all((await lines(page).all()).map((line) => line.boundingBox()));

async function expectBanner(page: Page, height: number): Promise<void> {
  await expect(lines(page)).toHaveCount(2);
  for (const line of await lines(page).all()) {
    await expect(line).toHaveText(banner.text);
    await expect(line).toHaveCSS("color", "rgb(255, 255, 255)");
    await expect(line).toHaveCSS("background-color", "rgb(0, 112, 60)");
  }
  const [top, bottom] = await boxes(page);
  expect(top?.y).toBe(0);
  expect((bottom?.y ?? 0) + (bottom?.height ?? 0)).toBe(height);
}

async function expectTitleAndHeights(page: Page): Promise<void> {
  await expect(page).toHaveTitle("Harbour data");
  expect((await boxes(page)).map((box) => box?.height)).toEqual([24, 24]);
}

describeJourney("a production start", {}, (pageOfAll) => {
  const administrator = { username: "founder", password: "of-the-first-hour" };

  test("there are no demo accounts, and the setup link creates the first administrator once", async () => {
    const page = pageOfAll();
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

  test("[SHELL-36][SHELL-37] the banner is at the top and the bottom in its colors, on Login and on a screen, also on a phone", async () => {
    const page = pageOfAll();
    await expectBanner(page, 900);
    await logIn(page, administrator.username, administrator.password);
    await expectDatasets(page);
    await expect(page.getByText("No Datasets Available", { exact: true })).toBeVisible();
    await expectBanner(page, 900);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole("button", { name: "Open menu" })).toBeVisible();
    await expectBanner(page, 844);
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  });

  test("[SHELL-38][SHELL-40] each banner is 24 pixels tall and the title is the portal's, on a screen, also on a phone", async () => {
    const page = pageOfAll();
    await expectTitleAndHeights(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
    await expectTitleAndHeights(page);
  });

  test("[SESSION-16] a logout keeps the branding and the feedback flag, even if they cannot be loaded", async () => {
    const page = pageOfAll();
    await page.route("**/api/ui/config", (route) => route.abort());
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
    await expectLogin(page);
    await expectTitleAndHeights(page);
    await logIn(page, administrator.username, administrator.password);
    await expectDatasets(page);
    await expect(page).toHaveTitle("Harbour data");
    await expect(page.getByRole("button", { name: "Submit Feedback" })).toBeVisible();
  });
});
