import { search } from "@fairway/contract/search";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAddress } from "#testing/assertions.ts";
import { searchRequests, airports, expectRows, openForm, serveSearchForms } from "#testing/datasets-screen.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { expectDatasets, recentSearches } from "#testing/results.ts";
import { encode, fragmentOf, applied } from "#testing/search-addresses.ts";

beforeEach(() => {
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 25) }));
});

beforeEach(serveSearchForms);

it("redirects an address with an invalid fragment to the datasets silently", async () => {
  const dialogs = vi.spyOn(globalThis, "alert").mockReturnValue(undefined);
  await openScreen("/search");
  const requests = searchRequests();
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
    `1.${encode('{"c":"Aviation","d":"airports","__proto__":{"s":1}}')}`,
    fragmentOf({ ...good, t: [10, 5] }),
    fragmentOf({ ...good, t: [0, 1e300] }),
    fragmentOf({ ...good, f: [["state", "or 1=1 --", "CO"]] }),
    fragmentOf({ ...good, f: [["state", "=", { $gt: "" }]] }),
    fragmentOf({ ...good, f: Array.from({ length: 101 }, () => ["state", "=", "CO"]) }),
    fragmentOf({ ...good, o: [["state", "sideways"]] }),
    fragmentOf({ ...good, m: "hologram" }),
    `1.${"A".repeat(250_000)}`,
  ]) {
    await openScreen(`/search/from-elsewhere#${fragment}`);
    await expectAddress("/search");
    await expectDatasets();
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  }
  expect([requests.searches, requests.counts]).toEqual([[], []]);
  await expect.element(recentSearches()).not.toBeInTheDocument();
  expect(dialogs).not.toHaveBeenCalled();
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
