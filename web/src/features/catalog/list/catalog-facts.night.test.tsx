import { catalog } from "@fairway/contract/catalog";
import { type DatasetFacts, datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { facts, known } from "#testing/catalog-facts.ts";
import { entry } from "#testing/catalogs.ts";

const entries = ["flights", "storms", "sun-times"].map((datasetId) => entry(datasetId));

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
