import { datasetProfile } from "@fairway/contract/dataset-profiles";
import { expect, it } from "vitest";
import pythonGuide from "../../../../../sdk/guides/python-client.md?raw";
import typescriptGuide from "../../../../../sdk/guides/typescript-client.md?raw";
import { buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { curlExample, guideExample, placeholdersIn } from "./call-examples.ts";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
const { description } = demoDataset("storm-tracks");
const column = (name: string, more: object) => ({
  name,
  type: "STRING",
  isApproximate: false,
  distinct: 1,
  empty: 0,
  min: null,
  max: null,
  top: [],
  histogram: [],
  ...more,
});
const profile = datasetProfile.parse({
  measuredMs: 0,
  rows: 11_840,
  oldestMs: null,
  newestMs: null,
  coverage: null,
  columns: [column("storm_id", { top: [{ value: "2012-12", rows: 89 }] }), column("season", { type: "integer", min: 1975, max: 2020 })],
});
const known = { description, profile };

it("an example with curl names the dataset and satisfies its required filters", () => {
  expect(curlExample(storms, known, "https://data.example")).toMatchInlineSnapshot(`
    "curl --fail-with-body 'https://data.example/api/datasets/Tropical%20weather/storm-tracks/search' \\
      --header "x-api-key: $FAIRWAY_API_KEY" \\
      --header 'content-type: application/json' \\
      --data '{"paging":{"offset":0,"max":10},"timeRange":{"start":"1975-06-27T00:00:00.000Z","end":"2020-11-18T12:00:00.000Z"},"filters":[]}'"
  `);
  expect(curlExample(storms, { description: { ...description, timeExtent: null }, profile }, "https://x")).toContain(
    '"filters":[{"name":"storm_id","operator":"=","value":"2012-12"}]',
  );
  expect(curlExample({ ...storms, datasetId: "it's" }, known, "https://x")).toContain("Tropical%20weather/it%27s/search'");
});

it("the examples of the clients come from their guides, with names of the dataset", () => {
  expect(guideExample(pythonGuide, storms, known, "https://data.example")).toMatchInlineSnapshot(`
    "from fairway import Fairway

    portal = Fairway()  # or Fairway("https://data.example", "fwk_...")

    search = portal.search(
        "Tropical weather/storm-tracks",
        where={"storm_id": "2012-12", "season": {">=": 1975, "<": 2020}},
        start="1975-06-27",
        end="2020-11-18",
        sort={"season": "desc"},
        limit=10_000,
    )
    print(search.count())
    frame = search.to_pandas()"
  `);
  expect(guideExample(typescriptGuide, storms, known, "https://data.example")).toMatchInlineSnapshot(`
    "import { Fairway } from "fairway-client";

    const fairway = new Fairway({ url: "https://data.example", apiKey: process.env.FAIRWAY_API_KEY ?? "" });

    const search = fairway.search("Tropical weather/storm-tracks", {
      from: "1975-06-27",
      to: "2020-11-18",
      where: { "storm_id": "2012-12", "season": { ">=": 1975, "<": 2020 } },
      sort: { "season": "desc" },
      limit: 10_000,
    });
    console.log(await search.count(), await search.rows());"
  `);
  expect(guideExample("# Other\n\nNo code.", storms, known, "https://data.example")).toBeNull();
});

it("an example includes every required filter, also those that are no columns, and names the values to replace", () => {
  const filterSupport = {
    ...buildDescription().filterSupport,
    supportsTimeRange: false,
    staticFilters: [
      buildFilter("year", { required: true, type: "number" }),
      buildFilter("city", { required: true }),
      buildFilter("season", { required: true, type: "number", operator: ">=" }),
      buildFilter("zone", { required: true, value: "UTC" }),
      buildFilter("phase"),
    ],
  };
  const external = { description: { ...description, schema: { columns: [] }, features: [], filterSupport }, profile };
  const curl = curlExample(storms, external, "https://x");
  expect(curl).toContain(
    `'{"filters":[{"name":"year","operator":"=","value":1},{"name":"city","operator":"=","value":"VALUE"},` +
      `{"name":"season","operator":">=","value":1975},{"name":"zone","operator":"=","value":"UTC"}]}'`,
  );
  expect(placeholdersIn(curl, external)).toEqual(["year", "city"]);
  const conditions = `"year": 1, "city": "VALUE", "season": { ">=": 1975 }, "zone": "UTC"`;
  const python = guideExample(pythonGuide, storms, external, "https://x") ?? "";
  expect(python).toContain(`    where={${conditions}},\n    limit=`);
  expect(placeholdersIn(python, external)).toEqual(["year", "city"]);
  expect(guideExample(typescriptGuide, storms, external, "https://x")).toContain(`  where: { ${conditions} },\n  limit`);
  expect(placeholdersIn(curlExample(storms, known, "https://x"), { description, profile: undefined })).toEqual([]);
});

it("the examples leave out conditions that the dataset has no columns for", () => {
  const without = { ...description, schema: { columns: [] } };
  expect(guideExample(pythonGuide, storms, { description: without, profile: undefined }, "https://data.example")).toMatchInlineSnapshot(`
    "from fairway import Fairway

    portal = Fairway()  # or Fairway("https://data.example", "fwk_...")

    search = portal.search(
        "Tropical weather/storm-tracks",
        start="1975-06-27",
        end="2020-11-18",
        limit=10_000,
    )
    print(search.count())
    frame = search.to_pandas()"
  `);
});
