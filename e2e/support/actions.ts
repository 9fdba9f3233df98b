import { type Locator, type Page, expect } from "@playwright/test";
import { graphsLink } from "./graphs.ts";

/** Presses and choices of a person, counted. */
export class Actions {
  count = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    this.count += 1;
    await target.click();
  }

  async press(name: string | RegExp, role: "button" | "menuitem" = "button"): Promise<void> {
    await this.click(this.#page.getByRole(role, { name, exact: true }));
  }

  async choose(label: string, option: string): Promise<void> {
    this.count += 1;
    await this.#page.getByLabel(label, { exact: true }).selectOption({ label: option });
  }

  async type(name: string, text: string): Promise<void> {
    this.count += 1;
    await this.#page.getByRole("textbox", { name, exact: true }).fill(text);
  }

  /** The menu of a column, whose button shows under the pointer. */
  async openColumnMenu(column: string): Promise<void> {
    await this.#page.getByRole("columnheader", { name: new RegExp(`^${column}`) }).hover();
    await this.press(`${column} column menu`);
  }
}

/** Opens the table of a search. */
export async function openTable(page: Page, ...search: Parameters<typeof graphsLink>): Promise<Actions> {
  await page.goto(graphsLink(...search));
  await page.getByRole("radiogroup", { name: "View" }).getByText("Table", { exact: true }).click();
  await expect(page.getByRole("columnheader").first()).toBeVisible();
  return new Actions(page);
}

/** The cells of the first rows of a summary's table. */
export async function firstRows(page: Page, title: string, count: number): Promise<string[][]> {
  const rows = page.getByRole("region", { name: `Table of ${title}` }).locator("tbody tr");
  await expect(rows.nth(count - 1)).toBeVisible();
  const lines = await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())));
  return lines.slice(0, count);
}
