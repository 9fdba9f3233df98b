import type { TimeExtent } from "@fairway/contract/datasets";
import type { QueryableDataset } from "#query/engine.ts";
import { cellsOf } from "./aggregate-scans.ts";
import type { TextRow } from "./column-values-read.ts";
import { type Compiled, compileExtent } from "./compile.ts";
import { unitMs } from "./instants.ts";
import type { SqlDialect, SqlTable } from "./table.ts";

/** First and last time of the rows that readers of a dataset see. */
export async function readExtent(
  table: SqlTable,
  { temporalField, ownConditions }: Pick<QueryableDataset, "ownConditions"> & { readonly temporalField: string },
  dialect: SqlDialect,
  rows: (statement: Compiled) => Promise<readonly TextRow[]>,
): Promise<TimeExtent | null> {
  const [row = []] = await rows(compileExtent(table, temporalField, dialect, ownConditions));
  const [first, last] = cellsOf(row);
  const unit = Number(unitMs(table.columns.get(temporalField)?.type ?? "TIMESTAMP_MILLS"));
  return typeof first === "number" && typeof last === "number" ? { startMs: first * unit, endMs: last * unit } : null;
}
