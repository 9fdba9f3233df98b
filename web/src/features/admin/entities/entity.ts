import { isJsonObject } from "@fairway/contract/json";
import type { Entity } from "@fairway/contract/entities";

/** An entity as edited, not validated yet. */
export type EntityDraft = Record<string, unknown>;

/** The id of an entity; undefined when it is missing or not a non-empty string. */
export function idOf(entity: EntityDraft, idField: string): string | undefined {
  const id = entity[idField];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/**
 * The entity as it is edited, copied and exported: without version and warnings, and without nested ids, because nested items are
 * identified by their names. Fields in `opaque` have foreign content, which is left unchanged.
 */
export function withoutNestedIds(entity: Entity, opaque: readonly string[] = []): EntityDraft {
  const { id, name, enabled } = entity;
  // The most important fields come first.
  const ordered = {
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(enabled === undefined ? {} : { enabled }),
    ...entity,
  };
  return Object.fromEntries(
    Object.entries(ordered)
      .filter(([field]) => field !== "version" && field !== "warnings")
      .map(([field, value]) => [field, opaque.includes(field) ? value : withoutIds(value)]),
  );
}

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "id")
      .map(([name, inner]) => [name, withoutIds(inner)]),
  );
}
