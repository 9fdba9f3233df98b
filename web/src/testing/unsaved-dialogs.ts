import { expect } from "vitest";
import { page } from "vitest/browser";

export const confirmation = page.getByRole("dialog", { name: "Discard your changes?" });

export async function keepEditing(): Promise<void> {
  await confirmation.getByRole("button", { name: "Keep editing" }).click();
  await expect.element(confirmation).not.toBeInTheDocument();
}
