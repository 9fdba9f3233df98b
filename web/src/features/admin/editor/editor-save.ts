import { isJsonObject } from "@fairway/contract/json";
import type { Entity } from "@fairway/contract/entities";
import { GatewayError, isStaleVersion, messagesOf, type ReceivedErrorItem } from "#lib/gateway/gateway-error.ts";
import { createEntity, editEntity, fetchEntity } from "../entities/entity-calls.ts";
import { type EntityDraft, idOf } from "../entities/entity.ts";
import type { EntityKind } from "../entities/entity-kind.ts";
import { mergeThreeWay } from "#parts/conflict/three-way.ts";

/** The outcome of a save. */
export type SaveResult =
  /** `isMerged`: merged with concurrent changes of another user. */
  | { kind: "saved"; entity: Entity; isMerged: boolean }
  | { kind: "failed"; title: string; messages: readonly string[]; errors?: readonly ReceivedErrorItem[] }
  /** Another user changed the same fields. `theirs` is the stored version, `mine` is that version with the caller's changes. */
  | { kind: "conflict"; theirs: Entity; mine: EntityDraft };

/** The draft that an unchanged editor would save for an entity. */
export type DraftOf = (entity: Entity) => EntityDraft;

/** After this many concurrent saves the user has to decide. */
const maxMerges = 3;

const invalidId: SaveResult = { kind: "failed", title: "Invalid ID", messages: ["A valid String ID must be given."] };

interface EditContext {
  /** The version that the edit started with; null for a new entity. */
  base: Entity | null;
  draftOf: DraftOf;
}

/** Saves a new entity, or an edited one based on the version that the edit started with. */
export async function saveDraft(kind: EntityKind, draft: unknown, edited: EditContext, list: readonly Entity[]): Promise<SaveResult> {
  const { base } = edited;
  if (!isJsonObject(draft)) return invalidId;
  const id = idOf(draft, kind.idField);
  if (id === undefined && !(kind.hasGeneratedId && base === null && !Object.hasOwn(draft, kind.idField))) return invalidId;
  if (base !== null && !list.some((entity) => idOf(entity, kind.idField) === id)) {
    return { kind: "failed", title: "ID Not Found", messages: [`There is no ${kind.noun} with the id '${id}'.`] };
  }
  if (base !== null && id !== idOf(base, kind.idField)) {
    return failedToSave(kind, [`The id of a ${kind.noun} cannot be changed.`]);
  }
  return sendDraft(kind, draft, edited);
}

/**
 * Like `saveDraft`, without checking ids. Concurrent changes are kept: only fields that both users changed to different values
 * are a conflict.
 */
export async function sendDraft(kind: EntityKind, draft: EntityDraft, { base, draftOf }: EditContext): Promise<SaveResult> {
  let [mine, current, merges] = [draft, base, 0];
  for (;;) {
    try {
      if (current === null) return { kind: "saved", entity: await createEntity(kind, mine), isMerged: false };
      return { kind: "saved", entity: await editEntity(kind, { ...mine, version: current.version }), isMerged: merges > 0 };
    } catch (error) {
      const theirs = current !== null && isStaleVersion(error) ? await fetchNewest(kind, current) : undefined;
      if (current === null || !theirs)
        return { ...failedToSave(kind, messagesOf(error)), ...(error instanceof GatewayError ? { errors: error.errors } : {}) };
      const { value, collisions } = mergeThreeWay(draftOf(current), mine, draftOf(theirs));
      const merged = value as EntityDraft;
      merges += 1;
      if (collisions.length > 0 || merges > maxMerges) return { kind: "conflict", theirs, mine: merged };
      [mine, current] = [merged, theirs];
    }
  }
}

const failedToSave = (kind: EntityKind, messages: readonly string[]): SaveResult => ({
  kind: "failed",
  title: kind.saveFailed ?? "Failed to Save",
  messages,
});

/** The stored version; undefined when it was deleted or cannot be read. */
async function fetchNewest(kind: EntityKind, base: Entity): Promise<Entity | undefined> {
  try {
    return await fetchEntity(kind, String(base[kind.idField]));
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}
