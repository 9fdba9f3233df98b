/** Degrees, west to east and south to north. `east` exceeds 180 if the box crosses the antimeridian. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

/** Times in epoch milliseconds, both inclusive. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The last position of every item, in parallel arrays of equal length; items are identified by index. Entries without a
 * valid latitude (±90), longitude (±180) or, for windows, time stay in the arrays but are not drawn.
 */
export interface MapItems {
  readonly ids: readonly string[];
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** Epoch milliseconds; NaN if unknown, shown only without a window. */
  readonly timesMs: Float64Array;
  /** 0 default, 1 amber, 2 rose, 3 and up those of `setColors`, at most 15; plus 16 × size, from 0 (as usual) and 1 (small) to 7. */
  readonly colors: Uint8Array;
  /** Drawn at the markers when few of them are in view; without them, no names are drawn. */
  readonly names?: readonly string[];
}

/**
 * The path of one item in time order, in parallel arrays. Immutable: a change (another page, another highlight) is a
 * new object with the same id, and only that one is uploaded again.
 */
export interface DrawnPath {
  /** The id of its item, whose marker moves along the path. */
  readonly id: string;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  readonly timesMs: Float64Array;
  /** For thinned paths: how much time between two points is no gap, in addition to the threshold. */
  readonly resolutionMs?: number;
  /**
   * By point: 0 is the path color, 1 and up are colors of `highlights`, `markOffset` more than those of markers are theirs. A segment has the
   * color of the point it leads to.
   */
  readonly colors: Uint8Array;
  /** By point, the color of the item's marker there, as in `MapItems.colors`. Without it, the marker keeps its color. */
  readonly marks?: Uint8Array | undefined;
}

export type Picked = {
  /** Pixels from the top left corner of the map. */
  readonly x: number;
  readonly y: number;
  readonly latitude: number;
  readonly longitude: number;
} & (
  | { readonly kind: "item"; readonly id: string }
  | { readonly kind: "point"; readonly id: string; /** In its path. */ readonly index: number }
);

/** `point`: the mouse moved there (null: over nothing); `press`: a click or touch (null: not on anything). */
export type PickListener = (picked: Picked | null, how: "point" | "press") => void;

/**
 * A map with items and paths. Data is uploaded to the GPU once per change; changing the time uploads no geometry.
 * Methods may be called in any order and at any rate: the map draws at most once per frame.
 */
export interface MapCanvas {
  setItems(items: MapItems): void;
  /**
   * Replaces only the colors and sizes, in the format and length of `MapItems.colors`. Cheap enough to call throughout playback.
   * `marks`: CSS colors of 3 and up, the same array as long as they are the same.
   */
  setColors(colors: Uint8Array, marks?: readonly string[]): void;
  /** Whether many items close to each other are drawn as one circle with their number, which zooms in when pressed. */
  setGrouped(isGrouped: boolean): void;
  /**
   * All visible paths. Objects passed before cost nothing. `gapMs`: points further apart than this are joined by a
   * dashed red line.
   */
  setPaths(paths: readonly DrawnPath[], gapMs: number): void;
  /**
   * The visible time window; null shows everything. Items without a path are shown if their time is within it; items
   * with a path are shown at their position at its end.
   */
  setTime(window: TimeWindow | null): void;
  /** Selects an item; null selects none. Unknown ids take effect once the item exists. */
  select(id: string | null): void;
  /** Highlights an item as if hovered, for a list beside the map. */
  hover(id: string | null): void;
  /** Centers the map on a position. Without `zoom`, it keeps the current zoom but zooms in from a view of the whole world. `offset`: pixels from the center at which the position is then. */
  lookAt(center: { readonly lng: number; readonly lat: number; readonly zoom?: number }, offset?: readonly [x: number, y: number]): void;
  /** Called after every move except those by `fitTo`. Returns an unsubscribe function. */
  onMove(listener: (viewpoint: Viewpoint, bounds: Bounds) => void): () => void;
  /** Fits the bounds, or all items and paths if null, beside what covers the map. */
  fitTo(bounds?: Bounds | null, covered?: Edges): void;
  /** The part of the world that the map shows. */
  readonly bounds: Bounds;
  /** Size in screen pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** Draws the map as it is now, from the top left corner of a canvas. Cheap while the map does not move. */
  drawInto(context: CanvasRenderingContext2D): void;
  /** Returns an unsubscribe function. */
  onPick(listener: PickListener): () => void;
  /** Releases all resources including GPU memory. No method may be called afterwards. */
  destroy(): void;
}

/** How far something reaches into the map from its edges, in CSS pixels. */
export interface Edges {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** The center and zoom of the map. */
export interface Viewpoint {
  readonly lng: number;
  readonly lat: number;
  readonly zoom: number;
}

/**
 * Options of `openMapCanvas` in `open-map-canvas.ts`, which rejects with `NoWebGl` (same file) if the browser cannot
 * draw the map.
 */
export interface MapCanvasOptions {
  /** The dataset's `faMapIcon`: the name of a solid Font Awesome Free icon. Null or unknown: a dot. */
  readonly icon: string | null;
  /** CSS colors for `DrawnPath.colors` 1 and up; at most 14. */
  readonly highlights: readonly string[];
  /** The initial bounds; null shows the whole world. */
  readonly bounds: Bounds | null;
  /** The initial viewpoint; takes precedence over `bounds`. */
  readonly viewpoint?: Viewpoint | null;
}
