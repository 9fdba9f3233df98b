import type { Browser, Page } from "@playwright/test";
import { airports, askedSearches, openForm, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows, recentSearches } from "../support/searches.ts";
import { expectDatasets } from "../support/sign-in.ts";

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

test("a link to a sample rebuilds the sample", async ({ page, signIn, browser }) => {
  await signIn();
  await openForm(page, airports);
  await page.getByRole("button", { name: "Sample", exact: true }).click();
  await expectRows(page, "airports");
  const other = await elsewhere(browser);
  await signIn("developer", other);
  const asked = askedSearches(other);
  await other.goto(page.url());
  await expectRows(other, "airports");
  await expect(other.getByText("25 sample rows", { exact: true })).toBeVisible();
  expect(asked.searches).toEqual([]);
  await other.context().close();
});

test("a reload keeps the open searches and asks again for the rows of the one that is shown", async ({ page, signIn }) => {
  await signIn();
  await searchKatrina(page);
  const katrina = page.url();
  await openForm(page, airports);
  await page.getByRole("textbox", { name: "City", exact: true }).fill("Denver");
  await searchButton(page).click();
  await expectRows(page, "airports");
  const denver = page.url();
  await expect(recentSearches(page)).toHaveCount(2);

  const asked = askedSearches(page);
  await page.reload();
  await expectRows(page, "airports");
  await expect(page).toHaveURL(denver);
  await expect(recentSearches(page)).toHaveCount(2);
  expect(asked.searches).toEqual([
    {
      path: "/api/datasets/Aviation/airports/search",
      body: { paging: { offset: 0, max: 25 }, filters: [{ name: "city", value: "Denver", operator: "=" }] },
    },
  ]);
  await recentSearches(page).nth(1).getByRole("link").click();
  await expectRows(page, "storm-tracks");
  await expect(page).toHaveURL(katrina);
  await expect(applied(page).getByText("wind >= 50", { exact: true })).toBeVisible();
  expect(asked.searches).toHaveLength(2);
});

test("a search that this tab closed is not rebuilt from its address", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, airports);
  await page.getByRole("button", { name: "Sample", exact: true }).click();
  await expectRows(page, "airports");
  const address = page.url();
  await recentSearches(page)
    .first()
    .getByRole("button", { name: /^Close airports of/ })
    .click();
  await expectDatasets(page);
  await page.goto(address);
  await expect(page).toHaveURL("/search");
  await expectDatasets(page);
  await expect(recentSearches(page)).toHaveCount(0);
});

test("a link to a dataset that the account may not know of says so, and leads to the datasets", async ({ page, signIn }) => {
  await signIn();
  await page.goto(`/search/from-a-mail#${fragmentOf({ c: "Aviation", d: "crews" })}`);
  await expect(page.getByRole("alert").getByText("This dataset is not open to you.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Go to Datasets", exact: true }).click();
  await expectDatasets(page);
  await expect(recentSearches(page)).toHaveCount(0);
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

test("an address whose fragment no search wrote leads to the datasets, silently", async ({ page, signIn, complaints }) => {
  await signIn();
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto("/search");
  const asked = askedSearches(page);
  const good = { c: "Aviation", d: "airports" };
  for (const fragment of [
    "",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "%00%ff%fe",
    "1.%%%",
    "1.////",
    "2." + fragmentOf(good).slice(2),
    fragmentOf(null),
    fragmentOf([]),
    fragmentOf({ ...good, c: "" }),
    fragmentOf({ ...good, __proto__x: 1 }),
    `1.${Buffer.from('{"c":"Aviation","d":"airports","__proto__":{"s":1}}').toString("base64url")}`,
    fragmentOf({ ...good, t: [10, 5] }),
    fragmentOf({ ...good, t: [0, 1e300] }),
    fragmentOf({ ...good, f: [["state", "or 1=1 --", "CO"]] }),
    fragmentOf({ ...good, f: [["state", "=", { $gt: "" }]] }),
    fragmentOf({ ...good, f: Array.from({ length: 101 }, () => ["state", "=", "CO"]) }),
    fragmentOf({ ...good, o: [["state", "sideways"]] }),
    fragmentOf({ ...good, m: "hologram" }),
    `1.${"A".repeat(250_000)}`,
  ]) {
    await page.goto(`/search/from-elsewhere#${fragment}`);
    await expect(page).toHaveURL("/search");
    await expectDatasets(page);
    await expect(page.getByRole("alert")).toHaveCount(0);
  }
  expect(asked).toEqual({ searches: [], counts: [] });
  await expect(recentSearches(page)).toHaveCount(0);
  expect(dialogs).toEqual([]);
  expect(complaints).toEqual([]);
});

test("names and values of a fragment are text on the screen", async ({ page, signIn }) => {
  const evil = `<img src=x onerror="document.title='owned'">`;
  await signIn();
  await page.goto(
    `/search/from-a-mail#${fragmentOf({
      c: "Aviation",
      d: "airports",
      f: [
        ["state", "=", "CO"],
        ["name", "<>", evil],
        ["city", "<>", evil],
      ],
    })}`,
  );
  await expectRows(page, "airports");
  await expect(applied(page).getByText(`name <> ${evil}`, { exact: true })).toBeVisible();
  await page.goto(`/search/from-another-mail#${fragmentOf({ c: evil, d: evil })}`);
  await expect(page.getByRole("alert").getByText("This dataset is not open to you.", { exact: true })).toBeVisible();
  await expect(page.getByRole("main").locator("img")).toHaveCount(0);
  await expect(page).not.toHaveTitle("owned");
});
