import { boardLimits, type PanelPosition } from "@fairway/contract/boards";

/** A panel as far as its position is concerned. */
export interface Placed {
  readonly id: string;
  readonly place: PanelPosition;
}

const overlaps = (one: PanelPosition, other: PanelPosition): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

/** From top to bottom and from left to right: the order in which panels are read, and that of a phone. */
export const readingOrder = <Panel extends Placed>(panels: readonly Panel[]): Panel[] =>
  panels.toSorted((one, other) => one.place.y - other.place.y || one.place.x - other.place.x);

/** The nearest position on the board. */
export function withinBoard({ x, y, w, h }: PanelPosition): PanelPosition {
  const width = Math.min(boardLimits.columns, Math.max(1, w));
  return {
    x: Math.min(boardLimits.columns - width, Math.max(0, x)),
    y: Math.min(boardLimits.rows, Math.max(0, y)),
    w: width,
    h: Math.min(boardLimits.panelRows, Math.max(1, h)),
  };
}

/**
 * The panels with one at another position or of another size. It stays where it is put, those in its way move down, and then every
 * panel moves up as far as there is room.
 */
export function withPosition<Panel extends Placed>(panels: readonly Panel[], id: string, place: PanelPosition): Panel[] {
  const wanted = withinBoard(place);
  const moved = panels.find((panel) => panel.id === id);
  if (!moved) return [...panels];
  const others = readingOrder(panels.filter((panel) => panel !== moved));
  const settled = new Map<string, PanelPosition>();
  const isFree = (candidate: PanelPosition) => [...settled.values()].every((taken) => !overlaps(candidate, taken));
  const raised = (from: PanelPosition): PanelPosition => {
    let { y } = from;
    while (y > 0 && isFree({ ...from, y: y - 1 })) y -= 1;
    return { ...from, y };
  };
  const lowered = (from: PanelPosition): PanelPosition => {
    let { y } = from;
    while (!isFree({ ...from, y })) y += 1;
    return { ...from, y };
  };
  // Those above the moved panel stay above it.
  for (const panel of others.filter((other) => other.place.y + other.place.h / 2 <= wanted.y)) {
    settled.set(panel.id, raised(lowered(panel.place)));
  }
  settled.set(id, raised(lowered(wanted)));
  for (const panel of others) if (!settled.has(panel.id)) settled.set(panel.id, raised(lowered(panel.place)));
  return panels.map((panel) => Object.assign({}, panel, { place: settled.get(panel.id) ?? panel.place }));
}

/** The panels, moved where some of them overlap. */
export function withoutOverlaps<Panel extends Placed>(panels: readonly Panel[]): Panel[] {
  const isOverlapping = panels.some((one, index) => panels.slice(index + 1).some((other) => overlaps(one.place, other.place)));
  return isOverlapping ? settledPanels(panels) : [...panels];
}

/** The panels without one, moved up as far as there is room. */
export function withoutPanel<Panel extends Placed>(panels: readonly Panel[], id: string): Panel[] {
  return settledPanels(panels.filter((panel) => panel.id !== id));
}

function settledPanels<Panel extends Placed>(panels: readonly Panel[]): Panel[] {
  const ordered = readingOrder(panels);
  return ordered.reduce((placed, panel) => withPosition(placed, panel.id, panel.place), ordered);
}

/**
 * Position of a panel after an arrow key: a column to the side, or past the next panel above or below; with `isResize`, its size by one.
 * Null if the key does nothing.
 */
export function positionAfterKey(panels: readonly Placed[], { id, place }: Placed, key: string, isResize: boolean): PanelPosition | null {
  const { x, y, w, h } = place;
  if (isResize) {
    const [wider, higher] = arrowSteps[key] ?? [];
    return wider === undefined || higher === undefined ? null : { x, y, w: w + wider, h: h + higher };
  }
  if (key === "ArrowLeft" || key === "ArrowRight") return { ...place, x: key === "ArrowLeft" ? x - 1 : x + 1 };
  const inWay = readingOrder(panels.filter((other) => other.id !== id && other.place.x < x + w && x < other.place.x + other.place.w));
  if (key === "ArrowUp") {
    const above = inWay.findLast((other) => other.place.y + other.place.h <= y);
    return above ? { ...place, y: above.place.y } : null;
  }
  const below = key === "ArrowDown" ? inWay.find((other) => other.place.y >= y + h) : undefined;
  return below ? { ...place, y: below.place.y + Math.ceil(below.place.h / 2) } : null;
}

const arrowSteps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
