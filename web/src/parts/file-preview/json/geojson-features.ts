import type { Feature, Geometry, Position } from "geojson";

/** A feature of a file: what is drawn, and what is known about it as texts. */
export interface FileFeature {
  readonly title: string;
  readonly properties: Readonly<Record<string, string>>;
}

export interface GeoData {
  readonly features: readonly FileFeature[];
  /** Features that the map draws: each knows the index of its feature only. */
  readonly drawn: readonly Feature<Geometry, { index: number }>[];
  readonly bounds: readonly [west: number, south: number, east: number, north: number] | null;
  /** Names of the properties, in the order of their first use. */
  readonly names: readonly string[];
}

const maxTextLength = 1_000;
const maxNames = 200;
const titleNames = ["name", "title", "label", "id"];
const pointTypes: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

type Unknown = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Unknown => typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a parsed GeoJSON file. Throws if it is none. Features without a place on the map are kept, but not drawn. */
export function geoDataOf(root: unknown): GeoData {
  const sources = sourcesOf(root);
  const names = new Set<string>();
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  const features: FileFeature[] = [];
  const drawn: Feature<Geometry, { index: number }>[] = [];
  for (const [index, { geometry, properties, id }] of sources.entries()) {
    const texts = textsOf(properties, id);
    for (const name of Object.keys(texts)) if (names.size < maxNames) names.add(name);
    const titleName = titleNames.find((name) => texts[name]) ?? "";
    features.push({ title: texts[titleName] ?? `Feature ${(index + 1).toLocaleString("en-US")}`, properties: texts });
    for (const shape of shapesOf(geometry)) {
      drawn.push({ type: "Feature", properties: { index }, geometry: shape });
      extend(box, "coordinates" in shape ? shape.coordinates : []);
    }
  }
  const { west, south, east, north } = box;
  return { features, drawn, bounds: drawn.length > 0 ? [west, south, east, north] : null, names: [...names] };
}

function sourcesOf(root: unknown): readonly { geometry: unknown; properties: unknown; id: unknown }[] {
  if (!isObject(root)) throw new Error("The file is not GeoJSON: it has no type.");
  const { type } = root;
  if (type === "FeatureCollection") {
    if (!Array.isArray(root["features"])) throw new Error("The file is not GeoJSON: its FeatureCollection has no features.");
    return root["features"].map(featureOf);
  }
  if (type === "Feature") return [featureOf(root)];
  if (type === "GeometryCollection" || (typeof type === "string" && Object.hasOwn(pointTypes, type))) {
    return [{ geometry: root, properties: null, id: undefined }];
  }
  throw new Error("The file is not GeoJSON: its type is unknown.");
}

function featureOf(feature: unknown, index = 0): { geometry: unknown; properties: unknown; id: unknown } {
  if (!isObject(feature) || feature["type"] !== "Feature") {
    throw new Error(`The file is not GeoJSON: entry ${(index + 1).toLocaleString("en-US")} of its features is not a Feature.`);
  }
  return { geometry: feature["geometry"], properties: feature["properties"], id: feature["id"] };
}

function textsOf(properties: unknown, id: unknown): Record<string, string> {
  const texts: Record<string, string> = Object.create(null) as Record<string, string>;
  if (typeof id === "string" || typeof id === "number") texts["id"] = String(id);
  for (const [name, value] of isObject(properties) ? Object.entries(properties) : []) {
    const text = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
    texts[name] = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  }
  return texts;
}

/** The shapes that can be drawn: collections taken apart, shapes with a position outside the world left out. */
function shapesOf(geometry: unknown): Geometry[] {
  if (!isObject(geometry)) return [];
  const { type, coordinates, geometries } = geometry;
  if (type === "GeometryCollection") return Array.isArray(geometries) ? geometries.flatMap(shapesOf) : [];
  if (typeof type !== "string" || !Object.hasOwn(pointTypes, type) || !isDrawable(coordinates, pointTypes[type] ?? 0)) return [];
  return [{ type, coordinates } as Geometry];
}

function isDrawable(coordinates: unknown, levels: number): boolean {
  if (!Array.isArray(coordinates)) return false;
  if (levels > 0) return coordinates.length > 0 && coordinates.every((entry) => isDrawable(entry, levels - 1));
  const [lng, lat] = coordinates as unknown[];
  // Lines across the date line continue beyond 180 degrees.
  return typeof lng === "number" && typeof lat === "number" && Math.abs(lng) <= 360 && Math.abs(lat) <= 90;
}

type Nested = Position | readonly Nested[];

function extend(box: { west: number; south: number; east: number; north: number }, coordinates: Nested): void {
  const [first, second] = coordinates;
  if (typeof first !== "number" || typeof second !== "number") {
    for (const entry of coordinates) if (typeof entry !== "number") extend(box, entry);
    return;
  }
  box.west = Math.min(box.west, first);
  box.east = Math.max(box.east, first);
  // Maps end there.
  box.south = Math.min(box.south, Math.max(-85, second));
  box.north = Math.max(box.north, Math.min(85, second));
}
