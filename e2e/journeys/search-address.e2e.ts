import type { Browser, Page } from "@playwright/test";
import { askedSearches, openForm, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows, recentSearches } from "../support/searches.ts";

const fragmentOf = (parts: unknown): string => `1.${Buffer.from(JSON.stringify(parts)).toString("base64url")}`;
const applied = (page: Page) => page.getByRole("group", { name: "Filters applied" });

/** Strong positions of one storm within a month. */
async function searchKatrina(page: Page): Promise<void> {
  await openForm(page, storms);
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Katrina");
  await page.getByRole("textbox", { name: "Wind at least", exact: true }).fill("50");
  await page.getByRole("button", { name: "All data", exact: true }).click();
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");
}

async function elsewhere(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  return context.newPage();
}

test("an address opened on another machine by another account rebuilds the search", async ({ page, signIn, browser }) => {
  await signIn("viewer");
  const asked = askedSearches(page);
  await searchKatrina(page);
  const address = page.url();

  const other = await elsewhere(browser);
  await signIn("editor", other);
  const askedThere = askedSearches(other);
  await other.goto(address);
  await expectRows(other, "storm-tracks");
  await expect(other).toHaveURL(address);
  await expect(applied(other).getByText("name = Katrina", { exact: true })).toBeVisible();
  await expect(applied(other).getByText("wind >= 50", { exact: true })).toBeVisible();
  await expect(applied(other).getByText(/ – .* UTC$/)).toBeVisible();
  expect(askedThere.searches).toEqual(asked.searches);
  expect(askedThere.counts).toEqual(asked.counts);
  expect(asked.searches).toHaveLength(1);
  await expect(recentSearches(other)).toHaveCount(1);
  const subtitle = (await page.getByText(/^1 – \d+ of \d+ results$/).textContent()) ?? "";
  await expect(other.getByText(subtitle, { exact: true })).toBeVisible();
  await other.context().close();
});

test("the gateway's refusal of a wrong value is shown, naming it", async ({ page, signIn }) => {
  await signIn();
  for (const filter of [
    ["no_such_column", "=", "x"],
    ["wind", ">=", "strong"],
    ["major", ">", true],
  ] as const) {
    const answered = page.waitForResponse((response) => response.url().endsWith("/storm-tracks/search"));
    await page.goto(
      `/search/kept-${filter[0]}#${fragmentOf({ c: "Tropical weather", d: "storm-tracks", f: [["name", "=", "Katrina"], filter] })}`,
    );
    const answer = await answered;
    expect(answer.status()).toBe(400);
    const { errors } = (await answer.json()) as { errors: { message: string }[] };
    expect(errors[0]?.message).toContain(filter[0]);
    const failure = page.getByRole("alert").filter({ hasText: "Error getting search results." });
    await expect(failure.getByText(errors[0]?.message ?? "no message", { exact: true })).toBeVisible();
    await expect(page.getByText("error performing search", { exact: true })).toBeVisible();
    // What was asked stays, so that it can be put right.
    await expect(applied(page).getByText(`${filter[0]} ${filter[1]} ${filter[2]}`, { exact: true })).toBeVisible();
  }
});
