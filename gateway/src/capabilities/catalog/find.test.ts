import { expect, it, onTestFinished } from "vitest";
import { externalDatasets, internalDatasets } from "#entities/entity-types.ts";
import { catalogApp } from "#testing/catalog-app.ts";
import { addDataset, buildDataset } from "#testing/dataset-app.ts";
import type { ApiResponse } from "#testing/identity-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import type { Found } from "#testing/catalog-finds.ts";

const column = (name: string, description = "") => ({ name, type: "STRING" as const, description, combined: null });

/** Datasets whose words are in one field each. */
const fixtures = [
  { id: "gauge", category: "water", description: "", schema: { columns: [column("x")] } },
  { id: "rivers", category: "gauge", description: "", schema: { columns: [column("x")] } },
  { id: "harbors", category: "water", description: "", schema: { columns: [column("gaugeHeight"), column("tide_level_m")] } },
  { id: "notes", category: "water", description: "Read from the **gauge** each morning.", schema: { columns: [column("x")] } },
  { id: "columns", category: "water", description: "", schema: { columns: [column("x", "Of the gauge.")] } },
  { id: "gauge-archive", category: "water", description: "", schema: { columns: [column("x")] } },
  { id: "tagged", category: "water", description: "", tags: ["Flood gauge"], schema: { columns: [column("x")] } },
  { id: "regauged", category: "water", description: "", schema: { columns: [column("x")] } },
  { id: "hidden-gauge", category: "water", description: "Gaugeometer.", roles: ["reader"], schema: { columns: [column("x")] } },
];

const shared = sharedApp(
  async (onClose) => {
    const app = await catalogApp(onClose);
    for (const fixture of fixtures) await addDataset(app, fixture);
    return app;
  },
  ["dataset_descriptions", "catalog_layers"],
);

const find = async (token: string, query: Record<string, string>): Promise<ApiResponse<Found>> =>
  shared().gateway.call<Found>("GET", `/datasets/find?${new URLSearchParams(query).toString()}`, { token });
const names = async (token: string, text: string, query: Record<string, string> = {}) =>
  (await find(token, { text, ...query })).body.hits.map(({ dataset }) => dataset.datasetId);
const describeAs = (token: string, layer: "community" | "user", dataset: string, description: string, column?: [string, string]) =>
  shared().gateway.call("PUT", `/datasets/${dataset}/description/${layer}`, {
    token,
    body: { description, columnDescriptions: column ? [{ columnName: column[0], description: column[1] }] : [] },
  });

it("ranks names over categories, columns and descriptions, and whole words over parts of them", async () => {
  const { ada, grace } = shared();
  expect(await names(ada, "gauge")).toEqual([
    "gauge",
    "gauge-archive",
    "hidden-gauge",
    "regauged",
    "rivers",
    "tagged",
    "harbors",
    "notes",
    "columns",
  ]);
  expect(await names(grace, "GAUGE")).not.toContain("hidden-gauge");
  expect(await names(grace, "gauge", { sort: "name" })).toEqual([
    "columns",
    "gauge",
    "gauge-archive",
    "harbors",
    "notes",
    "regauged",
    "rivers",
    "tagged",
  ]);
  const page = (await find(grace, { text: "gauge", offset: "1", limit: "2" })).body;
  expect([page.total, ...page.hits.map(({ dataset }) => dataset.datasetId)]).toEqual([8, "gauge-archive", "regauged"]);
});

it("finds column names by their words, and by every word where a dataset has them all", async () => {
  const { grace } = shared();
  for (const text of [
    "gauge height",
    "gaugeHeight",
    "gaugeheight",
    "tide level",
    "tidelevel",
    "tide_level_m",
    "LEVEL harb",
    "water tide",
  ]) {
    expect([text, await names(grace, text)]).toEqual([text, ["harbors"]]);
  }
  expect(await names(grace, "wind speed")).toEqual(["storms"]);
  expect(await names(grace, "the tide of")).toEqual(["harbors"]);
});

it("offers the datasets with the most words where none has all, and names the missing ones as typed", async () => {
  const { ada, grace } = shared();
  const found = async (token: string, text: string) =>
    (await find(token, { text })).body.hits.map(({ dataset, missing }) => [dataset.datasetId, missing]);
  expect(await found(grace, "tide Runway")).toEqual([
    ["airports", ["tide"]],
    ["harbors", ["Runway"]],
  ]);
  expect(await found(grace, "tide gauge Zzyzx")).toEqual([["harbors", ["Zzyzx"]]]);
  expect(await found(grace, "tide level")).toEqual([["harbors", undefined]]);
  // A word of which nothing matches in the caller's datasets is missing, though another's dataset has it.
  expect(await found(grace, "tide geometer")).toEqual([["harbors", ["geometer"]]]);
  expect((await found(ada, "gaugeometer hidden")).flat()).toEqual(["hidden-gauge", undefined]);
  // The remaining word is too short to name anything.
  expect(await found(grace, "zzyzx x")).toEqual([]);
  expect(await found(grace, "zzyzx qqqq")).toEqual([]);
});

it("finds part of a column's name, wherever the part begins", async () => {
  const app = shared();
  onTestFinished(() => app.entities.remove(internalDatasets, "CustomerOrdersByRegion"));
  const described = {
    description: "",
    category: "sales",
    schema: { columns: [column("ATOflg"), column("sales_region"), column("windX")] },
  };
  await addDataset(app, { id: "CustomerOrdersByRegion", ...described });
  for (const text of ["ATO", "Oflg", "ATOflg", "toflg", "byreg", "lesreg", "salesreg", "Ordersby", "mersOrd"]) {
    expect([text, await names(app.grace, text)]).toEqual([text, ["CustomerOrdersByRegion"]]);
  }
  const [hit] = (await find(app.grace, { text: "ATO" })).body.hits;
  expect(hit?.matches).toEqual([
    { field: "column", layer: "system", columnName: "ATOflg", text: "ATOflg", ranges: [{ start: 0, end: 3 }] },
  ]);
  const [joined] = (await find(app.grace, { text: "lesreg" })).body.hits;
  expect(joined?.matches[0]).toMatchObject({ columnName: "sales_region", ranges: [{ start: 0, end: 12 }] });
});

it("finds columns by their units, by what these are called and by what they measure, and a word by a shorter one", async () => {
  const app = shared();
  onTestFinished(() => app.entities.remove(internalDatasets, "gales"));
  const columns = [Object.assign(column("wind"), { unit: "kt" }), Object.assign(column("fall", "Rain of the day."), { unit: "mm" })];
  await addDataset(app, { id: "gales", category: "weather", description: "", schema: { columns } });
  for (const text of ["kt", "knots", "knot", "wind knots", "millimeters", "rainfall", "rainfall wind"]) {
    expect([text, await names(app.grace, text)]).toEqual([text, ["gales"]]);
  }
  expect(await names(app.grace, "wind speed")).toEqual(["storms", "gales"]);
  const [hit] = (await find(app.grace, { text: "knots" })).body.hits;
  expect(hit?.matches).toEqual([
    { field: "columnDescription", layer: "system", columnName: "wind", text: "kt: knots, speed", ranges: [{ start: 4, end: 9 }] },
  ]);
  // A shorter word counts only where the word itself, or something closer to it, is nowhere.
  expect(await names(app.grace, "gaugeHeights")).toEqual(["harbors"]);
});

it("finds columns by the signs of their units", async () => {
  const app = shared();
  onTestFinished(() => app.entities.remove(internalDatasets, "gales"));
  const columns = [
    Object.assign(column("air"), { unit: "°C" }),
    Object.assign(column("damp"), { unit: "%" }),
    Object.assign(column("gusts"), { unit: "m/s" }),
  ];
  await addDataset(app, { id: "gales", category: "weather", description: "", schema: { columns } });
  for (const text of ["°C", "%", "m/s", "gusts m/s", "% °C"]) expect([text, await names(app.grace, text)]).toEqual([text, ["gales"]]);
  const { hits } = (await find(app.grace, { text: "gusts km/h" })).body;
  expect(hits.map(({ missing }) => missing)).toEqual([["km/h"]]);
});

it("forgives typing errors, and finds other forms of a word", async () => {
  const { grace } = shared();
  for (const [text, name] of [
    ["arports", "airports"],
    ["airprots", "airports"],
    ["airportss", "airports"],
    ["strom", "storms"],
    ["harbur", "harbors"],
    ["budgetting", "budget"],
    ["mornings", "notes"],
    ["hárbors", "harbors"],
  ] as const) {
    expect([text, await names(grace, text)]).toEqual([text, [name]]);
  }
  for (const text of ["%", "_", "zz%zz", "\\", "' or 1=1", "\u202e", "( & | !", "zzgauge:*&!x", "zzzz", "👩‍🚀"]) {
    expect([text, (await find(grace, { text })).body]).toEqual([text, { total: 0, hits: [] }]);
  }
});

it("reports where it matched: field, layer, column and the part of the text", async () => {
  const { ada, grace } = shared();
  await describeAs(ada, "community", "water/harbors", `${"Long before. ".repeat(20)}See the gauge. ${"Long after. ".repeat(20)}`, [
    "tide_level_m",
    "In meters over gauge zero.",
  ]);
  await describeAs(grace, "user", "water/harbors", "", ["gaugeHeight", "My gauge."]);
  const [hit] = (await find(grace, { text: "gauge", datasetName: "Harb" })).body.hits;
  expect(
    hit?.matches.map(({ field, layer, columnName, text, ranges }) => [
      field,
      layer,
      columnName,
      ranges.map(({ start, end }) => text.slice(start, end)),
    ]),
  ).toEqual([
    ["column", "system", "gaugeHeight", ["gauge"]],
    ["description", "community", null, ["gauge"]],
    ["columnDescription", "community", "tide_level_m", ["gauge"]],
    ["columnDescription", "private", "gaugeHeight", ["gauge"]],
  ]);
  expect(hit?.matches[1]?.text).toMatch(/^….{40,80}See the gauge\. .{60,120}…$/);
  expect(hit?.communityDescription).toHaveLength(515);
});

it("finds private descriptions for their owner only", async () => {
  const { ada, grace } = shared();
  await describeAs(grace, "user", "water/gauge", "Ask xylophone Bob.", ["x", "Marimba depth."]);
  expect(await names(grace, "xylophone")).toEqual(["gauge"]);
  expect(await names(grace, "marimba")).toEqual(["gauge"]);
  for (const text of ["xylophone", "xylophon", "xylo", "marimba"]) {
    expect([text, (await find(ada, { text })).body]).toEqual([text, { total: 0, hits: [] }]);
  }
  const { hits } = (await find(ada, { text: "xylophone gauge" })).body;
  expect(hits.map(({ missing }) => missing)).toEqual(hits.map(() => ["xylophone"]));
});

it("finds changes at once: of datasets, of descriptions and of external datasets, by every gateway", async () => {
  const app = shared();
  const { ada, grace } = app;
  const other = await catalogApp(onTestFinished, {}, app.gateway);
  const namesThere = async (text: string) =>
    (await other.gateway.call<Found>("GET", `/datasets/find?text=${text}`, { token: grace })).body.hits.map(
      ({ dataset }) => dataset.datasetId,
    );
  expect(await namesThere("ocelot")).toEqual([]);
  await describeAs(ada, "community", "water/notes", "An ocelot.");
  expect(await names(grace, "ocelot")).toEqual(["notes"]);
  expect(await namesThere("ocelot")).toEqual(["notes"]);
  await describeAs(ada, "community", "water/notes", "A margay.");
  expect([await names(grace, "ocelot"), await namesThere("margay")]).toEqual([[], ["notes"]]);

  await addDataset(app, { id: "cats", category: "animals", description: "An ocelot." });
  expect(await names(grace, "ocelot")).toEqual(["cats"]);
  await expect.poll(() => namesThere("ocelot")).toEqual(["cats"]);
  await other.entities.replace(internalDatasets, "cats", buildDataset({ id: "cats", category: "animals", description: "A serval." }));
  expect(await namesThere("serval")).toEqual(["cats"]);
  await expect.poll(() => names(grace, "serval")).toEqual(["cats"]);
  expect(await names(grace, "ocelot")).toEqual([]);
  await app.entities.setEnabled(internalDatasets, "cats", false);
  expect(await names(grace, "serval")).toEqual([]);
  await app.entities.remove(internalDatasets, "cats");
  await addDataset(app, { id: "cats", category: "animals", description: "A caracal." });
  expect([await names(grace, "serval"), await names(grace, "caracal")]).toEqual([[], ["cats"]]);

  const api = { name: "currents", description: "Of the kraken sea.", path: "/currents", method: 0, filters: [] };
  await app.entities.create(externalDatasets, {
    name: "Ocean",
    description: "",
    baseRoute: "https://ocean.example",
    roles: [],
    apis: [api],
  });
  expect(await names(grace, "kraken")).toEqual(["currents"]);
  expect(await names(grace, "ocean")).toEqual(["currents"]);
});

it("refuses invalid searches, and a caller who is not signed in", async () => {
  const { grace, gateway } = shared();
  for (const query of [
    {},
    { text: "x".repeat(201) },
    { text: "a", limit: "0" },
    { text: "a", limit: "1001" },
    { text: "a", offset: "-1" },
    { text: "a", sort: "random" },
    { text: "a\0" },
    { text: "a b c d e f g h i j k l m" },
  ]) {
    expect([query, (await find(grace, query as Record<string, string>)).status]).toEqual([query, 400]);
  }
  expect((await gateway.call("GET", "/datasets/find?text=gauge")).status).toBe(401);
});

it("finds nothing by what stands only in columns that are withheld from the caller", async () => {
  const { ada, grace, entities } = shared();
  onTestFinished(() => entities.remove(internalDatasets, "payroll"));
  const columns = [column("team"), column("grossSalary", "Remuneration before taxes."), column("note", "Remarks on taxes.")];
  await addDataset(shared(), {
    id: "payroll",
    category: "work",
    description: "",
    schema: { columns },
    access: { columns: [{ names: ["grossSalary"], roles: ["reader"], others: "withheld" }] },
  });
  for (const text of ["salary", "grossSalary", "grosssalary", "remuneration", "remunerations", "remuneratoin"]) {
    expect(await names(ada, text)).toEqual(["payroll"]);
    expect((await find(grace, { text })).body).toEqual({ total: 0, hits: [] });
  }
  const { hits } = (await find(grace, { text: "taxes remuneration" })).body;
  expect(hits.map(({ matches, missing }) => [matches.map(({ columnName }) => columnName), missing])).toEqual([
    [["note"], ["remuneration"]],
  ]);
  expect((await find(ada, { text: "taxes" })).body.hits[0]?.matches.map(({ columnName }) => columnName)).toEqual(["grossSalary", "note"]);
  // One caller after the other, with everything cached.
  expect(await names(grace, "team")).toEqual(["payroll"]);
  expect(await names(grace, "salary")).toEqual([]);
});
