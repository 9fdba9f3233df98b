import { expect, test } from "../support/fixtures.ts";

test("[SEARCH-44][RESULT-20] a user picks a dataset, samples it and sees its rows", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  await page.getByRole("region", { name: "Choose a dataset" }).getByText("storm-tracks", { exact: true }).click();
  await page.getByRole("button", { name: "Sample" }).click();
  await expect(page).toHaveURL(/\/search\/[\w-]+/);
  await expect(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
  await expect(page.getByRole("grid").getByRole("row")).not.toHaveCount(0);
});
