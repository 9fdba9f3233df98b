import type { MapItem } from "./map-items.ts";
import type { ItemOrder } from "./map-view-state.ts";
import { type MarkScale, rankOf } from "./marks.ts";

/**
 * Items, which come by name, in another order: the latest first, the highest number first, or texts as the legend has them. Items
 * without a time or value come last, and equal ones stay by name.
 */
export function orderedItems(items: readonly MapItem[], order: ItemOrder, scale: MarkScale | null): readonly MapItem[] {
  if (order === "name" || (order === "value" && scale === null)) return items;
  const rank = order === "value" && scale !== null ? rankOf(scale) : ({ timeMs }: MapItem) => timeMs ?? Number.NEGATIVE_INFINITY;
  const ranked = items.map((item) => ({ item, rank: rank(item) }));
  // The difference of two infinities is not a number.
  ranked.sort((one, other) => (one.rank === other.rank ? 0 : other.rank - one.rank));
  return ranked.map(({ item }) => item);
}
