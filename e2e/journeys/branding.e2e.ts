import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { type ProductionPortal, startProductionPortal } from "../support/production-portal.ts";
import { expectDatasets, expectLogin, logIn } from "../support/sign-in.ts";

const banner = { text: "Training data", textColor: "#ffffff", bgColor: "#00703c" };

// Runs in one worker, so that one portal is enough.
test.describe.configure({ mode: "default" });

const administrator = { username: "harbour-master", password: "of-the-harbour-office" };
let portal: ProductionPortal;
test.beforeAll(async () => {
  portal = await startProductionPortal(
    { appTitle: "Harbour data", appSubtitle: "Harbour office", banner },
    { FAIRWAY_ADMIN_USERNAME: administrator.username, FAIRWAY_ADMIN_PASSWORD: administrator.password },
  );
});
test.afterAll(() => portal.stop());

async function expectBanners(page: Page, height: number): Promise<void> {
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

test("[SHELL-36][SHELL-37][SHELL-38][SHELL-40][SESSION-28] banner and branding are shown on Login and on every screen, also on a phone", async ({
  page,
}) => {
  const [requested] = await Promise.all([page.waitForRequest("**/api/ui/config"), page.goto(`${portal.address}/login`)]);
  expect(requested.headers()["authorization"]).toBeUndefined();
  const answer: unknown = await (await page.request.get(`${portal.address}/api/ui/config`)).json();
  expect(answer).toMatchObject({ appTitle: "Harbour data", feedbackEnabled: true, availableTorchServices: [], downloadableTools: [] });
  await expectLogin(page);
  await expect(page).toHaveTitle("Harbour data");
  await expectBanners(page, 900);
  await logIn(page, administrator.username, administrator.password);
  await expectDatasets(page);
  await expect(page).toHaveTitle("Harbour data");
  await expectBanners(page, 900);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole("button", { name: "Open menu" })).toBeVisible();
  await expectBanners(page, 844);
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
});

test("[SESSION-16][LOGIN-13] a logout keeps the branding and the feedback flag, even if they cannot be loaded; without an issuer Login offers no CAC", async ({
  page,
}) => {
  await page.goto(`${portal.address}/login`);
  await expect(page.getByRole("link", { name: "CAC Login" })).toHaveCount(0);
  await logIn(page, administrator.username, administrator.password);
  await expectDatasets(page);
  await expect(page).toHaveTitle("Harbour data");
  await expect(page.getByRole("button", { name: "Submit Feedback" })).toBeVisible();
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

test("[SHELL-39][SHELL-41] without branding there is no banner, and the title is Fairway", async ({ page }) => {
  await page.goto("/login");
  await expectLogin(page);
  await expect(page).toHaveTitle("Fairway");
  await expect(page.getByRole("note")).toHaveCount(0);
  await logIn(page, "viewer");
  await expectDatasets(page);
  await expect(page).toHaveTitle("Fairway");
  await expect(page.getByRole("note")).toHaveCount(0);
});
