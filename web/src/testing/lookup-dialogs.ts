import { page, userEvent } from "vitest/browser";
import { header } from "#testing/results.ts";

export const airports = { datasetCategory: "Aviation", datasetId: "airports" };
export const dialog = (name: string) => page.getByRole("dialog", { name });

export async function choose(column: string, entry: string): Promise<void> {
  await userEvent.hover(header(column));
  await page.getByRole("button", { name: `${column} column menu` }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}
