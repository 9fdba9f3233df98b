import type { BulkResult, Entity, ImportPreview, Revision, RevisionAction, RevisionDetails, bulkAction } from "@fairway/contract/entities";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import { type Kysely, sql } from "kysely";
import type { z } from "zod";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { validateImport } from "./imports.ts";
import type { Change, EntityRepository, Prepared, EntityState, Trx } from "./entity-repository.ts";
import { splitDraft } from "./split-draft.ts";
import { recordRevisions, revisionOf, revisionsOf } from "./revisions.ts";
import { type WarningCheck, waitPolicies, readWarningFacts, withWarnings } from "./warnings.ts";

type Draft = Readonly<Record<string, unknown>>;

/**
 * The administration of one entity type. Refuses as documented in the contract; a refused change has no effect. Entities are returned
 * with the warnings of the type's checks. Decision 0070.
 */
export interface Administration {
  list(): Promise<Entity[]>;
  get(id: string): Promise<Entity>;
  create(draft: Draft, by: SignedInUser): Promise<Entity>;
  edit(draft: Draft, by: SignedInUser): Promise<Entity>;
  setEnabled(id: string, enabled: boolean, by: SignedInUser): Promise<Entity>;
  /** `before` runs in the transaction that removes the entity. */
  remove(id: string, by: SignedInUser, before?: (trx: Trx, state: EntityState) => Promise<void>): Promise<void>;
  import(entities: readonly unknown[], isReplace: boolean, by: SignedInUser): Promise<Entity[]>;
  previewImport(entities: readonly unknown[], isReplace: boolean, by: SignedInUser): Promise<ImportPreview>;
  bulk(ids: readonly string[], action: z.infer<typeof bulkAction>, by: SignedInUser): Promise<BulkResult>;
  revisions(id: string): Promise<Revision[]>;
  revision(id: string, revision: number): Promise<RevisionDetails>;
  restore(id: string, revision: number, by: SignedInUser): Promise<Entity>;
  /** Applies a change by another part of the portal, such as new descriptions of a dataset. */
  amend(id: string, action: RevisionAction, by: SignedInUser | undefined, change: (entity: Entity) => Draft): Promise<Entity>;
  /** The warnings of an entity that need not be saved, as far as lists wait for them. */
  warningsOf(entity: Entity): Promise<readonly EntityWarning[]>;
  readonly repository: EntityRepository;
}

/** Advisory lock that serializes changes, so that what one checks still holds when it is written. */
const changeLock = 7_102_020;

/** Waits a limited time for the lock, as waiting occupies a connection. */
async function acquireChangeLock(trx: Trx, waitMs: number): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(trx);
  await sql`select pg_advisory_xact_lock(${changeLock})`.execute(trx);
}

interface Options {
  /** Maximum number of revisions kept per entity. */
  readonly revisionsPerEntity: number;
  /** Default: none. */
  readonly checks?: readonly WarningCheck[];
  /** Adds to what one call saves, before anything is locked. */
  readonly complete?: (draft: Draft, by: SignedInUser) => Promise<Draft>;
  /** How long a change waits for others. */
  readonly changeWaitMs?: number;
}

export function administrationOf(
  db: Kysely<Database>,
  repository: EntityRepository,
  { revisionsPerEntity, checks = [], complete = (draft) => Promise.resolve(draft), changeWaitMs = 5_000 }: Options,
): Administration {
  const readFacts = (trx: Trx) => readWarningFacts(trx, repository.type);
  // Runs after the transaction, so that checks that read files do not hold the lock.
  const checkOne = async (entity: Entity): Promise<Entity> => {
    if (checks.length === 0) return entity;
    const facts = await db.transaction().execute(readFacts);
    const [checked = entity] = await withWarnings(checks, [entity], facts, waitPolicies.one);
    return checked;
  };
  const checkAll = async (entities: Entity[]): Promise<Entity[]> =>
    checks.length === 0 ? entities : withWarnings(checks, entities, await db.transaction().execute(readFacts), waitPolicies.list);
  const withChangeLock = async <T>(work: (trx: Trx, written: (changes: readonly Change[]) => void) => Promise<T>): Promise<T> => {
    const all: Change[] = [];
    const result = await db.transaction().execute(async (trx) => {
      await acquireChangeLock(trx, changeWaitMs);
      return work(trx, (changes) => all.push(...changes));
    });
    if (all.length > 0) await repository.changed(all);
    return result;
  };
  const write = (
    by: SignedInUser | undefined,
    action: RevisionAction,
    changeIn: (trx: Trx) => Promise<Change>,
    prepared?: Prepared,
  ): Promise<Entity | undefined> =>
    withChangeLock(async (trx, written) => {
      const change = await changeIn(trx);
      const [saved] = await applyChanges(repository, [change], { trx, by, action, revisionsPerEntity, prepared });
      written([change]);
      return saved?.entity;
    });
  const save = async (...change: Parameters<typeof write>): Promise<Entity> => checkOne(requireSaved(await write(...change)));
  const requireState = async (id: string, trx: Trx): Promise<EntityState> => {
    const [state] = await repository.states(trx, [id]);
    if (!state) throw notFound(repository, id);
    return state;
  };
  const saveChange = async (draft: Draft, before: EntityState | undefined, trx: Trx): Promise<Change> => {
    const { body, enabled } = splitDraft(repository, draft);
    const valid = await repository.validate(body, before, trx);
    const [taken] = before === undefined ? await repository.states(trx, [valid.id]) : [];
    if (taken) throw new Refusal("name-taken", `There is already a ${repository.noun} '${valid.id}'.`, { path: repository.idField });
    const isEnabledByDefault =
      before?.entity.enabled ?? (!repository.isExclusive || !(await repository.states(trx)).some(({ entity }) => entity.enabled));
    return { kind: "save", id: valid.id, key: valid.key, draft: valid.draft, enabled: enabled ?? isEnabledByDefault, before };
  };
  const enableChange = (before: EntityState, enabled: boolean): Change => {
    if (!repository.canDisable) throw new Refusal("not-supported", `A ${repository.noun} cannot be enabled or disabled.`);
    return { kind: "enable", id: before.id, enabled, before };
  };

  return {
    repository,
    list: async () => checkAll((await db.transaction().execute((trx) => repository.states(trx))).map(({ entity }) => entity)),
    get: async (id) => checkOne((await db.transaction().execute((trx) => requireState(id, trx))).entity),
    create: async (given, by) => {
      const draft = await complete(given, by);
      const prepared = await repository.prepare?.([draft], true);
      return save(by, "create", (trx) => saveChange(draft, undefined, trx), prepared);
    },
    edit: async (given, by) => {
      const draft = await complete(given, by);
      const prepared = await repository.prepare?.([draft], true);
      const change = async (trx: Trx) => {
        const { body, version } = splitDraft(repository, draft);
        const id = await repository.idOf(body, trx);
        if (id === undefined) throw notFound(repository, textOf(body[repository.idField]));
        const before = await requireState(id, trx);
        requireNewest(before, version);
        return saveChange(draft, before, trx);
      };
      return save(by, "edit", change, prepared);
    },
    setEnabled: (id, enabled, by) =>
      save(by, enabled ? "enable" : "disable", async (trx) => enableChange(await requireState(id, trx), enabled)),
    remove: async (id, by, runBefore) => {
      await write(by, "delete", async (trx) => {
        const before = await requireState(id, trx);
        await runBefore?.(trx, before);
        return { kind: "remove", id, before };
      });
    },
    amend: (id, action, by, change) =>
      save(by, action, async (trx) => {
        const before = await requireState(id, trx);
        return saveChange(change(before.entity), before, trx);
      }),

    import: async (entities, isReplace, by) => {
      const prepared = await repository.prepare?.(entities, true);
      return checkAll(
        await withChangeLock(async (trx, written) => {
          const { changes, refused } = await validateImport(repository, entities, isReplace, trx);
          const [first, ...more] = refused.flatMap(({ errors }) => errors);
          if (first) throw Refusal.of([first, ...more.slice(0, 99)]);
          await applyChanges(repository, changes, { trx, by, action: "import", revisionsPerEntity, prepared });
          written(changes);
          return (await repository.states(trx)).map(({ entity }) => entity);
        }),
      );
    },
    // Runs the whole import and rolls it back, so that the preview refuses exactly what the import would.
    previewImport: async (entities, isReplace, by) => {
      const prepared = await repository.prepare?.(entities, false);
      const { preview, stored, facts } = await runAndRollBack(db, async (trx) => {
        await acquireChangeLock(trx, changeWaitMs);
        const { changes, refused } = await validateImport(repository, entities, isReplace, trx);
        try {
          const saved = await applyChanges(repository, changes, { trx, by, action: "import", revisionsPerEntity, prepared });
          const all = saved.filter((state) => state !== undefined);
          return {
            preview: { ...summary(changes, saved), refused, ...notesOf(repository, changes, saved) },
            stored: all,
            facts: await readFacts(trx),
          };
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const all = [...refused, { index: null, id: null, errors: [...error.errors] }];
          return { preview: { ...summary(changes, []), refused: all }, stored: [], facts: undefined };
        }
      });
      if (facts === undefined) return preview;
      const named = stored.map(({ key, entity }) => ({ key, entity }));
      const checked = await withWarnings(
        checks,
        named.map(({ entity }) => entity),
        facts,
        waitPolicies.preview,
      );
      const warned = checked.flatMap(({ warnings = [] }, index) =>
        warnings.length === 0 ? [] : [{ id: named[index]?.key ?? "", warnings }],
      );
      return warned.length === 0 ? preview : { ...preview, warned };
    },

    bulk: (ids, action, by) =>
      withChangeLock(async (trx, written) => {
        const result: BulkResult = { changed: [], refused: [] };
        const tryBatch = async (batch: readonly string[]): Promise<Refusal | undefined> => {
          await sql`savepoint batch`.execute(trx);
          const refusal = await refusalOf(async () => {
            const states = new Map((await repository.states(trx, batch)).map((state) => [state.id, state]));
            const changes = batch.map((id): Change => {
              const before = states.get(id);
              if (!before) throw notFound(repository, id);
              return action === "delete" ? { kind: "remove", id, before } : enableChange(before, action === "enable");
            });
            await applyChanges(repository, changes, { trx, by, action, revisionsPerEntity });
            written(changes);
            result.changed.push(...batch);
          });
          if (refusal) await sql`rollback to savepoint batch`.execute(trx);
          await sql`release savepoint batch`.execute(trx);
          return refusal;
        };
        const batchSize = action === "delete" && !repository.removesTogether ? 1 : bulkBatchSize;
        const distinct = [...new Set(ids)];
        for (let from = 0; from < distinct.length; from += batchSize) {
          const batch = distinct.slice(from, from + batchSize);
          if (!(await tryBatch(batch))) continue;
          // Retries one by one, so that refused changes do not block the others.
          for (const id of batch) {
            const refusal = await tryBatch([id]);
            if (refusal) result.refused.push({ id, errors: [...refusal.errors] });
          }
        }
        return result;
      }),

    warningsOf: async (entity) => {
      const [checked] = await withWarnings(checks, [entity], await db.transaction().execute(readFacts), waitPolicies.list);
      return checked?.warnings ?? [];
    },

    revisions: async (id) => {
      const revisions = await revisionsOf(db, repository.type, id);
      if (revisions.length === 0) await db.transaction().execute((trx) => requireState(id, trx));
      return revisions;
    },
    revision: async (id, revision) => {
      const details = await revisionOf(db, repository.type, id, revision);
      const [current] = repository.notes === undefined ? [] : await db.transaction().execute((trx) => repository.states(trx, [id]));
      const notes = current === undefined ? [] : (repository.notes?.(current.entity, draftOf(details)) ?? []);
      return notes.length === 0 ? details : { ...details, notes: [...notes] };
    },
    restore: (id, revision, by) =>
      save(by, "restore", async (trx) => {
        const draft = draftOf(await revisionOf(trx, repository.type, id, revision));
        const [current] = await repository.states(trx, [id]);
        return saveChange(draft, current, trx);
      }),
  };
}

/** Entities per batch of a bulk change. If one is refused, the batch is retried one by one. */
const bulkBatchSize = 100;

/** Returns the refusal that the work throws, if any. */
async function refusalOf(work: () => Promise<void>): Promise<Refusal | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

interface ApplyContext {
  readonly trx: Trx;
  readonly by: SignedInUser | undefined;
  readonly action: RevisionAction;
  readonly revisionsPerEntity: number;
  readonly prepared?: Prepared | undefined;
}

/** Applies changes, checks the result and records revisions. Returns the state after each change; undefined if removed. */
async function applyChanges(
  repository: EntityRepository,
  requested: readonly Change[],
  { trx, by, action, revisionsPerEntity, prepared }: ApplyContext,
): Promise<(EntityState | undefined)[]> {
  const changes = [...requested, ...(await exclusiveDisables(repository, requested, trx))];
  const saved = await repository.apply(changes, trx, by, prepared);
  const removed = changes.flatMap((change) => (change.kind === "remove" ? [change.before] : []));
  await requireUnused(repository, removed, trx);
  await repository.requireConsistent(trx);
  const after = new Map(saved.map((state) => [state.id, state]));
  await recordRevisions(
    trx,
    changes.flatMap(({ id, before }, index) => {
      const current = after.get(id);
      if (before !== undefined && current !== undefined && before.entity.version === current.entity.version) return [];
      const recorded = index < requested.length ? action : "disable";
      return [{ type: repository.type, id, by: by?.username ?? null, action: recorded, before: before?.entity, after: current?.entity }];
    }),
    revisionsPerEntity,
  );
  return requested.map(({ id }) => after.get(id));
}

/** For types with at most one enabled entity: the changes that disable the previously enabled one. */
async function exclusiveDisables(repository: EntityRepository, changes: readonly Change[], trx: Trx): Promise<Change[]> {
  if (!repository.isExclusive) return [];
  const enabling = changes.filter((change) => change.kind !== "remove" && change.enabled);
  if (enabling.length === 0) return [];
  if (enabling.length > 1) throw new Refusal("conflict", `Only one ${repository.noun} can be enabled at a time.`, { path: "enabled" });
  const touched = new Set(changes.map(({ id }) => id));
  return (await repository.states(trx))
    .filter(({ id, entity }) => entity.enabled === true && !touched.has(id))
    .map((before) => ({ kind: "enable", id: before.id, enabled: false, before }));
}

async function requireUnused(repository: EntityRepository, removed: readonly EntityState[], trx: Trx): Promise<void> {
  if (removed.length === 0) return;
  const referrers = await repository.referrers(removed, trx);
  const [first, ...more] = [...referrers].flatMap(([id, names]) =>
    names.length === 0 ? [] : [{ code: "in-use" as const, message: `'${id}' is still used by ${listed(names)}.` }],
  );
  if (first) throw Refusal.of([first, ...more.slice(0, 99)]);
}

const listed = (names: readonly string[]): string =>
  names.length <= 5 ? names.join(", ") : `${names.slice(0, 5).join(", ")} and ${names.length - 5} more`;

function requireNewest({ key, entity }: EntityState, version: number | undefined): void {
  const { version: newest, username } = entity;
  if (version === undefined || version === newest) return;
  // The key of a user is normalized; keys of other types are their names or ids.
  const name = typeof username === "string" ? username : key;
  throw new Refusal("stale-version", `'${name}' was changed by someone else since version ${version}; the newest is ${newest}.`, {
    path: "version",
  });
}

const notFound = (repository: EntityRepository, id: string) =>
  new Refusal("not-found", `There is no ${repository.noun} '${id.slice(0, 100)}'.`, { path: repository.idField });

const textOf = (id: unknown): string => (typeof id === "string" ? id : "");

function requireSaved(entity: Entity | undefined): Entity {
  if (entity === undefined) throw new Error("a saved entity was not returned");
  return entity;
}

type Outcomes = Pick<ImportPreview, "added" | "changed" | "unchanged" | "removed">;

/** `saved`: the states after the changes, if they could be applied. */
function summary(changes: readonly Change[], saved: readonly (EntityState | undefined)[]): Outcomes {
  const all: Outcomes = { added: [], changed: [], unchanged: [], removed: [] };
  for (const [index, change] of changes.entries()) {
    if (change.kind === "remove") all.removed.push(change.before.key);
    else if (change.before === undefined) all.added.push(change.kind === "save" ? change.key : change.id);
    else if (saved[index]?.entity.version === change.before.entity.version) all.unchanged.push(change.before.key);
    else all.changed.push(change.before.key);
  }
  return all;
}

/** The state that a restore saves: after a change, or before a deletion. */
function draftOf({ before, after }: RevisionDetails): Draft {
  const { version: _, ...draft } = after ?? before ?? {};
  return draft;
}

/** Consequences of an import for the entities that it changes. */
function notesOf(
  repository: EntityRepository,
  changes: readonly Change[],
  saved: readonly (EntityState | undefined)[],
): Pick<ImportPreview, "noted"> {
  const noted = changes.flatMap(({ before }, index) => {
    const after = saved[index];
    if (before === undefined || after === undefined || before.entity.version === after.entity.version) return [];
    const notes = repository.notes?.(before.entity, after.entity) ?? [];
    return notes.length === 0 ? [] : [{ id: before.key, notes: [...notes] }];
  });
  return noted.length === 0 ? {} : { noted };
}

class RollBack extends Error {
  override readonly name = "RollBack";
}

/** Returns the result of the work and rolls back everything it wrote. */
async function runAndRollBack<T>(db: Kysely<Database>, work: (trx: Trx) => Promise<T>): Promise<T> {
  let result: { readonly value: T } | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      result = { value: await work(trx) };
      throw new RollBack();
    });
  } catch (error) {
    if (!(error instanceof RollBack)) throw error;
  }
  if (result === undefined) throw new Error("the work returned no result");
  return result.value;
}
