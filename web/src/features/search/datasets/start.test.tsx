import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import { datasets } from "@fairway/contract/datasets";
import { graphs } from "@fairway/contract/graphs";
import { search } from "@fairway/contract/search";
import { startPage } from "@fairway/contract/start-page";
import { beforeEach, expect, it } from "vitest";
import { type Locator, page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { expectRows } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import "#testing/css-locator.ts";

const addressed = (parts: object) => `1.${btoa(JSON.stringify(parts)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
const katrina = addressed({ c: "Tropical weather", d: "storm-tracks", f: [["name", "=", "Katrina"]] });
const question = (name: RegExp) => page.getByRole("region", { name: "Questions to try" }).getByRole("button", { name });

beforeEach(() => serveDatasets(gateway));

it("one line says what this is, and a ready question opens its live results", async () => {
  gateway.answer(startPage.read, { line: "", questions: [{ title: "Where was Katrina?", dataset: storms, search: katrina, graph: null }] });
  await openScreen("/search");
  await expect
    .element(page.getByRole("heading", { level: 2 }))
    .toHaveTextContent("Fairway searches, maps and charts your team’s data in one place.");
  await expect.element(question(/^Where was Katrina\?/)).toHaveTextContent(/^Where was Katrina\?\d+ rows in storm-tracksOpen table$/);
  expect(gateway.received(search.run)).toEqual([]);
  expect(gateway.received(datasets.describe)).toEqual([]);
  expect(gateway.received(search.rowCount)[0]?.body).toEqual({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
  await expectAccessible();
  await question(/Katrina/).click();
  await expectRows("storm-tracks");
  expect(gateway.received(search.run)[0]?.body.filters).toEqual([{ name: "name", value: "Katrina", operator: "=" }]);
  await page.getByRole("link", { name: "Datasets", exact: true }).click();
  const used = page.getByRole("region", { name: "Recently used" }).getByRole("link");
  await expectCount(used, 1);
  await expect.element(used).toHaveTextContent(/^storm-tracksname = Katrina/);
  await expect.element(page.getByText("Choose a dataset, or pick up where you left off.")).toBeVisible();
});

it("the pictures of all cards come by one call", async () => {
  gateway.answer(datasetProfiles.thumbnails, [
    { dataset: storms, coverage: null, positions: [[20, -60]] },
    { dataset: { datasetCategory: "Aviation", datasetId: "airports" }, coverage: null, positions: [[40, -90]] },
  ]);
  gateway.answer(startPage.read, { line: "", questions: [{ title: "Where was Katrina?", dataset: storms, search: katrina, graph: null }] });
  await openScreen("/search");
  const lastPath = (button: Locator) => () => button.css("div[aria-hidden] path").elements().at(-1)?.getAttribute("d");
  await expect.poll(lastPath(question(/Katrina/))).toBe("M-60 -20h0");
  await expect.poll(lastPath(page.getByRole("region", { name: "Aviation" }).getByRole("button", { name: /^airports/ }))).toBe("M-90 -40h0");
  expect(gateway.received(datasetProfiles.thumbnails)).toHaveLength(1);
  expect(gateway.received(datasetProfiles.thumbnail)).toEqual([]);
});

it("a question with a graph draws it", async () => {
  const season = addressed({ c: "Tropical weather", d: "storm-tracks", t: [1_117_584_000, 1_117_843_199], m: "graphs" });
  const graph = { title: "Positions by day", type: "bar", by: "day" } as const;
  gateway.answer(startPage.read, { line: "", questions: [{ title: "How many?", dataset: storms, search: season, graph }] });
  gateway.answer(graphs.batch, ({ body }) => ({ groups: body.groups.map(({ id }) => ({ id, values: [1] })) }));
  await openScreen("/search");
  await question(/^How many\?/).click();
  await expect.element(page.getByRole("heading", { name: "Positions by day" })).toBeVisible();
});

it("a question keeps what its address says of the map", async () => {
  const colored = addressed({ c: "Tropical weather", d: "storm-tracks", f: [["name", "=", "Katrina"]], p: { c: "wind" } });
  gateway.answer(startPage.read, { line: "", questions: [{ title: "How strong?", dataset: storms, search: colored, graph: null }] });
  await openScreen("/search");
  await question(/^How strong\?/).click();
  await expectRows("storm-tracks");
  const parts = () => JSON.parse(atob(location.hash.slice("#1.".length).replaceAll("-", "+").replaceAll("_", "/"))) as object;
  await expect.poll(parts).toMatchObject({ p: { c: "wind" } });
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

it("on a phone the line and the questions stand above the list", async () => {
  await page.viewport(390, 844);
  gateway.answer(startPage.read, { line: "", questions: [{ title: "Where was Katrina?", dataset: storms, search: katrina, graph: null }] });
  await openScreen("/search");
  await expect.element(question(/Katrina/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "storm-tracks", exact: true })).toBeVisible();
  await question(/Katrina/).click();
  await expectRows("storm-tracks");
});
