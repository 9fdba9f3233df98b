import { ItemStore, noItems } from "./item-store.ts";
import type { DrawnPath, MapItems, TimeWindow } from "./map-canvas.ts";
import { pointSize } from "./path-details.ts";
import { PathStore, type PathPart, type StoredPath } from "./path-store.ts";
import { worldSize } from "./projection.ts";
import type { View } from "./view.ts";

/** Of an item in `Scene.looks`: it moves, so its place is not the one that stands among all. */
export const movesFlag = 128;

/** A path as it is at the time of the scene. */
export interface ShownPath extends PathPart {
  readonly stored: StoredPath;
  /** Of its item's marker; null where it is not to be seen. */
  readonly position: readonly [x: number, y: number] | null;
}

export interface Hit {
  readonly kind: "item" | "point";
  readonly id: string;
  /** Of a point, in the path that was given. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
}

/** Everything that is drawn, without the drawing of it. Decision 0059. */
export class Scene {
  readonly items = new ItemStore();
  readonly paths = new PathStore();
  window: TimeWindow | null = null;
  selected: string | null = null;
  hovered: string | null = null;
  /** By rank: colour and `movesFlag`. */
  looks: Uint8Array = new Uint8Array();
  /** Grow with every change of the places, and of the looks: what was sent to the graphics card is then old. */
  placesVersion = 0;
  looksVersion = 0;
  #shown: ShownPath[] | null = null;

  setItems(items: MapItems): void {
    this.items.set(items);
    this.placesVersion += 1;
    this.#setLooks(this.items.coloursByRank());
  }

  setColours(colours: Uint8Array): void {
    this.#setLooks(this.items.coloursByRank(colours));
  }

  setPaths(paths: readonly DrawnPath[], gapMs: number): void {
    this.paths.set(paths, gapMs);
    this.#setLooks(this.looks.map((look) => look & ~movesFlag));
  }

  /** Holds no data any more. */
  clear(): void {
    this.setPaths([], Number.POSITIVE_INFINITY);
    this.setItems(noItems);
  }

  setWindow(window: TimeWindow | null): void {
    this.window = window;
    this.#shown = null;
  }

  /** The paths at this time, worked out once for each. */
  shownPaths(): readonly ShownPath[] {
    this.#shown ??= this.paths.paths.map((stored) => {
      const part = this.paths.part(stored, this.window);
      return { stored, ...part, position: this.#positionOf(stored, part) };
    });
    return this.#shown;
  }

  colourOf(rank: number): number {
    return (this.looks[rank] ?? 0) & ~movesFlag;
  }

  /** Where an item's marker stands now; null: nowhere. */
  placeOf(id: string): readonly [x: number, y: number] | null {
    const rank = this.items.rankOf(id);
    if (rank < 0) return null;
    if (((this.looks[rank] ?? 0) & movesFlag) !== 0) return this.shownPaths().find(({ stored }) => stored.path.id === id)?.position ?? null;
    const [from, to] = this.items.range(this.window);
    return rank >= from && rank < to ? [this.items.places[2 * rank] ?? 0, this.items.places[2 * rank + 1] ?? 0] : null;
  }

  /** How many markers that stand still are in view, counted no further than `enough`. */
  countInView(view: View, enough: number): number {
    const { places } = this.items;
    const [from, to] = this.items.range(this.window);
    if (to - from < enough) return to - from;
    const [halfWidth, halfHeight] = [(view.width / 2 / view.worldPixels) * worldSize, (view.height / 2 / view.worldPixels) * worldSize];
    let count = 0;
    for (let rank = from; rank < to && count < enough; rank++) {
      const dy = (places[2 * rank + 1] ?? 0) - view.y;
      if (dy < halfHeight && dy > -halfHeight && Math.abs(nearestTurn((places[2 * rank] ?? 0) - view.x)) < halfWidth) count += 1;
    }
    return count;
  }

  /**
   * The ranks of the markers that stand still and are in view; of those whose middles fall into one cell of so many pixels
   * the newest alone, which covers the others. The cells belong to the world: nothing flickers when it moves.
   */
  newestInCells(view: View, cellPixels: number): Int32Array {
    const { places } = this.items;
    const cell = (cellPixels / view.worldPixels) * worldSize;
    const [west, north] = [
      Math.floor((view.x - (view.width / 2 / cellPixels) * cell) / cell),
      Math.floor((view.y - (view.height / 2 / cellPixels) * cell) / cell),
    ];
    const [columns, rows] = [Math.ceil(view.width / cellPixels) + 1, Math.ceil(view.height / cellPixels) + 1];
    const taken = new Uint8Array(columns * rows);
    const [from, to] = this.items.range(this.window);
    const ranks = new Int32Array(Math.min(to - from, taken.length));
    let first = ranks.length;
    for (let rank = to - 1; rank >= from; rank--) {
      const row = Math.floor((places[2 * rank + 1] ?? 0) / cell) - north;
      if (row < 0 || row >= rows) continue;
      const column = Math.floor((view.x + nearestTurn((places[2 * rank] ?? 0) - view.x)) / cell) - west;
      if (column < 0 || column >= columns) continue;
      const at = row * columns + column;
      if (taken[at] === 1) continue;
      taken[at] = 1;
      ranks[--first] = rank;
    }
    return ranks.subarray(first);
  }

  /** The nearest marker within the radius, else the nearest point of a path. In units of the projection. */
  pick(x: number, y: number, radius: number): Hit | null {
    return this.#pickItem(x, y, radius) ?? this.#pickPoint(x, y, radius);
  }

  #pickItem(x: number, y: number, radius: number): Hit | null {
    const { places } = this.items;
    const [from, to] = this.items.range(this.window);
    let hit: Hit | null = null;
    let nearest = radius * radius;
    let rankHit = -1;
    for (let rank = from; rank < to; rank++) {
      const dy = (places[2 * rank + 1] ?? 0) - y;
      if (dy > radius || dy < -radius || ((this.looks[rank] ?? 0) & movesFlag) !== 0) continue;
      const dx = nearestTurn((places[2 * rank] ?? 0) - x);
      // Of several at one place the last is on top.
      if (dx * dx + dy * dy > nearest) continue;
      nearest = dx * dx + dy * dy;
      rankHit = rank;
    }
    if (rankHit >= 0)
      hit = { kind: "item", id: this.items.idAt(rankHit), index: -1, x: places[2 * rankHit] ?? 0, y: places[2 * rankHit + 1] ?? 0 };
    for (const { stored, position } of this.shownPaths()) {
      if (position === null || this.items.rankOf(stored.path.id) < 0) continue;
      const [dx, dy] = [nearestTurn(position[0] - x), position[1] - y];
      if (dx * dx + dy * dy > nearest) continue;
      nearest = dx * dx + dy * dy;
      hit = { kind: "item", id: stored.path.id, index: -1, x: position[0], y: position[1] };
    }
    return hit;
  }

  #pickPoint(x: number, y: number, radius: number): Hit | null {
    const { points } = this.paths;
    let hit: Hit | null = null;
    let nearest = radius * radius;
    for (const { stored, from, to } of this.shownPaths()) {
      if (y < stored.box.north - radius || y > stored.box.south + radius) continue;
      for (let point = from; point < to; point++) {
        const at = (stored.start + point) * pointSize;
        const dy = (points[at + 1] ?? 0) - y;
        if (dy > radius || dy < -radius) continue;
        const dx = nearestTurn((points[at] ?? 0) - x);
        if (dx * dx + dy * dy > nearest) continue;
        nearest = dx * dx + dy * dy;
        hit = { kind: "point", id: stored.path.id, index: stored.indexes?.[point] ?? point, x: points[at] ?? 0, y: points[at + 1] ?? 0 };
      }
    }
    return hit;
  }

  /** An item with a path is where the path says; without a window, where it was last seen. */
  #positionOf(stored: StoredPath, part: PathPart): readonly [number, number] | null {
    if (this.window !== null) return this.paths.position(stored, this.window, part);
    const rank = this.items.rankOf(stored.path.id);
    return rank < 0 ? this.paths.position(stored, null, part) : [this.items.places[2 * rank] ?? 0, this.items.places[2 * rank + 1] ?? 0];
  }

  #setLooks(looks: Uint8Array): void {
    for (const { path, length } of this.paths.paths) {
      const rank = length === 0 ? -1 : this.items.rankOf(path.id);
      if (rank >= 0) looks[rank] = (looks[rank] ?? 0) | movesFlag;
    }
    this.looks = looks;
    this.looksVersion += 1;
    this.#shown = null;
  }
}

/** A way along the world's width, by the shorter way round it. */
function nearestTurn(dx: number): number {
  const turned = dx % worldSize;
  return turned > worldSize / 2 ? turned - worldSize : turned < -worldSize / 2 ? turned + worldSize : turned;
}
