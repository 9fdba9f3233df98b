import type { CellRef } from "./rows-canvas.ts";
import { type DotGroup, type DrawnDots, maxRadius, radiusOf } from "./dots.ts";
import { projectedX, projectedY, unwrapX, worldLevel, worldSize } from "./projection.ts";
import { worldCopies, type View } from "./view.ts";

export type Ring = readonly { readonly lat: number; readonly lng: number }[];

/** Of the ring around a dot, in CSS pixels. */
const ringRadius = 8;

export interface OverlayColors {
  /** The color of dots without a value, and those of the steps. */
  readonly steps: readonly string[];
  readonly accent: string;
  readonly ground: string;
  /** Of numbers on dots. */
  readonly onDot: string;
  readonly font: string;
}

export interface Overlay {
  readonly dots: DrawnDots | null;
  readonly groups: readonly DotGroup[];
  readonly areas: readonly Ring[];
  readonly selected: CellRef | null;
  readonly hovered: CellRef | null;
  readonly dot: { readonly lat: number; readonly lng: number } | null;
}

/** Draws what lies above the lines of the map: areas, dots and the outlines of cells. */
export function paintOverlay(context: CanvasRenderingContext2D, view: View, ratio: number, overlay: Overlay, colors: OverlayColors): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  const pixel = worldSize / view.worldPixels;
  for (const worldCopy of worldCopies(view, -worldSize / 2, 1.5 * worldSize)) {
    const [left, top] = [(worldCopy * worldSize - view.x) / pixel + view.width / 2, -view.y / pixel + view.height / 2];
    context.setTransform(ratio, 0, 0, ratio, left * ratio, top * ratio);
    for (const ring of overlay.areas) paintArea(context, ring, pixel, colors);
  }
  context.setTransform(ratio, 0, 0, ratio, (view.width / 2) * ratio, (view.height / 2) * ratio);
  if (overlay.dots !== null) paintDots(context, view, overlay.dots, overlay.groups, colors);
  for (const [cell, width] of [[overlay.hovered, 1.5] as const, [overlay.selected, 2.5] as const]) {
    if (cell !== null) paintCell(context, view, cell, width, colors);
  }
  if (overlay.dot === null) return;
  for (const worldCopy of worldCopies(view, 0, worldSize)) {
    const dx = (projectedX(overlay.dot.lng) + worldCopy * worldSize - view.x) / pixel;
    context.beginPath();
    context.arc(dx, (projectedY(overlay.dot.lat) - view.y) / pixel, ringRadius, 0, 2 * Math.PI);
    strokeTwice(context, 2, colors.accent, colors.ground);
  }
}

function paintArea(context: CanvasRenderingContext2D, ring: Ring, pixel: number, { accent, ground }: OverlayColors): void {
  context.beginPath();
  let previous: number | null = null;
  for (const { lat, lng } of ring) {
    const x: number = previous === null ? projectedX(lng) : unwrapX(previous, projectedX(lng));
    if (previous === null) context.moveTo(x / pixel, projectedY(lat) / pixel);
    else context.lineTo(x / pixel, projectedY(lat) / pixel);
    previous = x;
  }
  context.closePath();
  strokeTwice(context, 2, accent, ground);
}

function paintDots(
  context: CanvasRenderingContext2D,
  view: View,
  dots: DrawnDots,
  groups: readonly DotGroup[],
  colors: OverlayColors,
): void {
  const pixel = worldSize / view.worldPixels;
  context.lineWidth = 1.5;
  context.font = `600 10px ${colors.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const copies = worldCopies(view, 0, worldSize);
  for (const group of groups) {
    const { x, y, rows } = group;
    const dy = (y - view.y) / pixel;
    if (Math.abs(dy) > view.height / 2 + maxRadius) continue;
    const step = dots.colors[rows[0] ?? 0] ?? 0;
    const color = colors.steps[step] ?? colors.accent;
    for (const worldCopy of copies) {
      const dx = (x + worldCopy * worldSize - view.x) / pixel;
      if (Math.abs(dx) > view.width / 2 + maxRadius) continue;
      context.beginPath();
      context.arc(dx, dy, radiusOf(group), 0, 2 * Math.PI);
      const isHollow = step === 0;
      context.fillStyle = isHollow ? colors.ground : color;
      context.strokeStyle = isHollow ? color : colors.ground;
      context.fill();
      context.stroke();
      if (rows.length < 2) continue;
      context.fillStyle = isHollow ? color : colors.onDot;
      context.fillText(String(rows.length), dx, dy + 0.5);
    }
  }
}

function paintCell(context: CanvasRenderingContext2D, view: View, { level, x, y }: CellRef, width: number, colors: OverlayColors): void {
  const pixel = worldSize / view.worldPixels;
  const size = 2 ** (worldLevel - level);
  for (const worldCopy of worldCopies(view, 0, worldSize)) {
    const left = (x * size + worldCopy * worldSize - view.x) / pixel;
    const top = (y * size - view.y) / pixel;
    context.beginPath();
    context.rect(Math.round(left) - 1, Math.round(top) - 1, Math.round(size / pixel) + 1, Math.round(size / pixel) + 1);
    strokeTwice(context, width, colors.accent, colors.ground);
  }
}

/** A line with a halo, so that it is seen on every color. */
function strokeTwice(context: CanvasRenderingContext2D, width: number, color: string, halo: string): void {
  for (const [lineWidth, strokeStyle] of [[width + 2.5, halo] as const, [width, color] as const]) {
    [context.lineWidth, context.strokeStyle] = [lineWidth, strokeStyle];
    context.stroke();
  }
}
