import { groupButton, visitGroups } from "../support/dataset-groups.ts";
import { formOf, searchButton } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";

test("a user creates, searches and deletes a dataset group", async ({ page, request }) => {
  await visitGroups(page, request);
  await page.getByRole("button", { name: "New Dataset Group" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Dataset Group" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Flying");
  await dialog.getByRole("checkbox", { name: "flights", exact: true }).check();
  await dialog.getByRole("checkbox", { name: "airports", exact: true }).check();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(formOf(page, "Flying")).toBeVisible();
  await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
  await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
  await searchButton(page).click();
  await expect(page.getByText("2 searches done", { exact: true })).toBeVisible();
  await expect(page.getByText("1 – 1 of 1 result", { exact: true })).toBeVisible();
  await expect(page.getByText(/^1 – 25 of [\d,]+ results$/)).toBeVisible();

  await page.getByRole("button", { name: "Edit filters" }).click();
  await page.getByRole("button", { name: "Delete Flying" }).click();
  await page.getByRole("dialog", { name: "Delete Dataset Group?" }).getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("Dataset Group Deleted", { exact: true })).toBeVisible();
  await expect(groupButton(page, "Flying")).toHaveCount(0);
});
