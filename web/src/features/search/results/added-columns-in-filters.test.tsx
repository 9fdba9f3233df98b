import { columnValues } from "@fairway/contract/column-values";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { demoDataset, serveDatasets } from "#testing/demo-datasets.ts";
import { type } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { alterColumns, katrina, openResults, searchLink, shownColumns } from "#testing/results.ts";

const computed = [{ name: "force", expression: "if(wind > 64, 'strong', 'weak')" }];
const ofKatrina = [{ name: "name", operator: "=", value: "Katrina" }];
const bar = () => page.getByRole("combobox", { name: "Type a filter", exact: true });
const options = () => page.getByRole("listbox").getByRole("option");

beforeEach(() => {
  serveDatasets(gateway);
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 3) }));
  gateway.answer(search.rowCount, { rows: 12 });
  skipPauses(250);
});

it("values and numbers of rows in the filter bar are those of the search with its added columns", async () => {
  gateway.answer(columnValues.suggest, { values: [], complete: false, sampled: ["Hurricane"] });
  const filters = [...ofKatrina, { name: "force", operator: "=", value: "strong" }];
  await openResults({ ...katrina, filters: filters.map(({ name, operator, value }) => [name, operator, value]), added: { computed } });
  await type("status = hur", bar());
  await expect.element(options().first()).toHaveTextContent(/^Hurricane$/);
  await expect.element(page.getByText("Values from a part of the rows, without counts")).toBeVisible();
  await expect.poll(() => gateway.received(columnValues.suggest).at(-1)?.body).toEqual({ contains: "hur", search: { computed, filters } });
  await bar().fill("force = a, b");
  await expect.poll(() => gateway.received(search.rowCount).at(-1)?.body).toMatchObject({ computed });
  await expect
    .poll(() => gateway.received(columnValues.suggest).at(-1))
    .toMatchObject({ params: { column: "force" }, body: { search: { computed } } });
});

it("a value of an added column that no row has in this case is offered as rows have it", async () => {
  gateway.answer(search.run, { results: [] });
  gateway.answer(columnValues.suggest, { values: [{ value: "strong", rows: 3 }], complete: true });
  await openScreen(
    searchLink({
      ...katrina,
      filters: [
        ["name", "=", "Katrina"],
        ["force", "=", "Strong"],
      ],
      added: { computed },
    }),
  );
  await expect.element(page.getByRole("button", { name: "Search force = strong" })).toBeVisible();
  const asked = gateway.received(columnValues.suggest).filter(({ params }) => params.column === "force");
  expect(asked.map(({ body }) => body)).toEqual([{ contains: "Strong", search: { computed, filters: [] } }]);
});

it("without added columns, values are asked for as before", async () => {
  await openResults(katrina);
  await type("status = hur", bar());
  await expect.element(options().first()).toBeVisible();
  await expect.poll(() => gateway.received(columnValues.suggest).at(-1)?.body).toEqual({ contains: "hur", filters: ofKatrina });
});

const lookup = {
  id: "weather",
  dataset: { datasetCategory: "Tropical weather", datasetId: "daily-weather" },
  key: [{ column: "season", on: "year" }],
  columns: [{ from: "precipitation", name: "rain" }],
};

it("columns that a search looks up are among its columns, and its formulas may use them", async () => {
  // Few columns: those far to the right are not in the page.
  alterColumns((columns) => columns.filter(({ name }) => ["name", "season", "precipitation"].includes(name)));
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 3) }));
  const added = { lookups: [lookup], computed: [{ name: "twice", expression: "rain * 2" }] };
  await openResults({ ...katrina, added });
  await expect.poll(() => shownColumns()).toEqual(expect.arrayContaining(["name", "season", "rain", "twice"]));
  expect(gateway.received(search.run).at(-1)?.body).toMatchObject(added);
});

it("a search that looks up a dataset without access says what the gateway says of it", async () => {
  gateway.refuse(search.run, "invalid-value", "There is no such dataset, or you don't have access to it.");
  const gone = { ...lookup, dataset: { datasetCategory: "Tropical weather", datasetId: "gone" } };
  await openScreen(searchLink({ ...katrina, added: { lookups: [gone] } }));
  await expect.element(page.getByText("There is no such dataset, or you don't have access to it.")).toBeVisible();
});
