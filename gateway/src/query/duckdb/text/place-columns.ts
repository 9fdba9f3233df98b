import { coordinatePair } from "@fairway/contract/coordinate-names";
import { type RawBuilder, sql } from "kysely";
import { compileRaw } from "#query/sql/compile.ts";
import { coordinateNames } from "../coordinate-columns.ts";
import type { QueryConnection } from "../query-runner.ts";
import { type ColumnDecision, countedGroups, isDominant, sumOf } from "./column-facts.ts";
import type { Evidence, ShapeGroup } from "./evidence.ts";
import type { DerivedFrom, ReadingSettings } from "./reading-settings.ts";

/** A text column whose values are positions, and the columns that are derived from it. */
export interface PlaceColumn {
  readonly column: string;
  readonly latitude: string;
  readonly longitude: string;
  /** Whether nothing but custom says that the latitude stands first. */
  readonly isOrderAssumed: boolean;
}

// Patterns of the engine and of JavaScript.
const degrees = "([-+\u2212]?[0-9]{1,3}(?:\\.[0-9]+)?)";
const commaDegrees = "([-+\u2212]?[0-9]{1,3}(?:,[0-9]+)?)";
const pairOf = (one: string, separators: string, brackets: string): string =>
  `^[${brackets}]?[ \\t]*${one}(?:${separators}|[ \\t]+)${one}[ \\t]*[)\\]]?$`;
/** `52.5, 13.4` and `(52.5 13.4)`; `[13.4, 52.5]` only where the name says which number is which, since JSON has both orders. */
const pairPattern = (column: string): string => pairOf(degrees, "[ \\t]*[,;][ \\t]*", saysOrder(column) ? "(\\[" : "(");
/** `52,5; 13,4`. */
const commaPairPattern = (column: string): string => pairOf(commaDegrees, "[ \\t]*;[ \\t]*", saysOrder(column) ? "(\\[" : "(");
/** A point of GeoJSON, which always has the longitude first. */
const geoJsonPattern =
  '^\\{[ ]*"type"[ ]*:[ ]*"Point"[ ]*,[ ]*"coordinates"[ ]*:[ ]*\\[[ ]*([-+]?[0-9.]+)[ ]*,[ ]*([-+]?[0-9.]+)(?:[ ]*,[ ]*[-+]?[0-9.]+)?[ ]*\\][ ]*\\}$';
/** `POINT (13.4 52.5)`. */
const pointPattern = `^(?i:(?:srid=4326;)?[ \\t]*point(?:[ \\t]*z?m?)?[ \\t]*\\([ \\t]*)([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)[ \\t]+([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)`;
const emptyPointPattern = "^(?i:(?:srid=4326;)?[ \\t]*point(?:[ \\t]*z?m?)?[ \\t]*empty)$";

const pointShape = /^(?:(?:SRID=9999;)?POINT ?Z?M? ?(?:\(|EMPTY$)|\{ *"type" *: *"point" *, *"coordinates" *: *\[ *[-+]?9)/iu;

/** The words of a name in small letters. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u);

const placeWords = new Set(
  (
    "location locations coordinate coordinates coord coords position positions point points gps place places geo geopoint geolocation " +
    "geoposition georeference geom geometry latlng latlon latlong lnglat lonlat longlat koordinate koordinaten standort"
  ).split(" "),
);
const latitudeWord = /^lat(?:itude)?$/u;
const longitudeWord = /^(?:lo?ng?|longitude)$/u;

/** Names of columns that may hold pairs. A pair of numbers may be anything. */
function isPlaceName(name: string): boolean {
  const words = wordsOf(name);
  return (
    words.some((word) => placeWords.has(word)) ||
    (words.some((word) => latitudeWord.test(word)) && words.some((word) => longitudeWord.test(word)))
  );
}

/** Names that put the longitude first. Points of WKT always do. */
function isLongitudeFirst(name: string): boolean {
  const words = wordsOf(name);
  const [latitude, longitude] = [latitudeWord, longitudeWord].map((pattern) => words.findIndex((word) => pattern.test(word)));
  return (
    words.some((word) => /^lo?ng?lat/u.test(word)) ||
    (latitude !== undefined && longitude !== undefined && longitude >= 0 && longitude < latitude)
  );
}

/** Whether a name says which number is the latitude: `lat_lng`. */
const saysOrder = (name: string): boolean => {
  const words = wordsOf(name);
  return (
    words.some((word) => /^(?:lat(?:lng|lon|long)|(?:lng|lon|long)lat)$/u.test(word)) ||
    (words.some((word) => latitudeWord.test(word)) && words.some((word) => longitudeWord.test(word)))
  );
};

const maxPlaceColumns = 10;
/** A dataset has no more. */
const maxColumns = 1_000;

/** The columns that hold positions: those of the stored reading, and those whose values show it, unless the source has coordinates anyway. */
export async function placeColumns(
  from: RawBuilder<unknown>,
  names: readonly string[],
  evidence: Evidence,
  settings: ReadingSettings,
  connection: QueryConnection,
): Promise<PlaceColumn[]> {
  const stored = storedPlaces(settings).filter(({ column }) => names.includes(column));
  if (coordinatePair(names) !== null) return stored;
  const isStored = new Set(stored.map(({ column }) => column));
  const likely = names.filter((name) => !isStored.has(name) && holdsPositions(name, evidence.get(name) ?? [], settings));
  const found = likely.length > maxPlaceColumns ? [] : await withinRange(from, likely, connection);
  const taken = [...names, ...stored.flatMap(({ latitude, longitude }) => [latitude, longitude])];
  const isSeveral = found.length + stored.length > 1;
  if (taken.length + 2 * found.length > maxColumns) return stored;
  const isPoint = (column: string) => evidence.get(column)?.some(({ shape }) => pointShape.test(shape)) === true;
  const derived = found.map((column): PlaceColumn => {
    const { latitude, longitude } = coordinateNames(column, taken, isSeveral);
    return { column, latitude, longitude, isOrderAssumed: !isPoint(column) && !/lat/iu.test(column) };
  });
  return [...stored, ...derived];
}

function storedPlaces({ columns }: ReadingSettings): PlaceColumn[] {
  const byColumn = new Map<string, Partial<Record<DerivedFrom["part"], string>>>();
  for (const [name, { derived }] of columns)
    if (derived !== undefined) byColumn.set(derived.column, { ...byColumn.get(derived.column), [derived.part]: name });
  return [...byColumn].flatMap(([column, { latitude, longitude }]) =>
    latitude === undefined || longitude === undefined ? [] : [{ column, latitude, longitude, isOrderAssumed: false }],
  );
}

function holdsPositions(name: string, groups: readonly ShapeGroup[], { missingWords }: ReadingSettings): boolean {
  const counted = countedGroups(groups, new Set(missingWords));
  const filled = sumOf(counted);
  const missing = sumOf(counted.filter(({ isMissing }) => isMissing));
  const points = counted.filter(({ group }) => pointShape.test(group.shape));
  if (isDominant(sumOf(points), filled, missing)) return true;
  const shapes = [pairPattern(name), commaPairPattern(name)].map((pattern) => new RegExp(pattern, "u"));
  const pairs = counted.filter(({ group, number }) => number === undefined && shapes.some((shape) => shape.test(group.shape)));
  return isPlaceName(name) && isDominant(sumOf(pairs), filled, missing) && pairs.some(({ group }) => /[.,]9/.test(group.shape));
}

/** Those of which most values are degrees, possibly with latitude and longitude swapped. */
async function withinRange(from: RawBuilder<unknown>, columns: readonly string[], connection: QueryConnection): Promise<string[]> {
  if (columns.length === 0) return [];
  const count = (name: string, first: number, second: number) => {
    const [lat, lng] = (["latitude", "longitude"] as const).map((part) => sql`try_cast(${positionPart(name, part)} as double)`);
    return sql`cast(sum(cast(coalesce(${lat} between ${sql.lit(-first)} and ${sql.lit(first)} and ${lng} between ${sql.lit(-second)} and ${sql.lit(second)}, false) as integer)) as varchar)`;
  };
  const counts = columns.flatMap((name) => {
    const value = sql`cast(count(try_cast(${positionPart(name, "latitude")} as double)) as varchar)`;
    return [value, count(name, 90, 360), count(name, 360, 90)];
  });
  const [row = []] = await connection.rows(compileRaw(sql`select ${sql.join(counts)} from ${from}`));
  return columns.filter((_, index) => {
    const [all = 0, straight = 0, swapped = 0] = row.slice(index * 3, index * 3 + 3).map(Number);
    return all > 0 && Math.max(straight, swapped) * 10 >= all * 9;
  });
}

/** The digits of a coordinate in a text; empty if there are none. */
function positionPart(column: string, part: DerivedFrom["part"]): RawBuilder<unknown> {
  const value = sql`trim(${sql.id(column)})`;
  const isSecond = (part === "longitude") !== isLongitudeFirst(column);
  const taken = (pattern: string, group: number) => sql`nullif(regexp_extract(${value}, ${sql.lit(pattern)}, ${sql.lit(group)}), '')`;
  const [ofPair, ofPoint] = [isSecond ? 2 : 1, part === "longitude" ? 1 : 2];
  const ofCommas = sql`replace(${taken(commaPairPattern(column), ofPair)}, ',', '.')`;
  const points = [pointPattern, geoJsonPattern].map((pattern) => taken(pattern, ofPoint));
  return sql`coalesce(${taken(pairPattern(column), ofPair)}, ${ofCommas}, ${sql.join(points)}, '')`;
}

/** A text that is no position stays what it is, so that it is counted as a value that cannot be read. */
const partOrText = (column: string, part: DerivedFrom["part"]): RawBuilder<unknown> =>
  sql`coalesce(nullif(${positionPart(column, part)}, ''), regexp_replace(trim(${sql.id(column)}), ${sql.lit(emptyPointPattern)}, ''))`;

/** Rows with the columns that are derived from positions. */
export const withPlaces = (from: RawBuilder<unknown>, places: readonly PlaceColumn[]): RawBuilder<unknown> =>
  places.length === 0
    ? from
    : sql`(select *, ${sql.join(
        places.flatMap(({ column, latitude, longitude }) => [
          sql`${partOrText(column, "latitude")} as ${sql.id(latitude)}`,
          sql`${partOrText(column, "longitude")} as ${sql.id(longitude)}`,
        ]),
      )} from ${from})`;

/** The origin of each derived column, by its name. */
export const derivedColumns = (places: readonly PlaceColumn[]): ReadonlyMap<string, DerivedFrom> =>
  new Map(
    places.flatMap(({ column, latitude, longitude, isOrderAssumed }): [string, DerivedFrom][] => [
      [latitude, { column, part: "latitude", isOrderAssumed }],
      [longitude, { column, part: "longitude", isOrderAssumed }],
    ]),
  );

/** A decision about a derived column, which says what it is derived from. */
export function asPartOfPlace(decided: ColumnDecision, { column, part, isOrderAssumed = false }: DerivedFrom): ColumnDecision {
  const first = isOrderAssumed ? " The first number is taken as the latitude." : "";
  const state = isOrderAssumed && decided.state === "sure" ? "assumed" : decided.state;
  return { ...decided, state, sentence: `The ${part} in '${column}'.${first} ${decided.sentence}` };
}
