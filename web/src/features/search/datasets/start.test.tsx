import { noRowsText } from "@fairway/contract/dataset-access";
import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import { search } from "@fairway/contract/search";
import { startPage } from "@fairway/contract/start-page";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { expectRows } from "#testing/datasets-screen.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { buildAccess, serveWithRules } from "#testing/reader-parts.ts";
import { alterRows } from "#testing/results.ts";
import "#testing/css-locator.ts";
import { storms, katrina, question, lastPath } from "#testing/start-questions.ts";

beforeEach(() => alterRows((rows) => rows.slice(0, 2)));

it("one line says what this is, and a ready question opens its live results", async () => {
  gateway.answer(startPage.read, { line: "", questions: [{ title: "Where was Katrina?", dataset: storms, search: katrina, graph: null }] });
  await openScreen("/search");
  await expect
    .element(page.getByRole("heading", { level: 2 }))
    .toHaveTextContent("Fairway searches, maps and charts your team’s data in one place.");
  await expect.element(question(/^Where was Katrina\?/)).toHaveTextContent(/Where was Katrina\?\d+ rows in storm-tracksOpen table$/);
  expect(gateway.received(search.rowCount)[0]?.body).toEqual({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
  await question(/Katrina/).click();
  await expectRows("storm-tracks");
  expect(gateway.received(search.run).at(-1)?.body.filters).toEqual([{ name: "name", value: "Katrina", operator: "=" }]);
  await page.getByRole("link", { name: "Datasets", exact: true }).click();
  const used = page.getByRole("region", { name: "Recently used" }).getByRole("link");
  await expectCount(used, 1);
  await expect.element(used).toHaveTextContent(/^storm-tracksname = Katrina/);
  await expect.element(page.getByText("Choose a dataset, or pick up where you left off.")).toBeVisible();
});

it("a question and a recent search of a dataset that gives the reader no rows say so instead of a count", async () => {
  serveWithRules("storm-tracks", buildAccess({ rows: "none" }), []);
  gateway.answer(startPage.read, { line: "", questions: [{ title: "Where was Katrina?", dataset: storms, search: katrina, graph: null }] });
  await openScreen("/search");
  await expect.element(question(/^Where was Katrina\?/)).toHaveTextContent(`Where was Katrina?${noRowsText}Open table`);
  await question(/Katrina/).click();
  await expect.element(page.getByRole("main").getByText(noRowsText, { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Datasets", exact: true }).click();
  const used = page.getByRole("region", { name: "Recently used" }).getByRole("link");
  await expect.element(used).toHaveTextContent(noRowsText);
  await expect.element(used).not.toHaveTextContent("0 rows");
});

it("the pictures of all datasets come by one call", async () => {
  gateway.answer(datasetProfiles.thumbnails, [
    { dataset: storms, coverage: null, positions: [[20, -60]] },
    { dataset: { datasetCategory: "Aviation", datasetId: "airports" }, coverage: null, positions: [[40, -90]] },
  ]);
  await openScreen("/search");
  const card = (region: string, name: RegExp) => page.getByRole("region", { name: region }).getByRole("button", { name });
  await expect.poll(lastPath(card("Tropical weather", /^storm-tracks/))).toBe("M-60 -20h0");
  await expect.poll(lastPath(card("Aviation", /^airports/))).toBe("M-90 -40h0");
  expect(gateway.received(datasetProfiles.thumbnails)).toHaveLength(1);
  expect(gateway.received(datasetProfiles.thumbnail)).toEqual([]);
});

it("shows the operator's line, and is a good start without questions", async () => {
  gateway.answer(startPage.read, { line: "All at sea.", questions: [] });
  await openScreen("/search");
  await expect.element(page.getByRole("heading", { level: 2 })).toHaveTextContent("All at sea.");
  await expect
    .element(page.getByText("Search, map and chart any dataset below. Star the ones you use often to keep them here."))
    .toBeVisible();
  await expectCount(page.getByRole("region", { name: "Questions to try" }), 0);
});

it("a start page that fails, or a question of another version, is no obstacle", async () => {
  gateway.refuse(startPage.read, "internal", "Broken.");
  await openScreen("/search");
  await expect.element(page.getByRole("heading", { level: 2 })).toHaveTextContent("Fairway searches");
  await expect.element(page.getByRole("region", { name: "Tropical weather" })).toBeVisible();
});
