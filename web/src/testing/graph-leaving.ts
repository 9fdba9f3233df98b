import { expect } from "vitest";
import { page } from "vitest/browser";
import { editor } from "./graphs.ts";

export const question = () => page.getByRole("dialog", { name: "Discard your changes?", exact: true });
export const title = () => editor().getByLabelText("Title");

export async function expectQuestion(): Promise<void> {
  await expect.element(question().getByText(/^The graph in the editor, Typed, has changes/)).toBeVisible();
  await question().getByRole("button", { name: "Keep editing" }).click();
  await expect.element(question()).not.toBeInTheDocument();
  await expect.element(title()).toHaveValue("Typed");
}
