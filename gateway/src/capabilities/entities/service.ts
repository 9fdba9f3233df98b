import type { BulkResult, Entity, ImportPreview, Revision, RevisionAction, RevisionDetails, bulkAction } from "@fairway/contract/entities";
import { type Kysely, sql } from "kysely";
import type { z } from "zod";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { judgeImport } from "./imports.ts";
import type { Change, EntityRepository, Prepared, EntityState, Trx } from "./entity-repository.ts";
import { partsOf } from "./parts.ts";
import { noteRevisions, revisionOf, revisionsOf } from "./revisions.ts";
import { type WarningCheck, patience, readWarningFacts, withWarnings } from "./warnings.ts";

type Draft = Readonly<Record<string, unknown>>;

/**
 * What administrators do with the things of one type. Refuses as the contract says; a refused change changes nothing. Entities are
 * answered with the warnings that the type's checks find. Decision 0070.
 */
export interface Administration {
  list(): Promise<Entity[]>;
  get(id: string): Promise<Entity>;
  create(draft: Draft, by: SignedInUser): Promise<Entity>;
  edit(draft: Draft, by: SignedInUser): Promise<Entity>;
  setEnabled(id: string, enabled: boolean, by: SignedInUser): Promise<Entity>;
  remove(id: string, by: SignedInUser): Promise<void>;
  import(entities: readonly unknown[], isReplace: boolean, by: SignedInUser): Promise<Entity[]>;
  previewImport(entities: readonly unknown[], isReplace: boolean, by: SignedInUser): Promise<ImportPreview>;
  bulk(ids: readonly string[], action: z.infer<typeof bulkAction>, by: SignedInUser): Promise<BulkResult>;
  revisions(id: string): Promise<Revision[]>;
  revision(id: string, revision: number): Promise<RevisionDetails>;
  restore(id: string, revision: number, by: SignedInUser): Promise<Entity>;
  /** A change that another part makes of one entity, such as new descriptions of a dataset. */
  amend(id: string, action: RevisionAction, by: SignedInUser | undefined, change: (entity: Entity) => Draft): Promise<Entity>;
  readonly repository: EntityRepository;
}

/** Changes of administrators take turns: what one of them checks still holds when it is written. Any fixed number nobody else locks. */
const turnLock = 7_102_020;

/** Waits for its turn, but not for ever: who waits holds a connection. */
async function takeTurn(trx: Trx): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(trx);
  await sql`select pg_advisory_xact_lock(${turnLock})`.execute(trx);
}

interface Options {
  /** What is kept of each thing's revisions. */
  readonly revisionsPerEntity: number;
  /** Default: none. */
  readonly checks?: readonly WarningCheck[];
}

export function administrationOf(
  db: Kysely<Database>,
  repository: EntityRepository,
  { revisionsPerEntity, checks = [] }: Options,
): Administration {
  const readFacts = (trx: Trx) => readWarningFacts(trx, repository.type);
  // After the transaction: a check may look at files, and nobody's turn waits for those.
  const checkOne = async (entity: Entity): Promise<Entity> => {
    if (checks.length === 0) return entity;
    const facts = await db.transaction().execute(readFacts);
    const [checked = entity] = await withWarnings(checks, [entity], facts, patience.one);
    return checked;
  };
  const checkAll = async (entities: Entity[]): Promise<Entity[]> =>
    checks.length === 0 ? entities : withWarnings(checks, entities, await db.transaction().execute(readFacts), patience.list);
  const inTurn = async <T>(work: (trx: Trx, written: (changes: readonly Change[]) => void) => Promise<T>): Promise<T> => {
    const all: Change[] = [];
    const result = await db.transaction().execute(async (trx) => {
      await takeTurn(trx);
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
    inTurn(async (trx, written) => {
      const change = await changeIn(trx);
      const [saved] = await carryOut(repository, [change], { trx, by, action, revisionsPerEntity, prepared });
      written([change]);
      return saved?.entity;
    });
  const save = async (...asked: Parameters<typeof write>): Promise<Entity> => checkOne(there(await write(...asked)));
  const found = async (id: string, trx: Trx): Promise<EntityState> => {
    const [state] = await repository.states(trx, [id]);
    if (!state) throw missing(repository, id);
    return state;
  };
  const saving = async (draft: Draft, before: EntityState | undefined, trx: Trx): Promise<Change> => {
    const { body, enabled } = partsOf(repository, draft);
    const valid = await repository.validate(body, before, trx);
    const [taken] = before === undefined ? await repository.states(trx, [valid.id]) : [];
    if (taken) throw new Refusal("name-taken", `There is already a ${repository.noun} '${valid.id}'.`, { path: repository.idField });
    const byDefault =
      before?.entity.enabled ?? (!repository.isExclusive || !(await repository.states(trx)).some(({ entity }) => entity.enabled));
    return { kind: "save", id: valid.id, key: valid.key, draft: valid.draft, enabled: enabled ?? byDefault, before };
  };
  const enabling = (before: EntityState, enabled: boolean): Change => {
    if (!repository.canDisable) throw new Refusal("not-supported", `A ${repository.noun} cannot be enabled or disabled.`);
    return { kind: "enable", id: before.id, enabled, before };
  };

  return {
    repository,
    list: async () => checkAll((await db.transaction().execute((trx) => repository.states(trx))).map(({ entity }) => entity)),
    get: async (id) => checkOne((await db.transaction().execute((trx) => found(id, trx))).entity),
    create: async (draft, by) => {
      const prepared = await repository.prepare?.([draft], true);
      return save(by, "create", (trx) => saving(draft, undefined, trx), prepared);
    },
    edit: async (draft, by) => {
      const prepared = await repository.prepare?.([draft], true);
      const change = async (trx: Trx) => {
        const { body, version } = partsOf(repository, draft);
        const id = await repository.idOf(body, trx);
        if (id === undefined) throw missing(repository, textOf(body[repository.idField]));
        const before = await found(id, trx);
        requireNewest(before, version);
        return saving(draft, before, trx);
      };
      return save(by, "edit", change, prepared);
    },
    setEnabled: (id, enabled, by) => save(by, enabled ? "enable" : "disable", async (trx) => enabling(await found(id, trx), enabled)),
    remove: async (id, by) => {
      await write(by, "delete", async (trx) => ({ kind: "remove", id, before: await found(id, trx) }));
    },
    amend: (id, action, by, change) =>
      save(by, action, async (trx) => {
        const before = await found(id, trx);
        return saving(change(before.entity), before, trx);
      }),

    import: async (entities, isReplace, by) => {
      const prepared = await repository.prepare?.(entities, true);
      return checkAll(
        await inTurn(async (trx, written) => {
          const { changes, refused } = await judgeImport(repository, entities, isReplace, trx);
          const [first, ...more] = refused.flatMap(({ errors }) => errors);
          if (first) throw Refusal.of([first, ...more.slice(0, 99)]);
          await carryOut(repository, changes, { trx, by, action: "import", revisionsPerEntity, prepared });
          written(changes);
          return (await repository.states(trx)).map(({ entity }) => entity);
        }),
      );
    },
    // Does everything and takes it back: nothing is found in order that an import would refuse.
    previewImport: async (entities, isReplace, by) => {
      const prepared = await repository.prepare?.(entities, false);
      const { preview, stored, facts } = await takenBack(db, async (trx) => {
        await takeTurn(trx);
        const { changes, refused } = await judgeImport(repository, entities, isReplace, trx);
        try {
          const saved = await carryOut(repository, changes, { trx, by, action: "import", revisionsPerEntity, prepared });
          const all = saved.filter((state) => state !== undefined);
          return { preview: { ...summary(changes, saved), refused }, stored: all, facts: await readFacts(trx) };
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
        patience.preview,
      );
      const warned = checked.flatMap(({ warnings = [] }, index) =>
        warnings.length === 0 ? [] : [{ id: named[index]?.key ?? "", warnings }],
      );
      return warned.length === 0 ? preview : { ...preview, warned };
    },

    bulk: (ids, action, by) =>
      inTurn(async (trx, written) => {
        const result: BulkResult = { changed: [], refused: [] };
        const tried = async (some: readonly string[]): Promise<Refusal | undefined> => {
          await sql`savepoint tried`.execute(trx);
          const refusal = await refusalOf(async () => {
            const states = new Map((await repository.states(trx, some)).map((state) => [state.id, state]));
            const changes = some.map((id): Change => {
              const before = states.get(id);
              if (!before) throw missing(repository, id);
              return action === "delete" ? { kind: "remove", id, before } : enabling(before, action === "enable");
            });
            await carryOut(repository, changes, { trx, by, action, revisionsPerEntity });
            written(changes);
            result.changed.push(...some);
          });
          if (refusal) await sql`rollback to savepoint tried`.execute(trx);
          await sql`release savepoint tried`.execute(trx);
          return refusal;
        };
        const atOnce = action === "delete" && !repository.removesTogether ? 1 : changedAtOnce;
        const distinct = [...new Set(ids)];
        for (let from = 0; from < distinct.length; from += atOnce) {
          const some = distinct.slice(from, from + atOnce);
          if (!(await tried(some))) continue;
          // Each on its own: what is refused does not hold back the others.
          for (const id of some) {
            const refusal = await tried([id]);
            if (refusal) result.refused.push({ id, errors: [...refusal.errors] });
          }
        }
        return result;
      }),

    revisions: async (id) => {
      const revisions = await revisionsOf(db, repository.type, id);
      if (revisions.length === 0) await db.transaction().execute((trx) => found(id, trx));
      return revisions;
    },
    revision: (id, revision) => revisionOf(db, repository.type, id, revision),
    restore: (id, revision, by) =>
      save(by, "restore", async (trx) => {
        const { before, after } = await revisionOf(trx, repository.type, id, revision);
        const { version: _, ...draft } = after ?? before ?? {};
        const [now] = await repository.states(trx, [id]);
        return saving(draft, now, trx);
      }),
  };
}

/** Of a bulk change. Where one of them is refused, these are tried one by one. */
const changedAtOnce = 100;

/** The refusal that the work ends with, if it does. */
async function refusalOf(work: () => Promise<void>): Promise<Refusal | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

interface Writing {
  readonly trx: Trx;
  readonly by: SignedInUser | undefined;
  readonly action: RevisionAction;
  readonly revisionsPerEntity: number;
  readonly prepared?: Prepared | undefined;
}

/** Answers the state after each change; undefined where nothing is left. */
async function carryOut(
  repository: EntityRepository,
  asked: readonly Change[],
  { trx, by, action, revisionsPerEntity, prepared }: Writing,
): Promise<(EntityState | undefined)[]> {
  const changes = [...asked, ...(await makingRoom(repository, asked, trx))];
  const saved = await repository.apply(changes, trx, by, prepared);
  const removed = changes.flatMap((change) => (change.kind === "remove" ? [change.before] : []));
  await requireUnused(repository, removed, trx);
  await repository.requireWhole(trx);
  const after = new Map(saved.map((state) => [state.id, state]));
  await noteRevisions(
    trx,
    changes.flatMap(({ id, before }, index) => {
      const now = after.get(id);
      if (before !== undefined && now !== undefined && before.entity.version === now.entity.version) return [];
      const did = index < asked.length ? action : "disable";
      return [{ type: repository.type, id, by: by?.username ?? null, action: did, before: before?.entity, after: now?.entity }];
    }),
    revisionsPerEntity,
  );
  return asked.map(({ id }) => after.get(id));
}

/** Of what may be enabled only once, the enabled one makes room for the other. */
async function makingRoom(repository: EntityRepository, changes: readonly Change[], trx: Trx): Promise<Change[]> {
  if (!repository.isExclusive) return [];
  const on = changes.filter((change) => change.kind !== "remove" && change.enabled);
  if (on.length === 0) return [];
  if (on.length > 1) throw new Refusal("conflict", `Only one ${repository.noun} can be enabled at a time.`, { path: "enabled" });
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
  // A username as it is written; other keys are names as they are, and ids only where there is nothing better.
  const name = typeof username === "string" ? username : key;
  throw new Refusal("stale-version", `'${name}' was changed by somebody else since version ${version}; the newest is ${newest}.`, {
    path: "version",
  });
}

const missing = (repository: EntityRepository, id: string) =>
  new Refusal("not-found", `There is no ${repository.noun} '${id.slice(0, 100)}'.`, { path: repository.idField });

const textOf = (id: unknown): string => (typeof id === "string" ? id : "");

function there(entity: Entity | undefined): Entity {
  if (entity === undefined) throw new Error("a saved entity was not answered");
  return entity;
}

/** `saved`: the states after the changes, where they could be carried out. */
function summary(changes: readonly Change[], saved: readonly (EntityState | undefined)[]): Omit<ImportPreview, "refused" | "warned"> {
  const all: Omit<ImportPreview, "refused" | "warned"> = { added: [], changed: [], unchanged: [], removed: [] };
  for (const [index, change] of changes.entries()) {
    if (change.kind === "remove") all.removed.push(change.before.key);
    else if (change.before === undefined) all.added.push(change.kind === "save" ? change.key : change.id);
    else if (saved[index]?.entity.version === change.before.entity.version) all.unchanged.push(change.before.key);
    else all.changed.push(change.before.key);
  }
  return all;
}

class TakenBack extends Error {
  override readonly name = "TakenBack";
}

/** Answers what the work found, and keeps nothing of what it wrote. */
async function takenBack<T>(db: Kysely<Database>, work: (trx: Trx) => Promise<T>): Promise<T> {
  let found: { readonly answer: T } | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      found = { answer: await work(trx) };
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  if (found === undefined) throw new Error("nothing was found");
  return found.answer;
}
