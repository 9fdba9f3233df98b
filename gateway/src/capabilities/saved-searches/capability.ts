import { randomUUID } from "node:crypto";
import type { ErrorItem } from "@fairway/contract/errors";
import { byName } from "@fairway/contract/name-order";
import { parseSavedQuery, savedName, type SavedSearch, savedSearchLimits, savedSearches } from "@fairway/contract/saved-searches";
import { type ColumnType, type Kysely, type Selectable, sql } from "kysely";
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
import { heldRoles, requireOwnRoles } from "#personal/shared-roles.ts";

declare module "#database/schema.ts" {
  interface Database {
    saved_searches: {
      id: string;
      user_id: string;
      category: string;
      dataset_id: string;
      name: string;
      name_key: string;
      description: string;
      query: string;
      shared_with_roles: string[];
      created_at: ColumnType<Date, never, never>;
    };
  }
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly canRead: CanRead;
}

export interface SavedSearches extends Capability {
  /**
   * A saved search that is the user's own or shared with a role of theirs, on a dataset that they may read now. `gone`: there is none;
   * `unreadable`: the user may not run it any more.
   */
  readonly find: (user: SignedInUser, id: string) => Promise<SavedSearch | "gone" | "unreadable">;
}

export const openSavedSearches = (parts: Parts): SavedSearches => ({
  routes: { savedSearches: implement(savedSearches, handlers(parts)) },
  find: async (user, id) => {
    const row = await parts.db
      .selectFrom("saved_searches")
      .selectAll()
      .select(sql<boolean>`shared_with_roles && ${heldRoles(user)}::text[]`.as("is_shared"))
      .where("id", "=", id)
      .executeTakeFirst();
    if (row === undefined) return "gone";
    const dataset = { datasetCategory: row.category, datasetId: row.dataset_id };
    const isReadable = (row.user_id === user.id || row.is_shared) && (await parts.canRead(user, dataset));
    return isReadable ? toSavedSearch(row) : "unreadable";
  },
});

const handlers = ({ db, canRead }: Parts): Handlers<typeof savedSearches> => ({
  list: async ({ user }) => {
    const rows = await db
      .selectFrom("saved_searches")
      .selectAll()
      .where("user_id", "=", user.id)
      .orderBy("name_key")
      .orderBy("id")
      .execute();
    return rows
      .filter((row) => reachesDataset(user.reach, row.category, row.dataset_id))
      .toSorted(byName)
      .map(toSavedSearch);
  },
  shared: async ({ user }) => {
    const rows = await db
      .selectFrom("saved_searches")
      .innerJoin("users", "users.id", "saved_searches.user_id")
      .selectAll("saved_searches")
      .select("users.username as owner")
      .where("saved_searches.user_id", "<>", user.id)
      .where(sql<boolean>`saved_searches.shared_with_roles && ${heldRoles(user)}::text[]`)
      .orderBy("saved_searches.name_key")
      .orderBy("saved_searches.id")
      .limit(maxShared)
      .execute();
    const readable = await Promise.all(rows.map((row) => canRead(user, { datasetCategory: row.category, datasetId: row.dataset_id })));
    // Shows readers only those roles that they hold themselves.
    return rows
      .filter((_, index) => readable[index])
      .toSorted(byName)
      .map((row) =>
        Object.assign(toSavedSearch(row), {
          sharedWithRoles: row.shared_with_roles.filter((role) => heldRoles(user).includes(role)),
          owner: row.owner,
        }),
      );
  },
  create: async ({ user, body }) => {
    const query = validateQuery(body);
    const sharedWithRoles = requireOwnRoles(user, body.sharedWithRoles);
    const { datasetCategory, datasetId, queryName } = body;
    await requireReadable(canRead, user, body);
    const owned = ownedSearches(db);
    const created = await owned.insert(user.id, (trx) =>
      trx
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
          shared_with_roles: sharedWithRoles,
        })
        .onConflict((conflict) => conflict.columns(["user_id", "category", "dataset_id", "name_key"]).doNothing())
        .returningAll()
        .executeTakeFirst(),
    );
    if (!created) throw owned.nameTaken();
    return toSavedSearch(created);
  },
  edit: async ({ user, params, body }) => {
    const before = await db
      .selectFrom("saved_searches")
      .select(["name", "query", "shared_with_roles"])
      .where("id", "=", params.id)
      .where("user_id", "=", user.id)
      .executeTakeFirst();
    const owned = ownedSearches(db);
    if (!before) throw owned.notFound();
    const name = body.queryName === before.name ? before.name : parsed(savedName, body.queryName, "The name", ["queryName"]);
    const query = changedQuery(body, before.query);
    const roles = body.sharedWithRoles;
    // Roles that the owner has lost may stay, so that other fields can still be edited.
    const sharedWithRoles = roles && requireOwnRoles(user, roles, before.shared_with_roles);
    try {
      const updated = await db
        .updateTable("saved_searches")
        .set({
          name,
          name_key: nameKey(name),
          ...(query === undefined ? {} : { query }),
          ...(body.description === undefined ? {} : { description: body.description }),
          ...(sharedWithRoles === undefined ? {} : { shared_with_roles: sharedWithRoles }),
        })
        .where("id", "=", params.id)
        .where("user_id", "=", user.id)
        .returningAll()
        .executeTakeFirst();
      if (!updated) throw owned.notFound();
      return toSavedSearch(updated);
    } catch (error) {
      // The name is the only unique column.
      throw isUniqueViolation(error) ? owned.nameTaken() : error;
    }
  },
  remove: async ({ user, body }) => {
    await ownedSearches(db).remove(user.id, body.queryName, body);
    return undefined;
  },
});

const maxShared = 1_000;

const ownedSearches = (db: Kysely<Database>) =>
  ownedByName(db, {
    table: "saved_searches",
    noun: "saved search",
    nouns: "saved searches",
    nameField: "queryName",
    isOfDataset: true,
    maxPerUser: savedSearchLimits.perUser,
  });

const toSavedSearch = (row: Selectable<Database["saved_searches"]>): SavedSearch => ({
  id: row.id,
  datasetCategory: row.category,
  datasetId: row.dataset_id,
  queryName: row.name,
  description: row.description,
  query: row.query,
  queryJson: row.query,
  sharedWithRoles: row.shared_with_roles,
  createdDateMs: row.created_at.getTime(),
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
