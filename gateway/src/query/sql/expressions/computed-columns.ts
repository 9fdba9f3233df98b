import type { ComputedStep } from "#query/engine.ts";
import { named } from "../operators.ts";
import { type SqlColumn, type SqlDialect, type Storage, describedColumn } from "../table.ts";
import { namesIn } from "../view-source.ts";
import { compileExpression } from "./compile-expression.ts";
import type { Sql, ValueKind } from "./value-kinds.ts";
import { columnValue, kindOf } from "./values.ts";

/** A value that is computed of those before it. */
interface Part {
  readonly name: string;
  readonly value: Sql;
  readonly inputs: readonly string[];
}

/**
 * A computed column as parts that follow each other: values that are needed more than once are parts of their own, named by `prefix`, so
 * that no expression is repeated within another.
 */
export function computedColumns(
  { column, expression }: ComputedStep,
  known: ReadonlyMap<string, SqlColumn>,
  prefix: string,
  dialect: SqlDialect,
): { readonly column: SqlColumn; readonly parts: readonly Part[] } {
  const parts: Part[] = [];
  const add = (name: string, value: Sql): Sql => {
    parts.push({ name, value, inputs: [...namesIn(value)] });
    return named({ name });
  };
  const bind = (value: Sql): Sql => add(`${prefix}.${parts.length}`, value);
  const value = compileExpression(expression, {
    dialect,
    bind,
    columnValue: (name) => {
      const found = known.get(name);
      if (found === undefined) throw new Error(`an expression has no column '${name}'`);
      return columnValue(found, dialect);
    },
    columnBits: (name) => {
      const { storage } = known.get(name) ?? {};
      return storage?.kind === "integer" && storage.narrow ? 53 : undefined;
    },
  });
  const kind = kindOf(expression) ?? "text";
  add(column.name, kind === "time" ? dialect.timeOfMs(value) : value);
  return { column: describedColumn(column, storageOf(kind, dialect)), parts };
}

function storageOf(kind: ValueKind, dialect: SqlDialect): Storage {
  switch (kind) {
    case "text":
      return { kind: "text" };
    case "integer":
      return { kind: "integer", narrow: false };
    case "decimal":
      return { kind: "floating", single: false, finite: true };
    case "boolean":
      return { kind: "boolean" };
    case "time":
      return { kind: "instant", zoned: dialect.computedTimesAreZoned };
    default:
      return kind satisfies never;
  }
}
