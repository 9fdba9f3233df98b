import type { Entity, EntityWarning } from "@fairway/contract/entities";
import { idOf } from "./entity.ts";
import { callNameOf, cellText, type EntityKind } from "./entity-kind.ts";

/** An entity as the table shows it. */
export interface EntityRow {
  id: string;
  /** What people call it. */
  name: string;
  entity: Entity;
  enabled: boolean | undefined;
  warnings: readonly EntityWarning[];
  /** One for each column of the kind. */
  cells: readonly string[];
  /** What the filter looks in. */
  haystack: string;
}

export interface EntitySort {
  /** A place among the kind's columns, or one of the two below. */
  column: number;
  descending: boolean;
}

export const idColumn = -1;
export const enabledColumn = -2;

/** By what people call them. */
export const firstSort = (kind: EntityKind): EntitySort => ({
  column: kind.columns.findIndex(({ name }) => name === kind.nameField),
  descending: false,
});

/** Whether it is enabled; users say it by their lock. Undefined where the type knows no such thing. */
export function enabledOf(entity: Entity): boolean | undefined {
  if (typeof entity.enabled === "boolean") return entity.enabled;
  const lock = entity["lockStatus"] as { disabled?: unknown } | null | undefined;
  return typeof lock?.disabled === "boolean" ? !lock.disabled : undefined;
}

/** `noteOf`: what was found out beside, by id. */
export function rowsOf(kind: EntityKind, entities: readonly Entity[], noteOf: (id: string) => string = () => ""): EntityRow[] {
  return entities.map((entity) => {
    const id = idOf(entity, kind.idField) ?? "";
    const cells = kind.columns.map((column) => (column.noted ? noteOf(id) : cellText(column, entity)));
    return {
      id,
      name: callNameOf(kind, entity),
      entity,
      enabled: enabledOf(entity),
      warnings: entity.warnings ?? [],
      cells,
      haystack: [id, ...cells].join("\n").toLowerCase(),
    };
  });
}

/** Those that hold the text in their id or a column, in any case. */
export function filtered(rows: readonly EntityRow[], text: string): readonly EntityRow[] {
  const wanted = text.trim().toLowerCase();
  return wanted === "" ? rows : rows.filter(({ haystack }) => haystack.includes(wanted));
}

const collator = new Intl.Collator("en", { numeric: true });

/** In their order; equal ones by id. */
export function sorted(rows: readonly EntityRow[], { column, descending }: EntitySort): readonly EntityRow[] {
  const textOf = ({ id, enabled, cells }: EntityRow): string =>
    column === idColumn ? id : column === enabledColumn ? String(enabled) : (cells[column] ?? "");
  const sign = descending ? -1 : 1;
  return rows.toSorted((one, other) => sign * collator.compare(textOf(one), textOf(other)) || collator.compare(one.id, other.id));
}
