import { type Column, type ColumnType, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { SchemaChanges } from "@fairway/contract/dataset-administration";

/**
 * Merges declared columns with those found in the data, and reports the differences. Declared types that fit the found ones stay,
 * except those of `decided` columns: a person chose how they are read.
 */
export function mergeColumns(
  declared: readonly Column[],
  found: readonly Column[],
  decided: ReadonlySet<string> = new Set(),
): { columns: Column[]; changes: SchemaChanges } {
  const changes: SchemaChanges = { added: [], removed: [], changed: [], unchanged: 0 };
  const inData = new Map(found.map((column) => [column.name, column]));
  const remaining = declared.flatMap((column): Column[] => {
    if (column.combined !== null || column.computed !== undefined) return [column];
    const current = inData.get(column.name);
    if (current === undefined) {
      changes.removed.push(column.name);
      return [];
    }
    const isSame = column.type === current.type && (column.day ?? false) === (current.day ?? false);
    if (decided.has(column.name) ? isSame : isCompatible(column.type, current.type)) {
      changes.unchanged += 1;
      return [withDay(column, current)];
    }
    changes.changed.push({ name: column.name, from: column.type, to: current.type });
    if (!decided.has(column.name)) return [withDay({ ...column, type: current.type }, current)];
    const { day: _, ...rest } = column;
    return [withDay({ ...rest, type: current.type }, current)];
  });
  const declaredNames = new Set(declared.map(({ name }) => name));
  const added = found.filter(({ name }) => !declaredNames.has(name));
  changes.added.push(...added.map(({ name }) => name));
  const plain = new Set([...remaining, ...added].filter(({ combined }) => combined === null).map(({ name }) => name));
  const columns = [...remaining, ...added].filter(({ name, combined }) => {
    if (combined === null || combined.fields.every((field) => plain.has(field))) return true;
    changes.removed.push(name);
    return false;
  });
  return { columns, changes };
}

/**
 * Whether times are whole days is as the data say, so that a day gets no clock, and no clock is hidden. Numbers say nothing of it, and
 * a text does not hold them.
 */
function withDay({ day: declared, ...column }: Column, found: Column): Column {
  const isWhole = isTimestamp(found.type) ? found.day === true : declared === true;
  return isTimestamp(column.type) && isWhole ? { ...column, day: true } : column;
}

/** Whether values of the found type can be read as the declared type: numbers as timestamps, anything as a string. */
function isCompatible(declared: ColumnType, found: ColumnType): boolean {
  if (declared === found || declared === "STRING") return true;
  if (isNumeric(declared)) return isNumeric(found);
  return isTimestamp(declared) && (isTimestamp(found) || isNumeric(found));
}
