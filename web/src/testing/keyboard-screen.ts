import { expect } from "vitest";
import { page } from "vitest/browser";
import { press } from "./keyboard.ts";

/** Opens the palette, whose field is focused and empty at once, even while an earlier one still fades out. */
export async function openPalette(): Promise<void> {
  await press("Control+k");
  const field = page.getByRole("combobox", { name: "Search everything" });
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue("");
}
