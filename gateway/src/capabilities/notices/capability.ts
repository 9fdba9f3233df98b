import { passesAnyRole } from "@fairway/contract/access";
import type { NoticeEntity } from "@fairway/contract/notice-entity";
import { type Notice, notices } from "@fairway/contract/notices";
import { type ColumnType, type Kysely, sql } from "kysely";
import type { BaseLogger } from "pino";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import { storedTypes } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { LiveReporter } from "#database/live-changes.ts";
import { NoticeChanges } from "./notice-changes.ts";

declare module "#database/schema.ts" {
  interface Database {
    /** Notices that a user has viewed. */
    notice_views: {
      user_id: string;
      type: ColumnType<"notices", never, never>;
      notice_id: string;
      viewed_at: ColumnType<Date, never, never>;
    };
  }
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly entities: Pick<EntityStore, "list">;
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  readonly live: LiveReporter;
  readonly log: Pick<BaseLogger, "warn">;
}

interface Notices extends Capability {
  /** Calls the listener when other notices may be shown than before. */
  readonly onChanged: (listener: () => void) => void;
}

export function openNotices(parts: Parts): Notices {
  const changes = new NoticeChanges(parts);
  return {
    routes: { notices: implement(notices, handlers(parts)) },
    onChanged: (listener) => changes.subscribe(listener),
    close: () => changes.close(),
  };
}

function handlers({ db, entities, live }: Pick<Parts, "db" | "entities" | "live">): Handlers<typeof notices> {
  /** Newest first. */
  const noticesFor = async (user: SignedInUser): Promise<NoticeEntity[]> => {
    const nowMs = Date.now();
    const all = await entities.list(storedTypes.notices);
    return all
      .filter(({ enabled, body }) => enabled && isRunning(body, nowMs) && passesAnyRole(user.roles, rolesOf(body)))
      .map(({ body }) => body)
      .sort((a, b) => b.createdDateMs - a.createdDateMs || (a.id < b.id ? 1 : -1));
  };
  return {
    list: async ({ user }) => (await noticesFor(user)).map(toNotice),
    fresh: async ({ user }) => {
      const rows = await db.selectFrom("notice_views").select("notice_id").where("user_id", "=", user.id).execute();
      const viewed = new Set(rows.map(({ notice_id }) => notice_id));
      return (await noticesFor(user)).filter(({ id }) => !viewed.has(id)).map(toNotice);
    },
    viewed: async ({ user, body }) => {
      const requested = new Set(body);
      const ids = (await noticesFor(user)).map(({ id }) => id).filter((id) => requested.has(id));
      // Selects from the table, as a notice may be deleted concurrently.
      await sql`
        insert into notice_views (user_id, notice_id)
        select ${user.id}, id from entities where type = ${storedTypes.notices.name} and id = any(${ids}::text[]) for key share
        on conflict do nothing`.execute(db);
      live.report({ topic: "notices", audience: { users: [user.id] } });
      return ids;
    },
  };
}

const isRunning = ({ startMs, endMs }: NoticeEntity, nowMs: number): boolean =>
  (startMs === null || startMs <= nowMs) && (endMs === null || nowMs < endMs);

const rolesOf = ({ roles }: NoticeEntity): string[] => roles.map(({ roleName }) => roleName);

const toNotice = ({ id, title, message, faIcon, severity, createdDateMs }: NoticeEntity): Notice => ({
  id,
  title,
  message,
  faIcon,
  severity,
  createdDateMs,
});
