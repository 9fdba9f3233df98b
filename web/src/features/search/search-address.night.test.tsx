import { search } from "@fairway/contract/search";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAddress } from "#testing/assertions.ts";
import { searchRequests } from "#testing/datasets-screen.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { expectDatasets, recentSearches } from "#testing/results.ts";
import { encode } from "#testing/search-addresses.ts";

beforeEach(() => {
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 25) }));
});
const fragmentOf = (parts: unknown): string => `1.${encode(JSON.stringify(parts))}`;

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
