import type { ColumnType } from "@fairway/contract/columns";
import type { QueryableDataset, SourceProblem } from "#query/engine.ts";
import { isCompatible } from "#query/sql/compatible-types.ts";
import { type SqlColumn, describedColumn } from "#query/sql/table.ts";
import { sql } from "kysely";
import { isNested, storageOf } from "./column-types.ts";
import type { SourceMetadata } from "./source-metadata.ts";
import { readAs } from "./text/text-columns.ts";

/** The described columns as the files store them, and the problems that keep some of them from being read. */
export function matchColumns(
  described: QueryableDataset["columns"],
  metadata: Pick<SourceMetadata, "columns" | "finite" | "narrow" | "texts" | "derived" | "unreadable">,
): { columns: Map<string, SqlColumn>; problems: SourceProblem[] } {
  const columns = new Map<string, SqlColumn>();
  const problems: SourceProblem[] = [];
  for (const column of described) {
    const { name, type } = column;
    const duckType =
      metadata.columns.get(name) ?? metadata.derived.get(name)?.duckType ?? unreadableType(type, metadata.unreadable.get(name));
    if (duckType === undefined) {
      problems.push({ code: "column-missing", reason: `its data files have no column '${name}'`, column: name });
      continue;
    }
    const text = metadata.texts.get(name);
    if (text !== undefined) {
      columns.set(name, describedColumn(column, readAs(type, sql.id(name), text).storage));
      continue;
    }
    if (type === "STRING" && isNested(duckType)) {
      columns.set(name, describedColumn(column, { kind: "text" }));
      continue;
    }
    const stored = storageOf(duckType, metadata.finite.has(name));
    const storage = duckType === "BIGINT" && stored.kind === "integer" && metadata.narrow.has(name) ? { ...stored, narrow: true } : stored;
    if (isCompatible(type, storage)) columns.set(name, describedColumn(column, storage));
    else {
      const reason = `its column '${name}' is described as ${type}, but its data files contain ${duckType}`;
      problems.push({ code: "column-type", reason, detail: duckType, column: name });
    }
  }
  return { columns, problems };
}

/** Of a column that cannot be read and is empty therefore. */
const unreadableType = (type: ColumnType, stored: string | undefined): string | undefined =>
  stored === undefined ? undefined : type === "STRING" ? "VARCHAR" : "DOUBLE";
