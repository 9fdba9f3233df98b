import { counted } from "@fairway/contract/counts";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/cell-text.ts";
import { type MapFields, mapFieldsOf, type PlaceProblem, placeIn, timeIn } from "./map-fields.ts";
import { sortedByName } from "./name-order.ts";

/** One item of the map: the last row of its group. */
export interface MapItem {
  /** Tells it from the others, also in an address. */
  readonly id: string;
  readonly name: string;
  /** What tells it from others of its name; null where it is the only one. */
  readonly mark: string | null;
  /** What it is grouped by, as it is sent to ask for its path; null where the row does not say. */
  readonly group: CellValue;
  readonly row: ResultRow;
  /** Not a number where `problem` says why. */
  readonly lat: number;
  readonly lng: number;
  readonly problem: PlaceProblem | null;
  readonly timeMs: number | null;
}

export interface MapItemList {
  readonly fields: MapFields;
  /** Sorted by name. */
  readonly items: readonly MapItem[];
  readonly byId: ReadonlyMap<string, MapItem>;
  /** Items that are not drawn, by what is wrong with their coordinates. */
  readonly unplaced: Readonly<Record<PlaceProblem, number>>;
  readonly newestMs: number | null;
}

/** The rows as items of a map. Null where they cannot be shown on one: no map support, or rows of which none has a place. */
export function mapItemsOf(description: DatasetDescription, rows: readonly ResultRow[]): MapItemList | null {
  const fields = mapFieldsOf(description);
  if (fields === null) return null;
  const title = description.schema.columns.find(({ name }) => name === description.titleField);
  const items = rows.map((row): MapItem => {
    const group = row[fields.group.name] ?? null;
    const groupText = cellText(fields.group, row) ?? "";
    const name = ((title && cellText(title, row)) ?? "").trim() || groupText || "unnamed";
    const place = placeIn(row, fields);
    const placed = "lat" in place ? { ...place, problem: null } : { lat: Number.NaN, lng: Number.NaN, problem: place.problem };
    return { id: String(group ?? ""), name, mark: null, group, row, ...placed, timeMs: timeIn(row, fields) };
  });
  const list = listOf(fields, distinct(items));
  const total = rows.length;
  return total > 0 && unplacedIn(list) === list.items.length ? null : list;
}

/** How many items are not drawn. */
export const unplacedIn = ({ unplaced }: Pick<MapItemList, "unplaced">): number =>
  unplaced.missing + unplaced["out of range"] + unplaced.text;

/** `3 items have no place on the map: 2 missing coordinates, 1 out of range.` Null where all have one. */
export function unplacedText({ unplaced }: Pick<MapItemList, "unplaced">): string | null {
  const count = unplacedIn({ unplaced });
  if (count === 0) return null;
  const reasons = [
    [unplaced.missing, "with coordinates missing"],
    [unplaced["out of range"], "out of range"],
    [unplaced.text, "with text for coordinates"],
  ] as const;
  const said = reasons.filter(([of]) => of > 0).map(([of, reason]) => `${of.toLocaleString("en-US")} ${reason}`);
  return `${counted(count, "item has", "items have")} no place on the map: ${said.join(", ")}.`;
}

/** The items whose name or group holds the text, whatever the case. */
export function filteredItems(items: readonly MapItem[], filter: string): readonly MapItem[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === "") return items;
  return items.filter(({ id, name }) => name.toLowerCase().includes(wanted) || id.toLowerCase().includes(wanted));
}

function listOf(fields: MapFields, unsorted: readonly MapItem[]): MapItemList {
  const items = marked(sortedByName(unsorted));
  const unplaced = { missing: 0, "out of range": 0, text: 0 };
  let newestMs: number | null = null;
  for (const { problem, timeMs } of items) {
    if (problem !== null) unplaced[problem] += 1;
    if (timeMs !== null && (newestMs === null || timeMs > newestMs)) newestMs = timeMs;
  }
  return { fields, items, byId: new Map(items.map((item) => [item.id, item])), unplaced, newestMs };
}

/** Items of one name carry their ids; of sorted items, where these stand together. */
const marked = (items: readonly MapItem[]): MapItem[] =>
  items.map((item, index) => {
    const isNamesake = items[index - 1]?.name === item.name || items[index + 1]?.name === item.name;
    return isNamesake && item.id !== item.name ? { ...item, mark: item.id } : item;
  });

/** An upstream may answer several rows of a group: the newest stands for it. */
function distinct(items: readonly MapItem[]): MapItem[] {
  const newest = new Map<string, MapItem>();
  for (const item of items) {
    const before = newest.get(item.id);
    if (!before || (item.timeMs ?? -Infinity) > (before.timeMs ?? -Infinity)) newest.set(item.id, item);
  }
  return [...newest.values()];
}
