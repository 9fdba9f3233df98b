import { expect } from "vitest";
import { page } from "vitest/browser";
import { openForm, storms } from "./datasets-screen.ts";

export const savedDialog = () => page.getByRole("dialog", { name: "Saved search filters", exact: true });
export const savedButton = () => page.getByRole("button", { name: "Saved search filters", exact: true });

/** Opens the saved searches of storm tracks from the form. */
export async function openSaved(): Promise<void> {
  await openForm(storms);
  await savedButton().click();
  await expect.element(savedDialog()).toBeVisible();
}
