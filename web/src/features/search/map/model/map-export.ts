import { type Column, isDay } from "@fairway/contract/columns";
import { safeFileName } from "@fairway/contract/file-names";
import { cellText } from "#lib/text/cell-text.ts";
import { isoDay } from "#lib/time/dates.ts";
import { forEachYielding } from "#lib/pacing/yielding-loop.ts";
import { csvHeader, csvRecord } from "#parts/result-export/csv.ts";
import type { MapFields } from "./map-fields.ts";
import type { MapItem } from "./map-items.ts";
import type { PathPoints } from "./path-model.ts";

export type MapFormat = "geojson" | "kml" | "csv";

/** A loaded path with its item. */
export interface Track {
  readonly item: MapItem;
  readonly points: PathPoints;
}

export interface MapExport {
  readonly fields: MapFields;
  readonly columns: readonly Column[];
  readonly items: readonly MapItem[];
  readonly tracks: readonly Track[];
}

export const mapFormats: Readonly<Record<MapFormat, { readonly label: string; readonly mime: string }>> = {
  geojson: { label: "GeoJSON", mime: "application/geo+json" },
  kml: { label: "KML", mime: "application/vnd.google-earth.kml+xml" },
  csv: { label: "CSV", mime: "text/csv;charset=utf-8" },
};

/** `category_datasetId_items.kml`. */
export const mapFileName = (category: string, datasetId: string, what: "items" | "paths", format: MapFormat): string =>
  safeFileName(`${category}_${datasetId}_${what}.${format}`);

/** Writes the items that have coordinates, or the loaded paths. A CSV file has rows of one kind only. */
export async function exportText(what: "items" | "paths", format: MapFormat, data: MapExport): Promise<string> {
  const parts = format === "csv" ? csvParts : format === "kml" ? kmlParts : geoJsonParts;
  return (await parts(what, data)).join("");
}

type Parts = (what: "items" | "paths", data: MapExport) => Promise<string[]>;

const geoJsonParts: Parts = async (what, { items, tracks, fields, columns }) => {
  const features: string[] = [];
  if (what === "items") {
    const placed = items.filter(({ problem }) => problem === null);
    await forEachYielding(placed.length, (index) => {
      const item = placed[index];
      if (item) features.push(JSON.stringify(itemFeature(item, fields)));
    });
  } else {
    await forEachYielding(tracks.length, (index) => {
      const track = tracks[index];
      if (track) features.push(JSON.stringify(trackFeature(track, fields, columns)));
    });
  }
  return ['{"type":"FeatureCollection","features":[\n', features.join(",\n"), "\n]}\n"];
};

function isoTime({ time }: MapFields, timeMs: number | null): string | null {
  if (timeMs === null) return null;
  return (isDay(time) ? isoDay(timeMs) : undefined) ?? new Date(timeMs).toISOString();
}

const itemFeature = (item: MapItem, fields: MapFields) => ({
  type: "Feature",
  id: item.id,
  geometry: { type: "Point", coordinates: [item.lng, item.lat] },
  properties: { name: item.name, time: isoTime(fields, item.timeMs), ...item.row },
});

/** One line per part between antimeridian crossings (RFC 7946, section 3.1.9). `times` parallels the coordinates. */
function trackFeature({ item, points }: Track, fields: MapFields, columns: readonly Column[]) {
  const lines = pathLines(points);
  const values = [...points.values].filter(([name]) => columns.some((column) => column.name === name));
  const properties = {
    name: item.name,
    [fields.group.name]: item.group,
    times: lines.map((line) => line.flatMap(({ index }) => (index === null ? [null] : [isoTime(fields, points.timeMs[index] ?? null)]))),
    ...Object.fromEntries(
      values.map(([name, cells]) => [name, lines.map((line) => line.map(({ index }) => (index === null ? null : cells[index])))]),
    ),
  };
  const coordinates = lines.map((line) => line.map(({ lng, lat }) => [lng, lat]));
  const [first] = coordinates;
  if (coordinates.length === 1 && first) {
    const geometry = first.length === 1 ? { type: "Point", coordinates: first[0] } : { type: "LineString", coordinates: first };
    return { type: "Feature", id: item.id, geometry, properties };
  }
  return { type: "Feature", id: item.id, geometry: { type: "MultiLineString", coordinates }, properties };
}

interface LinePoint {
  readonly lng: number;
  readonly lat: number;
  /** Index in the path; null for a point inserted where the line crosses the antimeridian. */
  readonly index: number | null;
}

/** Splits a path where it crosses the antimeridian, inserting a point on either side. */
export function pathLines({ count, lng, lat }: Pick<PathPoints, "count" | "lng" | "lat">): LinePoint[][] {
  let line: LinePoint[] = [];
  const lines = [line];
  for (let index = 0; index < count; index += 1) {
    const point = { lng: lng[index] ?? 0, lat: lat[index] ?? 0, index };
    const previous = line.at(-1);
    if (previous && Math.abs(point.lng - previous.lng) > 180) {
      const edge = previous.lng > 0 ? 180 : -180;
      const unfolded = point.lng + 2 * edge;
      const span = unfolded - previous.lng;
      const edgeLat = span === 0 ? previous.lat : previous.lat + ((edge - previous.lng) / span) * (point.lat - previous.lat);
      line.push({ lng: edge, lat: edgeLat, index: null });
      line = [{ lng: -edge, lat: edgeLat, index: null }];
      lines.push(line);
    }
    line.push(point);
  }
  return lines.filter(({ length }) => length > 0);
}

const kmlParts: Parts = async (what, { items, tracks, fields, columns }) => {
  const placemarks: string[] = [];
  if (what === "items") {
    const placed = items.filter(({ problem }) => problem === null);
    await forEachYielding(placed.length, (index) => {
      const item = placed[index];
      if (item) placemarks.push(itemPlacemark(item, fields, columns));
    });
  } else {
    await forEachYielding(tracks.length, (index) => {
      const track = tracks[index];
      if (track) placemarks.push(trackPlacemark(track, fields));
    });
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>\n',
    ...placemarks,
    "</Document></kml>\n",
  ];
};

function itemPlacemark({ name, lng, lat, timeMs, row }: MapItem, fields: MapFields, columns: readonly Column[]): string {
  const data = columns.flatMap((column) => {
    const text = column.combined ? null : cellText(column, row);
    return text === null ? [] : [`<Data name="${xml(column.name)}"><value>${xml(text)}</value></Data>`];
  });
  const when = timeMs === null ? "" : `<TimeStamp><when>${isoTime(fields, timeMs)}</when></TimeStamp>`;
  return `<Placemark><name>${xml(name)}</name>${when}<ExtendedData>${data.join("")}</ExtendedData><Point><coordinates>${lng},${lat}</coordinates></Point></Placemark>\n`;
}

function trackPlacemark({ item, points }: Track, fields: MapFields): string {
  const times: string[] = [];
  const coords: string[] = [];
  for (let index = 0; index < points.count; index += 1) {
    times.push(`<when>${isoTime(fields, points.timeMs[index] ?? null)}</when>`);
    coords.push(`<gx:coord>${points.lng[index]} ${points.lat[index]} 0</gx:coord>`);
  }
  return `<Placemark><name>${xml(item.name)}</name><gx:Track>${times.join("")}${coords.join("")}</gx:Track></Placemark>\n`;
}

// XML does not allow control characters, not even escaped.
const xml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const csvParts: Parts = async (what, { items, tracks, fields, columns }) => {
  const plain = columns.filter(({ combined }) => combined === null);
  if (what === "items") {
    const lines = [csvHeader(plain)];
    await forEachYielding(items.length, (index) => {
      const item = items[index];
      if (item) lines.push(csvRecord(plain, item.row));
    });
    return lines;
  }
  const columnsNamed = (name: string) => plain.filter((column) => column.name === name);
  const valueNames = [...new Set(tracks.flatMap(({ points }) => [...points.values.keys()]))];
  const leading = [fields.group.name, fields.time.name, fields.latitude, fields.longitude];
  const written = [...new Set([...leading, ...valueNames])].flatMap(columnsNamed);
  const lines = [csvHeader(written)];
  for (const { item, points } of tracks) {
    await forEachYielding(points.count, (index) => {
      const timeValue = (points.timeMs[index] ?? 0) / (fields.time.type === "TIMESTAMP_SECONDS" ? 1_000 : 1);
      const values = [...points.values].map(([name, cells]) => [name, cells[index] ?? null] as const);
      lines.push(
        csvRecord(written, {
          ...Object.fromEntries(values),
          [fields.group.name]: item.group,
          [fields.time.name]: timeValue,
          [fields.latitude]: points.lat[index] ?? null,
          [fields.longitude]: points.lng[index] ?? null,
        }),
      );
    });
  }
  return lines;
};
