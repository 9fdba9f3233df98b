import { type JsonCell, type JsonObject, numberText, parseObject } from "./json-rows.ts";

/** Whether a row is a feature of GeoJSON. Some programs leave the geometry out where there is none. */
export const isFeature = (row: ReadonlyMap<string, JsonCell>): boolean => row.get("type")?.text === "Feature" && row.has("properties");

/** The name of another coordinate system than that of GeoJSON, from the start of a document; null if there is none. */
export function crsOf(head: string): string | null {
  const name = /"crs"\s*:\s*\{[^{}]*"properties"\s*:\s*\{\s*"name"\s*:\s*"([^"]{1,200})"/.exec(head)?.[1];
  return name === undefined || /(?:CRS84h?|EPSG:{1,2}(?:[\d.]*:)?4326)$/i.test(name) ? null : name;
}

/** The properties of a feature as a row, with its location: a point as latitude and longitude, other geometries as WKT text. */
export function featureRow(feature: ReadonlyMap<string, JsonCell>, crs: string | null): JsonObject {
  const properties = parseObject(feature.get("properties")?.text ?? "{}");
  const cells = new Map(typeof properties === "string" ? [] : properties.cells);
  const add = (name: string, cell: JsonCell) => {
    let free = name;
    for (let count = 1; cells.has(free); count += 1) free = `${name}_${count}`;
    cells.set(free, cell);
  };
  const id = feature.get("id");
  if (id !== undefined && id.kind !== "null") add("id", id);
  const location = locationOf(feature.get("geometry")?.text ?? "", crs);
  for (const [name, text] of location.numbers) add(name, { kind: "number", text });
  if (location.wkt !== null) add("geometry", { kind: "string", text: location.wkt });
  const { repeatedKeys, halfCharacters } = typeof properties === "string" ? { repeatedKeys: 0, halfCharacters: 0 } : properties;
  return { cells, repeatedKeys, halfCharacters };
}

interface Location {
  readonly numbers: readonly (readonly [string, string])[];
  readonly wkt: string | null;
}

/** Of one position, which has two or three, rarely a measure too. A pattern for any number of them would run out of its stack. */
const maxNumbers = 8;
const pointPattern = new RegExp(`^\\[(${numberText}),(${numberText})(?:,(${numberText}))?(?:,${numberText}){0,${maxNumbers - 3}}\\]$`);

function locationOf(geometry: string, crs: string | null): Location {
  const none = { numbers: [], wkt: null };
  const parsed = parseObject(geometry);
  if (typeof parsed === "string") return none;
  const type = parsed.cells.get("type")?.text ?? "";
  const coordinates = parsed.cells.get("coordinates")?.text ?? "";
  // The numbers keep their digits.
  const point = pointPattern.exec(coordinates);
  if (type === "Point" && point !== null && crs === null) {
    const [, longitude = "", latitude = "", elevation] = point;
    return {
      numbers: [["latitude", latitude], ["longitude", longitude], ...(elevation === undefined ? [] : [["elevation", elevation] as const])],
      wkt: null,
    };
  }
  return { numbers: [], wkt: wktOf(type, coordinates, parsed.cells.get("geometries")?.text) };
}

const positionPattern = new RegExp(`\\[(${numberText}(?:,${numberText}){1,${maxNumbers - 1}})\\]`, "g");
const sliceCharacters = 100_000;

/** Slices that end with a bracket. All matches of a large geometry at once would take a hundred times its size. */
function slicesOf(text: string): readonly string[] {
  const slices: string[] = [];
  for (let start = 0; start < text.length;) {
    const bracket = text.indexOf("]", start + sliceCharacters);
    const end = bracket < 0 ? text.length : bracket + 1;
    slices.push(text.slice(start, end));
    start = end;
  }
  return slices;
}

/** Well-known text; null if the geometry is none. */
function wktOf(type: string, coordinates: string, geometries: string | undefined): string | null {
  if (type === "GeometryCollection") {
    const parts = listOf(geometries).map((part) =>
      isObject(part) ? wktOf(String(part["type"]), JSON.stringify(part["coordinates"]), JSON.stringify(part["geometries"])) : null,
    );
    return parts.includes(null) ? null : `GEOMETRYCOLLECTION ${parts.length === 0 ? "EMPTY" : `(${parts.join(", ")})`}`;
  }
  const depth = { Point: 0, MultiPoint: 1, LineString: 1, MultiLineString: 2, Polygon: 2, MultiPolygon: 3 }[type];
  if (depth === undefined) return null;
  // Nested lists become nested parentheses, whose innermost ones hold one position each.
  const text = coordinates.replaceAll(/\s/g, "");
  if (!/^[[\],0-9eE.+-]*$/.test(text)) return null;
  if (/^\[\]*\]$/.test(text)) return `${type.toUpperCase()} EMPTY`;
  const slices = slicesOf(text).map((slice) =>
    slice.replaceAll(positionPattern, (_, numbers: string) => `<${numbers.replaceAll(",", " ")}>`),
  );
  const [first = "", ...others] = slices;
  if (depth === 0) return others.length === 0 && /^<[^<>]*>$/.test(first) ? `POINT (${first.slice(1, -1)})` : null;
  if (!first.startsWith("[".repeat(depth)) || slices.some((slice) => /[0-9],[0-9]/.test(slice))) return null;
  const inner = slices.map((slice) => slice.replaceAll("[", "(").replaceAll("]", ")").replaceAll(",", ", ").replaceAll(/[<>]/g, ""));
  return `${type.toUpperCase()} ${inner.join("")}`;
}

function listOf(text: string | undefined): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [];
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
