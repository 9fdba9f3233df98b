import { type Column, type ColumnType, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { SchemaChanges } from "@fairway/contract/dataset-administration";

/** The columns after a look at the data, and what is different. */
export function mergeColumns(declared: readonly Column[], found: readonly Column[]): { columns: Column[]; changes: SchemaChanges } {
  const changes: SchemaChanges = { added: [], removed: [], changed: [], unchanged: 0 };
  const inData = new Map(found.map((column) => [column.name, column]));
  const stay = declared.flatMap((column): Column[] => {
    if (column.combined !== null) return [column];
    const now = inData.get(column.name);
    if (now === undefined) {
      changes.removed.push(column.name);
      return [];
    }
    if (stillFits(column.type, now.type)) {
      changes.unchanged += 1;
      return [column];
    }
    changes.changed.push({ name: column.name, from: column.type, to: now.type });
    return [{ ...column, type: now.type }];
  });
  const known = new Set(declared.map(({ name }) => name));
  const added = found.filter(({ name }) => !known.has(name));
  changes.added.push(...added.map(({ name }) => name));
  const plain = new Set([...stay, ...added].filter(({ combined }) => combined === null).map(({ name }) => name));
  const columns = [...stay, ...added].filter(({ name, combined }) => {
    if (combined === null || combined.fields.every((field) => plain.has(field))) return true;
    changes.removed.push(name);
    return false;
  });
  return { columns, changes };
}

/** Whether values of the type that the data have now can go on as what somebody declared: a number as a moment, anything as a text. */
function stillFits(declared: ColumnType, found: ColumnType): boolean {
  if (declared === found || declared === "STRING") return true;
  if (isNumeric(declared)) return isNumeric(found);
  return isTimestamp(declared) && (isTimestamp(found) || isNumeric(found));
}
