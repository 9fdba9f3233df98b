import { randomUUID } from "node:crypto";
import { type Board, boardDraft, boardLimits, boards } from "@fairway/contract/boards";
import { newPanelPosition } from "@fairway/contract/panel-positions";
import { byName } from "@fairway/contract/name-order";
import type { OwnOrShared } from "@fairway/contract/sharing";
import { type Kysely, sql } from "kysely";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import { countedInsert } from "#database/counted-insert.ts";
import { isUniqueViolation } from "#database/unique-violation.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { BoardRecipe } from "@fairway/contract/recipes";
import type { CanRead } from "#personal/readable-dataset.ts";
import type { OwnedThings } from "#sharing/owned-things.ts";
import { visibleRoles } from "#sharing/shared-roles.ts";
import { boardTables, rolesOf, storeShares } from "#sharing/shared-tables.ts";
import { sharesNote, type SharedThings } from "#sharing/shared-things.ts";
import { keepRevision, makeRoom } from "./board-room.ts";
import { columnsOf, ownedBoards, revisionsOf, rightsOn, type Row, rowOf, rowsFor, summaryOf } from "./board-rows.ts";
import { boardThings, type BoardThingsParts } from "./board-things.ts";
import { contentToStore, visibleContent } from "./panels.ts";

interface Parts extends BoardThingsParts {
  readonly canRead: CanRead;
}

interface Boards extends Capability {
  /** Saves boards unless they are there already. */
  seed(recipes: readonly BoardRecipe[]): Promise<void>;
  /** A board as this user may read it now. `gone`: there is none; `unreadable`: it is not shared with the user any more. */
  find(user: SignedInUser, id: string): Promise<Board | "gone" | "unreadable">;
  /** Their shares and owners. */
  readonly things: OwnedThings;
}

export function openBoards(parts: Parts): Boards {
  const things = boardThings(parts);
  return {
    routes: { boards: implement(boards, handlers(parts, things)) },
    find: (user, id) => findBoard(parts, user, id),
    seed: async (recipes) => {
      for (const recipe of recipes) await seedBoard(parts.db, recipe);
    },
    things,
  };
}

async function seedBoard(db: Kysely<Database>, { id, owner, board }: BoardRecipe): Promise<void> {
  const draft = boardDraft.parse(board);
  const values = { ...columnsOf(draft), shared_with_roles: draft.sharedWithRoles };
  await db.transaction().execute(async (trx) => {
    const user = await trx.selectFrom("users").select("id").where("username", "=", owner).executeTakeFirst();
    if (!user) return;
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("boards")
      .values({ id, user_id: user.id, ...values, version: 1, updated_at: new Date() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) await keepRevision(trx, id);
  });
}

/** Any position, for a panel that is checked before its own is known. */
const firstPosition = { x: 0, y: 0, w: 1, h: 1 };

const answerOf = async (canRead: CanRead, user: SignedInUser, row: Row, can: OwnOrShared): Promise<Board> => ({
  ...summaryOf(user, row, can),
  content: await visibleContent(canRead, user, row.content, can),
});

async function findBoard({ db, canRead }: Parts, user: SignedInUser, id: string): Promise<Board | "gone" | "unreadable"> {
  const row = await rowOf(db, id);
  if (row === undefined) return "gone";
  const can = rightsOn(row, user);
  return can === undefined ? "unreadable" : answerOf(canRead, user, row, can);
}

const handlers = (parts: Parts, things: SharedThings): Handlers<typeof boards> => {
  const { db, canRead, limits } = parts;
  const requireRow = async (user: SignedInUser, id: string, needed: OwnOrShared): Promise<{ row: Row; can: OwnOrShared }> => {
    const row = await rowOf(db, id);
    const can = row && rightsOn(row, user);
    if (row === undefined || can === undefined) throw things.notFound();
    things.requireRight(can, needed);
    return { row, can };
  };
  const answer = async (user: SignedInUser, id: string): Promise<Board> => {
    const { row, can } = await requireRow(user, id, "view");
    return answerOf(canRead, user, row, can);
  };
  const roomOf = (row: Row, user: SignedInUser) => ({ userId: row.user_id, id: row.id, byEditor: row.user_id !== user.id });
  return {
    list: async ({ user }) => {
      const rows = await rowsFor(db, user);
      return rows.toSorted(byName).flatMap((row) => {
        const can = rightsOn(row, user);
        return can === undefined ? [] : [summaryOf(user, row, can)];
      });
    },
    read: ({ user, params }) => answer(user, params.id),
    create: async (call) => {
      const { user, body } = call;
      const content = await contentToStore(canRead, user, body.content, { panels: [], byEditor: false });
      const shares = await things.sharesOfNew(user, body);
      const owned = ownedBoards(db);
      const id = randomUUID();
      const columns = columnsOf({ ...body, content });
      await owned.insert(user.id, async (trx) => {
        await makeRoom(trx, { userId: user.id, id, content, byEditor: false }, limits.boardBytesPerUser);
        const created = await trx
          .insertInto("boards")
          .values({ id, user_id: user.id, ...columns, shared_with_roles: rolesOf(shares), version: 1, updated_at: new Date() })
          .onConflict((conflict) => conflict.columns(["user_id", "name_key"]).doNothing())
          .returning("id")
          .executeTakeFirst();
        if (!created) throw owned.nameTaken();
        if (body.shares.length > 0) await storeShares(trx, boardTables, id, shares);
        await keepRevision(trx, id);
      });
      if (shares.length > 0) call.noteForAudit(sharesNote(body.name, shares.length));
      await things.report({ ownerId: user.id, shares });
      return answer(user, id);
    },
    edit: async (call) => {
      const { user, params, body } = call;
      const { row: before, can } = await requireRow(user, params.id, "edit");
      const shares = things.sharesToSave(user, body.sharedWithRoles, {
        can,
        shares: before.shares,
        shown: visibleRoles(user, before.shared_with_roles, can),
      });
      const room = roomOf(before, user);
      const content =
        body.content && (await contentToStore(canRead, user, body.content, { panels: before.content.panels, byEditor: room.byEditor }));
      const columns = columnsOf({ name: body.name, description: body.description, content });
      try {
        await countedInsert(db, {
          kind: "boards",
          owner: before.user_id ?? before.id,
          requireRoom: (trx) => makeRoom(trx, { ...room, content }, limits.boardBytesPerUser),
          insert: async (trx) => {
            const { numUpdatedRows } = await trx
              .updateTable("boards")
              .set({ ...columns, version: body.version + 1, updated_at: new Date() })
              .where("id", "=", params.id)
              .where("version", "=", body.version)
              .where(sql<boolean>`user_id is not distinct from ${before.user_id}`)
              .executeTakeFirstOrThrow();
            if (numUpdatedRows === 0n) throw new Refusal("stale-version", "The board was saved since you read it.", { path: "version" });
            if (shares !== undefined) await storeShares(trx, boardTables, params.id, shares);
            await keepRevision(trx, params.id);
          },
        });
      } catch (error) {
        // The name is the only unique column.
        throw isUniqueViolation(error) ? ownedBoards(db).nameTaken() : error;
      }
      if (shares !== undefined) call.noteForAudit(sharesNote(body.name ?? before.name, shares.length));
      const sharing = { ownerId: before.user_id, shares: before.shares };
      await things.report(sharing, shares && { ...sharing, shares });
      return answer(user, params.id);
    },
    share: async (call) => {
      const { user, params, body } = call;
      const { name, count } = await things.share(user, params.id, body.shares);
      call.noteForAudit(sharesNote(name, count));
      const { row, can } = await requireRow(user, params.id, "view");
      return summaryOf(user, row, can);
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
    addPanel: async ({ user, params, body }) => {
      const { row: before } = await requireRow(user, params.id, "edit");
      // Only the new panel's dataset is checked: the user may have lost others.
      const added = { refreshMinutes: null, panels: [{ ...body.panel, id: "new", place: firstPosition }] };
      await contentToStore(canRead, user, added, { panels: [], byEditor: false });
      const saved = await countedInsert(db, {
        kind: "boards",
        owner: before.user_id ?? before.id,
        requireRoom: async (trx) => {
          const row = await trx
            .selectFrom("boards")
            .select(["content", "version"])
            .where("id", "=", params.id)
            .where(sql<boolean>`user_id is not distinct from ${before.user_id}`)
            .forUpdate()
            .executeTakeFirst();
          if (!row) throw things.notFound();
          const { panels } = row.content;
          if (panels.length >= boardLimits.panels) {
            throw new Refusal("conflict", `The board has ${boardLimits.panels} panels, as many as there can be.`);
          }
          const by = before.user_id === user.id ? {} : { by: user.id };
          const panel = { ...body.panel, ...by, id: randomUUID(), place: newPanelPosition(body.panel.kind, panels) };
          const content = { ...row.content, panels: [...panels, panel] };
          await makeRoom(trx, { ...roomOf(before, user), content }, limits.boardBytesPerUser);
          return { panelId: panel.id, content, version: row.version + 1 };
        },
        insert: async (trx, { panelId, content, version }) => {
          await trx
            .updateTable("boards")
            .set({ content: JSON.stringify(content), version, updated_at: new Date() })
            .where("id", "=", params.id)
            .execute();
          await keepRevision(trx, params.id);
          return { panelId, version };
        },
      });
      await things.report({ ownerId: before.user_id, shares: before.shares });
      return saved;
    },
    remove: async ({ user, params }) => {
      const { row } = await requireRow(user, params.id, "own");
      const { numDeletedRows } = await db
        .deleteFrom("boards")
        .where("id", "=", params.id)
        .where("user_id", "=", user.id)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw things.notFound();
      await things.report({ ownerId: row.user_id, shares: row.shares });
      return undefined;
    },
    revisions: async ({ user, params }) => {
      await requireRow(user, params.id, "edit");
      const rows = await revisionsOf(db, params.id).orderBy("version", "desc").execute();
      return rows.map((row) => ({
        version: row.version,
        savedDateMs: row.saved_at.getTime(),
        name: row.name,
        panels: row.content.panels.length,
      }));
    },
    revision: async ({ user, params }) => {
      const { can } = await requireRow(user, params.id, "edit");
      const row = await revisionsOf(db, params.id).where("version", "=", Number(params.version)).executeTakeFirst();
      if (!row) throw new Refusal("not-found", "This revision of the board is no longer kept.");
      const { version, name, content, saved_at: savedAt } = row;
      return {
        version,
        name,
        savedDateMs: savedAt.getTime(),
        panels: content.panels.length,
        content: await visibleContent(canRead, user, content, can),
      };
    },
  };
};
