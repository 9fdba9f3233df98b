import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import { distributions } from "@fairway/contract/distributions";
import { graphs } from "@fairway/contract/graphs";
import { mapResults } from "@fairway/contract/map-results";
import { search } from "@fairway/contract/search";
import { startPage } from "@fairway/contract/start-page";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { expectRows } from "#testing/datasets-screen.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { alterRows } from "#testing/results.ts";
import "#testing/css-locator.ts";
import { addressed, storms, katrina, question, lastPath } from "#testing/start-questions.ts";

beforeEach(() => alterRows((rows) => rows.slice(0, 2)));

it("a question shows what it answers: its rows, its paths on the map, or its graph, and otherwise the icon of its view", async () => {
  gateway.answer(datasetProfiles.thumbnails, [{ dataset: storms, coverage: null, positions: [[20, -60]] }]);
  gateway.answer(mapResults.tracks, {
    results: [
      { storm_id: "2005-12", time: 2, latitude: 30, longitude: -89 },
      { storm_id: "2005-12", time: 1, latitude: 25, longitude: -80 },
      { storm_id: "2005-13", time: 1, latitude: 10, longitude: -40 },
    ],
  });
  const buckets = [3, 1].map((rows, day) => ({ startMs: day * 86_400_000, endMs: (day + 1) * 86_400_000, rows }));
  gateway.answer(distributions.overTime, { unit: "day", size: 1, buckets, newestMs: null });
  const about = { c: "Tropical weather", d: "storm-tracks" };
  const graph = { title: "Positions by day", type: "bar", by: "day" } as const;
  const sorted = addressed({ ...about, f: [["name", "=", "Katrina"]], o: [["wind", "desc"]] });
  gateway.answer(startPage.read, {
    line: "",
    questions: [
      { title: "Where?", dataset: storms, search: addressed({ ...about, f: [["name", "=", "Katrina"]], m: "map" }), graph: null },
      { title: "When?", dataset: storms, search: addressed({ ...about, m: "graphs" }), graph },
      { title: "Which?", dataset: storms, search: sorted, graph: null },
      { title: "How?", dataset: storms, search: addressed({ ...about, m: "raw" }), graph: null },
    ],
  });
  await openScreen("/search");
  const picture = (name: RegExp) => question(name).css("div[aria-hidden]");
  await expect.poll(lastPath(question(/^Where/))).toBe("M-89 -30h0M-40 -10h0");
  expect(
    [
      ...picture(/^Where/)
        .element()
        .querySelectorAll("path"),
    ]
      .at(-2)
      ?.getAttribute("d"),
  ).toBe("M-80 -25L-89 -30");
  await expect.poll(() => picture(/^When/).css("rect").elements().length).toBe(2);
  await expect.element(picture(/^Which/)).toHaveTextContent(/^namewind/);
  await expect.element(picture(/^Which/)).toHaveTextContent("Katrina");
  await expect.element(picture(/^How/).css("svg").first()).toBeVisible();
  expect(gateway.received(mapResults.tracks).map(({ body }) => body.filters)).toEqual([
    [{ name: "name", value: "Katrina", operator: "=" }],
  ]);
  await expectAccessible();
});

it("a question without an answer to draw, also one of more rows than a small map reads, shows the icon of its view", async () => {
  const about = { c: "Tropical weather", d: "storm-tracks", m: "map" };
  gateway.answer(startPage.read, {
    line: "",
    questions: [
      { title: "Many?", dataset: storms, search: addressed(about), graph: null },
      { title: "Broken?", dataset: storms, search: addressed({ ...about, m: "table" }), graph: null },
    ],
  });
  gateway.answer(search.rowCount, { rows: 5_001 });
  gateway.refuse(search.run, "engine-busy", "Every engine slot is taken.");
  await openScreen("/search");
  for (const name of [/^Many/, /^Broken/]) await expectCount(question(name).css("div[aria-hidden] svg"), 1);
  expect(gateway.received(mapResults.tracks)).toEqual([]);
  expect(gateway.received(search.run)).toHaveLength(1);
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

it("on a phone the line and the questions stand above the list", async () => {
  await page.viewport(390, 844);
  gateway.answer(startPage.read, { line: "", questions: [{ title: "Where was Katrina?", dataset: storms, search: katrina, graph: null }] });
  await openScreen("/search");
  await expect.element(question(/Katrina/)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "storm-tracks", exact: true })).toBeVisible();
  await question(/Katrina/).click();
  await expectRows("storm-tracks");
});
