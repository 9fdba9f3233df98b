import { trackPoints } from "@fairway/contract/map-results";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import type { DrawnPath } from "#features/search/map/canvas/map-canvas.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";
import type { MapFields } from "./map-fields.ts";
import { type PathPoints, pathPoints } from "./path-model.ts";

/** Up to this number of items, their tracks are shown without being asked for. */
export const maxUnaskedTracks = 50;

/** The thinned path of an item, which shows where it went but not every position. */
export interface Track {
  readonly points: PathPoints;
  readonly drawn: DrawnPath;
}

export type Tracks = ReadonlyMap<string, Track>;

/** The tracks of a response by item id. */
export function tracksOf(rows: readonly ResultRow[], fields: MapFields): Tracks {
  const byItem = new Map<CellValue, ResultRow[]>();
  for (const row of rows) {
    const group = row[fields.group.name] ?? null;
    const known = byItem.get(group);
    if (known) known.push(row);
    else byItem.set(group, [row]);
  }
  const parts = partsPerTrack(byItem.size);
  return new Map(
    [...byItem].map(([group, found]) => {
      const id = String(group ?? "");
      const points = pathPoints(found, fields, { columns: [] });
      return [id, { points, drawn: drawnTrack(id, points, parts) }];
    }),
  );
}

/** Into how many parts of its time the server divides each track. */
function partsPerTrack(tracks: number): number {
  const { pathPointsPerCall, pathCallsWithoutWarning } = currentLimits();
  const share = Math.floor((pathPointsPerCall * pathCallsWithoutWarning) / Math.max(1, tracks));
  return Math.min(trackPoints.max, Math.max(trackPoints.min, share));
}

function drawnTrack(id: string, { lat, lng, timeMs, count }: PathPoints, parts: number): DrawnPath {
  const spanMs = (timeMs[count - 1] ?? 0) - (timeMs[0] ?? 0);
  return { id, latitudes: lat, longitudes: lng, timesMs: timeMs, resolutionMs: spanMs / parts, colors: new Uint8Array(count) };
}
