import type { AccessGrant, DatasetAccess } from "@fairway/contract/dataset-access";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openedEngine, EngineRegistry } from "#query/engines.ts";
import { noServer } from "#query/presto/no-server.ts";
import { buildColumn, buildDataset, type DatasetApp, datasetApp } from "#testing/dataset-app.ts";
import { noEngine } from "#testing/no-engine.ts";
import { ruleWarnings } from "./rule-warnings.ts";

let app: DatasetApp;
let check: ReturnType<typeof ruleWarnings>;

beforeAll(async () => {
  app = await datasetApp();
  await app.bench.prepare(
    `copy (select i as rising, -i as falling, (i * 7919) % 1000 as mixed, i // 500 as few, 'r' || lpad(i::varchar, 4, '0') as text
    from range(2000) t(i)) to 'FOLDER/ordered.parquet' (format parquet)`,
  );
  const engines = new EngineRegistry(
    { files: openedEngine(app.bench.engine), tables: openedEngine(noServer), rest: openedEngine(noEngine) },
    { error: () => {} },
  );
  check = ruleWarnings({ engines, grantCounts: app.service.grantCounts });
});
afterAll(() => app.close());

const dataset = (access: DatasetAccess | null, glob = "ordered.parquet") => ({
  ...buildDataset({
    source: { kind: "files", glob, format: "parquet" },
    schema: {
      columns: [...["rising", "falling", "mixed", "few"].map((name) => buildColumn(name, "integer")), buildColumn("text", "STRING")],
    },
    access,
  }),
  version: 1,
  enabled: true,
});
const found = async (...sent: Parameters<typeof dataset>) =>
  (await check(dataset(...sent), undefined, { waitMs: 5_000 })).map(({ code, path }) => [code, path]);

it("warns of withheld and coarse columns in whose order the data are stored", async () => {
  const access: DatasetAccess = {
    columns: [
      { names: ["mixed", "falling"], roles: ["hr"], others: "withheld" },
      { names: ["few"], roles: ["hr"], others: { step: 10 } },
      { names: ["text"], roles: ["hr"], others: { first: 1 } },
    ],
  };
  expect(await found(access)).toEqual([
    ["order-tells", "access.columns.0"],
    ["order-tells", "access.columns.2"],
  ]);
  expect(await found({ columns: [{ names: ["mixed", "few"], roles: ["*"], others: "withheld" }], unnamedColumns: "withheld" })).toEqual([
    ["order-tells", "access.unnamedColumns"],
    ["order-tells", "access.unnamedColumns"],
    ["order-tells", "access.unnamedColumns"],
  ]);
  expect(await found(access, "missing.parquet")).toEqual([]);
  expect(await found(null)).toEqual([]);
});

it("warns of more than ten grants of a rule that are not one list", async () => {
  const grants = (count: number, rowsOf: (index: number) => AccessGrant["rows"]): DatasetAccess => ({
    rules: [{ name: "Many", grants: Array.from({ length: count }, (_, index) => ({ roles: [`r${index}`], rows: rowsOf(index) })) }],
  });
  const equal = (index: number): AccessGrant["rows"] => ({ filters: [{ name: "text", operator: "=", value: `r${index}` }] });
  const above = (index: number): AccessGrant["rows"] => ({ filters: [{ name: "rising", operator: ">", value: index }] });
  expect(await found(grants(50, equal))).toEqual([]);
  expect(await found(grants(10, above))).toEqual([]);
  expect(await found(grants(11, above))).toEqual([["slow-rules", "access.rules.0.grants"]]);
  // A grant of all rows is of no use to those who do not hold it.
  expect(await found(grants(12, (index) => (index === 0 ? "all" : above(index))))).toEqual([["slow-rules", "access.rules.0.grants"]]);
});
