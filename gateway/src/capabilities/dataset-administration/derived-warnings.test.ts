import { internalDataset } from "@fairway/contract/internal-datasets";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { type DatasetApp, addDataset, buildColumn, buildDataset, datasetApp } from "#testing/dataset-app.ts";
import { completeDataset, derivedWarnings } from "./derived-warnings.ts";
import { mergeColumns } from "./schema-changes.ts";
import { someUser } from "#testing/some-user.ts";

let app: DatasetApp;
const user = (roles: string[]): SignedInUser => someUser({ roles });

const late = buildColumn("late", "BOOLEAN", { computed: { expression: "id > 15" } });
const shaped = buildDataset({
  id: "shaped",
  schema: { columns: [buildColumn("id", "integer"), late, buildColumn("kind", "STRING", { computed: { expression: "text(late)" } })] },
  lookups: [
    {
      id: "from",
      dataset: { datasetCategory: "Tests", datasetId: "others" },
      key: [{ column: "id", on: "id" }],
      columns: [{ from: "name", name: "name" }],
    },
  ],
});

beforeAll(async () => {
  app = await datasetApp();
  await addDataset(app, {
    id: "others",
    roles: ["insider"],
    schema: { columns: [buildColumn("id", "integer"), buildColumn("name", "STRING")] },
  });
});
afterAll(() => app.close());

const warnings = (overrides: object) =>
  derivedWarnings(app.service.derivedProblems)({ ...shaped, ...overrides, version: 1, enabled: true });
const save = (draft: object, by: SignedInUser) =>
  completeDataset(app.entities, app.service.derivedProblems, (dataset) => Promise.resolve(dataset))({ ...draft }, by);

it("lookups and formulas that work have no warnings, whoever may read the other dataset", async () => {
  expect(await warnings({})).toEqual([]);
});

it("a lookup of a dataset that is gone or has other columns warns, and so does what is computed of it", async () => {
  const named = { datasetCategory: "Tests", datasetId: "nowhere" };
  const columns = [...shaped.schema.columns, buildColumn("upper", "STRING", { computed: { expression: "upper(name)" } })];
  expect(
    await warnings({ lookups: shaped.lookups?.map((lookup) => Object.assign({}, lookup, { dataset: named })), schema: { columns } }),
  ).toEqual([
    {
      code: "lookup-broken",
      message: "The columns of the lookup 'from' are left out: There is no such dataset, or you don't have access to it.",
      path: "lookups.0.dataset",
    },
    {
      code: "computed-broken",
      message: expect.stringContaining("The column 'upper' is left out: There is no column 'name'.") as unknown,
      path: "schema.columns.3.computed.expression",
    },
  ]);
  const others = shaped.lookups?.map((lookup) => Object.assign({}, lookup, { columns: [{ from: "city", name: "city" }] }));
  expect(await warnings({ lookups: others })).toMatchObject([{ code: "lookup-broken", path: "lookups.0.columns.0.from" }]);
});

it("a column that has changed its type marks what is computed of it, and nothing else", async () => {
  const columns = [buildColumn("id", "STRING"), ...shaped.schema.columns.slice(1)];
  expect(await warnings({ schema: { columns }, lookups: [] })).toMatchObject([
    { code: "computed-broken", path: "schema.columns.1.computed.expression" },
    { code: "computed-broken", path: "schema.columns.2.computed.expression" },
  ]);
});

it("who writes a lookup has to be able to read the other dataset, and what has broken since does not hinder another change", async () => {
  await expect(save(shaped, user([]))).rejects.toMatchObject({ code: "invalid-value", errors: [{ path: "lookups.0.dataset" }] });
  await expect(save(shaped, user(["insider"]))).resolves.toEqual(shaped);
  await addDataset(app, shaped);
  await expect(save({ ...shaped, description: "Changed." }, user([]))).resolves.toMatchObject({ description: "Changed." });
});

it("a mistake in a formula is refused with its place", async () => {
  const columns = [buildColumn("id", "integer"), buildColumn("wrong", "integer", { computed: { expression: "id + " } })];
  await expect(save({ ...shaped, id: "wrong", lookups: [], schema: { columns } }, user([]))).rejects.toMatchObject({
    errors: [{ path: "schema.columns.1.computed.expression", at: { from: expect.any(Number) as unknown } }],
  });
});

it("names of derived columns are unique, and at most 50 are computed", () => {
  const taken = {
    ...shaped,
    lookups: shaped.lookups?.map((lookup) => Object.assign({}, lookup, { columns: [{ from: "name", name: "LATE" }] })),
  };
  expect(internalDataset.safeParse(taken).error?.issues).toMatchObject([{ path: ["lookups", 0, "columns", 0, "name"] }]);
  const many = Array.from({ length: 51 }, (_, index) => buildColumn(`c${index}`, "integer", { computed: { expression: "id" } }));
  expect(internalDataset.safeParse({ ...shaped, schema: { columns: [buildColumn("id", "integer"), ...many] } }).success).toBe(false);
});

it("a schema update keeps computed columns, which are not in the data", () => {
  const { columns, changes } = mergeColumns(shaped.schema.columns, [buildColumn("id", "integer"), buildColumn("new", "STRING")]);
  expect(columns.map(({ name }) => name)).toEqual(["id", "late", "kind", "new"]);
  expect(changes.removed).toEqual([]);
});
