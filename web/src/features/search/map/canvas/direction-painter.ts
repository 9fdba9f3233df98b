import { firstPathMark } from "./item-looks.ts";
import { gapFlag, pointSize } from "./path-details.ts";
import type { Palette } from "./palette.ts";
import { unwrapX, worldSize, wrapDelta } from "./projection.ts";
import type { Scene, VisiblePath } from "./scene.ts";
import { boxIsInView, worldCopies, type View } from "./view.ts";

/** Pixels along a path from one chevron to the next. */
const chevronEvery = 96;
/** Above these numbers of paths and points, chevrons would only cover the lines, and take too long. */
const [maxPaths, maxPoints] = [200, 20_000];
/** Around a marker, nothing is drawn above it. */
const markerPixels = 14;
const startRadius = 3.5;

/** Where a path leads: its first position is a hollow circle, and chevrons point along it. */
export class DirectionPainter {
  readonly #context: CanvasRenderingContext2D;

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  /** Expects a transform to CSS pixels with the middle of the view as the origin. */
  paint(scene: Scene, view: View, palette: Palette): void {
    const inView = scene.visiblePaths().filter(({ stored }) => {
      const { box } = stored;
      return stored.length > 1 && worldCopies(view, box.west, box.east).some((copy) => boxIsInView(box, view, copy));
    });
    if (inView.length === 0 || inView.length > maxPaths) return;
    const shown = inView.map((path) => ({ path, points: scene.paths.pointsAt(path.stored, scene.window, view) }));
    const context = this.#context;
    context.lineWidth = 1.75;
    [context.lineJoin, context.lineCap] = ["round", "round"];
    [context.strokeStyle, context.fillStyle] = [palette.name, palette.nameHalo];
    const isFew = shown.reduce((sum, { points }) => sum + points.to, 0) <= maxPoints;
    if (isFew) for (const { path, points } of shown) this.#paintChevrons(scene, path, points, view, palette.highlights.length);
    for (const { path } of shown) this.#paintStart(scene, path, view);
  }

  #paintChevrons(
    { paths: { points: all } }: Scene,
    { position }: VisiblePath,
    { start, from, to }: { readonly start: number; readonly from: number; readonly to: number },
    view: View,
    highlights: number,
  ): void {
    const pixel = worldSize / view.worldPixels;
    const marker = position === null ? null : offsetOf(position, view);
    let [x, y] = [all[start * pointSize] ?? 0, all[start * pointSize + 1] ?? 0];
    let untilNext = chevronEvery;
    for (let point = 1; point < to; point++) {
      const at = (start + point) * pointSize;
      const [nextX, nextY, look] = [unwrapX(x, all[at] ?? 0), all[at + 1] ?? 0, all[at + 2] ?? 0];
      const length = Math.hypot(nextX - x, nextY - y) / pixel;
      const color = look % gapFlag;
      const isLine = look < gapFlag && (color <= highlights || color >= firstPathMark);
      if (untilNext <= length && isLine && point > from) {
        const angle = Math.atan2(nextY - y, nextX - x);
        for (let along = untilNext; along <= length; along += chevronEvery) {
          const share = along / length;
          const [dx, dy] = offsetOf([x + (nextX - x) * share, y + (nextY - y) * share], view);
          if (marker === null || Math.hypot(dx - marker[0], dy - marker[1]) > markerPixels) this.#chevron(dx, dy, angle, view);
        }
      }
      untilNext = length < untilNext ? untilNext - length : chevronEvery - ((length - untilNext) % chevronEvery);
      [x, y] = [all[at] ?? 0, nextY];
    }
  }

  #chevron(dx: number, dy: number, angle: number, view: View): void {
    if (Math.abs(dx) > view.width / 2 || Math.abs(dy) > view.height / 2) return;
    const context = this.#context;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    context.beginPath();
    for (const [along, across] of [[-3, -4.5] as const, [2.5, 0] as const, [-3, 4.5] as const]) {
      context.lineTo(dx + along * cos - across * sin, dy + along * sin + across * cos);
    }
    context.stroke();
  }

  #paintStart({ paths: { points } }: Scene, { stored, from, to, position }: VisiblePath, view: View): void {
    if (from > 0 || to === 0) return;
    const at = stored.start * pointSize;
    const [dx, dy] = offsetOf([points[at] ?? 0, points[at + 1] ?? 0], view);
    const marker = position === null ? null : offsetOf(position, view);
    if (marker !== null && Math.hypot(dx - marker[0], dy - marker[1]) <= markerPixels) return;
    const context = this.#context;
    context.beginPath();
    context.arc(dx, dy, startRadius, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
}

/** Pixels from the middle of the view. */
function offsetOf([x, y]: readonly [number, number], view: View): readonly [dx: number, dy: number] {
  const pixel = worldSize / view.worldPixels;
  return [wrapDelta(x - view.x) / pixel, (y - view.y) / pixel];
}
