import { mapResults } from "@fairway/contract/map-results";
import { search } from "@fairway/contract/search";
import { startPage } from "@fairway/contract/start-page";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { expectRows } from "#testing/datasets-screen.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { alterRows, expectDatasets } from "#testing/results.ts";
import { step, take } from "#testing/tours.ts";

const katrina = `1.${btoa(JSON.stringify({ c: "Tropical weather", d: "storm-tracks", f: [["name", "=", "Katrina"]], m: "map" })).replace(/=+$/, "")}`;
const question = {
  title: "Where was Katrina?",
  dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
  search: katrina,
  graph: null,
};

beforeEach(() => {
  alterRows((rows) => rows.slice(0, 2));
  // The picture of the question.
  gateway.answer(mapResults.tracks, { results: [] });
});

it("leads in six steps from the datasets to the rows of a ready question, with the arrow keys, and gives the focus back", async () => {
  gateway.answer(startPage.read, { line: "", questions: [question] });
  await openScreen("/search");
  await expectDatasets();
  await expectCount(page.getByRole("dialog"), 0);
  await press("Enter", take);
  await expect.element(step("Choose a dataset")).toHaveFocus();
  await expect.element(step("Choose a dataset")).toHaveTextContent("1 of 6");
  await expectAccessible({ within: ["[role=dialog]"] });
  await press("ArrowRight");
  await expect.element(page.getByRole("heading", { level: 2, name: "storm-tracks" })).toBeVisible();
  await expect.element(step("Say what to look for")).toHaveTextContent("2 of 6");
  await press("ArrowRight");
  await expectRows("storm-tracks");
  expect(gateway.received(search.run)[0]?.body.filters).toEqual([{ name: "name", value: "Katrina", operator: "=" }]);
  await expect.element(step("Read the rows")).toHaveFocus();
  for (const name of ["Map, graphs and raw", "Keep, share, export", "Find everything"]) {
    await press("ArrowRight");
    await expect.element(step(name)).toBeVisible();
  }
  await press("ArrowLeft");
  await expect.element(step("Keep, share, export")).toHaveTextContent("5 of 6");
  // The page stays usable; one search was started for all steps.
  await page.getByText("Raw", { exact: true }).click();
  await expect.element(page.getByLabelText("Raw results")).toBeVisible();
  expect(gateway.received(search.run).length).toBe(1);
  await press("Escape");
  await expectCount(page.getByRole("dialog"), 0);
});

it("stands at the bottom of a phone, with what it is about marked", async () => {
  await page.viewport(390, 844);
  gateway.answer(startPage.read, { line: "", questions: [question] });
  await openScreen("/search");
  await take.click();
  const card = step("Choose a dataset");
  await expect.element(card).toBeVisible();
  await expect.poll(() => Math.round(card.element().getBoundingClientRect().bottom)).toBe(844 - 12);
  expect(card.element().getBoundingClientRect().left).toBe(12);
});
