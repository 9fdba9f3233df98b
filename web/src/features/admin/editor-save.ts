import { isJsonObject } from "@fairway/contract/json";
import type { Entity } from "@fairway/contract/entities";
import { GatewayError, messagesOf } from "#lib/gateway-error.ts";
import { createEntity, editEntity, freshEntity } from "./entity-calls.ts";
import { type EntityDraft, idOf } from "./entity.ts";
import type { EntityKind } from "./entity-kind.ts";
import { mergeThreeWay } from "./three-way.ts";

/** What came of a save. */
export type Saved =
  /** `isMerged`: together with what somebody else changed meanwhile. */
  | { kind: "saved"; entity: Entity; isMerged: boolean }
  | { kind: "failed"; title: string; messages: readonly string[] }
  /** Somebody else changed the same fields; `theirs` is what stands there now, `mine` that with the caller's own changes. */
  | { kind: "conflict"; theirs: Entity; mine: EntityDraft };

/** What an untouched editor would save of an entity. */
export type DraftOf = (entity: Entity) => EntityDraft;

/** Others may save again and again; then a person has to look. */
const mostMerges = 3;

const invalidId: Saved = { kind: "failed", title: "Invalid ID", messages: ["A valid String ID must be given."] };

interface Edited {
  /** As it was when the edit began; null: it is new. */
  base: Entity | null;
  draftOf: DraftOf;
}

/** Saves a new entity, or an edited one on top of the version it began with. */
export async function saveDraft(kind: EntityKind, draft: unknown, edited: Edited, list: readonly Entity[]): Promise<Saved> {
  const { base } = edited;
  if (!isJsonObject(draft)) return invalidId;
  const id = idOf(draft, kind.idField);
  if (id === undefined && !(kind.givenId && base === null && !Object.hasOwn(draft, kind.idField))) return invalidId;
  if (base !== null && !list.some((one) => idOf(one, kind.idField) === id)) {
    return { kind: "failed", title: "ID Not Found", messages: [`There is no ${kind.noun} with the id '${id}'.`] };
  }
  if (base !== null && id !== idOf(base, kind.idField)) {
    return failedToSave(kind, [`The id of a ${kind.noun} cannot be changed.`]);
  }
  return sendDraft(kind, draft, edited);
}

/**
 * The same, without a look at the ids. What somebody else saved meanwhile stays: only fields that both changed, each to something
 * else, are a conflict.
 */
export async function sendDraft(kind: EntityKind, draft: EntityDraft, { base, draftOf }: Edited): Promise<Saved> {
  let [mine, on, merges] = [draft, base, 0];
  for (;;) {
    try {
      if (on === null) return { kind: "saved", entity: await createEntity(kind, mine), isMerged: false };
      return { kind: "saved", entity: await editEntity(kind, { ...mine, version: on.version }), isMerged: merges > 0 };
    } catch (error) {
      const theirs = on !== null && isStale(error) ? await newest(kind, on) : undefined;
      if (on === null || !theirs) return failedToSave(kind, messagesOf(error));
      const { value, collisions } = mergeThreeWay(draftOf(on), mine, draftOf(theirs));
      const merged = value as EntityDraft;
      merges += 1;
      if (collisions.length > 0 || merges > mostMerges) return { kind: "conflict", theirs, mine: merged };
      [mine, on] = [merged, theirs];
    }
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
    return await freshEntity(kind, String(base[kind.idField]));
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}
