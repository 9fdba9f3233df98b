import type { ColumnType } from "@fairway/contract/columns";
import { type QueryableDataset, SourceNotReady, type SourceProblem } from "#query/engine.ts";
import { type SqlColumn, type Storage, describedColumn } from "./table.ts";

/** A column as its source stores it. */
interface StoredColumn {
  readonly storage: Storage;
  /** As the server names the type. */
  readonly typeText: string;
}

export interface MatchedColumns {
  readonly columns: ReadonlyMap<string, SqlColumn>;
  /** Problems that keep some columns from being read. */
  readonly problems: readonly SourceProblem[];
}

/** The described columns as the source stores them. `words`: how sentences about the source begin. */
export function matchColumns(
  described: QueryableDataset["columns"],
  storedAs: (column: QueryableDataset["columns"][number]) => StoredColumn | undefined,
  words: { readonly has: string; readonly contains: string },
): MatchedColumns {
  const columns = new Map<string, SqlColumn>();
  const problems: SourceProblem[] = [];
  for (const column of described) {
    const { name, type } = column;
    const stored = storedAs(column);
    if (stored === undefined) problems.push({ code: "column-missing", reason: `${words.has} no column '${name}'`, column: name });
    else if (isCompatible(type, stored.storage)) columns.set(name, describedColumn(column, stored.storage));
    else {
      const reason = `its column '${name}' is described as ${type}, but ${words.contains} ${stored.typeText}`;
      problems.push({ code: "column-type", reason, detail: stored.typeText, column: name });
    }
  }
  return { columns, problems };
}

/** Rejects columns with problems; `forget` makes the next attempt notice data that have been corrected. */
export function readableColumns({ columns, problems: [first, ...others] }: MatchedColumns, forget: () => void): MatchedColumns["columns"] {
  if (first === undefined) return columns;
  forget();
  throw new SourceNotReady([first, ...others]);
}

const numbers: readonly Storage["kind"][] = ["integer", "exact-decimal", "floating"];
const compatibleStorage: Readonly<Record<Exclude<ColumnType, "STRING">, readonly Storage["kind"][]>> = {
  BOOLEAN: ["boolean"],
  integer: numbers,
  decimal: numbers,
  TIMESTAMP_SECONDS: ["instant", ...numbers],
  TIMESTAMP_MILLS: ["instant", ...numbers],
};

/** Whether values stored this way can be compared and shown as the type. Anything can be shown as text. */
const isCompatible = (type: ColumnType, storage: Storage): boolean => type === "STRING" || compatibleStorage[type].includes(storage.kind);
