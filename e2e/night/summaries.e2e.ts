import type { Locator, Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { openForm, searchButton } from "../support/datasets.ts";
import { graphsLink } from "../support/graphs.ts";
import { signInAsNewAccount } from "../support/own-account.ts";

const may2001 = { from: "2001-05-01T00:00:00", to: "2001-05-31T23:59:59" };
const flights = { dataset: "flights", category: "Aviation" };

/** Presses and choices of a person, counted. */
class Actions {
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
async function openTable(page: Page, ...search: Parameters<typeof graphsLink>): Promise<Actions> {
  await page.goto(graphsLink(...search));
  await page.getByRole("radiogroup", { name: "View" }).getByText("Table", { exact: true }).click();
  await expect(page.getByRole("columnheader").first()).toBeVisible();
  return new Actions(page);
}

/** The cells of the first rows of a summary's table. */
async function firstRows(page: Page, title: string, count: number): Promise<string[][]> {
  const rows = page.getByRole("region", { name: `Table of ${title}` }).locator("tbody tr");
  await expect(rows.nth(count - 1)).toBeVisible();
  const lines = await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())));
  return lines.slice(0, count);
}

test("the origins that were latest on average are three actions from open results, with averages over all rows", async ({
  page,
  signIn,
}) => {
  await signIn();
  const actions = await openTable(page, may2001, flights);
  await actions.openColumnMenu("delay");
  await actions.press("Average of delay by …", "menuitem");
  await actions.choose("Add grouping", "origin");
  expect(actions.count).toBe(3);
  const title = "Average of delay by origin";
  expect(await firstRows(page, title, 3)).toEqual([
    ["SBP", "21.98", "207"],
    ["MRY", "18.29", "232"],
    ["FAT", "15.64", "376"],
  ]);
  await expect(
    page.getByText("Top 20 of 220 origins by Average of delay, only those with at least 100 rows", { exact: true }),
  ).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: /^SBP, Average of delay 21\.98 min, # Occurences 207$/ }).click();
  await page.getByRole("menuitem", { name: "Show 207 rows" }).click();
  await expect(page.getByText("207 results")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
});

test("averages by weekday are four actions at most, and those by weekday and hour one more", async ({ page, signIn }) => {
  await signIn();
  const actions = await openTable(page, may2001, flights);
  await actions.openColumnMenu("delay");
  await actions.press("Average of delay by …", "menuitem");
  await actions.choose("Add grouping", "date by day of week");
  expect(actions.count).toBeLessThanOrEqual(4);
  const rows = await firstRows(page, "Average of delay by day of week", 7);
  expect(rows.map(([day, average]) => [day, average])).toEqual([
    ["Monday", "5.83"],
    ["Tuesday", "3.33"],
    ["Wednesday", "1.72"],
    ["Thursday", "5.11"],
    ["Friday", "6.09"],
    ["Saturday", "−1.38"],
    ["Sunday", "1.34"],
  ]);
  await actions.choose("Add grouping", "date by hour of day");
  await expect(page.getByRole("button", { name: /^Friday, 18:00, Average of delay 11\.34 min, # Occurences 4,079$/ })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
});

test("unemployment by industry beside the year before is five actions at most", async ({ page, signIn }) => {
  await signIn();
  const year = { from: "2009-01-01T00:00:00", to: "2009-12-31T23:59:59" };
  const actions = await openTable(page, year, { dataset: "industry-unemployment", category: "People & economy" });
  await actions.openColumnMenu("rate");
  await actions.press("Average of rate by …", "menuitem");
  await actions.choose("Add grouping", "industry");
  await actions.choose("Compare with", "The same a year before");
  await actions.press(/^Change$/);
  expect(actions.count).toBeLessThanOrEqual(5);
  const title = "Average of rate by industry";
  await expect(page.getByText(/^Top 14 of 14 .* compared with 01\/01\/2008 – 12\/31\/2008$/)).toBeVisible();
  const [first] = await firstRows(page, title, 3);
  expect([first?.[0], first?.[3]]).toEqual(["Mining and Extraction", "+8.57"]);
});

test("an alert on origins whose average passes 15 minutes is eight actions from a form with its range", async ({ page }) => {
  await signInAsNewAccount(page);
  await openForm(page, ["Aviation", "flights"]);
  await page.getByRole("button", { name: "Newest month", exact: true }).click();
  const actions = new Actions(page);
  await actions.click(searchButton(page));
  await expect(page.getByRole("columnheader").first()).toBeVisible();
  await actions.openColumnMenu("delay");
  await actions.press("Average of delay by …", "menuitem");
  await actions.choose("Add grouping", "origin");
  const title = "Average of delay by origin";
  await expect(page.getByRole("region", { name: `Table of ${title}` })).toBeVisible();
  await actions.press(`Graph menu: ${title}`);
  await actions.press("Alert on this measure", "menuitem");
  const dialog = page.getByRole("dialog", { name: "New Alert", exact: true });
  await expect(dialog.getByRole("textbox", { name: "Of each value of" })).toHaveValue("origin");
  await actions.type("Limit", "15");
  await actions.press("Save");
  expect(actions.count).toBe(8);
  await page.getByRole("button", { name: "View alerts", exact: true }).click();
  const alert = page.getByRole("list", { name: "Alerts", exact: true }).getByRole("listitem");
  await expect(alert).toContainText("flights");
  await expect(alert).toContainText("origin");
});
