import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ColumnType } from "@fairway/contract/columns";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DatasetRecipe } from "@fairway/contract/recipes";
import { demoPlatform } from "./platform.ts";

const rowCounts: Readonly<Record<string, number>> = {
  "storm-tracks": 11_840,
  "daily-weather": 2_922,
  "storm-reports": 480,
  earthquakes: 1_707,
  airports: 3_376,
  "airport-codes": 3_376,
  flights: 3_000_000,
  "bird-strikes": 10_000,
  "industry-unemployment": 1_708,
  "country-development": 682,
};

const storageTypes: Readonly<Record<ColumnType, readonly string[]>> = {
  STRING: ["VARCHAR"],
  BOOLEAN: ["BOOLEAN"],
  integer: ["INTEGER", "BIGINT"],
  decimal: ["DOUBLE"],
  TIMESTAMP_SECONDS: ["TIMESTAMP"],
  TIMESTAMP_MILLS: ["TIMESTAMP"],
};

const datasets = demoPlatform.datasets.map(({ entity, sources, select }) => ({ id: entity.id, entity, sources, select }));
const quoted = (path: string) => `'${path.replaceAll("'", "''")}'`;
const quotedName = (name: string) => `"${name.replaceAll('"', '""')}"`;

let folder: string;
let instance: DuckDBInstance;
let connection: DuckDBConnection;

const fileOf = (id: string) => quoted(join(folder, `${id}.parquet`));
const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS();
const row = async (sql: string) => (await rows(sql))[0];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fairway-demo-"));
  instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false", autoload_known_extensions: "false" });
  connection = await instance.connect();
  for (const { id, select, sources } of datasets) {
    const query = select.replaceAll(/\{(\w+)\}/g, (_, name: string) => quoted(sources[name] ?? ""));
    await connection.run(`copy (${query}) to ${fileOf(id)} (format parquet, compression zstd)`);
  }
});

afterAll(async () => {
  instance.closeSync();
  await rm(folder, { recursive: true });
});

/** The dataset's default order. */
function defaultOrder({ orderBy, temporalField }: DatasetRecipe["entity"]): { column: string; direction: "asc" | "desc" }[] {
  return orderBy ?? (temporalField === null ? [] : [{ column: temporalField, direction: "desc" }]);
}

describe.each(datasets)("the file of $id", ({ id, entity }) => {
  it("has exactly the columns that the schema describes", async () => {
    const columns = await rows(`describe select * from read_parquet(${fileOf(id)})`);
    const plain = entity.schema.columns.filter(({ combined }) => combined === null);
    expect(columns.map(({ column_name, column_type }) => [column_name, column_type])).toEqual(
      plain.map(({ name, type }) => [name, expect.toBeOneOf([...storageTypes[type]])]),
    );
  });

  it("has all rows", async () => {
    expect(await row(`select count(*)::integer as n from read_parquet(${fileOf(id)})`)).toEqual({ n: rowCounts[id] });
  });

  it("has a value in every column", async () => {
    const plain = entity.schema.columns.filter(({ combined }) => combined === null);
    const counts = plain.map(({ name }) => `count(${quotedName(name)})::integer as ${quotedName(name)}`);
    const filled = (await row(`select ${counts.join(", ")} from read_parquet(${fileOf(id)})`)) ?? {};
    expect(plain.filter(({ name }) => !(Number(filled[name]) > 0))).toEqual([]);
  });

  it("stores the rows in the dataset's order", async () => {
    const keys = defaultOrder(entity).map(({ column, direction }) => `${quotedName(column)} ${direction} nulls last`);
    const moved = await row(`
      select count(*)::integer as n
      from (select file_row_number as stored, row_number() over (order by ${[...keys, "file_row_number"].join(", ")}) - 1 as sorted
            from read_parquet(${fileOf(id)}, file_row_number = true))
      where stored <> sorted`);
    expect(moved).toEqual({ n: 0 });
  });
});

const ordered = datasets.flatMap(({ id, entity: { orderBy } }) => (orderBy === null ? [] : [{ id, orderBy }]));

describe.each(ordered)("the order of $id", ({ id, orderBy }) => {
  it("is unique for every row", async () => {
    const keys = orderBy.map(({ column }) => quotedName(column)).join(", ");
    expect(await rows(`select ${keys} from read_parquet(${fileOf(id)}) group by ${keys} having count(*) > 1`)).toEqual([]);
  });
});

const locked = datasets.flatMap(({ id, entity }) => entity.filterSupport.preFilledFilters.map(({ name, value }) => ({ id, name, value })));

describe.each(locked)("the locked filter on $name of $id", ({ id, name, value }) => {
  it("matches most rows but not all", async () => {
    const matching = await row(`
      select count(*)::integer as n from read_parquet(${fileOf(id)}) where ${quotedName(name)} = ${quoted(String(value))}`);
    const all = rowCounts[id] ?? 0;
    expect(matching?.["n"]).toBeGreaterThan(all * 0.9);
    expect(matching?.["n"]).toBeLessThan(all);
  });
});

describe("the rows", () => {
  it("contain 511 storms, each with the path of its own file", async () => {
    const storms = await row(`
      select count(distinct storm_id)::integer as ids, count(distinct (name, season))::integer as storms,
        count(distinct track_path)::integer as paths, count(*) filter (where major)::integer as major
      from read_parquet(${fileOf("storm-tracks")})`);
    expect(storms).toEqual({ ids: 511, storms: 511, paths: 511, major: 928 });
    const katrina = await rows(`
      select distinct storm_id, fileset, track_path from read_parquet(${fileOf("storm-tracks")}) where name = 'Katrina' and season = 2005`);
    expect(katrina).toEqual([{ storm_id: "2005-06", fileset: "storm-archive", track_path: "by-storm/2005-06-Katrina.csv" }]);
  });

  it("contain 9,565 bird strikes with a code and a position", async () => {
    const strikes = await row(`
      select count(iata)::integer as codes, count(latitude)::integer as latitudes, count(longitude)::integer as longitudes,
        count(distinct airport) filter (where iata is not null)::integer as airports,
        count(*) filter (where damaged)::integer as damaged, any_value(airport) filter (where iata is null) as rest
      from read_parquet(${fileOf("bird-strikes")})`);
    expect(strikes).toEqual({
      codes: 9_565,
      latitudes: 9_565,
      longitudes: 9_565,
      airports: 49,
      damaged: 1_061,
      rest: "BARKSDALE AIR FORCE BASE ARPT",
    });
  });

  it("link every flight and every strike with a code to an airport", async () => {
    for (const [id, column] of [
      ["flights", "origin"],
      ["flights", "destination"],
      ["bird-strikes", "iata"],
    ] as const) {
      const unmatched = await rows(`
        select distinct ${column} from read_parquet(${fileOf(id)})
        where ${column} is not null and ${column} not in (select iata from read_parquet(${fileOf("airports")}))`);
      expect(unmatched, `${id}.${column}`).toEqual([]);
    }
  });

  it("contain 1,679 earthquakes and 28 explosions and quarry blasts", async () => {
    expect(
      await rows(`select type, count(*)::integer as n from read_parquet(${fileOf("earthquakes")}) group by type order by n desc`),
    ).toEqual([
      { type: "earthquake", n: 1_679 },
      { type: "explosion", n: 15 },
      { type: "quarry blast", n: 13 },
    ]);
  });

  it("preserve times, whatever the time zone of the machine", async () => {
    expect(
      await row(`
        select
          (select epoch_ms(max(time))::double from read_parquet(${fileOf("earthquakes")})) as quake_ms,
          (select strftime(min(month), '%Y-%m-%dT%H:%M') from read_parquet(${fileOf("industry-unemployment")})) as month,
          (select strftime(min(date), '%Y-%m-%dT%H:%M') from read_parquet(${fileOf("daily-weather")})) as day`),
    ).toMatchObject({ quake_ms: 1_517_966_773_840, month: "2000-01-01T00:00", day: "2012-01-01T00:00" });
  });
});
