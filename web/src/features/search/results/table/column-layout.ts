import type { Column } from "@fairway/contract/columns";
import { inferColumns } from "@fairway/contract/inferred-columns";
import type { ResultRow } from "@fairway/contract/search";

/** The dataset's columns; where it names none (some upstream services), the ones that the rows have. */
export const columnsOf = (schemaColumns: readonly Column[], rows: readonly ResultRow[]): readonly Column[] =>
  schemaColumns.length > 0 ? schemaColumns : inferColumns(rows);

/** How a person arranged the columns of a dataset. Names are the columns' names. */
export interface ColumnLayout {
  /** Every column, pinned ones first. */
  readonly order: readonly string[];
  readonly hidden: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** CSS pixels, for columns whose width was changed. */
  readonly widths: Readonly<Record<string, number>>;
}

/** Nothing arranged: the dataset's own order. */
export const plainLayout = (names: readonly string[]): ColumnLayout => ({ order: names, hidden: new Set(), pinned: new Set(), widths: {} });

/** The layout for the columns that the dataset has today: gone ones leave it, new ones come last. */
export function fitted(layout: ColumnLayout, names: readonly string[]): ColumnLayout {
  const there = new Set(names);
  const kept = layout.order.filter((name) => there.has(name));
  const known = new Set(kept);
  return {
    order: [...kept, ...names.filter((name) => !known.has(name))],
    hidden: intersection(layout.hidden, there),
    pinned: intersection(layout.pinned, there),
    widths: Object.fromEntries(Object.entries(layout.widths).filter(([name]) => there.has(name))),
  };
}

/** The layout showing exactly `visible`, in that order where pinning allows it. */
export function showing(layout: ColumnLayout, visible: readonly string[]): ColumnLayout {
  const shown = visible.filter((name) => layout.order.includes(name));
  const set = new Set(shown);
  return inRegions({ ...layout, order: reordered(layout.order, shown), hidden: new Set(layout.order.filter((name) => !set.has(name))) });
}

/** The columns on the screen, in their order. */
export const visibleNames = (layout: ColumnLayout): string[] => layout.order.filter((name) => !layout.hidden.has(name));

/** True when every column is shown in the dataset's order. */
export const isPlain = (layout: ColumnLayout, names: readonly string[]): boolean =>
  layout.hidden.size === 0 && layout.order.every((name, index) => name === names[index]);

export const withHidden = (layout: ColumnLayout, name: string, hidden: boolean): ColumnLayout => ({
  ...layout,
  hidden: toggled(layout.hidden, name, hidden),
});

export const withAllShown = (layout: ColumnLayout): ColumnLayout => ({ ...layout, hidden: new Set() });
export const withAllHidden = (layout: ColumnLayout): ColumnLayout => ({ ...layout, hidden: new Set(layout.order) });

/** Pins a column behind the other pinned ones, or takes it off again. */
export function withPinned(layout: ColumnLayout, name: string, pinned: boolean): ColumnLayout {
  return inRegions({ ...layout, pinned: toggled(layout.pinned, name, pinned) });
}

/** A width in whole pixels; undefined goes back to the width that fits the data. */
export function withWidth(layout: ColumnLayout, name: string, width: number | undefined): ColumnLayout {
  const { [name]: _, ...widths } = layout.widths;
  return { ...layout, widths: width === undefined ? widths : { ...widths, [name]: clampWidth(width) } };
}

export const narrowest = 56;
export const widest = 1_200;
export const clampWidth = (width: number): number => Math.round(Math.min(widest, Math.max(narrowest, width)));

/** The visible neighbour that a column would change places with; undefined at the end of its region. */
export function neighbour(layout: ColumnLayout, name: string, step: -1 | 1): string | undefined {
  const next = visibleNames(layout)[visibleNames(layout).indexOf(name) + step];
  return next !== undefined && layout.pinned.has(next) === layout.pinned.has(name) ? next : undefined;
}

/** Changes places with the visible neighbour; at the end of the region nothing happens. */
export function movedBy(layout: ColumnLayout, name: string, step: -1 | 1): ColumnLayout {
  const other = neighbour(layout, name, step);
  return other === undefined ? layout : moved(layout, name, other);
}

/** Takes the place of `target`, the columns between move up. A pinned column stays pinned, the others stay behind it. */
export function moved(layout: ColumnLayout, name: string, target: string): ColumnLayout {
  const from = layout.order.indexOf(name);
  const to = layout.order.indexOf(target);
  if (from < 0 || to < 0) return layout;
  const order = layout.order.filter((other) => other !== name);
  order.splice(to, 0, name);
  return inRegions({ ...layout, order });
}

/** `names` in the places that they hold together in `order`; every other name keeps its place. */
function reordered(order: readonly string[], names: readonly string[]): string[] {
  const set = new Set(names);
  let next = 0;
  return order.map((name) => (set.has(name) ? (names[next++] ?? name) : name));
}

function inRegions(layout: ColumnLayout): ColumnLayout {
  const { order, pinned } = layout;
  return { ...layout, order: [...order.filter((name) => pinned.has(name)), ...order.filter((name) => !pinned.has(name))] };
}

function toggled(set: ReadonlySet<string>, name: string, on: boolean): Set<string> {
  const next = new Set(set);
  if (on) next.add(name);
  else next.delete(name);
  return next;
}

const intersection = (set: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> =>
  new Set([...set].filter((name) => other.has(name)));
