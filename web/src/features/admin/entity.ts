import { isJsonObject } from "@fairway/contract/json";
import type { Entity } from "@fairway/contract/entities";

/** As people write it, before the gateway has seen it. */
export type EntityDraft = Record<string, unknown>;

/** What tells an entity from the others of its type; undefined where there is no text in its place. */
export function idOf(given: EntityDraft, idField: string): string | undefined {
  const id = given[idField];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/**
 * The entity as people edit, copy and export it: without its version and warnings, and without the ids of things inside it, which are
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
      .filter(([field]) => field !== "version" && field !== "warnings")
      .map(([field, value]) => [field, opaque.includes(field) ? value : stripped(value)]),
  );
}

/** The same value, its fields in the order in which `model` has them, the others after: so that two texts differ where they do. */
export function inOrderOf(model: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown, at) => inOrderOf(Array.isArray(model) ? model[at] : undefined, inner));
  if (!isJsonObject(value) || !isJsonObject(model)) return value;
  const names = [
    ...Object.keys(model).filter((name) => Object.hasOwn(value, name)),
    ...Object.keys(value).filter((name) => !Object.hasOwn(model, name)),
  ];
  return Object.fromEntries(names.map((name) => [name, inOrderOf(model[name], value[name])]));
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "id")
      .map(([name, inner]) => [name, stripped(inner)]),
  );
}
