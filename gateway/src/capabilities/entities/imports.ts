import { type ImportPreview, importFileBytes } from "@fairway/contract/entities";
import { isJsonObject } from "@fairway/contract/json";
import { Refusal } from "#http/refusal.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import type { Change, EntityRepository, Known, Save, Trx } from "./entity-repository.ts";
import { partsOf } from "./parts.ts";

/** An import with more refused entities is not checked to its end: nobody reads them all. */
const maxRefused = 1_000;

export interface Judged {
  readonly changes: Change[];
  readonly refused: ImportPreview["refused"];
}

/** Counts as a file of the same entities does that holds no spaces. */
function requireImportSize(entities: readonly unknown[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(entities));
  if (bytes <= importFileBytes) return;
  const [most, sent] = [importFileBytes, bytes].map((count) => count.toLocaleString("en-US"));
  throw new Refusal("too-large", `One import holds at most ${most} bytes of JSON; this one has ${sent}.`, { path: "entities" });
}

/** What an import of these would change, by the same rules as single saves, and what of it is refused, each by its place. */
export async function judgeImport(
  repository: EntityRepository,
  entities: readonly unknown[],
  isReplace: boolean,
  trx: Trx,
): Promise<Judged> {
  requireImportSize(entities);
  const states = await repository.states(trx);
  const now: Known = {
    byId: new Map(states.map((state) => [state.id, state])),
    byKey: new Map(states.map((state) => [state.key, state])),
  };
  const saves = new Map<Save, number>();
  const refused: ImportPreview["refused"] = [];
  const seen = new Set<string>();
  // What stays keeps its name.
  const names = new Set(isReplace ? [] : now.byKey.keys());
  const slice = new TimeSlice();
  for (const [index, one] of entities.entries()) {
    await slice.end();
    if (refused.length === maxRefused) {
      const message = `Only the first ${index} entities were checked, because ${maxRefused} of them are refused.`;
      refused.push({ index: null, id: null, errors: [{ code: "invalid-request", message }] });
      break;
    }
    try {
      const change = await judge(repository, one, now, trx);
      if (seen.has(change.id)) throw new Refusal("conflict", `'${change.before?.key ?? change.id}' is in this import twice.`);
      seen.add(change.id);
      if (change.key !== change.before?.key && names.has(change.key)) throw new Refusal("name-taken", `'${change.key}' is taken.`);
      names.add(change.key);
      saves.set(change, index);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const id =
        isJsonObject(one) && typeof one[repository.idField] === "string" ? (one[repository.idField] as string).slice(0, 200) : null;
      refused.push({ index, id, errors: error.errors.map((item) => placed(item, index)) });
    }
  }
  for (const { save, refusal } of repository.tooManyOf?.([...saves.keys()]) ?? []) {
    const index = saves.get(save) ?? 0;
    refused.push({ index, id: save.key, errors: refusal.errors.map((item) => placed(item, index)) });
    saves.delete(save);
  }
  const changes: Change[] = [...saves.keys()];
  if (isReplace) {
    for (const before of states) if (!seen.has(before.id)) changes.push({ kind: "remove", id: before.id, before });
  }
  return { changes, refused };
}

async function judge(repository: EntityRepository, one: unknown, now: Known, trx: Trx): Promise<Save> {
  if (!isJsonObject(one)) throw new Refusal("invalid-request", `is not a ${repository.noun}, but ${kindOf(one)}.`);
  const { body, enabled } = partsOf(repository, one);
  const id = await repository.idOf(body, trx, now);
  const before = id === undefined ? undefined : now.byId.get(id);
  const valid = await repository.validate(body, before, trx, now);
  return {
    kind: "save",
    id: valid.id,
    key: valid.key,
    draft: valid.draft,
    enabled: enabled ?? before?.entity.enabled ?? !repository.isExclusive,
    before,
  };
}

/** Messages and paths count the entities from 0, as `entities.3.name`. */
const placed = (item: Refusal["errors"][number], index: number): Refusal["errors"][number] => {
  const path = item.path === undefined ? `entities.${index}` : `entities.${index}.${item.path}`;
  return { ...item, message: `Entity ${index + 1}: ${item.message}`, path };
};

const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`);
