import { expect } from "vitest";
import { page } from "vitest/browser";
import { katrina, openResults } from "./results.ts";

export const raw = () => page.getByRole("treegrid", { name: "Raw results" });

export async function openRaw(): Promise<void> {
  await openResults(katrina);
  await page.getByText("Raw", { exact: true }).click();
  await expect.element(raw()).toBeVisible();
}
