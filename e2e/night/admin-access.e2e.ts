import { entityTypes } from "@fairway/contract/entity-types";
import { expect, test } from "../support/fixtures.ts";

test("an administrator can open every screen of the Power group, and About shows the versions", async ({ page, signIn }) => {
  await signIn("admin");
  await page.goto("/search");
  await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Power" }).click();
  const panel = page.getByRole("navigation", { name: "Power" });
  await expect(panel.getByRole("link")).toHaveCount(2 + Object.keys(entityTypes).length);
  for (const label of await panel.getByRole("link").allTextContents()) {
    await panel.getByRole("link", { name: label, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: label, exact: true })).toBeVisible();
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    await expect(page.getByRole("alert")).toHaveCount(0);
  }
  await panel.getByRole("link", { name: "About", exact: true }).click();
  await expect(page.getByRole("region", { name: "gateway", exact: true })).toContainText("Version");
  await expect(page.getByText(/^UI version 1\.249\.0, release r\d+( with later changes)?$/)).toBeVisible();
  await expect(page.getByRole("region", { name: "database", exact: true })).toContainText("PostgreSQL");
});
