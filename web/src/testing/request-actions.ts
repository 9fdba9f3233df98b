import { page } from "vitest/browser";

export const button = (name: string) => page.getByRole("button", { name, exact: true });

export async function choose(action: string): Promise<void> {
  await button("Actions").click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}
