import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";

const openSchema = async (page: Page): Promise<void> => {
  await page.goto("/data-catalog?column=hurricane_force");
  await page.getByRole("list", { name: "Datasets" }).getByRole("link", { name: "storm-tracks" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
};
const editCommunity = async (page: Page, text: string): Promise<void> => {
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("menuitem", { name: "Community Descriptions" }).click();
  await page.getByRole("textbox", { name: "Community description", exact: true }).fill(text);
};
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const community = (page: Page) => page.getByRole("region", { name: "Community description" });

test("a dataset is found by a column; of two editors of its description, the second sees what the first saved, and readers see both layers", async ({
  page,
  signIn,
  browser,
}) => {
  await signIn("editor");
  await openSchema(page);
  await editCommunity(page, "Written **first**.");
  const other = await browser.newPage();
  await signIn("editor", other);
  await openSchema(other);
  await editCommunity(other, "Written second.");

  await save(page);
  await expect(community(page)).toContainText("Written first.");
  await save(other);
  await expect(other.getByRole("note")).toContainText("Written **first**.");
  await expect(other.getByRole("textbox", { name: "Community description", exact: true })).toHaveValue("Written second.");
  await save(other);
  await expect(community(other)).toContainText("Written second.");
  await other.close();

  const reader = await browser.newPage();
  await signIn("viewer", reader);
  await openSchema(reader);
  await expect(community(reader)).toContainText("Written second.");
  await expect(reader.getByRole("button", { name: "Edit Private Descriptions" })).toBeVisible();
  await reader.close();
});

test("a schema shows what the portal has computed in the background, and an administrator has it computed again", async ({
  page,
  signIn,
}) => {
  await signIn("admin");
  await openSchema(page);
  const update = page.getByRole("button", { name: "Update profile" });
  await expect(update).toBeEnabled();
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.request().method() === "POST" && one.url().endsWith("/profile")),
    update.click(),
  ]);
  expect(response.status()).toBe(202);
  await expect(page.getByRole("status").filter({ hasText: "Profiled just now" })).toBeVisible();
  await expect(page.getByRole("button", { name: "2005: 497 rows" })).toBeVisible();
  await page.getByRole("textbox", { name: "Filter columns" }).fill("storm_id");
  const profile = page
    .getByRole("table", { name: "Columns" })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: /^storm_id/ }) });
  await expect(profile).toContainText("511 distinct, 0 empty");
  await page.getByRole("button", { name: "Sample rows" }).click();
  await expect(page.getByRole("region", { name: "Sample rows", exact: true }).getByRole("row")).toHaveCount(26);
});
