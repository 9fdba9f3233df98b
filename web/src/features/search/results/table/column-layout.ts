import type { Column } from "@fairway/contract/columns";
import { inferColumns } from "@fairway/contract/inferred-columns";
import type { ResultRow } from "@fairway/contract/search";

/** The dataset's columns; if it declares none (some upstream services), those inferred from the rows. */
export const columnsOf = (schemaColumns: readonly Column[], rows: readonly ResultRow[]): readonly Column[] =>
  schemaColumns.length > 0 ? schemaColumns : inferColumns(rows);

/** A user's column layout of a dataset, by column name. */
export interface ColumnLayout {
  /** Every column, pinned ones first. */
  readonly order: readonly string[];
  readonly hidden: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** CSS pixels, for columns with a changed width. */
  readonly widths: Readonly<Record<string, number>>;
}

const none: ReadonlySet<string> = new Set();

/** The default layout: the dataset's own order, without the columns that it hides at first. */
export const defaultLayout = (names: readonly string[], hiddenAtFirst = none): ColumnLayout => ({
  order: names,
  hidden: hiddenAtFirst,
  pinned: new Set(),
  widths: {},
});

/** Adapts a layout to the current columns: drops missing ones and appends new ones, hidden if the dataset hides them at first. */
export function adaptLayout(layout: ColumnLayout, names: readonly string[], hiddenAtFirst = none): ColumnLayout {
  const available = new Set(names);
  const remaining = layout.order.filter((name) => available.has(name));
  const known = new Set(remaining);
  const added = names.filter((name) => !known.has(name));
  return {
    order: [...remaining, ...added],
    hidden: new Set([...intersection(layout.hidden, available), ...added.filter((name) => hiddenAtFirst.has(name))]),
    pinned: intersection(layout.pinned, available),
    widths: Object.fromEntries(Object.entries(layout.widths).filter(([name]) => available.has(name))),
  };
}

/** Shows exactly `visible`, in that order as far as pinning allows. */
export function withVisible(layout: ColumnLayout, visible: readonly string[]): ColumnLayout {
  const shown = visible.filter((name) => layout.order.includes(name));
  const set = new Set(shown);
  return pinnedFirst({
    ...layout,
    order: reorderWithin(layout.order, shown),
    hidden: new Set(layout.order.filter((name) => !set.has(name))),
  });
}

/** The visible columns in order. */
export const visibleNames = (layout: ColumnLayout): string[] => layout.order.filter((name) => !layout.hidden.has(name));

/** Whether every column that the dataset does not hide at first is visible, and no other, in the dataset's order. */
export const isDefaultLayout = (layout: ColumnLayout, names: readonly string[], hiddenAtFirst = none): boolean =>
  layout.hidden.size === hiddenAtFirst.size &&
  [...layout.hidden].every((name) => hiddenAtFirst.has(name)) &&
  layout.order.every((name, index) => name === names[index]);

export const withHidden = (layout: ColumnLayout, name: string, hidden: boolean): ColumnLayout => ({
  ...layout,
  hidden: toggle(layout.hidden, name, hidden),
});

export const withAllShown = (layout: ColumnLayout): ColumnLayout => ({ ...layout, hidden: new Set() });
export const withAllHidden = (layout: ColumnLayout): ColumnLayout => ({ ...layout, hidden: new Set(layout.order) });

/** Pins a column after the other pinned ones, or unpins it. */
export function withPinned(layout: ColumnLayout, name: string, pinned: boolean): ColumnLayout {
  return pinnedFirst({ ...layout, pinned: toggle(layout.pinned, name, pinned) });
}

/** Sets a width in whole pixels; undefined resets it to fit the data. */
export function withWidth(layout: ColumnLayout, name: string, width: number | undefined): ColumnLayout {
  const { [name]: _, ...widths } = layout.widths;
  return { ...layout, widths: width === undefined ? widths : { ...widths, [name]: clampWidth(width) } };
}

export const minColumnWidth = 56;
export const maxColumnWidth = 1_200;
export const clampWidth = (width: number): number => Math.round(Math.min(maxColumnWidth, Math.max(minColumnWidth, width)));

/** The visible column that a move would swap with; undefined at the end of its region. */
export function moveTargetOf(layout: ColumnLayout, name: string, step: -1 | 1): string | undefined {
  const next = visibleNames(layout)[visibleNames(layout).indexOf(name) + step];
  return next !== undefined && layout.pinned.has(next) === layout.pinned.has(name) ? next : undefined;
}

/** Swaps with the visible neighbor; does nothing at the end of the region. */
export function moveColumnBy(layout: ColumnLayout, name: string, step: -1 | 1): ColumnLayout {
  const other = moveTargetOf(layout, name, step);
  return other === undefined ? layout : moveColumn(layout, name, other);
}

/** Moves the column to the position of `target`. Pinned columns stay in front of the others. */
export function moveColumn(layout: ColumnLayout, name: string, target: string): ColumnLayout {
  const from = layout.order.indexOf(name);
  const to = layout.order.indexOf(target);
  if (from < 0 || to < 0) return layout;
  const order = layout.order.filter((other) => other !== name);
  order.splice(to, 0, name);
  return pinnedFirst({ ...layout, order });
}

/** Reorders `names` within the positions they occupy in `order`; other names keep their positions. */
function reorderWithin(order: readonly string[], names: readonly string[]): string[] {
  const set = new Set(names);
  let next = 0;
  return order.map((name) => (set.has(name) ? (names[next++] ?? name) : name));
}

function pinnedFirst(layout: ColumnLayout): ColumnLayout {
  const { order, pinned } = layout;
  return { ...layout, order: [...order.filter((name) => pinned.has(name)), ...order.filter((name) => !pinned.has(name))] };
}

function toggle(set: ReadonlySet<string>, name: string, on: boolean): Set<string> {
  const next = new Set(set);
  if (on) next.add(name);
  else next.delete(name);
  return next;
}

const intersection = (set: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> =>
  new Set([...set].filter((name) => other.has(name)));
