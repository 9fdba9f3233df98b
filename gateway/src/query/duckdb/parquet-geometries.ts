import { recordOf } from "@fairway/contract/records";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { compileRaw } from "#query/sql/compile.ts";
import { type QueryConnection, engineFailure } from "./query-runner.ts";
import { coordinateNames } from "./coordinate-columns.ts";

/** A column whose values are made of what the files hold. */
export interface DerivedColumn {
  readonly duckType: string;
  readonly value: RawBuilder<unknown>;
}

/** The columns of files with those that are made of geometries. */
export interface ColumnsWithGeometries {
  /** DuckDB's type of each column, in file order. */
  readonly columns: ReadonlyMap<string, string>;
  /** By name. They may be described without being among `columns`: other files of the source hold points. */
  readonly derived: ReadonlyMap<string, DerivedColumn>;
  /** Notes on them, in sentences. */
  readonly notes: readonly string[];
}

interface StoredColumns {
  readonly paths: RawBuilder<unknown>;
  readonly from: RawBuilder<unknown>;
  /** DuckDB's type of each column. */
  readonly stored: ReadonlyMap<string, string>;
}

/** A geometry, by the footers of all files. */
interface Geometry {
  readonly types: readonly string[];
  /** Whether a file lists no types. */
  readonly lacksTypes: boolean;
  /** Another coordinate system than longitude and latitude in degrees. */
  readonly crs: string | null;
  readonly hasCrsAsText: boolean;
}

/**
 * Geometries as texts (WKT), and points as latitude and longitude, too. The engine itself reads geometries as bytes, because it refuses
 * whole files for incomplete GeoParquet metadata; see `locked-instance.ts`. Decision 0721.
 */
export async function geometriesOf(source: StoredColumns, connection: QueryConnection): Promise<ColumnsWithGeometries> {
  const { stored, from } = source;
  const geometries = await describedGeometries(source, connection);
  const columns = new Map(stored);
  const derived = new Map<string, DerivedColumn>();
  const notes: string[] = [];
  for (const [name, geometry] of geometries) {
    const text = wktOf(name, stored.get(name) ?? "");
    columns.set(name, "VARCHAR");
    derived.set(name, { duckType: "VARCHAR", value: text });
    notes.push(...incompleteness(name, geometry));
    if (geometry.crs !== null) {
      notes.push(
        `The positions of '${name}' are in another coordinate system (${geometry.crs}) and are kept as text, without a place on the map.`,
      );
      continue;
    }
    const names = coordinateNames(name, [...columns.keys(), ...derived.keys()]);
    derived.set(names.latitude, { duckType: "DOUBLE", value: coordinateOf(text, 2) });
    derived.set(names.longitude, { duckType: "DOUBLE", value: coordinateOf(text, 1) });
    if (await holdsPoints(geometry, text, from, connection)) {
      columns.set(names.latitude, "DOUBLE");
      columns.set(names.longitude, "DOUBLE");
      notes.push(`'${name}' contains points: '${names.latitude}' and '${names.longitude}' are derived from them.`);
    } else notes.push(`'${name}' contains geometries other than points, which are kept as text, without a place on the map.`);
  }
  return { columns, derived, notes };
}

const geoMetadata = z.looseObject({
  primary_column: z.string().optional(),
  columns: recordOf(
    z.string(),
    z.looseObject({ encoding: z.string().optional(), geometry_types: z.array(z.string()).optional(), crs: z.unknown().optional() }),
  ).optional(),
});

/** More than one of them only matters if files differ. */
const maxGeoNotes = 16;

async function describedGeometries({ paths, stored }: StoredColumns, connection: QueryConnection): Promise<ReadonlyMap<string, Geometry>> {
  const found = new Map<string, Geometry>();
  const isStored = (name: string) => stored.get(name) === "BLOB" || stored.get(name)?.startsWith("GEOMETRY") === true;
  if (![...stored.keys()].some(isStored)) return found;
  const rows = await connection.rows(
    compileRaw(
      sql`select distinct try(decode(value)) from parquet_kv_metadata(${paths}) where key = 'geo'::blob limit ${sql.lit(maxGeoNotes)}`,
    ),
  );
  for (const [note] of rows) {
    const { columns = {}, primary_column: primary } = geoMetadata.safeParse(jsonOf(String(note))).data ?? {};
    const named = new Map(Object.entries(columns));
    if (primary !== undefined && !named.has(primary)) named.set(primary, { crs: undefined });
    for (const [name, { encoding = "WKB", geometry_types: types, crs }] of named) {
      if (!isStored(name) || encoding.toUpperCase() !== "WKB") continue;
      const known = found.get(name);
      found.set(name, {
        types: [...(known?.types ?? []), ...(types ?? [])],
        lacksTypes: known?.lacksTypes === true || types === undefined || types.length === 0,
        crs: known?.crs ?? otherCrs(crs),
        hasCrsAsText: known?.hasCrsAsText === true || typeof crs === "string",
      });
    }
  }
  for (const [name, type] of stored) {
    // Parquet's own type of geometries needs no GeoParquet metadata.
    if (!type.startsWith("GEOMETRY") || found.has(name)) continue;
    const crs = /^GEOMETRY\('(.*)'\)$/s.exec(type)?.[1];
    found.set(name, { types: [], lacksTypes: false, crs: otherCrs(crs), hasCrsAsText: false });
  }
  return found;
}

/** The name of a coordinate system that is not longitude and latitude in degrees; null if it is. Without one, GeoParquet means the latter. */
function otherCrs(crs: unknown): string | null {
  if (crs === undefined) return null;
  if (crs === null) return "an unknown one";
  if (typeof crs === "string") {
    const inner = jsonOf(crs);
    return inner !== undefined ? otherCrs(inner) : isLongitudeLatitude(crs) ? null : crs.slice(0, 100);
  }
  const { success, data } = projJson.safeParse(crs);
  if (!success) return "an unknown one";
  const { type = "", name = "", id } = data;
  const shown = id === undefined ? name : `${id.authority}:${id.code}`;
  return type === "GeographicCRS" || isLongitudeLatitude(shown) ? null : shown.slice(0, 100) || "an unknown one";
}

const projJson = z.looseObject({
  type: z.string().optional(),
  name: z.string().optional(),
  id: z.looseObject({ authority: z.string(), code: z.union([z.string(), z.number()]) }).optional(),
});

const isLongitudeLatitude = (crs: string): boolean =>
  /^GEOG(?:CS|CRS)\[|(?:^|[:/])(?:CRS84h?|(?:EPSG[:/]{1,2}(?:[\d.]*[:/])?)?(?:4326|4979))$/i.test(crs.trim());

/** Undefined unless it is JSON of an object or a list. */
function jsonOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Bytes that are no geometry are empty. */
const wktOf = (name: string, duckType: string): RawBuilder<unknown> =>
  duckType === "BLOB" ? sql`try(st_astext(st_geomfromwkb(${sql.id(name)})))` : sql`st_astext(${sql.id(name)})`;

/** The first or second coordinate of a point; empty of other geometries. Written with all digits of a double, so that none is lost. */
const coordinateOf = (wkt: RawBuilder<unknown>, group: 1 | 2): RawBuilder<unknown> =>
  sql`try_cast(regexp_extract(${wkt}, '^POINT(?: ZM| Z| M)? \\(([^ ()]+) ([^ ()]+)', ${sql.lit(group)}) as double)`;

const sampledRows = 1_000;

/** Judges by the first values where the files name no types, and by nothing if only their footers are there. */
async function holdsPoints(
  { types, lacksTypes }: Geometry,
  text: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  connection: QueryConnection,
): Promise<boolean> {
  if (types.some((type) => !/^Point\b/i.test(type))) return false;
  if (types.length > 0 && !lacksTypes) return true;
  try {
    const [row] = await connection.rows(
      compileRaw(sql`
        select cast(count(v) as varchar), cast(count(*) as varchar)
        from (select ${coordinateOf(text, 1)} as v from (select * from ${from} limit ${sql.lit(sampledRows)}) where ${text} is not null)`),
    );
    return Number(row?.[0]) > 0 && row?.[0] === row?.[1];
  } catch (error) {
    if (connection.signal.aborted || engineFailure(error).reason !== "failed") throw error;
    return false;
  }
}

function incompleteness(name: string, { lacksTypes, hasCrsAsText }: Geometry): string[] {
  const what = [
    ...(lacksTypes ? ["its geometry types"] : []),
    ...(hasCrsAsText ? ["its coordinate system, which is written as text,"] : []),
  ];
  return what.length === 0
    ? []
    : [`The GeoParquet metadata of '${name}' is incomplete (${what.join(" and ").replace(/,$/, "")}); it is read by its values.`];
}
