import { pluralize } from "@fairway/contract/counts";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/text/cell-text.ts";
import { type MapFields, mapFieldsOf, type CoordinateProblem, coordinatesOf, timeOf } from "./map-fields.ts";
import { sortedByName } from "./name-order.ts";

/** One item of the map: the last row of its group. */
export interface MapItem {
  /** Unique in the list; also used in addresses. */
  readonly id: string;
  readonly name: string;
  /** Distinguishes items of the same name; null if the name is unique. */
  readonly mark: string | null;
  /** The group value that path requests send; null if the row has none. */
  readonly group: CellValue;
  readonly row: ResultRow;
  /** NaN if `problem` is set. */
  readonly lat: number;
  readonly lng: number;
  readonly problem: CoordinateProblem | null;
  readonly timeMs: number | null;
}

export interface MapItemList {
  readonly fields: MapFields;
  /** Sorted by name. */
  readonly items: readonly MapItem[];
  readonly byId: ReadonlyMap<string, MapItem>;
  /** Number of items that are not drawn, by problem. */
  readonly unplaced: Readonly<Record<CoordinateProblem, number>>;
  readonly newestMs: number | null;
}

/** Turns rows into map items. Null if there is no map support, or if no row has valid coordinates. */
export function mapItemsOf(description: DatasetDescription, rows: readonly ResultRow[]): MapItemList | null {
  const fields = mapFieldsOf(description);
  if (fields === null) return null;
  const title = description.schema.columns.find(({ name }) => name === description.titleField);
  const items = rows.map((row): MapItem => {
    const group = row[fields.group.name] ?? null;
    const groupText = cellText(fields.group, row) ?? "";
    const name = ((title && cellText(title, row)) ?? "").trim() || groupText || "unnamed";
    const coordinates = coordinatesOf(row, fields);
    const location =
      "lat" in coordinates ? { ...coordinates, problem: null } : { lat: Number.NaN, lng: Number.NaN, problem: coordinates.problem };
    return { id: String(group ?? ""), name, mark: null, group, row, ...location, timeMs: timeOf(row, fields) };
  });
  const list = createList(fields, newestByGroup(items));
  return rows.length > 0 && unplacedCount(list) === list.items.length ? null : list;
}

/** Number of items that are not drawn. */
export const unplacedCount = ({ unplaced }: Pick<MapItemList, "unplaced">): number =>
  unplaced.missing + unplaced["out of range"] + unplaced.text;

/** `3 items have no place on the map: 2 with coordinates missing, 1 out of range.` Null if every item has coordinates. */
export function unplacedSummary({ unplaced }: Pick<MapItemList, "unplaced">): string | null {
  const count = unplacedCount({ unplaced });
  if (count === 0) return null;
  const reasons = [
    [unplaced.missing, "with coordinates missing"],
    [unplaced["out of range"], "out of range"],
    [unplaced.text, "with text for coordinates"],
  ] as const;
  const parts = reasons.filter(([number]) => number > 0).map(([number, reason]) => `${number.toLocaleString("en-US")} ${reason}`);
  return `${pluralize(count, "item has", "items have")} no place on the map: ${parts.join(", ")}.`;
}

/** The items whose name or group contains the text, ignoring case. */
export function filteredItems(items: readonly MapItem[], filter: string): readonly MapItem[] {
  const text = filter.trim().toLowerCase();
  if (text === "") return items;
  return items.filter(({ id, name }) => name.toLowerCase().includes(text) || id.toLowerCase().includes(text));
}

function createList(fields: MapFields, unsorted: readonly MapItem[]): MapItemList {
  const items = withMarks(sortedByName(unsorted));
  const unplaced = { missing: 0, "out of range": 0, text: 0 };
  let newestMs: number | null = null;
  for (const { problem, timeMs } of items) {
    if (problem !== null) unplaced[problem] += 1;
    if (timeMs !== null && (newestMs === null || timeMs > newestMs)) newestMs = timeMs;
  }
  return { fields, items, byId: new Map(items.map((item) => [item.id, item])), unplaced, newestMs };
}

/** Marks items that share a name with their ids. Expects sorted items, so that namesakes are adjacent. */
const withMarks = (items: readonly MapItem[]): MapItem[] =>
  items.map((item, index) => {
    const isNamesake = items[index - 1]?.name === item.name || items[index + 1]?.name === item.name;
    return isNamesake && item.id !== item.name ? { ...item, mark: item.id } : item;
  });

/** An upstream may answer several rows per group; the newest one wins. */
function newestByGroup(items: readonly MapItem[]): MapItem[] {
  const newest = new Map<string, MapItem>();
  for (const item of items) {
    const previous = newest.get(item.id);
    if (!previous || (item.timeMs ?? -Infinity) > (previous.timeMs ?? -Infinity)) newest.set(item.id, item);
  }
  return [...newest.values()];
}
