import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";

const schema = "/data-catalog/Tropical%20weather/storm-tracks";
const community = (page: Page) =>
  page
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: /^storm_id/ }) })
    .getByRole("cell")
    .nth(1);
const bell = (page: Page) => page.getByRole("button", { name: /^Notifications/ });

test("a viewer suggests a description; an editor is notified, follows the link and approves it, and the viewer is notified", async ({
  page,
  signIn,
  browser,
}) => {
  await signIn("viewer");
  await page.goto(schema);
  await page.getByRole("button", { name: "Suggest a description" }).click();
  const dialog = page.getByRole("dialog", { name: "Suggest a description" });
  await dialog.getByRole("combobox", { name: "Describes" }).fill("storm_id");
  await page.getByRole("option", { name: "storm_id", exact: true }).click();
  await dialog.getByRole("textbox", { name: "Description", exact: true }).fill("Matches **no** official list.");
  await dialog.getByRole("button", { name: "Suggest", exact: true }).click();
  await expect(community(page)).toContainText("You suggest");

  const editor = await browser.newPage();
  await signIn("editor", editor);
  await editor.goto("/data-catalog");
  await expect(bell(editor)).toHaveAccessibleName("Notifications, 1 unread");
  await bell(editor).click();
  await editor.getByRole("link", { name: "1 suggestion to review for storm-tracks" }).click();
  await editor.getByRole("button", { name: "1 suggestion to review", exact: true }).click();
  await community(editor).getByRole("button", { name: "Approve" }).click();
  await expect(community(editor)).toHaveText("Matches no official list.");
  await expect(bell(editor)).toHaveAccessibleName("Notifications");
  await editor.close();

  await page.reload();
  await expect(community(page)).toHaveText("Matches no official list.");
  await expect(bell(page)).toHaveAccessibleName("Notifications, 1 unread");
  await bell(page).click();
  await expect(page.getByRole("dialog", { name: "Notifications" })).toContainText("Your suggestion for storm-tracks was approved");
});
