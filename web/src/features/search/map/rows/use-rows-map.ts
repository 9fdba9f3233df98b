import type { Point } from "@fairway/contract/areas";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Viewpoint } from "#features/search/map/canvas/map-canvas.ts";
import { latitudeAt, longitudeAt, projectedX, projectedY, worldSize, wrapDelta } from "#features/search/map/canvas/projection.ts";
import type { CellRef, RowsCanvas } from "#features/search/map/canvas/rows-canvas.ts";
import { boxText } from "#parts/search-model/cell-filter.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { coveredEdges } from "#features/search/map/frame/covered-edges.ts";
import { boxOfCell } from "./cell-set.ts";
import type { GridState } from "./grid-session.ts";

/** Never closer than this when rows are fitted. */
export const fitZoom = 12;
/** The map goes no closer. */
const closestZoom = 14;
/** Room of a place at the edges of what is free of the map, in pixels. */
const edgePx = 48;

/** The map of all rows once it is open, with what moves it. */
export function useRowsMap(
  record: SearchRecord,
  { extent }: Pick<GridState, "extent">,
  { firstView, onMoved }: { firstView: Viewpoint | null; onMoved: (view: Viewpoint) => void },
) {
  const [canvas, setCanvas] = useState<RowsCanvas | null>(null);
  const fit = useCallback(() => {
    if (canvas !== null && extent !== null) canvas.fitTo(extent, { covered: coveredEdges(canvas.container), maxZoom: fitZoom });
  }, [canvas, extent]);
  const isFitted = useRef(firstView !== null);
  useEffect(() => {
    if (canvas === null || extent === null || isFitted.current) return;
    isFitted.current = true;
    // A move would count what lies on the way.
    canvas.fitTo(extent, { covered: coveredEdges(canvas.container), maxZoom: fitZoom, isInstant: true });
  }, [canvas, extent]);
  useEffect(
    () =>
      canvas?.onView(({ isMoving, isFit }) => {
        if (!isMoving && !isFit) onMoved(canvas.viewpoint);
      }),
    [canvas, onMoved],
  );
  const { geospatial, within } = record.filters;
  useEffect(() => {
    const cell = within && { id: boxText(within.box), points: ringOf(within.box) };
    canvas?.setAreas([...(geospatial?.polygons ?? []), ...(cell ? [cell] : [])].map(({ points }) => points));
  }, [canvas, geospatial, within]);
  const reveal = useCallback(
    (point: Point) => {
      if (canvas !== null && isFitted.current) revealPoint(canvas, point);
    },
    [canvas],
  );
  const zoomTo = useCallback(
    (cell: CellRef) => canvas?.fitTo(boxOfCell(cell), { covered: coveredEdges(canvas.container), maxZoom: closestZoom }),
    [canvas],
  );
  return { canvas, setCanvas, fit, reveal, zoomTo };
}

const ringOf = ([west, south, east, north]: readonly [number, number, number, number]) => [
  { lat: south, lng: west },
  { lat: south, lng: east },
  { lat: north, lng: east },
  { lat: north, lng: west },
];

/** Moves the map just so far that a place is neither beyond its edges nor under a card. */
function revealPoint(canvas: RowsCanvas, { lat, lng }: Point): void {
  const { view } = canvas;
  const pixel = worldSize / view.worldPixels;
  const x = view.width / 2 + wrapDelta(projectedX(lng) - view.x) / pixel;
  const y = view.height / 2 + (projectedY(lat) - view.y) / pixel;
  const { left, right, bottom } = coveredEdges(canvas.container);
  const dx = x - Math.max(left + edgePx, Math.min(view.width - right - edgePx, x));
  const dy = y - Math.max(edgePx, Math.min(view.height - bottom - edgePx, y));
  if (dx === 0 && dy === 0) return;
  canvas.lookAt({ lng: longitudeAt(view.x + dx * pixel), lat: latitudeAt(view.y + dy * pixel) });
}
