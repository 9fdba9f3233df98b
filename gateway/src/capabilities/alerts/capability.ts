import { randomUUID } from "node:crypto";
import { type Alert, alertAdministration, type alertDraft, alertLimits, alerts } from "@fairway/contract/alerts";
import { pluralize } from "@fairway/contract/counts";
import type { Limits } from "@fairway/contract/limits";
import { byName } from "@fairway/contract/name-order";
import { parseSavedQuery } from "@fairway/contract/saved-searches";
import { sql } from "kysely";
import type { z } from "zod";
import type { AlertRecipe } from "@fairway/contract/recipes";
import { JobRunner } from "#background/jobs.ts";
import { type Capability, implement } from "#http/capability.ts";
import { nameKey } from "#database/name-key.ts";
import { isUniqueViolation } from "#database/unique-violation.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { reachesDataset } from "#http/reach.ts";
import { Refusal } from "#http/refusal.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import { isMailAddress } from "#config/mail-settings.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import type { TransactionalNotifier } from "#personal/notify.ts";
import { ownedByName } from "#personal/owned-by-name.ts";
import { seesTheSame } from "#personal/scope-keys.ts";
import { runEvery } from "#process/run-every.ts";
import { administrationHandlers } from "./administration.ts";
import { alertOf, checkOf, datasetOf, webhookOf } from "./alert-answers.ts";
import { Deliveries, type DeliveryParts } from "./deliveries.ts";
import { requireWatchable } from "./run-check.ts";
import { notificationOf, testText } from "./messages.ts";
import { seedAlert } from "./seed-alert.ts";
import { type AlertRow, AlertStore } from "./store.ts";
import { AlertWatcher, hasSearch, type WatcherParts } from "./watcher.ts";
import { requireAllowedWebhook, setWebhook, testWebhook } from "./webhook-changes.ts";

interface Parts
  extends
    Pick<WatcherParts, "searches" | "canRead" | "scopeKeysOf" | "findSavedSearch" | "live" | "log" | "pollMs" | "publicUrl">,
    Pick<DeliveryParts, "db" | "masterKey" | "retrySeconds"> {
  readonly notifier: Pick<TransactionalNotifier, "notify" | "notifyWithin">;
  /** Addresses that webhooks may have. */
  readonly webhookAddresses: AddressPolicy;
  /** Whether the portal sends emails. */
  readonly sendsEmail: boolean;
  readonly limits: Pick<
    Limits,
    | "alertsPerUser"
    | "alertLeastMinutes"
    | "alertChecksAtOnce"
    | "alertCheckMs"
    | "alertLateHours"
    | "alertHistoryDays"
    | "alertWebhookAttempts"
  >;
}

export interface Alerts extends Capability {
  /** Removes what is older than the history is kept, as every hour. */
  readonly prune: () => Promise<void>;
  /** Stores the alerts of an empty portal. */
  readonly seed: (recipes: readonly AlertRecipe[]) => Promise<void>;
}

const pruneIntervalMs = 3_600_000;

/** Saved searches that watch. Decision 0604. */
export function openAlerts(parts: Parts): Alerts {
  const { db, limits, log } = parts;
  const store = new AlertStore(db, limits);
  const findOwner = (userId: string) => userWithoutSession(db, userId);
  const deliveries = new JobRunner(new Deliveries({ ...parts, addresses: parts.webhookAddresses, findOwner }));
  const onDeliveries = () => void deliveries.wake();
  const watcher = new JobRunner(new AlertWatcher({ ...parts, store, findOwner, onDeliveries }));
  const prune = async () => {
    const removed = await store.removeOldChecks();
    if (removed > 0) log.info({ removed }, "removed old checks of alerts");
  };
  const pruning = runEvery(pruneIntervalMs, prune, (error) => log.warn({ err: error }, "could not remove old checks of alerts"));
  return {
    routes: {
      alerts: implement(
        alerts,
        handlers(parts, store, () => void watcher.wake()),
      ),
      alertAdministration: implement(alertAdministration, administrationHandlers({ ...parts, onDeliveries })),
    },
    gauges: [
      { name: "fairway_alert_checks_running", help: "Alerts that are being checked.", read: () => watcher.running },
      { name: "fairway_alert_deliveries_running", help: "Messages that are being sent to webhooks.", read: () => deliveries.running },
    ],
    prune,
    seed: async (recipes) => {
      for (const recipe of recipes) await seedAlert(db, recipe);
      void watcher.wake();
    },
    close: async () => {
      await pruning.close();
      await watcher.close();
      await deliveries.close();
    },
  };
}

type Draft = z.output<typeof alertDraft>;

function handlers(parts: Parts, store: AlertStore, wake: () => void): Handlers<typeof alerts> {
  const { db, canRead, limits, notifier, live } = parts;

  const ownRow = async (user: SignedInUser, id: string): Promise<AlertRow> => {
    const row = await store.find(user.id, id);
    if (!row || !reachesDataset(user.reach, row.category, row.dataset_id)) throw noSuchAlert();
    return row;
  };
  /** Whether the user sees the same of the dataset as when this was stored. */
  const isSame = async (user: SignedInUser, row: AlertRow, { scope_keys: scopeKeys }: Pick<AlertRow, "scope_keys"> = row) =>
    (await canRead(user, datasetOf(row))) && seesTheSame(parts.scopeKeysOf, user, datasetOf(row), scopeKeys);
  const answer = async (user: SignedInUser, row: AlertRow): Promise<Alert> =>
    alertOf(row, {
      isSame: await isSame(user, row),
      showsSearch: await hasSearch(parts, user, row),
      webhook: webhookOf(parts.masterKey, row, user.reach !== undefined),
    });
  const emailAddress = async (user: SignedInUser): Promise<string | null> => {
    if (!parts.sendsEmail) return null;
    const account = await db.selectFrom("users").select("email").where("id", "=", user.id).executeTakeFirst();
    return account?.email !== undefined && account.email !== null && isMailAddress(account.email) ? account.email : null;
  };

  /** The search of a draft, which the user may run now. */
  const requireValid = async (user: SignedInUser, draft: Draft) => {
    if (draft.everyMinutes < limits.alertLeastMinutes) {
      const least = pluralize(limits.alertLeastMinutes, "minute");
      throw new Refusal("invalid-value", `Alerts of this portal check every ${least} at most.`, { path: "everyMinutes" });
    }
    if (draft.email && (await emailAddress(user)) === null) {
      const message = parts.sendsEmail ? "Your account has no email address." : "This portal sends no emails.";
      throw new Refusal("invalid-value", message, { path: "email" });
    }
    if (draft.webhookUrl !== null) requireAllowedWebhook(parts.webhookAddresses, draft.webhookUrl);
    const saved = await parts.findSavedSearch(user, draft.savedSearchId);
    if (typeof saved === "string") {
      throw new Refusal("not-found", "You have no such saved search, or you may not run it.", { path: "savedSearchId" });
    }
    const dataset = { datasetCategory: saved.datasetCategory, datasetId: saved.datasetId };
    const parsed = parseSavedQuery(saved.query);
    if (!("query" in parsed)) throw new Refusal("invalid-value", "This saved search can no longer be read.", { path: "savedSearchId" });
    await requireWatchable(parts.searches, { owner: user, dataset, query: parsed.query, condition: draft.condition });
    return {
      name: draft.name,
      name_key: nameKey(draft.name),
      saved_search_id: saved.id,
      category: saved.datasetCategory,
      dataset_id: saved.datasetId,
      condition: JSON.stringify(draft.condition),
      every_minutes: draft.everyMinutes,
      tell_when_over: draft.tellWhenOver,
      email: draft.email,
    };
  };
  const owned = ownedByName(db, {
    table: "alerts",
    noun: "alert",
    nouns: "alerts",
    nameField: "name",
    isOfDataset: false,
    maxPerUser: limits.alertsPerUser,
  });
  const changed = async (user: SignedInUser, id: string): Promise<Alert> => {
    wake();
    live.report({ topic: "alerts", audience: { users: [user.id] } });
    return answer(user, await ownRow(user, id));
  };

  return {
    list: async ({ user }) => {
      const rows = (await store.listFor(user.id)).toSorted(byName);
      const reachable = rows.filter((row) => reachesDataset(user.reach, row.category, row.dataset_id));
      return {
        alerts: await Promise.all(reachable.map((row) => answer(user, row))),
        // Not for keys: it is about the owner, not about a dataset.
        emailAddress: user.reach === undefined ? await emailAddress(user) : null,
        sendsEmail: parts.sendsEmail,
      };
    },
    create: async ({ user, body }) => {
      const values = await requireValid(user, body);
      const id = randomUUID();
      const webhookSecret = await owned.insert(user.id, async (trx) => {
        const created = await trx
          .insertInto("alerts")
          .values({ id, user_id: user.id, ...values, next_check_at: sql<Date>`now()` })
          .onConflict((conflict) => conflict.columns(["user_id", "name_key"]).doNothing())
          .returning("id")
          .executeTakeFirst();
        if (!created) throw owned.nameTaken();
        return setWebhook(parts.masterKey, trx, id, body.webhookUrl);
      });
      return { ...(await changed(user, id)), webhookSecret };
    },
    edit: async ({ user, params, body }) => {
      const before = await ownRow(user, params.id);
      requireNotEnded(before);
      const values = await requireValid(user, body);
      const isPaused = before.paused_by === "owner";
      try {
        const webhookSecret = await db.transaction().execute(async (trx) => {
          const { numUpdatedRows } = await trx
            .updateTable("alerts")
            .set({
              ...values,
              // A check under way belongs to the alert as it was.
              claim: null,
              claimed_until: null,
              failures: 0,
              paused_by: isPaused ? "owner" : null,
              pause_reason: "",
              next_check_at: isPaused ? null : sql<Date>`now()`,
            })
            .where("id", "=", params.id)
            .where("user_id", "=", user.id)
            .executeTakeFirstOrThrow();
          if (numUpdatedRows === 0n) throw noSuchAlert();
          return setWebhook(parts.masterKey, trx, params.id, body.webhookUrl);
        });
        return { ...(await changed(user, params.id)), webhookSecret };
      } catch (error) {
        // The name is the only unique column that is set.
        throw isUniqueViolation(error) ? owned.nameTaken() : error;
      }
    },
    remove: async ({ user, params }) => {
      const { numDeletedRows } = await db
        .deleteFrom("alerts")
        .where("id", "=", params.id)
        .where("user_id", "=", user.id)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw noSuchAlert();
      live.report({ topic: "alerts", audience: { users: [user.id] } });
      return undefined;
    },
    snooze: async ({ user, params, body: { minutes } }) => {
      await ownRow(user, params.id);
      const until = minutes === null ? null : sql<Date>`now() + make_interval(mins => ${minutes})`;
      // The next check reports the rows that appeared meanwhile.
      await db.updateTable("alerts").set({ snoozed_until: until }).where("id", "=", params.id).where("user_id", "=", user.id).execute();
      return changed(user, params.id);
    },
    pause: async ({ user, params, body: { paused } }) => {
      const before = await ownRow(user, params.id);
      requireNotEnded(before);
      if (!paused && before.saved_search_id === null) {
        throw new Refusal("conflict", "Its saved search was deleted. Edit the alert to watch another one.");
      }
      await db
        .updateTable("alerts")
        .set({
          claim: null,
          claimed_until: null,
          failures: 0,
          is_firing: false,
          pause_reason: "",
          // Rows that appeared while the owner had paused the alert are not reported later.
          ...(before.paused_by === "owner" ? { memory: null } : {}),
          ...(paused ? { paused_by: "owner", next_check_at: null } : { paused_by: null, next_check_at: sql<Date>`now()` }),
        })
        .where("id", "=", params.id)
        .where("user_id", "=", user.id)
        .execute();
      return changed(user, params.id);
    },
    check: async ({ user, params }) => {
      const row = await ownRow(user, params.id);
      if (row.next_check_at === null) throw new Refusal("conflict", "The alert is paused.");
      const { numUpdatedRows } = await db
        .updateTable("alerts")
        .set({ next_check_at: sql<Date>`least(next_check_at, now())` })
        .where("id", "=", params.id)
        .where("user_id", "=", user.id)
        .where(sql<boolean>`coalesce(checked_at < now() - make_interval(secs => ${alertLimits.askSeconds}), true)`)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw tooSoon("checked");
      return changed(user, params.id);
    },
    test: async ({ user, params, signal }) => {
      const row = await ownRow(user, params.id);
      const { numUpdatedRows } = await db
        .updateTable("alerts")
        .set({ tested_at: sql<Date>`now()` })
        .where("id", "=", params.id)
        .where("user_id", "=", user.id)
        .where(sql<boolean>`coalesce(tested_at < now() - make_interval(secs => ${alertLimits.askSeconds}), true)`)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw tooSoon("tested");
      await notifier.notify([user.id], notificationOf(row, testText(row.name)));
      return { webhookProblem: await testWebhook(parts, row, signal) };
    },
    history: async ({ user, params, query: { before, changes } }) => {
      const row = await ownRow(user, params.id);
      const rows = await store.history(row.id, before, changes === "true");
      const page = rows.slice(0, alertLimits.checksPerPage);
      return {
        checks: await Promise.all(page.map(async (check) => checkOf(check, await isSame(user, row, check)))),
        hasMore: rows.length > alertLimits.checksPerPage,
      };
    },
  };
}

/** Also for alerts of others. */
const noSuchAlert = () => new Refusal("not-found", "You have no such alert.");

const tooSoon = (what: string) =>
  new Refusal("too-many-requests", `The alert was ${what} a moment ago. Try again in ${alertLimits.askSeconds} seconds.`, {
    retryAfterSeconds: alertLimits.askSeconds,
  });

function requireNotEnded({ paused_by: pausedBy, pause_reason: reason }: AlertRow): void {
  if (pausedBy === "administrator") throw new Refusal("conflict", `An administrator ended this alert: ${reason}`);
}
