import type { Box } from "@fairway/contract/grid-cells";
import type { DrawnCells } from "./cell-layer.ts";
import type { DotGroup, DrawnDots } from "./dots.ts";
import type { Edges, Viewpoint } from "./map-canvas.ts";
import type { View } from "./view.ts";

/** A cell of the world's grid. */
export interface CellRef {
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

export interface RowsDrawing {
  readonly cells: DrawnCells | null;
  readonly dots: DrawnDots | null;
}

/** A place on the map: pixels from its top left corner, and projection units. `x` is within the world. */
export interface MapPoint {
  readonly left: number;
  readonly top: number;
  readonly x: number;
  readonly y: number;
}

/** `point`: the mouse moved there (null: off the map); `press`: a click or touch. */
export type MapPointListener = (point: MapPoint | null, how: "point" | "press") => void;

/** A map of all rows: cells below the lines of the base map, dots above them. It draws at most once per frame. */
export interface RowsCanvas {
  setDrawing(drawing: RowsDrawing): void;
  /** CSS colors, which may name custom properties: that of the border of cells without a value, and those of the steps. */
  setColors(colors: readonly string[]): void;
  /** `dot`: a row that is shown one by one. */
  setOutlines(outlined: {
    readonly selected: CellRef | null;
    readonly hovered: CellRef | null;
    readonly dot?: { readonly lat: number; readonly lng: number } | null;
  }): void;
  /** Outlines of the areas that narrow the search. */
  setAreas(rings: readonly (readonly { readonly lat: number; readonly lng: number }[])[]): void;
  /** Fits a box beside what covers the map, at once or in a short move. */
  fitTo(box: Box, options: { readonly covered?: Edges; readonly maxZoom: number; readonly isInstant?: boolean }): void;
  /** Centers the map. `offset`: pixels from the center at which the position is then. */
  lookAt(center: { readonly lng: number; readonly lat: number; readonly zoom?: number }, offset?: readonly [x: number, y: number]): void;
  readonly view: View;
  readonly container: HTMLElement;
  /** Dots that are drawn as one, in the order in which they are drawn. */
  readonly groups: readonly DotGroup[];
  readonly viewpoint: Viewpoint;
  /** Calls the listener with every frame of a move, and once the map rests. Returns an unsubscribe function. */
  onView(listener: (state: { readonly isMoving: boolean; readonly isFit: boolean }) => void): () => void;
  /** Returns an unsubscribe function. */
  onPoint(listener: MapPointListener): () => void;
  /** Shows a hand while the mouse is over something that can be pressed. */
  setPointing(isOver: boolean): void;
  /** Size in screen pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** Draws the map as it is now, from the top left corner of a canvas. */
  drawInto(context: CanvasRenderingContext2D): void;
  /** Releases all resources. No method may be called afterwards. */
  destroy(): void;
}
