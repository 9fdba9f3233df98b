import { sizeFactor } from "./item-looks.ts";
import type { ItemGroup } from "./item-groups.ts";
import type { Palette } from "./palette.ts";
import type { Scene } from "./scene.ts";
import type { View } from "./view.ts";

/** Above this number of markers in view, names would only cover each other. */
const maxNames = 60;
const maxNamePixels = 160;
const [textPixels, linePixels] = [12, 16];
/** Distance of a name to its marker. */
const gapPixels = 5;
/** Half the usual size of a marker, which no name covers. */
const markerPixels = 12;

interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const overlap = (a: Rect, b: Rect): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Draws names beside the markers if few are in view. Names that would cover another name or a marker are left out. */
export class NamePainter {
  readonly #context: CanvasRenderingContext2D;
  readonly #font: string;
  readonly #texts = new Map<string, { readonly text: string; readonly width: number }>();

  constructor(context: CanvasRenderingContext2D, fontFamily: string) {
    this.#context = context;
    this.#font = `500 ${textPixels}px ${fontFamily}`;
  }

  /** Names of other items. */
  reset(): void {
    this.#texts.clear();
  }

  /** Expects a transform to CSS pixels with the middle of the view as the origin. */
  paint(scene: Scene, view: View, palette: Palette): void {
    const context = this.#context;
    context.font = this.#font;
    context.textBaseline = "middle";
    if (scene.grouped !== null) this.#paintGroups(scene.grouped.groups, palette);
    const markers = scene.markersInView(view, maxNames);
    if (markers === null) return;
    context.textAlign = "left";
    const { name: color, nameHalo } = palette;
    context.lineJoin = "round";
    context.lineWidth = 3;
    [context.strokeStyle, context.fillStyle] = [nameHalo, color];
    const radiusOf = (rank: number) => markerPixels * sizeFactor(scene.looks[rank] ?? 0);
    const taken = markers.map(({ rank, dx, dy }): Rect => {
      const radius = radiusOf(rank);
      return { left: dx - radius, right: dx + radius, top: dy - radius, bottom: dy + radius };
    });
    const front = new Set([scene.selected, scene.hovered].map((id) => (id === null ? -1 : scene.items.rankOf(id))));
    // The newest are drawn on top of each other, and so are their names.
    const ordered = markers.toSorted((a, b) => Number(front.has(b.rank)) - Number(front.has(a.rank)) || b.rank - a.rank);
    for (const { rank, dx, dy } of ordered) {
      const { text, width } = this.#textOf(scene.items.nameAt(rank));
      if (text === "") continue;
      const sides = rectsAround(dx, dy, radiusOf(rank) + gapPixels, width);
      const rect = sides.find((rect) => taken.every((other) => !overlap(rect, other))) ?? (front.has(rank) ? sides[0] : undefined);
      if (rect === undefined) continue;
      taken.push(rect);
      const y = (rect.top + rect.bottom) / 2;
      context.strokeText(text, rect.left, y);
      context.fillText(text, rect.left, y);
    }
  }

  #paintGroups(groups: readonly ItemGroup[], { group, onGroup, nameHalo }: Palette): void {
    const context = this.#context;
    context.textAlign = "center";
    context.lineWidth = 2;
    context.strokeStyle = nameHalo;
    for (const { count, dx, dy, radius } of groups) {
      context.beginPath();
      context.arc(dx, dy, radius, 0, 2 * Math.PI);
      context.fillStyle = group;
      context.fill();
      context.stroke();
      context.fillStyle = onGroup;
      context.fillText(groupText(count), dx, dy + 0.5);
    }
  }

  #textOf(name: string): { readonly text: string; readonly width: number } {
    const known = this.#texts.get(name);
    if (known) return known;
    const widthOf = (text: string) => this.#context.measureText(text).width;
    let text = name;
    while (text.length > 1 && widthOf(text) > maxNamePixels) text = `${text.replace(/…$/, "").slice(0, -1).trimEnd()}…`;
    const measured = { text, width: widthOf(text) };
    this.#texts.set(name, measured);
    return measured;
  }
}

/** Right of the marker, left of it, above and below. */
function rectsAround(dx: number, dy: number, distance: number, width: number): Rect[] {
  const rect = (left: number, top: number): Rect => ({ left, top, right: left + width, bottom: top + linePixels });
  return [
    rect(dx + distance, dy - linePixels / 2),
    rect(dx - distance - width, dy - linePixels / 2),
    rect(dx - width / 2, dy - distance - linePixels),
    rect(dx - width / 2, dy + distance),
  ];
}

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const groupText = (count: number): string => (count < 1_000 ? String(count) : compact.format(count));
