import { type Box, maxGridLevel } from "@fairway/contract/grid-cells";
import { fullTurn } from "@fairway/contract/positions";
import type { BoxCondition } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { Problems } from "./problems.ts";

/** Whether a level of cells is valid. */
export function requireLevel(level: number, problems: Problems): boolean {
  const isLevel = Number.isInteger(level) && level >= 0 && level <= maxGridLevel;
  if (!isLevel) problems.add("invalid-request", `A level is a whole number from 0 to ${maxGridLevel}.`, "level");
  return isLevel;
}

/** The view of a search, with an east that is never below its west. */
export function validView(within: readonly number[], problems: Problems): Box | undefined {
  const [west, south, east, north] = within;
  const refuse = (text: string) => problems.add("invalid-value", text, "within");
  if (within.length !== 4 || west === undefined || south === undefined || east === undefined || north === undefined) {
    return refuse("The view needs four numbers: west, south, east, north.");
  }
  if (south > north) return refuse("The view's south edge lies north of its north edge.");
  if (south < -90 || north > 90) return refuse("The view reaches beyond 90 degrees of latitude.");
  if (Math.abs(west) > 180) return refuse("The view's west edge lies between -180 and 180 degrees.");
  const furtherEast = east < west ? east + fullTurn : east;
  if (furtherEast < west || furtherEast - west > fullTurn) return refuse("The view is wider than the world.");
  return [west, south, furtherEast, north];
}

/** The condition that a search's `within` is. */
export function viewConditions(
  { queryable, engine }: SearchableDataset,
  { within }: { readonly within?: readonly number[] | undefined },
  problems: Problems,
): readonly BoxCondition[] {
  if (within === undefined) return [];
  const { location } = queryable;
  if (location === null || engine.grid === undefined) {
    problems.add("not-supported", "This dataset cannot be narrowed to a view.", "within");
    return [];
  }
  const view = validView(within, problems);
  return view === undefined ? [] : [boxCondition(location, view)];
}

export const boxCondition = (location: { readonly latitude: string; readonly longitude: string }, box: Box): BoxCondition => {
  const [west, south, east, north] = box;
  return { operator: "within", ...location, west, south, east, north };
};
