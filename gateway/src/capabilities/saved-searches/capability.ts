import { randomUUID } from "node:crypto";
import type { ErrorItem } from "@fairway/contract/errors";
import { byName } from "@fairway/contract/name-order";
import { parseSavedQuery, savedName, type SavedSearch, savedSearchLimits, savedSearches } from "@fairway/contract/saved-searches";
import type { OwnOrShared } from "@fairway/contract/sharing";
import { spellings } from "@fairway/contract/text";
import { type Kysely, sql } from "kysely";
import { nameKey } from "#database/name-key.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import { isUniqueViolation } from "#database/unique-violation.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { parsed } from "#http/parsed.ts";
import { reachesDataset } from "#http/reach.ts";
import { Refusal } from "#http/refusal.ts";
import { ownedByName } from "#personal/owned-by-name.ts";
import { type CanRead, requireReadable } from "#personal/readable-dataset.ts";
import { mayDo } from "#sharing/access.ts";
import { ownerStateOf } from "#sharing/named-shares.ts";
import type { OwnedThings } from "#sharing/owned-things.ts";
import { visibleRoles } from "#sharing/shared-roles.ts";
import { rolesOf, savedSearchTables, storeShares } from "#sharing/shared-tables.ts";
import { sharesNote, type SharedThings } from "#sharing/shared-things.ts";
import { type Row, rowOf, rowsOwnedBy, rowsSharedWith, savedSearchOf } from "./saved-search-rows.ts";
import { savedSearchThings, type SavedSearchThingsParts } from "./saved-search-things.ts";

interface Parts extends SavedSearchThingsParts {
  readonly canRead: CanRead;
}

export interface SavedSearches extends Capability {
  /**
   * A saved search that is the user's own or shared with the user, on a dataset that they may read now. `gone`: there is none;
   * `unreadable`: the user may not run it any more.
   */
  readonly find: (user: SignedInUser, id: string) => Promise<SavedSearch | "gone" | "unreadable">;
  /** Their shares and owners. */
  readonly things: OwnedThings;
}

export function openSavedSearches(parts: Parts): SavedSearches {
  const things = savedSearchThings(parts);
  return {
    routes: { savedSearches: implement(savedSearches, handlers(parts, things)) },
    find: async (user, id) => {
      const row = await rowOf(parts.db, id);
      if (row === undefined) return "gone";
      const can = rightsOn(row, user);
      return can !== undefined && (await mayShow(parts.canRead, user, row, can)) ? savedSearchOf(user, row, can) : "unreadable";
    },
    things,
  };
}

/** The rights of a reader; undefined if the search does not exist for the reader. */
const rightsOn = (row: Row, reader: SignedInUser): OwnOrShared | undefined => mayDo({ ownerId: row.user_id, shares: row.shares }, reader);

const datasetOf = ({ category, dataset_id: datasetId }: Row) => ({ datasetCategory: category, datasetId });

/** Whether the user may read its dataset, and, if somebody else has made it, all columns that it names. */
const mayShow = (canRead: CanRead, user: SignedInUser, row: Row, can: OwnOrShared): Promise<boolean> =>
  canRead(user, datasetOf(row), can === "own" || row.query_by === user.id ? undefined : JSON.parse(row.query));

const handlers = ({ db, canRead }: Parts, things: SharedThings): Handlers<typeof savedSearches> => {
  /** Others than the owner find it only while they may read its dataset. */
  const requireRow = async (user: SignedInUser, id: string, needed: OwnOrShared): Promise<{ row: Row; can: OwnOrShared }> => {
    const row = await rowOf(db, id);
    const can = row && rightsOn(row, user);
    const isFound = can === "own" || (row !== undefined && can !== undefined && (await mayShow(canRead, user, row, can)));
    if (row === undefined || can === undefined || !isFound) throw things.notFound();
    things.requireRight(can, needed);
    return { row, can };
  };
  const answer = async (user: SignedInUser, id: string): Promise<SavedSearch> => {
    const { row, can } = await requireRow(user, id, "view");
    return savedSearchOf(user, row, can);
  };
  return {
    list: async ({ user }) => {
      const rows = await rowsOwnedBy(db, user.id);
      return rows
        .filter((row) => reachesDataset(user.reach, row.category, row.dataset_id))
        .toSorted(byName)
        .map((row) => savedSearchOf(user, row, "own"));
    },
    shared: async ({ user }) => {
      const rows = await rowsSharedWith(db, user);
      const readable = await Promise.all(rows.map((row) => mayShow(canRead, user, row, "view")));
      return rows
        .filter((_, index) => readable[index])
        .toSorted(byName)
        .flatMap((row) => {
          const can = rightsOn(row, user);
          if (can === undefined) return [];
          const ownerState = ownerStateOf({ ownerId: row.user_id, isLocked: row.isLocked });
          return [{ ...savedSearchOf(user, row, can), owner: row.owner ?? "", ownerState }];
        });
    },
    create: async (call) => {
      const { user, body } = call;
      const query = validateQuery(body);
      const { datasetCategory, datasetId, queryName } = body;
      await requireReadable(canRead, user, body);
      const shares = await things.sharesOfNew(user, body);
      const owned = ownedSearches(db);
      const id = await owned.insert(user.id, async (trx) => {
        const created = await trx
          .insertInto("saved_searches")
          .values({
            id: randomUUID(),
            user_id: user.id,
            category: datasetCategory,
            dataset_id: datasetId,
            name: queryName,
            name_key: nameKey(queryName),
            description: body.description,
            query,
            shared_with_roles: rolesOf(shares),
          })
          .onConflict((conflict) => conflict.columns(["user_id", "category", "dataset_id", "name_key"]).doNothing())
          .returning("id")
          .executeTakeFirst();
        if (!created) throw owned.nameTaken();
        if (body.shares.length > 0) await storeShares(trx, savedSearchTables, created.id, shares);
        return created.id;
      });
      if (shares.length > 0) call.noteForAudit(sharesNote(queryName, shares.length));
      await things.report({ ownerId: user.id, shares });
      return answer(user, id);
    },
    edit: async (call) => {
      const { user, params, body } = call;
      const { row: before, can } = await requireRow(user, params.id, "edit");
      const name = body.queryName === before.name ? before.name : parsed(savedName, body.queryName, "The name", ["queryName"]);
      const query = changedQuery(body, before.query);
      const shares = things.sharesToSave(user, body.sharedWithRoles, {
        can,
        shares: before.shares,
        shown: visibleRoles(user, before.shared_with_roles, can),
      });
      const version = body.version ?? before.version;
      try {
        await db.transaction().execute(async (trx) => {
          const { numUpdatedRows } = await trx
            .updateTable("saved_searches")
            .set({
              name,
              name_key: nameKey(name),
              ...(query === undefined ? {} : { query, query_by: can === "own" ? null : user.id }),
              ...(body.description === undefined ? {} : { description: body.description }),
              version: sql<number>`version + 1`,
            })
            .where("id", "=", params.id)
            .where(sql<boolean>`user_id is not distinct from ${before.user_id}`)
            .$if(body.version !== undefined, (update) => update.where("version", "=", version))
            .executeTakeFirstOrThrow();
          if (numUpdatedRows === 0n) {
            throw new Refusal("stale-version", "The saved search was saved since you read it.", { path: "version" });
          }
          if (shares !== undefined) await storeShares(trx, savedSearchTables, params.id, shares);
        });
      } catch (error) {
        // The name is the only unique column.
        throw isUniqueViolation(error) ? ownedSearches(db).nameTaken() : error;
      }
      if (shares !== undefined) call.noteForAudit(sharesNote(name, shares.length));
      const sharing = { ownerId: before.user_id, shares: before.shares };
      await things.report(sharing, shares && { ...sharing, shares });
      return answer(user, params.id);
    },
    share: async (call) => {
      const { name, count } = await things.share(call.user, call.params.id, call.body.shares);
      call.noteForAudit(sharesNote(name, count));
      return answer(call.user, call.params.id);
    },
    leave: async (call) => {
      call.noteForAudit(await things.leave(call.user, call.params.id));
      return undefined;
    },
    transfer: async (call) => {
      const { name, owner } = await things.transfer(call.user, call.params.id, call.body.userId);
      call.noteForAudit(`${name} to ${owner}`);
      return undefined;
    },
    remove: async ({ user, body }) => {
      const names = spellings(body.queryName);
      const rows = await rowsOwnedBy(db, user.id);
      await ownedSearches(db).remove(user.id, body.queryName, body);
      const removed = rows.filter(
        (row) => names.includes(row.name) && row.category === body.datasetCategory && row.dataset_id === body.datasetId,
      );
      await things.report(...removed.map(({ shares }) => ({ ownerId: user.id, shares })));
      return undefined;
    },
  };
};

const ownedSearches = (db: Kysely<Database>) =>
  ownedByName(db, {
    table: "saved_searches",
    noun: "saved search",
    nouns: "saved searches",
    nameField: "queryName",
    isOfDataset: true,
    maxPerUser: savedSearchLimits.perUser,
  });

interface QueryTexts {
  readonly query?: string | undefined;
  readonly queryJson?: string | undefined;
}

/** Returns undefined if the query is unchanged. Responses contain both field names, so clients that edit one send the other back unchanged. */
function changedQuery({ query, queryJson }: QueryTexts, before: string): string | undefined {
  const changes = { ...(query === before ? {} : { query }), ...(queryJson === before ? {} : { queryJson }) };
  return changes.query === undefined && changes.queryJson === undefined ? undefined : validateQuery(changes);
}

/** Returns the query text unchanged. Refuses a query that could not be loaded, naming every problem. */
function validateQuery({ query, queryJson }: QueryTexts): string {
  const [path, text] = query === undefined ? ["queryJson", queryJson] : ["query", query];
  if (text === undefined) throw new Refusal("invalid-request", "The saved search has no query.", { path: "query" });
  if (queryJson !== undefined && queryJson !== text) {
    throw new Refusal("invalid-value", "query and queryJson are two names of one field and differ.", { path: "queryJson" });
  }
  const parsed = parseSavedQuery(text);
  if ("query" in parsed) return text;
  const [first, ...others] = parsed.problems.slice(0, 10).map((problem): ErrorItem => {
    const fullPath = problem.path === "" ? path : `${path}.${problem.path}`;
    // A cell of the map is no part of a saved search, whatever it holds.
    const code = problem.path === "within" ? "invalid-request" : "invalid-value";
    return { code, message: `${fullPath}: ${problem.message}`, path: fullPath };
  });
  throw first ? Refusal.of([first, ...others]) : new Refusal("invalid-value", "The query does not parse.", { path });
}
