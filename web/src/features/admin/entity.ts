import type { Entity } from "@fairway/contract/entities";

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** As people write it, before the gateway has seen it. */
export type EntityDraft = Record<string, unknown>;

/** What tells an entity from the others of its type; undefined where there is no text in its place. */
export function idOf(given: EntityDraft, idField: "id" | "name"): string | undefined {
  const id = given[idField];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/**
 * The entity as people edit, copy and export it: without its version, and without the ids of things inside it, which are
 * found again by their names. Fields of `opaque` hold a text of somebody else's, where an id is a word like any other.
 */
export function withoutNestedIds(entity: Entity, opaque: readonly string[] = []): EntityDraft {
  const { id, name, enabled } = entity;
  // What people look for first stands first.
  const ordered = {
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(enabled === undefined ? {} : { enabled }),
    ...entity,
  };
  return Object.fromEntries(
    Object.entries(ordered)
      .filter(([field]) => field !== "version")
      .map(([field, value]) => [field, opaque.includes(field) ? value : stripped(value)]),
  );
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "id")
      .map(([name, inner]) => [name, stripped(inner)]),
  );
}
