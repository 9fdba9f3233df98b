import type { SearchDataDraft } from "@fairway/contract/search";
import { expect, test } from "../support/fixtures.ts";
import { bodyOf, cell, hold, katrina, nextSearch, openResults, searchCalls } from "../support/results.ts";

const applied = (text: string) => ({ name: `Edit filter ${text}`, exact: true }) as const;

for (const [what, status, message] of [
  ["is turned away as busy", 503, "The query engine is busy: too many queries are waiting. Try again in a moment."],
  ["runs out of time", 504, "The query took longer than 60 s and was stopped. Narrow it with a time range or more filters."],
] as const) {
  test(`a search that ${what} says so and keeps its filters, which then search again`, async ({ page, signIn }) => {
    await signIn();
    await openResults(page, katrina);
    await page.route(
      searchCalls,
      (route) => route.fulfill({ status, headers: { "retry-after": "5" }, json: { errors: [{ code: "engine-busy", message }] } }),
      {
        times: 1,
      },
    );
    await cell(page, 1, "status").hover();
    await page.getByRole("button", { name: "Keep only status tropical depression" }).click();
    await expect(page.getByText(message)).toBeVisible();
    await expect(page.getByRole("button", applied("name = Katrina"))).toBeVisible();
    await expect(page.getByRole("button", applied("status = tropical depression"))).toBeVisible();
    const again = nextSearch(page);
    await page.getByRole("button", { name: "Retry" }).click();
    expect(bodyOf(await again).filters).toEqual([
      { name: "name", operator: "=", value: "Katrina" },
      { name: "status", operator: "=", value: "tropical depression" },
    ]);
    await expect(cell(page, 1, "status")).toHaveText(/tropical depression/);
  });
}

test("a search that another one follows is dropped: its late answer is never shown", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  const release = await hold(page, searchCalls);
  const dropped = page.waitForEvent("requestfailed", (one) => one.method() === "POST" && one.url().endsWith("/search"));
  await cell(page, 1, "status").hover();
  await page.getByRole("button", { name: "Keep only status tropical depression" }).click();
  await page.getByRole("button", { name: "Remove filter status" }).click();
  expect(((await dropped).postDataJSON() as SearchDataDraft).filters).toHaveLength(2);
  release();
  await expect(page.getByText("1 – 25 of 68 results")).toBeVisible();
  await expect(page.getByRole("button", applied("status = tropical depression"))).toHaveCount(0);
});
