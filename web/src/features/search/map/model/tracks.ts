import { type Column, isNumeric } from "@fairway/contract/columns";
import { trackPoints } from "@fairway/contract/map-results";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { markOffset } from "#features/search/map/canvas/item-looks.ts";
import type { DrawnPath } from "#features/search/map/canvas/map-canvas.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";
import type { MapFields } from "./map-fields.ts";
import { type PathPoints, pathPoints } from "./path-model.ts";

/** Up to this number of items, their tracks are shown without being asked for. */
export const maxUnaskedTracks = 50;

/** The thinned path of an item, which shows where it went but not every position. */
export interface Track {
  readonly points: PathPoints;
  /** For how much time between two points is no gap, in addition to the threshold. */
  readonly resolutionMs: number;
}

export type Tracks = ReadonlyMap<string, Track>;

/** The tracks of a response by item id. `column`: the one whose values its rows have. */
export function tracksOf(rows: readonly ResultRow[], fields: MapFields, column?: Column): Tracks {
  const byItem = new Map<CellValue, ResultRow[]>();
  for (const row of rows) {
    const group = row[fields.group.name] ?? null;
    const known = byItem.get(group);
    if (known) known.push(row);
    else byItem.set(group, [row]);
  }
  const hasNumber = column !== undefined && isNumeric(column.type);
  const columns = column === undefined ? [] : [column.name];
  return new Map(
    [...byItem].map(([group, found]) => {
      const points = pathPoints(found, fields, { columns });
      return [String(group ?? ""), { points, resolutionMs: trackResolutionMs(points, byItem.size, hasNumber) }];
    }),
  );
}

/** How much time one part of a track takes, of as many tracks together. `hasNumber`: there is a number among their values. */
export const trackResolutionMs = ({ timeMs, count }: PathPoints, tracks: number, hasNumber: boolean): number =>
  ((timeMs[count - 1] ?? 0) - (timeMs[0] ?? 0)) / partsPerTrack(tracks, hasNumber);

/** Into how many parts of its time the server divides each track. */
function partsPerTrack(tracks: number, hasNumber: boolean): number {
  const { pathPointsPerCall, pathCallsWithoutWarning } = currentLimits();
  const share = Math.floor((pathPointsPerCall * pathCallsWithoutWarning) / Math.max(1, tracks));
  const parts = Math.min(trackPoints.max, Math.max(trackPoints.min, share));
  // A part has three rows then.
  return hasNumber ? Math.max(1, Math.floor(parts / 3)) : parts;
}

/** The last drawn track per points. The same colors return the same object, so that it is not uploaded again. */
const lastDrawn = new WeakMap<PathPoints, { readonly marks: Uint8Array | undefined; readonly drawn: DrawnPath }>();

/** A track as the canvas draws it, in one color or in those of its points. */
export function drawnTrack(id: string, { points, resolutionMs }: Track, marks?: Uint8Array): DrawnPath {
  const last = lastDrawn.get(points);
  if (last !== undefined && last.marks === marks) return last.drawn;
  const { lat: latitudes, lng: longitudes, timeMs: timesMs, count } = points;
  const colors = marks?.map((mark) => mark + markOffset) ?? new Uint8Array(count);
  const drawn: DrawnPath = { id, latitudes, longitudes, timesMs, resolutionMs, colors, marks };
  lastDrawn.set(points, { marks, drawn });
  return drawn;
}
