import { page } from "vitest/browser";
import { clickQuickly } from "./quick-fields.ts";

export const button = (name: string) => page.getByRole("button", { name, exact: true });

export async function choose(action: string): Promise<void> {
  await clickQuickly(button("Actions"));
  await clickQuickly(page.getByRole("menuitem", { name: action, exact: true }));
}

export const dialog = (name: string) => page.getByRole("dialog", { name });

export const status = (label: string) => page.getByRole("main").getByText(label, { exact: true });
