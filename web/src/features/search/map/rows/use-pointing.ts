import { useEffect, useState } from "react";
import { groupAt, type DotGroup } from "#features/search/map/canvas/dots.ts";
import { worldLevel } from "#features/search/map/canvas/projection.ts";
import type { CellRef, MapPoint, RowsCanvas } from "#features/search/map/canvas/rows-canvas.ts";
import { debounce } from "#lib/pacing/debounce.ts";
import { cellHoverMs } from "#features/search/map/frame/delays.ts";
import { cellAt, indexOfCell } from "./cell-set.ts";
import type { LoadedGrid } from "./grid-session.ts";

/** The cell or dot at a point of the map, with the pixel. */
export type PointedAt = { readonly left: number; readonly top: number } & (
  | { readonly kind: "cell"; readonly cell: CellRef; readonly index: number }
  | { readonly kind: "dots"; readonly group: DotGroup }
);

/** The cell or the dots at a place; null if there are none. */
export function pointedAt(canvas: Pick<RowsCanvas, "groups" | "view">, loaded: LoadedGrid | null, at: MapPoint): PointedAt | null {
  const { left, top } = at;
  if (loaded === null) return null;
  if (loaded.content.kind === "rows") {
    const group = groupAt(canvas.groups, canvas.view, at);
    return group === undefined ? null : { kind: "dots", group, left, top };
  }
  const set = loaded.content.cells;
  const size = 2 ** (worldLevel - set.level);
  const index = indexOfCell(set, { level: set.level, x: Math.floor(at.x / size), y: Math.floor(at.y / size) });
  return index < 0 ? null : { kind: "cell", cell: cellAt(set, index), index, left, top };
}

/** The cell or dot that the mouse rests on. `onPress`: a click or touch; null beside all cells. */
export function usePointing(
  canvas: RowsCanvas | null,
  loaded: LoadedGrid | null,
  onPress: (at: PointedAt | null) => void,
): PointedAt | null {
  const [hovered, setHovered] = useState<{ readonly loaded: LoadedGrid | null; readonly at: PointedAt | null }>({ loaded, at: null });
  const [rest] = useState(() => debounce(cellHoverMs));
  useEffect(() => rest.cancel, [rest]);
  useEffect(() => {
    if (canvas === null) return undefined;
    const stopPoint = canvas.onPoint((point, how) => {
      const at = point && pointedAt(canvas, loaded, point);
      if (how === "press") {
        rest.cancel();
        setHovered({ loaded, at: null });
        onPress(at);
        return;
      }
      canvas.setPointing(at !== null);
      if (at === null) {
        rest.cancel();
        setHovered({ loaded, at });
      } else rest.schedule(() => setHovered({ loaded, at }));
    });
    const stopView = canvas.onView(() => {
      rest.cancel();
      setHovered((before) => (before.at === null ? before : { loaded, at: null }));
    });
    return () => {
      stopPoint();
      stopView();
    };
  }, [canvas, loaded, onPress, rest]);
  // Other cells are at that point now.
  return hovered.loaded === loaded ? hovered.at : null;
}
