import type { Entity } from "@fairway/contract/entities";
import { GatewayError, messagesOf } from "#lib/gateway-error.ts";
import { createEntity, editEntity, freshEntities } from "./entity-calls.ts";
import { type EntityDraft, idOf, isObject } from "./entity.ts";
import type { EntityKind } from "./entity-kind.ts";

/** What came of a save. */
export type Saved =
  | { kind: "saved"; entity: Entity }
  | { kind: "failed"; title: string; messages: readonly string[] }
  /** Somebody else saved meanwhile; `theirs` is what stands there now. */
  | { kind: "conflict"; theirs: Entity };

const invalidId: Saved = { kind: "failed", title: "Invalid ID", messages: ["A valid String ID must be given."] };

/** Saves a new entity, or an edited one on top of the version it began with. */
export async function saveDraft(kind: EntityKind, draft: unknown, base: Entity | null, list: readonly Entity[]): Promise<Saved> {
  if (!isObject(draft)) return invalidId;
  const id = idOf(draft, kind.idField);
  if (id === undefined && !(kind.givenId && base === null && !Object.hasOwn(draft, kind.idField))) return invalidId;
  if (base !== null && !list.some((one) => idOf(one, kind.idField) === id)) {
    return { kind: "failed", title: "ID Not Found", messages: [`There is no ${kind.noun} with the id '${id}'.`] };
  }
  if (base !== null && id !== idOf(base, kind.idField)) {
    return failedToSave(kind, [`The id of a ${kind.noun} cannot be changed.`]);
  }
  return sendDraft(kind, draft, base);
}

/** The same, without a look at the ids. */
export async function sendDraft(kind: EntityKind, draft: EntityDraft, base: Entity | null): Promise<Saved> {
  try {
    if (base === null) return { kind: "saved", entity: await createEntity(kind, draft) };
    return { kind: "saved", entity: await editEntity(kind, { ...draft, version: base.version }) };
  } catch (error) {
    const theirs = base !== null && isStale(error) ? await newest(kind, base) : undefined;
    if (theirs) return { kind: "conflict", theirs };
    return failedToSave(kind, messagesOf(error));
  }
}

const failedToSave = (kind: EntityKind, messages: readonly string[]): Saved => ({
  kind: "failed",
  title: kind.saveFailed ?? "Failed to Save",
  messages,
});

const isStale = (error: unknown): boolean => error instanceof GatewayError && error.errors.some(({ code }) => code === "stale-version");

/** What stands there now; undefined where it is gone or cannot be read. */
async function newest(kind: EntityKind, base: Entity): Promise<Entity | undefined> {
  try {
    const list = await freshEntities(kind);
    return list.find((one) => one[kind.idField] === base[kind.idField]);
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}
