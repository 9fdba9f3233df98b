import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { grid, katrina, openResults, searches } from "#testing/results.ts";

const pages = () => searches().map(({ paging }) => paging);
const wheel = (y: number) => userEvent.wheel(grid(), { delta: { y } });
const loaded = (text: string) => page.getByText(text, { exact: true });
const scrollTop = () => grid().element().scrollTop;

beforeEach(async () => {
  await page.viewport(1440, 700);
});

it("[RESULT-30][RESULT-31] loads the next 25 rows once the person has scrolled past the last one, and never before", async () => {
  await openResults(katrina);
  await expect.element(loaded("25 of 68 rows")).toBeVisible();
  await wheel(100);
  await expect.poll(scrollTop).toBeGreaterThan(0);
  expect(pages()).toEqual([{ offset: 0, max: 25 }]);
  await wheel(5_000);
  await expect.element(loaded("50 of 68 rows")).toBeVisible();
  const { paging, ...first } = searches()[0] ?? { filters: [] };
  expect(searches()).toEqual([
    { ...first, paging },
    { ...first, paging: { offset: 25, max: 25 } },
  ]);
  // Rows are appended below: what is in view stays.
  expect(scrollTop()).toBeLessThan(25 * 32);
  await wheel(5_000);
  await expect.element(page.getByText("no more results to load")).toBeVisible();
  await wheel(5_000);
  await expect.element(loaded("68 rows loaded")).toBeVisible();
  expect(pages()).toHaveLength(3);
});
