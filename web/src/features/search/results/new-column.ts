import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { canAddLookup, canCompute } from "./added-columns.ts";
import type { ResultsDialog } from "./dialogs.tsx";

/** The dialog that adds a column: a formula first. Null if the search can have no more. */
export function newColumn(record: SearchRecord): ResultsDialog | null {
  if (canCompute(record)) return { kind: "column", name: null };
  return canAddLookup(record) ? { kind: "lookup", id: null, column: null } : null;
}
