/** Degrees, west to east and south to north. East is beyond 180 where the box goes over the antimeridian. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

/** Times in epoch milliseconds, both inclusive. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The last position of every item, in parallel arrays of one length; an item is known by its place in them.
 * What has no valid latitude (±90), longitude (±180) or time (for windows) stays in the arrays and is not drawn.
 */
export interface MapItems {
  readonly ids: readonly string[];
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** Epoch milliseconds; NaN: not known, shown only without a window. */
  readonly timesMs: Float64Array;
  /** 0 default, 1 amber, 2 rose. */
  readonly colours: Uint8Array;
}

/**
 * The path of one item, in time order, in parallel arrays. Never changed once given: whatever changes (another page,
 * another highlight) is a new object of the same id, and only that one is sent to the graphics card again.
 */
export interface DrawnPath {
  /** The id of its item, whose marker then moves along it. */
  readonly id: string;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  readonly timesMs: Float64Array;
  /** By point: 0 the colour of paths, 1… a colour of `highlights`. A segment has the colour of the point it leads to. */
  readonly colours: Uint8Array;
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

/** `point`: the mouse rests there (null: on nothing); `press`: it was clicked or touched (null: beside everything). */
export type PickListener = (picked: Picked | null, how: "point" | "press") => void;

/**
 * A map with items and paths. Data go to the graphics card once per change; a change of time costs no geometry.
 * Everything may be called in any order and at any rate: the map draws at most once a frame.
 */
export interface MapCanvas {
  setItems(items: MapItems): void;
  /** The stale colours alone, as in `MapItems.colours` and as long: cheap enough for every second of playback. */
  setColours(colours: Uint8Array): void;
  /**
   * All paths that are visible. Those given before as the same object cost nothing. `gapMs`: two points further apart
   * than this are joined by a dashed red line.
   */
  setPaths(paths: readonly DrawnPath[], gapMs: number): void;
  /**
   * What lies within the window; null: everything. Items without a path show where their time is within it; those
   * with one stand where they were at its end.
   */
  setTime(window: TimeWindow | null): void;
  /** Null: none. Ids that are not there are kept until they are. */
  select(id: string | null): void;
  /** As if the mouse were on the item, from a list beside the map. */
  hover(id: string | null): void;
  /** Brings a place into the middle; without a zoom as close as the map is, but not as far away as the whole world. */
  lookAt(place: { readonly lng: number; readonly lat: number; readonly zoom?: number }): void;
  /** Called after every movement but those of `fitTo`. Answers the way to stop listening. */
  onMove(listener: (viewpoint: Viewpoint) => void): () => void;
  /** Without bounds: to everything there is. */
  fitTo(bounds?: Bounds): void;
  /** Answers the way to stop listening. */
  onPick(listener: PickListener): () => void;
  /** Gives back everything, the memory of the graphics card too. Nothing may be called after. */
  destroy(): void;
}

/** The middle of the map, and how close it is. */
export interface Viewpoint {
  readonly lng: number;
  readonly lat: number;
  readonly zoom: number;
}

/**
 * For `openMapCanvas(container: HTMLElement, options: MapCanvasOptions): Promise<MapCanvas>` of `open-map-canvas.ts`,
 * which rejects with `NoWebGl` (same file) where the browser cannot draw it, and with what went wrong otherwise.
 */
export interface MapCanvasOptions {
  /** The dataset's `faMapIcon`: the name of an icon of Font Awesome Free, solid. Null or unknown: a dot. */
  readonly icon: string | null;
  /** Colours of `DrawnPath.colours` from 1 on, as CSS has them; up to 14. */
  readonly highlights: readonly string[];
  /** What the map shows at first; null: the whole world. */
  readonly bounds: Bounds | null;
  /** In the place of `bounds`, where one was here before. */
  readonly viewpoint?: Viewpoint | null;
}
