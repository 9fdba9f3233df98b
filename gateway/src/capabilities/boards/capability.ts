import { randomUUID } from "node:crypto";
import { type Board, boardDraft, boardLimits, boards } from "@fairway/contract/boards";
import { newPanelPosition } from "@fairway/contract/panel-positions";
import type { Limits } from "@fairway/contract/limits";
import { byName } from "@fairway/contract/name-order";
import type { Kysely } from "kysely";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import { countedInsert } from "#database/counted-insert.ts";
import { isUniqueViolation } from "#database/unique-violation.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { BoardRecipe } from "@fairway/contract/recipes";
import type { CanRead } from "#personal/readable-dataset.ts";
import { requireOwnRoles } from "#personal/shared-roles.ts";
import { keepRevision, makeRoom } from "./board-room.ts";
import { columnsOf, isSharedWith, noSuchBoard, ownedBoards, revisionsOf, type Row, rowsOf, summaryOf } from "./board-rows.ts";
import { contentToStore, reachOfBoard, visibleContent } from "./panels.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly canRead: CanRead;
  readonly limits: Pick<Limits, "boardBytesPerUser">;
}

interface Boards extends Capability {
  /** Saves boards unless they are there already. */
  seed(recipes: readonly BoardRecipe[]): Promise<void>;
  /** A board as this user may read it now. `gone`: there is none; `unreadable`: it is not shared with the user any more. */
  find(user: SignedInUser, id: string): Promise<Board | "gone" | "unreadable">;
}

export const openBoards = (parts: Parts): Boards => ({
  routes: { boards: implement(boards, handlers(parts)) },
  find: (user, id) => findBoard(parts, user, id),
  seed: async (recipes) => {
    for (const recipe of recipes) await seedBoard(parts.db, recipe);
  },
});

async function seedBoard(db: Kysely<Database>, { id, owner, board }: BoardRecipe): Promise<void> {
  const columns = columnsOf(boardDraft.parse(board));
  await db.transaction().execute(async (trx) => {
    const user = await trx.selectFrom("users").select("id").where("username", "=", owner).executeTakeFirst();
    if (!user) return;
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("boards")
      .values({ id, user_id: user.id, ...columns, version: 1, updated_at: new Date() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) await keepRevision(trx, id);
  });
}

const maxListed = 1_000;
/** Any position, for a panel that is checked before its own is known. */
const firstPosition = { x: 0, y: 0, w: 1, h: 1 };

const answerOf = async (canRead: CanRead, user: SignedInUser, row: Row): Promise<Board> => ({
  ...summaryOf(user, row),
  content: await visibleContent(canRead, user, row.content),
});

async function findBoard({ db, canRead }: Parts, user: SignedInUser, id: string): Promise<Board | "gone" | "unreadable"> {
  const row = await rowsOf(db).select(isSharedWith(user).as("is_shared")).where("boards.id", "=", id).executeTakeFirst();
  if (row === undefined) return "gone";
  if ((row.user_id !== user.id && !row.is_shared) || reachOfBoard(user, row.content) === "none") return "unreadable";
  return answerOf(canRead, user, row);
}

const handlers = ({ db, canRead, limits }: Parts): Handlers<typeof boards> => {
  const answer = (user: SignedInUser, row: Row): Promise<Board> => answerOf(canRead, user, row);
  const ownRow = async (user: SignedInUser, id: string): Promise<Row> => {
    const row = await rowsOf(db).where("boards.id", "=", id).where("boards.user_id", "=", user.id).executeTakeFirst();
    if (!row) throw noSuchBoard();
    return row;
  };
  return {
    list: async ({ user }) => {
      const rows = await rowsOf(db)
        .where((where) => where.or([where("boards.user_id", "=", user.id), isSharedWith(user)]))
        .orderBy("boards.name_key")
        .orderBy("boards.id")
        .limit(maxListed)
        .execute();
      return rows
        .filter((row) => reachOfBoard(user, row.content) !== "none")
        .toSorted(byName)
        .map((row) => summaryOf(user, row));
    },
    read: async ({ user, params }) => {
      const board = await findBoard({ db, canRead, limits }, user, params.id);
      if (typeof board === "string") throw noSuchBoard();
      return board;
    },
    create: async ({ user, body }) => {
      const content = await contentToStore(canRead, user, body.content, []);
      const sharedWithRoles = requireOwnRoles(user, body.sharedWithRoles);
      const owned = ownedBoards(db);
      const id = randomUUID();
      const columns = columnsOf({ ...body, sharedWithRoles, content });
      await owned.insert(user.id, async (trx) => {
        await makeRoom(trx, { userId: user.id, id, content }, limits.boardBytesPerUser);
        const created = await trx
          .insertInto("boards")
          .values({ id, user_id: user.id, ...columns, version: 1, updated_at: new Date() })
          .onConflict((conflict) => conflict.columns(["user_id", "name_key"]).doNothing())
          .returning("id")
          .executeTakeFirst();
        if (!created) throw owned.nameTaken();
        await keepRevision(trx, id);
      });
      return answer(user, await ownRow(user, id));
    },
    edit: async ({ user, params, body }) => {
      const before = await ownRow(user, params.id);
      const sharedWithRoles = body.sharedWithRoles && requireOwnRoles(user, body.sharedWithRoles, before.shared_with_roles);
      const content = body.content && (await contentToStore(canRead, user, body.content, before.content.panels));
      const columns = columnsOf({ ...body, sharedWithRoles, content });
      try {
        await countedInsert(db, {
          kind: "boards",
          owner: user.id,
          requireRoom: (trx) => makeRoom(trx, { userId: user.id, id: params.id, content }, limits.boardBytesPerUser),
          insert: async (trx) => {
            const { numUpdatedRows } = await trx
              .updateTable("boards")
              .set({ ...columns, version: body.version + 1, updated_at: new Date() })
              .where("id", "=", params.id)
              .where("version", "=", body.version)
              .executeTakeFirstOrThrow();
            if (numUpdatedRows === 0n) throw new Refusal("stale-version", "The board was saved since you read it.", { path: "version" });
            await keepRevision(trx, params.id);
          },
        });
      } catch (error) {
        // The name is the only unique column.
        throw isUniqueViolation(error) ? ownedBoards(db).nameTaken() : error;
      }
      return answer(user, await ownRow(user, params.id));
    },
    addPanel: async ({ user, params, body }) => {
      // Only the new panel's dataset is checked: the owner may have lost others.
      await contentToStore(canRead, user, { refreshMinutes: null, panels: [{ ...body.panel, id: "new", place: firstPosition }] }, []);
      return countedInsert(db, {
        kind: "boards",
        owner: user.id,
        requireRoom: async (trx) => {
          const row = await trx
            .selectFrom("boards")
            .select(["content", "version"])
            .where("id", "=", params.id)
            .where("user_id", "=", user.id)
            .forUpdate()
            .executeTakeFirst();
          if (!row) throw noSuchBoard();
          const { panels } = row.content;
          if (panels.length >= boardLimits.panels) {
            throw new Refusal("conflict", `The board has ${boardLimits.panels} panels, as many as there can be.`);
          }
          const panel = { ...body.panel, id: randomUUID(), place: newPanelPosition(body.panel.kind, panels) };
          const content = { ...row.content, panels: [...panels, panel] };
          await makeRoom(trx, { userId: user.id, id: params.id, content }, limits.boardBytesPerUser);
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
    },
    remove: async ({ user, params }) => {
      const { numDeletedRows } = await db
        .deleteFrom("boards")
        .where("id", "=", params.id)
        .where("user_id", "=", user.id)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw noSuchBoard();
      return undefined;
    },
    revisions: async ({ user, params }) => {
      await ownRow(user, params.id);
      const rows = await revisionsOf(db, params.id).orderBy("version", "desc").execute();
      return rows.map((row) => ({
        version: row.version,
        savedDateMs: row.saved_at.getTime(),
        name: row.name,
        panels: row.content.panels.length,
      }));
    },
    revision: async ({ user, params }) => {
      await ownRow(user, params.id);
      const row = await revisionsOf(db, params.id).where("version", "=", Number(params.version)).executeTakeFirst();
      if (!row) throw new Refusal("not-found", "This revision of the board is no longer kept.");
      const { version, name, content, saved_at: savedAt } = row;
      return {
        version,
        name,
        savedDateMs: savedAt.getTime(),
        panels: content.panels.length,
        content: await visibleContent(canRead, user, content),
      };
    },
  };
};
