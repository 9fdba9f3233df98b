import { catalog } from "@fairway/contract/catalog";
import { type DatasetThumbnail, datasetProfiles } from "@fairway/contract/dataset-profiles";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import "#testing/css-locator.ts";

const coverage = (bars: number): DatasetThumbnail["coverage"] => ({
  unit: "day",
  buckets: Array.from({ length: bars }, (_, index) => ({ startMs: index * 86_400_000, rows: index + 1 })),
});
const thumbnails: Record<string, DatasetThumbnail> = {
  "a-map": {
    coverage: coverage(3),
    positions: [
      [20, -60],
      [30, -80],
    ],
  },
  "b-bars": { coverage: coverage(30), positions: [] },
  "c-line": { coverage: coverage(90), positions: [] },
  "d-none": { coverage: null, positions: [] },
};

it("a card shows positions on a map or rows over time, and loads them when it comes into view", async () => {
  serveDatasets(gateway);
  const ids = [...Object.keys(thumbnails), "e-failed", ...Array.from({ length: 40 }, (_, index) => `z-${index}`)];
  gateway.answer(
    catalog.entries,
    ids.map((datasetId) => ({
      dataset: { datasetCategory: "Tests", datasetId },
      description: "",
      communityDescription: "",
      containsLocationData: false,
      supportsMapResults: false,
    })),
  );
  gateway.answer(datasetProfiles.thumbnail, ({ params }) => {
    if (params.datasetId === "e-failed") throw new Refused("not-found", "There is no such dataset.");
    return thumbnails[params.datasetId] ?? { coverage: null, positions: [] };
  });
  await openScreen("/data-catalog");
  const card = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
  await expect.poll(() => card("a-map").css("div[aria-hidden] path").elements().at(-1)?.getAttribute("d")).toBe("M-60 -20h0M-80 -30h0");
  // The land arrives later.
  await expect.poll(() => card("a-map").css("div[aria-hidden] path").elements()[0]?.getAttribute("d")).toMatch(/^M.+Z$/);
  await expectCount(card("b-bars").css("div[aria-hidden] rect"), 30);
  await expectCount(card("c-line").css("div[aria-hidden] polyline"), 1);
  await expectCount(card("d-none").css("div[aria-hidden] svg"), 1);
  await expect.element(card("e-failed")).toBeVisible();
  expect(gateway.received(datasetProfiles.thumbnail).some(({ params }) => params.datasetId === "z-39")).toBe(false);
  await expectAccessible();
});
