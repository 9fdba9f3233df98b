import type { GroupedItems } from "./item-groups.ts";
import { ItemStore, emptyItems } from "./item-store.ts";
import type { DrawnPath, MapItems, TimeWindow } from "./map-canvas.ts";
import { pointSize } from "./path-details.ts";
import { PathStore, type ClippedPath, type StoredPath } from "./path-store.ts";
import { markColors, movesFlag } from "./item-looks.ts";
import { worldSize, wrapDelta } from "./projection.ts";
import type { View } from "./view.ts";

/** A path at the time of the scene. */
export interface VisiblePath extends ClippedPath {
  readonly stored: StoredPath;
  /** Position of its item's marker; null if it is not visible. */
  readonly position: readonly [x: number, y: number] | null;
}

export interface Hit {
  readonly kind: "item" | "point";
  readonly id: string;
  /** For points, the index in the original path. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
}

/** Everything to be drawn, independent of rendering (decision 0059). */
export class Scene {
  readonly items = new ItemStore();
  readonly paths = new PathStore();
  window: TimeWindow | null = null;
  selected: string | null = null;
  hovered: string | null = null;
  /** By rank: color and `movesFlag`. */
  looks: Uint8Array = new Uint8Array();
  /** Incremented with every change of positions or looks, to tell whether the uploaded data is stale. */
  positionsVersion = 0;
  looksVersion = 0;
  /** Set for the view that is being drawn. */
  grouped: GroupedItems | null = null;
  #shown: VisiblePath[] | null = null;

  setItems(items: MapItems): void {
    this.items.set(items);
    this.positionsVersion += 1;
    this.#setLooks(this.items.colorsByRank());
  }

  setColors(colors: Uint8Array): void {
    this.#setLooks(this.items.colorsByRank(colors));
  }

  setPaths(paths: readonly DrawnPath[], gapMs: number): void {
    this.paths.set(paths, gapMs);
    this.#setLooks(this.looks.map((look) => look & ~movesFlag));
  }

  /** Releases all data. */
  clear(): void {
    this.setPaths([], Number.POSITIVE_INFINITY);
    this.setItems(emptyItems);
  }

  setWindow(window: TimeWindow | null): void {
    this.window = window;
    this.#shown = null;
  }

  /** The paths at the time of the scene, cached until a change. */
  visiblePaths(): readonly VisiblePath[] {
    this.#shown ??= this.paths.paths.map((stored) => {
      const clipped = this.paths.clip(stored, this.window);
      return { stored, ...clipped, position: this.#markerPosition(stored, clipped) };
    });
    return this.#shown;
  }

  /** Color and size of a marker: on a path with colors of its own, the color of the shown position. */
  colorOf(rank: number, path?: VisiblePath): number {
    const look = (this.looks[rank] ?? 0) & ~movesFlag;
    const marks = path?.stored.path.marks;
    if (path === undefined || marks === undefined || this.window === null || path.to === 0) return look;
    const point = path.stored.indexes?.[path.to - 1] ?? path.to - 1;
    return (look & ~(markColors - 1)) | (marks[point] ?? 0);
  }

  /** The same of an item. */
  colorOfItem(id: string): number {
    const rank = this.items.rankOf(id);
    const isMoving = ((this.looks[rank] ?? 0) & movesFlag) !== 0;
    return this.colorOf(rank, isMoving ? this.visiblePaths().find(({ stored }) => stored.path.id === id) : undefined);
  }

  /** Position of an item's marker; null if it is not visible. */
  positionOf(id: string): readonly [x: number, y: number] | null {
    const rank = this.items.rankOf(id);
    if (rank < 0) return null;
    if (((this.looks[rank] ?? 0) & movesFlag) !== 0)
      return this.visiblePaths().find(({ stored }) => stored.path.id === id)?.position ?? null;
    const [from, to] = this.items.range(this.window);
    return rank >= from && rank < to ? [this.items.positions[2 * rank] ?? 0, this.items.positions[2 * rank + 1] ?? 0] : null;
  }

  /** Number of unmoved markers in view, counted up to `limit`. */
  countInView(view: View, limit: number): number {
    const { positions } = this.items;
    const [from, to] = this.items.range(this.window);
    if (to - from < limit) return to - from;
    const [halfWidth, halfHeight] = [(view.width / 2 / view.worldPixels) * worldSize, (view.height / 2 / view.worldPixels) * worldSize];
    let count = 0;
    for (let rank = from; rank < to && count < limit; rank++) {
      const dy = (positions[2 * rank + 1] ?? 0) - view.y;
      if (dy < halfHeight && dy > -halfHeight && Math.abs(wrapDelta((positions[2 * rank] ?? 0) - view.x)) < halfWidth) count += 1;
    }
    return count;
  }

  /** All markers in view with their offsets from the center of the view; null if there are more than `limit`. */
  markersInView(view: View, limit: number): { rank: number; dx: number; dy: number }[] | null {
    const { positions } = this.items;
    const [from, to] = this.items.range(this.window);
    const pixel = worldSize / view.worldPixels;
    const found: { rank: number; dx: number; dy: number }[] = [];
    const add = (rank: number, x: number, y: number) => {
      const [dx, dy] = [wrapDelta(x - view.x) / pixel, (y - view.y) / pixel];
      if (Math.abs(dy) < view.height / 2 && Math.abs(dx) < view.width / 2) found.push({ rank, dx, dy });
    };
    for (let rank = from; rank < to && found.length <= limit; rank++) {
      if (((this.looks[rank] ?? 0) & movesFlag) === 0) add(rank, positions[2 * rank] ?? 0, positions[2 * rank + 1] ?? 0);
    }
    for (const { stored, position } of this.visiblePaths()) {
      if (found.length > limit) break;
      const rank = this.items.rankOf(stored.path.id);
      if (position !== null && rank >= 0) add(rank, position[0], position[1]);
    }
    return found.length > limit ? null : found;
  }

  /**
   * Ranks of the unmoved markers in view; per cell of this many pixels only the newest one, which covers the others.
   * Cells are fixed to the world, so that nothing flickers when the map moves.
   */
  newestInCells(view: View, cellPixels: number): Int32Array {
    const { positions } = this.items;
    const cell = (cellPixels / view.worldPixels) * worldSize;
    const [west, north] = [
      Math.floor((view.x - (view.width / 2 / cellPixels) * cell) / cell),
      Math.floor((view.y - (view.height / 2 / cellPixels) * cell) / cell),
    ];
    const [columns, rows] = [Math.ceil(view.width / cellPixels) + 1, Math.ceil(view.height / cellPixels) + 1];
    const occupied = new Uint8Array(columns * rows);
    const [from, to] = this.items.range(this.window);
    const ranks = new Int32Array(Math.min(to - from, occupied.length));
    let first = ranks.length;
    for (let rank = to - 1; rank >= from; rank--) {
      const row = Math.floor((positions[2 * rank + 1] ?? 0) / cell) - north;
      if (row < 0 || row >= rows) continue;
      const column = Math.floor((view.x + wrapDelta((positions[2 * rank] ?? 0) - view.x)) / cell) - west;
      if (column < 0 || column >= columns) continue;
      const at = row * columns + column;
      if (occupied[at] === 1) continue;
      occupied[at] = 1;
      ranks[--first] = rank;
    }
    return ranks.subarray(first);
  }

  /** The nearest marker within the radius, else the nearest path point. In projection units. */
  pick(x: number, y: number, radius: number): Hit | null {
    return this.#pickItem(x, y, radius) ?? this.#pickPoint(x, y, radius);
  }

  #pickItem(x: number, y: number, radius: number): Hit | null {
    const { positions } = this.items;
    const [from, to] = this.items.range(this.window);
    let hit: Hit | null = null;
    let nearest = radius * radius;
    let hitRank = -1;
    for (let rank = from; rank < to; rank++) {
      const dy = (positions[2 * rank + 1] ?? 0) - y;
      if (dy > radius || dy < -radius || ((this.looks[rank] ?? 0) & movesFlag) !== 0) continue;
      const dx = wrapDelta((positions[2 * rank] ?? 0) - x);
      // The last of several at one position is on top.
      if (dx * dx + dy * dy > nearest) continue;
      nearest = dx * dx + dy * dy;
      hitRank = rank;
    }
    // An item within a group is not drawn.
    if (this.grouped !== null && hitRank >= 0 && !this.grouped.singles.includes(hitRank)) {
      hitRank = -1;
      nearest = radius * radius;
    }
    if (hitRank >= 0)
      hit = { kind: "item", id: this.items.idAt(hitRank), index: -1, x: positions[2 * hitRank] ?? 0, y: positions[2 * hitRank + 1] ?? 0 };
    for (const { stored, position } of this.visiblePaths()) {
      if (position === null || this.items.rankOf(stored.path.id) < 0) continue;
      const [dx, dy] = [wrapDelta(position[0] - x), position[1] - y];
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
    for (const { stored, from, to } of this.visiblePaths()) {
      if (y < stored.box.north - radius || y > stored.box.south + radius) continue;
      for (let point = from; point < to; point++) {
        const at = (stored.start + point) * pointSize;
        const dy = (points[at + 1] ?? 0) - y;
        if (dy > radius || dy < -radius) continue;
        const dx = wrapDelta((points[at] ?? 0) - x);
        if (dx * dx + dy * dy > nearest) continue;
        nearest = dx * dx + dy * dy;
        hit = { kind: "point", id: stored.path.id, index: stored.indexes?.[point] ?? point, x: points[at] ?? 0, y: points[at + 1] ?? 0 };
      }
    }
    return hit;
  }

  /** An item with a path follows the path; without a window it is where it was last seen. */
  #markerPosition(stored: StoredPath, clipped: ClippedPath): readonly [number, number] | null {
    if (this.window !== null) return this.paths.position(stored, this.window, clipped);
    const rank = this.items.rankOf(stored.path.id);
    return rank < 0
      ? this.paths.position(stored, null, clipped)
      : [this.items.positions[2 * rank] ?? 0, this.items.positions[2 * rank + 1] ?? 0];
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
