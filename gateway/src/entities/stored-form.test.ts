import type { DatasetAccess } from "@fairway/contract/dataset-access";
import pino from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { buildDataset } from "#testing/dataset-app.ts";
import { secretKey } from "#testing/secret-key.ts";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";
import { internalDatasets } from "./entity-types.ts";
import { entityStore } from "./store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** The requirements of the last release that did not know rules. */
const formerSource = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("files"), glob: z.string(), format: z.enum(["parquet", "csv", "json", "xlsx"]) }),
  z.object({ kind: z.literal("table"), name: z.string() }),
]);
const formerType = { name: internalDatasets.name, schema: z.looseObject({ source: formerSource }) };

const access: DatasetAccess = {
  rules: [{ name: "Own", grants: [{ roles: ["*"], rows: { filters: [{ name: "id", operator: "=", value: 1 }] } }] }],
};

it("a dataset with rules is stored so that releases which do not apply them leave it out", async () => {
  const log: { id?: unknown }[] = [];
  const store = entityStore(database.db, { error: (fields: object) => void log.push(fields) }, secretKey);
  const table = { kind: "table", name: "lake.public.rows" } as const;
  const datasets = [
    buildDataset({ id: "files", access, roles: ["north"] }),
    buildDataset({ id: "none" }),
    buildDataset({ id: "null", access: null }),
    buildDataset({ id: "table", source: table, access: {} }),
  ];
  for (const dataset of datasets) await store.create(internalDatasets, dataset);
  expect((await store.list(internalDatasets)).map(({ body }) => body)).toEqual(datasets);
  expect((await store.get(internalDatasets, "table")).reveal()).toEqual(datasets[3]);

  const former = { ...internalDatasets, ...formerType, form: undefined };
  expect((await store.list(former as never)).map(({ body }) => (body as { id: string }).id)).toEqual(["none", "null"]);
  expect(log.map(({ id }) => id)).toEqual(["files", "table"]);

  await store.replace(internalDatasets, "files", buildDataset({ id: "files", access: null }));
  expect(await store.list(former as never)).toHaveLength(3);
});

it("a dataset with rules keeps what statements read where it is", async () => {
  const store = entityStore(database.db, pino({ level: "silent" }), secretKey);
  await store.create(internalDatasets, buildDataset({ id: "in place", access, roles: ["north"] }));
  const { body } = await database.db.selectFrom("entities").select("body").where("id", "=", "in place").executeTakeFirstOrThrow();
  expect(body).toMatchObject({ category: "Tests", roles: ["north"], access, source: { glob: "rows.parquet", format: "parquet" } });
});
