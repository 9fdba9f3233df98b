import type { CellRef } from "#features/search/map/canvas/rows-canvas.ts";

/** A place on the map of a panel whose search is opened there. */
export interface PickedPlace {
  /** The smallest one where rows are shown one by one. */
  readonly cell: CellRef;
  readonly center: { readonly lng: number; readonly lat: number };
  readonly zoom: number;
}
