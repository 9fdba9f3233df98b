import { type Locator, page } from "vitest/browser";
import { choose, days, stormRows } from "#testing/graphs.ts";
import { header } from "#testing/results.ts";

const viewSwitch = () => page.getByRole("radiogroup", { name: "View" });
export const summary = (title: string): Locator => page.getByRole("region", { name: title, exact: true });
export const editor = () => page.getByRole("form", { name: "Edit summary" });

export async function openColumnMenu(name: string): Promise<void> {
  await choose(viewSwitch(), "Table");
  await header(name).hover();
  await page.getByRole("button", { name: `${name} column menu` }).click();
}

export const rows = stormRows(days);

/** The texts of a summary's rows, without those that a picture adds. */
export const rowsOf = (title: string): string[][] =>
  [...summary(title).getByRole("table").element().querySelectorAll("tbody tr, tfoot tr")].map((row) =>
    [...row.querySelectorAll("th, td")].map((cell) => (cell as HTMLElement).innerText.trim()),
  );
