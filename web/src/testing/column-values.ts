import { expect } from "vitest";
import { page } from "vitest/browser";
import { header } from "./results.ts";

export const profile = (column: string) => page.getByRole("dialog", { name: `Summary of ${column}` });

export async function openProfile(column: string): Promise<void> {
  await header(column).hover();
  await page.getByRole("button", { name: `${column} column menu` }).click();
  await page.getByRole("menuitem", { name: `Summary of ${column}` }).click();
  await expect.element(profile(column)).toBeVisible();
}
