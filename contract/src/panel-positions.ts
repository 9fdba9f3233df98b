import { boardLimits, type PanelContent, type PanelPosition } from "./boards.ts";

/** Columns and rows of a new panel. */
const newSizes: Readonly<Record<PanelContent["kind"], Pick<PanelPosition, "w" | "h">>> = {
  text: { w: 6, h: 3 },
  number: { w: 3, h: 3 },
  graph: { w: 6, h: 7 },
  table: { w: 6, h: 7 },
  map: { w: 6, h: 9 },
};

/** The position of a new panel: beside the last ones if there is room, otherwise below all. */
export function newPanelPosition(kind: PanelContent["kind"], panels: readonly { readonly place: PanelPosition }[]): PanelPosition {
  const { w, h } = newSizes[kind];
  const bottom = Math.max(0, ...panels.map(({ place }) => place.y + place.h));
  const lastRow = panels.filter(({ place }) => place.y + place.h === bottom);
  const y = Math.max(0, bottom - Math.max(0, ...lastRow.map(({ place }) => place.h)));
  const x = Math.max(0, ...panels.filter(({ place }) => place.y + place.h > y).map(({ place }) => place.x + place.w));
  return x + w <= boardLimits.columns && panels.length > 0 ? { x, y, w, h } : { x: 0, y: bottom, w, h };
}
