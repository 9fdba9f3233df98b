import type { QueryableDataset, SourceProblem } from "#query/engine.ts";
import type { SqlColumn } from "#query/sql/table.ts";
import { sql } from "kysely";
import { fits, isNested, storageOf } from "./column-types.ts";
import type { SourceFacts } from "./source-facts.ts";
import { readAs } from "./text/text-columns.ts";

/** The described columns as the files hold them, and what keeps some of them from being read. */
export function matchColumns(
  described: QueryableDataset["columns"],
  facts: Pick<SourceFacts, "columns" | "finite" | "texts">,
): { columns: Map<string, SqlColumn>; problems: SourceProblem[] } {
  const columns = new Map<string, SqlColumn>();
  const problems: SourceProblem[] = [];
  for (const { name, type } of described) {
    const duckType = facts.columns.get(name);
    if (duckType === undefined) {
      problems.push({ code: "column-missing", reason: `its data files have no column '${name}'`, column: name });
      continue;
    }
    const text = facts.texts.get(name);
    if (text !== undefined) {
      columns.set(name, { name, type, storage: readAs(type, sql.id(name), text).storage });
      continue;
    }
    if (type === "STRING" && isNested(duckType)) {
      columns.set(name, { name, type, storage: { kind: "text" } });
      continue;
    }
    const storage = storageOf(duckType, facts.finite.has(name));
    if (fits(type, storage)) columns.set(name, { name, type, storage });
    else {
      const reason = `its column '${name}' is described as ${type}, but its data files hold ${duckType}`;
      problems.push({ code: "column-type", reason, detail: duckType, column: name });
    }
  }
  return { columns, problems };
}
