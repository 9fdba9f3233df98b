import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import type { EditorDialog } from "./editors.ts";
import { press } from "./keyboard.ts";

export async function open({ opener, item, dialog, step, field }: EditorDialog): Promise<Locator> {
  await press("Enter", opener());
  if (item !== undefined) await press("Enter", page.getByRole("menuitem", { name: item, exact: true }));
  await expect.element(dialog()).toBeVisible();
  await step?.(dialog());
  await expect.element(field(dialog())).toBeVisible();
  return field(dialog());
}
