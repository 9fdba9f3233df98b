import { createAccount } from "../support/accounts.ts";
import { picker } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectDatasets, visitAs } from "../support/sign-in.ts";

const favorites = "/api/favorite/datasets";

test("[PICKER-03] favorites can be marked, found and unmarked by keyboard, and persist after a reload", async ({ page }) => {
  const { username, password } = await createAccount();
  await visitAs(page, username, password);
  await expect(picker(page)).toBeVisible();
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: "Search datasets" });
  await expect(search).toBeFocused();
  await page.keyboard.type("storm");
  await page.keyboard.press("ArrowDown");
  await expect(picker(page).getByRole("button", { name: "storm-tracks", exact: true })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  const star = picker(page).getByRole("button", { name: "Favourite storm-tracks", exact: true });
  await expect(star).toBeFocused();
  const saved = page.waitForResponse((response) => response.request().method() === "POST" && response.url().endsWith(favorites));
  await page.keyboard.press("Space");
  await expect(star).toHaveAttribute("aria-pressed", "true");
  expect((await saved).ok()).toBe(true);

  await page.reload();
  await expectDatasets(page);
  await expect(star).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Favourites only" }).click();
  await expect(picker(page).getByRole("row")).toHaveCount(2);
  await expect(picker(page).getByRole("button", { name: "storm-tracks", exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Favourites" }).getByRole("button")).toHaveText(["storm-tracksTropical weather"]);

  await star.focus();
  const removed = page.waitForResponse((response) => response.request().method() === "DELETE" && response.url().endsWith(favorites));
  await page.keyboard.press("Enter");
  expect((await removed).ok()).toBe(true);
  await expect(page.getByText("No favourites yet. Mark a dataset with its star.")).toBeVisible();
  await page.reload();
  await expect(star).toHaveAttribute("aria-pressed", "false");
});
