import { catalog } from "@fairway/contract/catalog";
import { type DatasetThumbnail, datasetProfiles, maxThumbnails } from "@fairway/contract/dataset-profiles";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import "#testing/css-locator.ts";
import { entry } from "#testing/catalogs.ts";

const coverage = (bars: number): DatasetThumbnail["coverage"] => ({
  unit: "day",
  buckets: Array.from({ length: bars }, (_, index) => ({ startMs: index * 86_400_000, rows: index + 1 })),
});
const map: DatasetThumbnail = {
  coverage: coverage(3),
  positions: [
    [20, -60],
    [30, -80],
  ],
};
const thumbnails: Record<string, DatasetThumbnail> = {
  "a-map": map,
  "b-bars": { coverage: coverage(30), positions: [] },
  "c-line": { coverage: coverage(90), positions: [] },
};

const serveCatalog = (ids: readonly string[]) => {
  serveDatasets(gateway);
  gateway.answer(
    catalog.entries,
    ids.map((datasetId) => entry(datasetId, { description: "" })),
  );
};
const listed = (datasetId: string, thumbnail: DatasetThumbnail) => ({ dataset: { datasetCategory: "Tests", datasetId }, ...thumbnail });
const card = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

it("cards show positions on a map or rows over time, all by one call", async () => {
  serveCatalog([...Object.keys(thumbnails), "d-none", ...Array.from({ length: 40 }, (_, index) => `z-${index}`)]);
  gateway.answer(
    datasetProfiles.thumbnails,
    Object.entries(thumbnails).map(([id, thumbnail]) => listed(id, thumbnail)),
  );
  await openScreen("/data-catalog");
  await expect.poll(() => card("a-map").css("div[aria-hidden] path").elements().at(-1)?.getAttribute("d")).toBe("M-60 -20h0M-80 -30h0");
  // The land arrives later.
  await expect.poll(() => card("a-map").css("div[aria-hidden] path").elements()[0]?.getAttribute("d")).toMatch(/^M.+Z$/);
  await expectCount(card("b-bars").css("div[aria-hidden] rect"), 30);
  await expectCount(card("c-line").css("div[aria-hidden] polyline"), 1);
  await expectCount(card("d-none").css("div[aria-hidden] svg"), 1);
  expect(gateway.received(datasetProfiles.thumbnails)).toHaveLength(1);
  expect(gateway.received(datasetProfiles.thumbnail)).toEqual([]);
});

it("pictures beyond those of that call load one by one when their card comes into view", async () => {
  serveCatalog(["a-map", "b-bars", "e-failed", ...Array.from({ length: 40 }, (_, index) => `z-${index}`)]);
  gateway.answer(
    datasetProfiles.thumbnails,
    Array.from({ length: maxThumbnails }, (_, index) => listed(index === 0 ? "a-map" : `other-${index}`, map)),
  );
  gateway.answer(datasetProfiles.thumbnail, ({ params }) => {
    if (params.datasetId === "e-failed") throw new Refused("not-found", "There is no such dataset.");
    return thumbnails[params.datasetId] ?? { coverage: null, positions: [] };
  });
  await openScreen("/data-catalog");
  await expectCount(card("b-bars").css("div[aria-hidden] rect"), 30);
  await expect.element(card("e-failed")).toBeVisible();
  const asked = gateway.received(datasetProfiles.thumbnail).map(({ params }) => params.datasetId);
  expect(asked).not.toContain("a-map");
  expect(asked).not.toContain("z-39");
});

it("cards without pictures are no obstacle", async () => {
  serveCatalog(["a-map"]);
  gateway.refuse(datasetProfiles.thumbnails, "internal", "Broken.");
  await openScreen("/data-catalog");
  await expect.poll(() => gateway.received(datasetProfiles.thumbnails).length).toBe(1);
  await expect.element(card("a-map")).toBeVisible();
  await expectCount(card("a-map").css("div[aria-hidden] svg"), 0);
  await expectCount(page.getByRole("alert"), 0);
  expect(gateway.received(datasetProfiles.thumbnail)).toEqual([]);
});
