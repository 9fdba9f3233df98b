import { demoPassword } from "@fairway/contract/api";
import { expect, test } from "../support/fixtures.ts";
import { type ProductionPortal, startProductionPortal } from "../support/production-portal.ts";
import { expectDatasets, expectLogin, logIn } from "../support/sign-in.ts";

let portal: ProductionPortal;
test.beforeAll(async () => {
  portal = await startProductionPortal({}, {});
});
test.afterAll(() => portal.stop());

test("a production start has no demo accounts, and its setup link creates the first administrator once", async ({ page }) => {
  for (const username of ["admin", "viewer"]) {
    const refused = await page.request.post(`${portal.address}/api/auth/login`, { data: { username, password: demoPassword } });
    expect(refused.status()).toBe(401);
  }
  const link = /http:\S+\/setup#token=\S+/.exec(portal.output.join("\n"))?.[0] ?? "";
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Set up the portal" })).toBeVisible();
  await page.getByLabel("Username").fill("founder");
  await page.getByLabel("Password", { exact: true }).fill("of-the-first-hour");
  await page.getByLabel("Confirm password").fill("of-the-first-hour");
  await page.getByRole("button", { name: "Create administrator" }).click();
  await expectLogin(page);
  await expect(page.getByText("demo", { exact: false })).toHaveCount(0);
  await logIn(page, "founder", "of-the-first-hour");
  await expectDatasets(page);
  await expect(page.getByText("No Datasets Available", { exact: true })).toBeVisible();

  const setUpAgain = await page.request.post(`${portal.address}/api/setup`, {
    data: { setupToken: new URL(link).hash.slice("#token=".length), username: "intruder", password: "of-the-second-hour" },
  });
  expect(setUpAgain.status()).toBe(404);
});
