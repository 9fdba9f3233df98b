import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectCount } from "#testing/assertions.ts";
import { airports, searchRequests, expectRows, openForm, searchButton, serveSearchForms, storms } from "#testing/datasets-screen.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { expectDatasets, recentSearches } from "#testing/results.ts";
import { encode } from "#testing/search-addresses.ts";

beforeEach(serveSearchForms);

const fragmentOf = (parts: unknown): string => `1.${encode(JSON.stringify(parts))}`;
const applied = () => page.getByRole("group", { name: "Filters applied" });

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

it("does not restore a search that this tab closed", async () => {
  await openForm(airports);
  await page.getByRole("button", { name: "Sample", exact: true }).click();
  await expectRows("airports");
  const address = location.pathname + location.hash;
  await recentSearches()
    .first()
    .getByRole("button", { name: /^Close airports of/ })
    .click();
  await expectDatasets();
  await openScreen(address);
  await expectAddress("/search");
  await expectDatasets();
  await expect.element(recentSearches()).not.toBeInTheDocument();
});

it("explains a link to an inaccessible dataset and leads to the datasets", async () => {
  await openScreen(`/search/from-a-mail#${fragmentOf({ c: "Aviation", d: "crews" })}`);
  await expect.element(page.getByRole("alert").getByText("You don't have access to this dataset.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Go to Datasets", exact: true }).click();
  await expectDatasets();
  await expect.element(recentSearches()).not.toBeInTheDocument();
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

it("shows why the gateway refuses the value of a fragment, and keeps the filters so that they can be corrected", async () => {
  for (const filter of [
    ["no_such_column", "=", "x"],
    ["wind", ">=", "strong"],
    ["major", ">", true],
  ] as const) {
    const message = `The filter on ${filter[0]} is not valid.`;
    gateway.refuse(search.run, "invalid-value", message, { times: 1 });
    const fragment = fragmentOf({ c: "Tropical weather", d: "storm-tracks", f: [["name", "=", "Katrina"], filter] });
    await openScreen(`/search/stored-${filter[0]}#${fragment}`);
    const failure = page.getByRole("alert").filter({ hasText: "Error getting search results." });
    await expect.element(failure.getByText(message, { exact: true })).toBeVisible();
    await expect.element(page.getByText("error performing search", { exact: true })).toBeVisible();
    expect(gateway.received(search.run).at(-1)?.body.filters.at(-1)).toEqual({ name: filter[0], operator: filter[1], value: filter[2] });
    await expect.element(applied().getByText(filter.join(" "), { exact: true })).toBeVisible();
  }
});
