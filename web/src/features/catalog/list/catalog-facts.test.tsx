import { catalog } from "@fairway/contract/catalog";
import { type DatasetFacts, datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectTexts } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const dayMs = 86_400_000;
const entry = (datasetId: string) => ({
  dataset: { datasetCategory: "Tests", datasetId },
  description: `About ${datasetId}.`,
  communityDescription: "",
  containsLocationData: false,
  supportsMapResults: false,
});
const entries = ["flights", "storms", "sun-times"].map(entry);
const facts = (datasetId: string, more: Partial<DatasetFacts> = {}): DatasetFacts => ({
  dataset: { datasetCategory: "Tests", datasetId },
  rowsFrom: "storage",
  columns: 0,
  rows: null,
  oldestMs: null,
  newestMs: null,
  updatedMs: null,
  dueMs: null,
  owner: null,
  contact: null,
  origin: null,
  license: null,
  updateRhythm: null,
  tags: [],
  searches: 0,
  ...more,
});
const nowMs = Date.now();
const known = [
  facts("storms", {
    columns: 17,
    rows: 11_840,
    oldestMs: Date.UTC(1975, 5, 27),
    newestMs: Date.UTC(2020, 10, 18),
    updatedMs: nowMs - 12 * dayMs - 60_000,
    updateRhythm: "monthly",
    dueMs: nowMs + 26 * dayMs,
    owner: "Storm Desk",
    contact: "storms@example.org",
    tags: ["storms", "weather"],
    searches: 1_204,
  }),
  facts("flights", {
    columns: 5,
    rows: 3_000_000,
    contact: "https://flights.example.org/help",
    updateRhythm: "daily",
    updatedMs: nowMs - 5 * dayMs - 60_000,
    dueMs: nowMs - 3 * dayMs - 60_000,
  }),
  facts("sun-times", { rowsFrom: "request", columns: 8 }),
];
const card = (name: string) =>
  page
    .getByRole("list", { name: "Datasets" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name }) });

it("cards show rows, time span, columns, freshness, owner or contact, tags and use, and lead to schema, search and API example", async () => {
  serveDatasets(gateway);
  gateway.answer(catalog.entries, entries);
  gateway.answer(datasetFactRoutes.facts, known);
  const favorites = [entry("flights").dataset];
  gateway.answer(favoriteDatasets.list, () => favorites);
  gateway.answer(favoriteDatasets.add, ({ body }) => {
    favorites.push(body);
    return body;
  });
  await openScreen("/data-catalog");
  const factsOf = (name: string) => page.getByLabelText(`Facts about ${name}`).getByRole("definition");
  await expectTexts(factsOf("storms"), ["11,840", "06/27/1975 – 11/18/2020", "17", "12 days ago", "Storm Desk", "1,204 in 30 days"]);
  await expectTexts(factsOf("flights"), ["3,000,000", "5", "3 days overdue", "flights.example.org"]);
  await expectTexts(factsOf("sun-times"), ["On request", "8", "On request"]);
  await expectTexts(card("storms").getByRole("list", { name: "Tags" }).getByRole("listitem"), ["storms", "weather"]);
  await expectAccessible();

  const star = page.getByRole("button", { name: "Favorite storms" });
  await expect.element(page.getByRole("button", { name: "Favorite flights" })).toHaveAttribute("aria-pressed", "true");
  await star.click();
  await expect.element(star).toHaveAttribute("aria-pressed", "true");
  expect(gateway.received(favoriteDatasets.add).map(({ body }) => body)).toEqual([entry("storms").dataset]);

  const more = page.getByRole("button", { name: "More about storms" });
  (more.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expectTexts(page.getByRole("menuitem"), ["Open Schema", "Search This Dataset", "API Example", "Use It Elsewhere", "Copy Link"]);
  await expect
    .element(page.getByRole("menuitem", { name: "Use It Elsewhere" }))
    .toHaveAttribute("href", expect.stringMatching(/^\/data-catalog\/.+\/use$/));
  const copy = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await page.getByRole("menuitem", { name: "Copy Link" }).click();
  expect(copy.mock.calls).toEqual([[`${location.origin}/data-catalog/Tests/storms`]]);
  copy.mockRestore();
  await more.click();
  await page.getByRole("menuitem", { name: "API Example" }).click();
  await expectAddress("/data-catalog/Tests/storms?dialog=api");
});

it("cards are shown while their facts load and after they fail, which can be retried; on a phone, they fit", async () => {
  await page.viewport(390, 844);
  serveDatasets(gateway);
  gateway.answer(catalog.entries, entries);
  let answer: (facts: DatasetFacts[]) => void = () => undefined;
  gateway.refuse(datasetFactRoutes.facts, "internal", "It broke.", { times: 1 });
  await openScreen("/data-catalog");
  const names = page.getByRole("list", { name: "Datasets" }).getByRole("heading", { level: 2 });
  await expectTexts(names, ["flights", "storms", "sun-times"]);
  const failed = page.getByRole("alert").filter({ hasText: "The facts about the datasets could not be loaded." });
  await expect.element(failed).toBeVisible();
  gateway.answer(datasetFactRoutes.facts, () => new Promise<DatasetFacts[]>((resolve) => (answer = resolve)));
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => gateway.received(datasetFactRoutes.facts).length).toBe(2);
  await expectTexts(names, ["flights", "storms", "sun-times"]);
  answer(known);
  await expect.element(page.getByText("3 days overdue")).toBeVisible();
  await expect.element(failed).not.toBeInTheDocument();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await expectAccessible();
  await page.viewport(1280, 800);
});

it("shows the facts of every card beside its text, at the same place, and gives the text of a phone its width", async () => {
  serveDatasets(gateway);
  const description =
    "Rows of an archive that goes back for decades, checked by hand and published with every correction that was made since.";
  const many = Array.from({ length: 8 }, (_, index) => Object.assign(entry(`archive-${index}`), { description }));
  gateway.answer(catalog.entries, many);
  gateway.answer(
    datasetFactRoutes.facts,
    many.map(({ dataset }) => Object.assign(facts("storms", { ...known[0], tags: [] }), { dataset })),
  );
  await page.viewport(1440, 900);
  await openScreen("/data-catalog");
  const card = page.getByRole("list", { name: "Datasets" }).getByRole("listitem").nth(1);
  const boxOf = (locator: ReturnType<typeof page.getByText>) => locator.element().getBoundingClientRect();
  await expect.element(card.getByText("Storm Desk")).toBeVisible();
  const [text, rows, owner] = [boxOf(card.getByText(description)), boxOf(card.getByText("11,840")), boxOf(card.getByText("Storm Desk"))];
  expect(rows.left).toBeGreaterThan(text.right);
  expect(owner.left).toBe(rows.left);
  await expect.element(page.getByRole("heading", { level: 2, name: "archive-4" })).toBeInViewport({ ratio: 0.9 });
  await page.viewport(390, 844);
  await expect.poll(() => boxOf(card.getByText(description)).width).toBeGreaterThan(240);
  expect(boxOf(card.getByText(description)).right).toBeLessThanOrEqual(390);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});
