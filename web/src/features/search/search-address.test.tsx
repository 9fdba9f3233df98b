import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectCount } from "#testing/assertions.ts";
import { airports, searchRequests, expectRows, openForm, searchButton, serveSearchForms, storms } from "#testing/datasets-screen.ts";
import { openScreen } from "#testing/open-screen.tsx";
import { expectDatasets, recentSearches } from "#testing/results.ts";
import { fragmentOf, applied } from "#testing/search-addresses.ts";

beforeEach(serveSearchForms);

/** Searches strong positions of one storm within a month. */
async function searchKatrina(): Promise<void> {
  await openForm(storms);
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Katrina");
  await page.getByRole("textbox", { name: "Wind at least", exact: true }).fill("50");
  await page.getByRole("button", { name: "All data", exact: true }).click();
  await searchButton().click();
  await expectRows("storm-tracks");
}

it("keeps the open searches on a reload and requests the rows of the shown one", async () => {
  await searchKatrina();
  const katrina = location.pathname;
  await openForm(airports);
  await page.getByRole("textbox", { name: "City", exact: true }).fill("Denver");
  await searchButton().click();
  await expectRows("airports");
  const denver = location.pathname;
  await expectCount(recentSearches(), 2);

  const before = searchRequests().searches.length;
  const requests = () => searchRequests().searches.slice(before);
  await openScreen(location.pathname + location.search + location.hash);
  await expectRows("airports");
  await expectAddress(denver);
  await expectCount(recentSearches(), 2);
  expect(requests()).toEqual([
    {
      dataset: "Aviation/airports",
      body: { paging: { offset: 0, max: 25 }, filters: [{ name: "city", value: "Denver", operator: "=" }] },
    },
  ]);
  await recentSearches().nth(1).getByRole("link").click();
  await expectRows("storm-tracks");
  await expectAddress(katrina);
  await expect.element(applied().getByText("wind >= 50", { exact: true })).toBeVisible();
  expect(requests()).toHaveLength(2);
});

it("explains a link to an inaccessible dataset and leads to the datasets", async () => {
  await openScreen(`/search/from-a-mail#${fragmentOf({ c: "Aviation", d: "crews" })}`);
  await expect.element(page.getByRole("alert").getByText("You don't have access to this dataset.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Go to Datasets", exact: true }).click();
  await expectDatasets();
  await expect.element(recentSearches()).not.toBeInTheDocument();
});

it("says of a link to an own dataset that is gone that it no longer exists", async () => {
  await openScreen(`/search/from-a-mail#${fragmentOf({ c: "~ada", d: "crews" })}`);
  await expect.element(page.getByRole("alert").getByText("This dataset no longer exists.", { exact: true })).toBeVisible();
});

it("renders names and values of a fragment as text", async () => {
  const evil = `<img src=x onerror="document.title='owned'">`;
  await openScreen(
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
  await expectRows("airports");
  await expect.element(applied().getByText(`name <> ${evil}`, { exact: true })).toBeVisible();
  await openScreen(`/search/from-another-mail#${fragmentOf({ c: evil, d: evil })}`);
  await expect.element(page.getByRole("alert").getByText("You don't have access to this dataset.", { exact: true })).toBeVisible();
  await expect.element(page.getByRole("main").css("img")).not.toBeInTheDocument();
  expect(document.title).not.toBe("owned");
});
