import { type Ring, ringProblem } from "@fairway/contract/areas";
import { z } from "zod";

/** Shapes as drawn or typed. Longitudes may exceed ±180 where a shape crosses the antimeridian. */
export type ParsedShapes = { readonly rings: readonly Ring[] } | { readonly problem: string };

/** Parses typed, pasted or loaded text: GeoJSON, KML, or one shape per line as `longitude latitude, …`. */
export function parseShapes(text: string): ParsedShapes {
  const trimmed = text.trim();
  if (trimmed === "") return { problem: "Type the corners of a shape, or paste GeoJSON or KML." };
  if (trimmed.startsWith("{") || trimmed.startsWith("[")) return parseGeoJson(trimmed);
  if (trimmed.startsWith("<")) return parseKml(trimmed);
  return mergeShapes(trimmed.split(/\n+/).map(parseLine));
}

function parseLine(line: string): ParsedShapes {
  const pairs = line.split(",").map((pair) => pair.trim().split(/\s+/));
  const invalid = pairs.findIndex((pair) => pair.length !== 2 || !pair.every((part) => decimal.test(part)));
  if (invalid !== -1) return { problem: `Corner ${invalid + 1} isn't 'longitude latitude', such as -80.5 25.` };
  return toShape(pairs.map(([lng, lat]) => ({ lat: Number(lat), lng: Number(lng) })));
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Opens a closed ring and checks it: corners within the world or one turn beyond, no repeats, no crossing. */
function toShape(points: Ring): ParsedShapes {
  const [first] = points;
  const last = points.at(-1);
  const open = first && last && points.length > 1 && first.lat === last.lat && first.lng === last.lng ? points.slice(0, -1) : points;
  const outside = open.findIndex(({ lat, lng }) => Math.abs(lat) > 90 || Math.abs(lng) > 360);
  if (outside !== -1) return { problem: `Corner ${outside + 1} isn't a place on Earth. Longitude comes first, then latitude.` };
  const problem = ringProblem(open);
  return problem === null ? { rings: [open] } : { problem: `The shape ${problem}.` };
}

function mergeShapes(parsed: readonly ParsedShapes[]): ParsedShapes {
  const problems = parsed.flatMap((shape, index) =>
    "problem" in shape ? [parsed.length === 1 ? shape.problem : `Shape ${index + 1}: ${shape.problem}`] : [],
  );
  const [problem] = problems;
  return problem === undefined ? { rings: parsed.flatMap((shape) => ("rings" in shape ? shape.rings : [])) } : { problem };
}

const position = z.tuple([z.number(), z.number()]).rest(z.number());
const polygon = z.object({ type: z.literal("Polygon"), coordinates: z.array(z.array(position)).min(1) });
const multiPolygon = z.object({ type: z.literal("MultiPolygon"), coordinates: z.array(z.array(z.array(position)).min(1)) });
const anyGeometry = z.union([polygon, multiPolygon, z.object({ type: z.literal("GeometryCollection"), geometries: z.array(z.unknown()) })]);
const anyFeature = z.object({ type: z.literal("Feature"), geometry: z.unknown() });
const anyCollection = z.object({ type: z.literal("FeatureCollection"), features: z.array(z.unknown()) });

function parseGeoJson(text: string): ParsedShapes {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: "This looks like GeoJSON, but it isn't valid JSON." };
  }
  const polygons = polygonsIn(value);
  if (polygons.length === 0) return { problem: "There is no polygon in this GeoJSON." };
  if (polygons.some((rings) => rings.length > 1)) return { problem: "A polygon has a hole. A search area can't have holes." };
  return mergeShapes(polygons.map(([outer = []]) => toShape(outer.map(([lng, lat]) => ({ lat, lng })))));
}

function polygonsIn(value: unknown): z.infer<typeof polygon>["coordinates"][] {
  const collection = anyCollection.safeParse(value);
  if (collection.success) return collection.data.features.flatMap(polygonsIn);
  const feature = anyFeature.safeParse(value);
  if (feature.success) return polygonsIn(feature.data.geometry);
  const geometry = anyGeometry.safeParse(value);
  if (!geometry.success) return [];
  if (geometry.data.type === "GeometryCollection") return geometry.data.geometries.flatMap(polygonsIn);
  return geometry.data.type === "Polygon" ? [geometry.data.coordinates] : geometry.data.coordinates;
}

function parseKml(text: string): ParsedShapes {
  const document = new DOMParser().parseFromString(text, "text/xml");
  if (document.querySelector("parsererror")) return { problem: "This looks like KML, but it isn't valid XML." };
  const polygons = [...document.getElementsByTagNameNS("*", "Polygon")];
  if (polygons.length === 0) return { problem: "There is no polygon in this KML." };
  if (polygons.some((element) => element.getElementsByTagNameNS("*", "innerBoundaryIs").length > 0)) {
    return { problem: "A polygon has a hole. A search area can't have holes." };
  }
  return mergeShapes(polygons.map((element) => parseKmlRing(element.getElementsByTagNameNS("*", "coordinates")[0]?.textContent ?? "")));
}

function parseKmlRing(text: string): ParsedShapes {
  const tuples = text
    .trim()
    .split(/\s+/)
    .map((tuple) => tuple.split(",").map(Number));
  if (!tuples.every(([lng, lat]) => Number.isFinite(lng) && Number.isFinite(lat)))
    return { problem: "The coordinates of this KML cannot be read." };
  return toShape(tuples.map(([lng = 0, lat = 0]) => ({ lat, lng })));
}
