import { expect } from "vitest";
import { page } from "vitest/browser";
import "./css-locator.ts";
import { openFilled } from "./text-views.tsx";
import { TextContent } from "#parts/text-difference/text-content.tsx";

export const grid = page.getByRole("grid", { name: "Content" });

export async function open(text: string, more: Partial<Parameters<typeof TextContent>[0]> = {}): Promise<void> {
  openFilled(<TextContent label="Content" text={text} {...more} />);
  await expect.element(grid).toBeVisible();
}
