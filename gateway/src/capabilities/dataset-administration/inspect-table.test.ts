import { tmpdir } from "node:os";
import { defaultLimits } from "@fairway/contract/limits";
import { internalDataset } from "@fairway/contract/internal-datasets";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { openStatementServer } from "#query/presto/client/statement-server.ts";
import { PrestoEngine } from "#query/presto/engine.ts";
import type { FakeError } from "#query/presto/testing/fake-answers.ts";
import { FakeCoordinator } from "#query/presto/testing/fake-coordinator.ts";
import { engineCall } from "#testing/engine-call.ts";
import { inspectTable, listTables } from "./inspect-table.ts";

const text = (name: string) => ({ name, type: "varchar" });
const description = ["Column", "Type", "Extra", "Comment"].map(text);
const names = (...found: string[]) => ({ columns: [text("name")], pages: [found.map((name) => [name])] });

let coordinator: FakeCoordinator;
let engine: PrestoEngine;
beforeEach(async () => {
  coordinator = await FakeCoordinator.start({ kind: "trino" });
  const log = { warn: () => undefined };
  const addresses = new AddressPolicy(["127.0.0.1"]);
  const server = openStatementServer({ url: coordinator.url, source: "fairway", user: "fairway", asUser: false, addresses, log });
  engine = new PrestoEngine({ server, exportFolder: tmpdir(), limits: defaultLimits, log });
});
afterEach(async () => {
  await engine.close();
  await coordinator.close();
});

const parts = () => ({ engines: { lease: () => Promise.resolve({ engine, release: () => undefined }) }, sampleRows: 25 });
const list = (within: string, contains = "") => listTables(parts(), { within, contains }, engineCall());
const inspect = (table: string) => inspectTable(parts(), table, engineCall());
const statements = () => coordinator.statements.map(({ sql, execute }) => [sql, execute?.replace(/^EXECUTE \w+ USING /, "")]);

it("lists catalogs, schemas and tables with names that can be used as they are", async () => {
  coordinator.answer(/^show catalogs$/, names("system", "Lake.One", "hive"));
  expect(await list("")).toEqual({
    kind: "catalog",
    entries: [
      { name: "Lake.One", path: '"Lake.One"' },
      { name: "hive", path: "hive" },
      { name: "system", path: "system" },
    ],
    isCut: false,
  });
  coordinator.answer(/schemata/, names("sea"));
  expect(await list('"Lake.One"')).toEqual({ kind: "schema", entries: [{ name: "sea", path: '"Lake.One".sea' }], isCut: false });
  coordinator.answer(/tables/, names("ships", 'odd "one"', "two\nlines"));
  expect(await list('"Lake.One".sea')).toMatchObject({
    kind: "table",
    entries: [
      { name: 'odd "one"', path: '"Lake.One".sea."odd ""one"""' },
      { name: "ships", path: '"Lake.One".sea.ships' },
    ],
  });
  expect(statements().at(-1)).toEqual([
    `select "table_name" from "Lake.One"."information_schema"."tables" where table_schema = ? order by "table_name" limit 201`,
    "'sea'",
  ]);
});

it("finds a part of a name as a value, never as a part of the statement", async () => {
  coordinator.answer(/schemata/, names("it's a schema"));
  await list("hive", "It's");
  expect(statements()).toEqual([
    [
      `select "schema_name" from "hive"."information_schema"."schemata" where "schema_name" <> 'information_schema' and strpos(lower("schema_name"), lower(?)) > 0 order by "schema_name" limit 201`,
      "'It''s'",
    ],
  ]);
  coordinator.answer(/^show catalogs$/, names("hive", "memory"));
  expect(await list("", "IV")).toMatchObject({ entries: [{ name: "hive" }] });
});

it("cuts a long list and says so", async () => {
  const many = Array.from({ length: 201 }, (_, index) => `t${String(index).padStart(3, "0")}`);
  coordinator.answer(/tables/, names(...many));
  const { entries, isCut } = await list("hive.sea");
  expect([entries.length, entries.at(-1)?.name, isCut]).toEqual([200, "t199", true]);
});

it("refuses names that do not exist or are no names", async () => {
  const missing: FakeError = { message: "missing", errorCode: 44, errorName: "CATALOG_NOT_FOUND", errorType: "USER_ERROR" };
  coordinator.answer(/schemata|^describe/, { error: missing, queued: 0 });
  for (const within of ["gone", 'a"b', "a.b.c", "."]) {
    await expect(list(within)).rejects.toMatchObject({ errors: [{ code: "not-found", path: "within" }] });
  }
  for (const table of ["gone.a.b", "a.b", 'a.b."c', "a.b.c; drop table d"]) {
    await expect(inspect(table)).rejects.toMatchObject({ errors: [{ code: "not-found", path: "table" }] });
  }
  // Only well-formed names reach the server.
  expect(statements().map(([sql]) => sql)).toEqual([expect.stringContaining(`"gone"."information_schema"`), `describe "gone"."a"."b"`]);
});

it("proposes a dataset with a required filter on the outermost partition, which can be saved", async () => {
  coordinator.answer(/^describe/, {
    columns: description,
    pages: [
      [
        ["callsign", "varchar", "", "Name in radio calls"],
        ["observed", "timestamp(6)", "", ""],
        ["lat", "double", "", ""],
        ["lon", "double", "", ""],
        ["mass", "decimal(20,4)", "", ""],
        ["parts", "array(varchar)", "", ""],
        ["day", "date", "partition key", "Day of arrival"],
        ["region", "varchar", "partition key", ""],
      ],
    ],
  });
  const values = [["x1", 1_577_836_800_000, 1.5, 2.5, "12.5000", '["a"]', 1_577_836_800_000, "north"]];
  coordinator.answer(/^select .* limit 26$/, { columns: Array.from({ length: 8 }, () => text("_col")), pages: [values] });
  coordinator.answer(/count\(\*\)/, { columns: [text("value"), text("rows")], pages: [[['"x1"', "2"]]] });
  const found = await inspect('hive.sea_traffic."Ships.2026"');
  expect(found.dataset).toMatchObject({
    id: "ships-2026",
    category: "Sea traffic",
    source: { kind: "table", name: 'hive.sea_traffic."Ships.2026"' },
    temporalField: "observed",
    locationField: "location",
    filterSupport: {
      requiredOrFields: null,
      staticFilters: [
        { name: "day", required: true, operator: ">=", type: "TIMESTAMP_SECONDS", description: "Day of arrival" },
        { name: "region", required: false, operator: "=", type: "STRING" },
      ],
    },
  });
  expect(found.notes).toEqual(
    expect.arrayContaining([
      "The category 'Sea traffic' is the schema's name.",
      "The table is partitioned by 'day', 'region': a search that filters by it reads only a part of the table.",
      "'day' is a required filter. Remove it if searches of the whole table are cheap enough.",
      "Time ranges apply to 'observed', by which the table is not partitioned: they alone do not save reading.",
    ]),
  );
  expect(found.sample).toMatchObject([{ callsign: "x1", mass: 12.5, day: 1_577_836_800 }]);
  expect(internalDataset.safeParse(found.dataset).error).toBeUndefined();
});

it("passes on why a table or the server cannot be read, with the query's id", async () => {
  const wrong: FakeError = { message: "line 1:1: View is stale", errorCode: 1, errorName: "VIEW_IS_STALE", errorType: "USER_ERROR" };
  coordinator.answer(/^describe/, { columns: description, pages: [[["n", "bigint", "", ""]]] });
  coordinator.answer(/^select/, { error: wrong });
  await expect(inspect("hive.sea.broken")).rejects.toMatchObject({
    code: "not-supported",
    message: expect.stringMatching(
      /^'hive\.sea\.broken' cannot be read\. The query server did not accept the query \(query \w+\)\.$/,
    ) as unknown,
  });
  coordinator.fail({ path: /./ }, { status: 500 });
  await expect(list("hive")).rejects.toMatchObject({ reason: "upstream" });
});
