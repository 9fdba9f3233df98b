import { randomUUID } from "node:crypto";
import type { alertAdministration, AlertState } from "@fairway/contract/alerts";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { LiveReporter } from "#database/live-changes.ts";
import type { Notifier } from "#personal/notify.ts";
import { addDeliveries } from "./deliveries.ts";
import { alertsLink, endedText, notificationOf, webhookBody } from "./messages.ts";
import type { AlertRow } from "./store.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly notifier: Pick<Notifier, "notify">;
  readonly live: LiveReporter;
  readonly publicUrl: string | undefined;
  readonly onDeliveries: () => void;
}

const maxListed = 1_000;

/** The alerts of all users, for administrators: without what they found. */
export const administrationHandlers = ({ db, notifier, live, publicUrl, onDeliveries }: Parts): Handlers<typeof alertAdministration> => ({
  list: async () => {
    const recent = db
      .selectFrom("alert_checks")
      .select(({ fn }) => [
        "alert_id",
        fn.countAll<string>().as("checks"),
        sql<string>`count(*) filter (where kind in ('failed', 'paused'))`.as("failed"),
        sql<string>`sum(duration_ms)`.as("duration"),
      ])
      .where("checked_at", ">", sql<Date>`now() - interval '24 hours'`)
      .groupBy("alert_id");
    const rows = await db
      .with("recent", () => recent)
      .selectFrom("alerts")
      .innerJoin("users", "users.id", "alerts.user_id")
      .leftJoin("recent", "recent.alert_id", "alerts.id")
      .selectAll("alerts")
      .select([
        "users.username",
        "users.locked",
        sql<string>`coalesce(recent.checks, 0)`.as("checks"),
        sql<string>`coalesce(recent.failed, 0)`.as("failed"),
        sql<string>`coalesce(recent.duration, 0)`.as("duration"),
        sql<string>`count(*) over ()`.as("total"),
        sql<string>`sum(recent.checks) over ()`.as("all_checks"),
        sql<string>`sum(recent.duration) over ()`.as("all_duration"),
      ])
      .orderBy(sql`coalesce(recent.duration, 0)`, "desc")
      .orderBy("alerts.id")
      .limit(maxListed)
      .execute();
    const [first] = rows;
    return {
      alerts: rows.map((row) => ({
        id: row.id,
        name: row.name,
        owner: { id: row.user_id, username: row.username, locked: row.locked },
        dataset: { datasetCategory: row.category, datasetId: row.dataset_id },
        condition: row.condition,
        everyMinutes: row.every_minutes,
        state: stateOf(row),
        reason: row.pause_reason,
        isEnded: row.paused_by === "administrator",
        lastCheckedMs: row.checked_at?.getTime() ?? null,
        checks: Number(row.checks),
        failed: Number(row.failed),
        durationMs: Number(row.duration),
      })),
      total: Number(first?.total ?? 0),
      checks: Number(first?.all_checks ?? 0),
      durationMs: Number(first?.all_duration ?? 0),
    };
  },
  end: async ({ params, body: { reason } }) => {
    const ended = await db.transaction().execute(async (trx) => {
      const before = await trx
        .selectFrom("alerts")
        .select(["user_id", "name", "email", "paused_by"])
        .where("id", "=", params.id)
        .forUpdate()
        .executeTakeFirst();
      if (!before) throw new Refusal("not-found", "There is no such alert.");
      if (before.paused_by === "administrator") throw new Refusal("conflict", "The alert has already ended.");
      await trx
        .updateTable("alerts")
        .set({
          paused_by: "administrator",
          pause_reason: reason,
          is_firing: false,
          next_check_at: null,
          // A check under way does not count any more.
          claim: null,
          claimed_until: null,
        })
        .where("id", "=", params.id)
        .execute();
      await trx
        .insertInto("alert_checks")
        .values({ alert_id: params.id, kind: "paused", is_change: true, told: ["portal"], reason, duration_ms: 0 })
        .execute();
      const text = endedText(before.name, reason);
      const event = { type: "alert.paused", alert: { id: params.id, name: before.name }, text, link: alertsLink } as const;
      const delivery = { id: `msg_${randomUUID()}`, body: webhookBody(event, Date.now(), publicUrl), needsDataset: false };
      await addDeliveries(trx, params.id, [delivery]);
      return { ...before, text };
    });
    await notifier.notify([ended.user_id], notificationOf(ended, ended.text));
    onDeliveries();
    live.report({ topic: "alerts", audience: { users: [ended.user_id] } });
    return undefined;
  },
});

/** The state of an alert now. */
export function stateOf(row: Pick<AlertRow, "paused_by" | "snoozed_until" | "checked_at" | "is_firing">): AlertState {
  if (row.paused_by !== null) return "paused";
  if (row.snoozed_until !== null && row.snoozed_until.getTime() > Date.now()) return "snoozed";
  return row.checked_at === null ? "new" : row.is_firing ? "firing" : "ok";
}
