import type { EntityWarning } from "@fairway/contract/entity-warning";
import type { Entity } from "@fairway/contract/entities";
import { compareNames } from "@fairway/contract/name-order";
import { idOf } from "./entity.ts";
import { displayNameOf, cellText, type EntityKind } from "./entity-kind.ts";

/** An entity as a table row. */
export interface EntityRow {
  id: string;
  /** The display name. */
  name: string;
  entity: Entity;
  enabled: boolean | undefined;
  warnings: readonly EntityWarning[];
  /** One text per column of the kind. */
  cells: readonly string[];
  /** The text that the filter searches. */
  haystack: string;
}

export interface EntitySort {
  /** An index into the kind's columns, or `idColumn` or `enabledColumn`. */
  column: number;
  descending: boolean;
}

export const idColumn = -1;
export const enabledColumn = -2;

/** Sorts by display name. */
export const defaultSort = (kind: EntityKind): EntitySort => ({
  column: kind.columns.findIndex(({ name }) => name === kind.nameField),
  descending: false,
});

/** Whether an entity is enabled; for users, whether they are not locked. Undefined for types without such a state. */
export function enabledOf(entity: Entity): boolean | undefined {
  if (typeof entity.enabled === "boolean") return entity.enabled;
  const lock = entity["lockStatus"] as { disabled?: unknown } | null | undefined;
  return typeof lock?.disabled === "boolean" ? !lock.disabled : undefined;
}

/** `separateTextOf` returns the text of a separately fetched column. */
export function rowsOf(
  kind: EntityKind,
  entities: readonly Entity[],
  separateTextOf: (entity: Entity, column: string) => string = () => "",
): EntityRow[] {
  return entities.map((entity) => {
    const id = idOf(entity, kind.idField) ?? "";
    const cells = kind.columns.map((column) => (column.isSeparate ? separateTextOf(entity, column.name) : cellText(column, entity)));
    return {
      id,
      name: displayNameOf(kind, entity),
      entity,
      enabled: enabledOf(entity),
      warnings: entity.warnings ?? [],
      cells,
      haystack: [id, ...cells].join("\n").toLowerCase(),
    };
  });
}

/** The rows that contain the text in their id or a column, ignoring case. */
export function filterRows(rows: readonly EntityRow[], text: string): readonly EntityRow[] {
  const needle = text.trim().toLowerCase();
  return needle === "" ? rows : rows.filter(({ haystack }) => haystack.includes(needle));
}

/** Sorts rows; ties are sorted by id. */
export function sortRows(rows: readonly EntityRow[], { column, descending }: EntitySort): readonly EntityRow[] {
  const textOf = ({ id, enabled, cells }: EntityRow): string =>
    column === idColumn ? id : column === enabledColumn ? String(enabled) : (cells[column] ?? "");
  const sign = descending ? -1 : 1;
  return rows.toSorted((one, other) => sign * compareNames(textOf(one), textOf(other)) || compareNames(one.id, other.id));
}
