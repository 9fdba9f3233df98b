import { expect } from "vitest";
import { page } from "vitest/browser";
import "./css-locator.ts";
import { press } from "./keyboard.ts";
import { skipPauses } from "./pauses.ts";
import { openFilled } from "./text-views.tsx";
import { TextDifference } from "#parts/text-difference/text-difference.tsx";

export const names = ["Iteration 3", "Iteration 4"] as const;
export const numbered = (count: number, other: (line: number) => string | undefined = () => undefined): string =>
  Array.from({ length: count }, (_, index) => other(index + 1) ?? `line ${index + 1}`).join("\n");

export type Props = Parameters<typeof TextDifference>[0];
export const grid = page.getByRole("grid", { name: "Differences" });
export const line = (number: number) => page.css(`[data-line="${number}"]`);

/** Opens a comparison without the pause before it. */
export async function open(before: string, after: string, more: Partial<Props> = {}): Promise<void> {
  skipPauses(500);
  openFilled(<TextDifference label="Differences" names={names} before={before} after={after} {...more} />);
  await expect.element(grid).toBeVisible();
}

export async function choose(option: string): Promise<void> {
  await page.getByRole("button", { name: "View options" }).click();
  await page.getByLabelText(option).click();
  await press("Escape");
}
