import { expect, test } from "../support/fixtures.ts";
import { bodyOf, katrina, nextSearch, openResults, portalApi } from "../support/results.ts";
import { exportedRows } from "../support/results-export.ts";

const loaded = (rows: number) => `${rows} rows loaded`;

test("[RESULT-18][RESULT-30] Load More appends the next 25 rows until all are loaded, without duplicates", async ({
  page,
  request,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  const more = page.getByRole("button", { name: "Load More" });
  let requested = nextSearch(page);
  await more.click();
  expect(bodyOf(await requested)).toEqual({
    paging: { offset: 25, max: 25 },
    filters: [{ name: "name", value: "Katrina", operator: "=" }],
  });
  await expect(page.getByText(loaded(50))).toBeVisible();
  await expect(page.getByText("1 – 50 of 68 results", { exact: true })).toBeVisible();
  await expect(page.getByText("no more results to load")).toHaveCount(0);
  requested = nextSearch(page);
  await more.click();
  expect(bodyOf(await requested).paging).toEqual({ offset: 50, max: 25 });
  await expect(page.getByText(loaded(68))).toBeVisible();
  await expect(page.getByText("no more results to load", { exact: true })).toBeVisible();
  await expect(more).toHaveCount(0);
  const api = await portalApi(request);
  expect(await exportedRows(page)).toEqual(await api.rows(katrina, { offset: 0, max: 1_000 }));
});
