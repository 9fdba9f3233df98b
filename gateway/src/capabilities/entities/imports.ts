import { type ImportPreview, importFileBytes } from "@fairway/contract/entities";
import { isJsonObject } from "@fairway/contract/json";
import { Refusal } from "#http/refusal.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import type { Change, EntityRepository, Snapshot, Save, Trx } from "./entity-repository.ts";
import { splitDraft } from "./split-draft.ts";

/** Validation of an import stops after this many refused entities. */
const maxRefused = 1_000;

export interface ValidatedImport {
  readonly changes: Change[];
  readonly refused: ImportPreview["refused"];
}

/** Limits the size of the entities as compact JSON. */
function requireImportSize(entities: readonly unknown[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(entities));
  if (bytes <= importFileBytes) return;
  const [most, sent] = [importFileBytes, bytes].map((count) => count.toLocaleString("en-US"));
  throw new Refusal("too-large", `An import can have at most ${most} bytes of JSON; this one has ${sent}.`, { path: "entities" });
}

/** Validates an import by the same rules as single saves. Returns its changes, and the refused entities by index. */
export async function validateImport(
  repository: EntityRepository,
  entities: readonly unknown[],
  isReplace: boolean,
  trx: Trx,
): Promise<ValidatedImport> {
  requireImportSize(entities);
  const states = await repository.states(trx);
  const snapshot: Snapshot = {
    byId: new Map(states.map((state) => [state.id, state])),
    byKey: new Map(states.map((state) => [state.key, state])),
  };
  const saves = new Map<Save, number>();
  const refused: ImportPreview["refused"] = [];
  const seen = new Set<string>();
  // Without replacing, existing names stay taken.
  const names = new Set(isReplace ? [] : snapshot.byKey.keys());
  const slice = new TimeSlice();
  for (const [index, entity] of entities.entries()) {
    await slice.end();
    if (refused.length === maxRefused) {
      const message = `Only the first ${index} entities were checked, because ${maxRefused} of them are refused.`;
      refused.push({ index: null, id: null, errors: [{ code: "invalid-request", message }] });
      break;
    }
    try {
      const change = await validateEntity(repository, entity, snapshot, trx);
      if (seen.has(change.id)) throw new Refusal("conflict", `'${change.before?.key ?? change.id}' occurs twice in this import.`);
      seen.add(change.id);
      if (change.key !== change.before?.key && names.has(change.key)) throw new Refusal("name-taken", `'${change.key}' is taken.`);
      names.add(change.key);
      saves.set(change, index);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const id =
        isJsonObject(entity) && typeof entity[repository.idField] === "string"
          ? (entity[repository.idField] as string).slice(0, 200)
          : null;
      refused.push({ index, id, errors: error.errors.map((item) => atIndex(item, index)) });
    }
  }
  for (const { save, refusal } of repository.overLimit?.([...saves.keys()]) ?? []) {
    const index = saves.get(save) ?? 0;
    refused.push({ index, id: save.key, errors: refusal.errors.map((item) => atIndex(item, index)) });
    saves.delete(save);
  }
  const changes: Change[] = [...saves.keys()];
  if (isReplace) {
    for (const before of states) if (!seen.has(before.id)) changes.push({ kind: "remove", id: before.id, before });
  }
  return { changes, refused };
}

async function validateEntity(repository: EntityRepository, entity: unknown, snapshot: Snapshot, trx: Trx): Promise<Save> {
  if (!isJsonObject(entity)) throw new Refusal("invalid-request", `is not a ${repository.noun}, but ${kindOf(entity)}.`);
  const { body, enabled } = splitDraft(repository, entity);
  const id = await repository.idOf(body, trx, snapshot);
  const before = id === undefined ? undefined : snapshot.byId.get(id);
  const valid = await repository.validate(body, before, trx, snapshot);
  return {
    kind: "save",
    id: valid.id,
    key: valid.key,
    draft: valid.draft,
    enabled: enabled ?? before?.entity.enabled ?? !repository.isExclusive,
    before,
  };
}

/** Prefixes message and path with the entity's position: paths count from 0 (`entities.3.name`), messages from 1. */
const atIndex = (item: Refusal["errors"][number], index: number): Refusal["errors"][number] => {
  const path = item.path === undefined ? `entities.${index}` : `entities.${index}.${item.path}`;
  return { ...item, message: `Entity ${index + 1}: ${item.message}`, path };
};

const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`);
