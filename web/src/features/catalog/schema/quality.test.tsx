import { catalog } from "@fairway/contract/catalog";
import { datasetAnnouncements } from "@fairway/contract/dataset-announcements";
import { type DatasetQuality, datasetQualities } from "@fairway/contract/dataset-quality";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { buildColumn } from "#testing/dataset-builders.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { serveEntities } from "#testing/entities.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { entityKindOf } from "#features/admin/entities/entity-kind-of.ts";

const schemaAddress = "/data-catalog/Tropical%20weather/storm-tracks";
const storms: DatasetQuality = {
  dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
  measuredMs: Date.UTC(2026, 10, 5),
  issues: [
    { kind: "row-drop", sinceMs: Date.UTC(2026, 10, 3), before: 11_840, rows: 5_920 },
    { kind: "empty-columns", sinceMs: Date.UTC(2026, 10, 4), count: 1, columns: [{ name: "wind", sinceMs: Date.UTC(2026, 10, 4) }] },
  ],
};
const sentences = [
  "There have been 50% fewer rows since 11/03/2026: 5,920 instead of 11,840.",
  "The column wind has been empty since 11/04/2026.",
];

beforeEach(() => {
  gateway.answer(datasetQualities.list, [storms]);
  gateway.answer(datasetQualities.listAll, [storms]);
  gateway.answer(datasetQualities.read, ({ params }) => ({
    state: params.datasetId === "storm-tracks" ? ("issues" as const) : ("good" as const),
    thresholds: { lateAfterHours: null, isByRhythm: false, rowDropPercent: 20, emptyColumns: true },
    ...(params.datasetId === "storm-tracks"
      ? {
          measuredMs: storms.measuredMs,
          issues: storms.issues,
          changes: [
            { changedMs: Date.UTC(2026, 10, 3), issues: storms.issues.slice(0, 1) },
            { changedMs: Date.UTC(2026, 10, 1), issues: [] },
          ],
        }
      : { measuredMs: storms.measuredMs, issues: [], changes: [] }),
  }));
});

const notes = () => page.getByRole("region", { name: "Quality" });

it("the schema says in words what is wrong with the rows, and since when", async () => {
  await openScreen(schemaAddress);
  await expectTexts(notes().getByRole("listitem"), sentences);
  await expect.element(notes()).toHaveTextContent("Measured 11/05/2026");
  await notes().getByText("Latest changes").click();
  await expectTexts(notes().getByRole("group").getByRole("listitem"), [`11/03/2026: ${sentences[0]}`, "11/01/2026: No issues."]);
  await page.viewport(390, 844);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await page.viewport(1440, 900);

  const { category } = demoDataset("flights").description;
  await openScreen(`/data-catalog/${category.id}/flights`);
  await expect.element(page.getByRole("region", { name: "System description" })).toBeVisible();
  await expect.poll(() => gateway.received(datasetQualities.read)).toHaveLength(2);
  await expectCount(notes(), 0);

  // A failure of this call leaves the rest of the page alone.
  gateway.refuse(datasetQualities.read, "timed-out", "It took too long.", { times: 1 });
  await openScreen(schemaAddress);
  await expect.element(notes()).toHaveTextContent("The quality of the data could not be loaded.");
  await notes().getByRole("button", { name: "Retry" }).click();
  await expectTexts(notes().getByRole("listitem"), sentences);
});

it("the administrators' list of datasets says what is wrong with the rows of each", async () => {
  serveEntities("datasets/internal", [
    {
      ...entityKindOf("datasets/internal").template,
      id: "storm-tracks",
      category: "Tropical weather",
      source: { kind: "files", glob: "a.parquet", format: "parquet" },
      schema: { columns: [buildColumn("wind", { type: "integer" })] },
    },
  ]);
  await openScreen("/internal-dataset-settings", { roles: ["admin"] });
  await expect.element(page.getByRole("gridcell", { name: sentences.join(" ") })).toBeInTheDocument();
});

it("a card of the catalog says what is announced on its dataset and what is wrong with its rows", async () => {
  const { dataset } = storms;
  gateway.answer(catalog.entries, [
    { dataset, description: "", communityDescription: "", containsLocationData: false, supportsMapResults: false },
  ]);
  gateway.answer(datasetAnnouncements.list, [
    { dataset, kind: "warning", text: "Being **reloaded**.", replacement: null, endMs: null, version: 1, username: "root", savedMs: 0 },
  ]);
  await openScreen("/data-catalog");
  const card = page.getByRole("list", { name: "Datasets" }).getByRole("listitem");
  await expect.element(card.getByTitle("Warning: Being reloaded.")).toHaveTextContent("Warning");
  await expect.element(card.getByTitle(sentences.join(" "))).toHaveTextContent("2 quality issues");
  await expectAccessible();
});
