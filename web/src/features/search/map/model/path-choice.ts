import { formatCount } from "@fairway/contract/counts";
import type { MapItem } from "./map-items.ts";
import { hasPath } from "./path-model.ts";

/** The drawn part of where the items went: nothing, thinned tracks of all items, or every position. */
export const pathChoices = ["none", "overview", "exact"] as const;
export type PathChoice = (typeof pathChoices)[number];

/** The exact paths of more items are asked about before anything is counted. */
export const maxUnasked = 100;

/** The items that have paths. */
export const exactItems = (items: readonly MapItem[]): readonly MapItem[] => items.filter(hasPath);

/** Single exact paths beside the tracks are no choice of their own: each item has its box. */
export function pathChoice(items: readonly MapItem[], paths: ReadonlyMap<string, unknown>, showsTracks: boolean): PathChoice {
  const exact = exactItems(items);
  if (exact.length > 0 && exact.every(({ id }) => paths.has(id))) return "exact";
  return showsTracks ? "overview" : "none";
}

/** The part of the tracks that the map shows. */
export interface Overview {
  readonly isLoading: boolean;
  readonly isTruncated: boolean;
  /** Tracks that are drawn of how many items, and their points. */
  readonly tracks: number;
  readonly items: number;
  readonly points: number;
  /** The positions that the search has; null if that is not known. */
  readonly positions: number | null;
}

/** Null if every position is drawn, as far as is known. */
export function overviewText({ isLoading, isTruncated, tracks, items, points, positions }: Overview): string | null {
  if (isLoading) return "Loading paths";
  if (tracks === 0) return null;
  const left = tracks < items ? [`${formatCount(tracks)} of ${formatCount(items)} drawn, simplified`] : [];
  if (positions !== null && positions > points)
    left.unshift(`Overview of ${formatCount(positions)} positions, ${formatCount(points)} drawn`);
  else if (isTruncated && left.length === 0) left.push(`Overview, ${formatCount(points)} positions drawn`);
  return left.length === 0 ? null : left.join(". ");
}
