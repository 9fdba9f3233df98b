import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { SearchPanel } from "./panel-search.ts";
import type { Narrowing } from "#parts/search-model/search-address.ts";

/** Context that a board provides to its panels. */
export interface BoardContext {
  readonly shared: Narrowing;
  /** Counts the loads of the whole board; each is as of `nowMs`. */
  readonly round: number;
  readonly nowMs: number;
  /** Whether panels load that have not been in view. */
  readonly loadsAll: boolean;
  readonly onLoading: (id: string, isLoading: boolean) => void;
  /** Narrows the board to a time. */
  readonly narrow: (time: { startMs: number; endMs: number }) => void;
  /** Opens the rows of a panel as a search. */
  readonly openRows: (panel: SearchPanel, record: SearchRecord) => void;
}
