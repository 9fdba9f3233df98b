import { passesRole } from "@fairway/contract/access";
import type { DatasetRef } from "@fairway/contract/datasets";
import { type Notification, notifications, notificationsPage } from "@fairway/contract/notifications";
import type { Kysely } from "kysely";
import type { BaseLogger } from "pino";
import { JobRunner } from "#background/jobs.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { findById } from "#identity/accounts.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import type { SecurityLimits } from "#identity/security-limits.ts";
import type { LiveReporter } from "#database/live-changes.ts";
import type { MailSettings } from "#config/mail-settings.ts";
import type { TransactionalNotifier } from "#personal/notify.ts";
import { type ScopeKeysOf, seesTheSame } from "#personal/scope-keys.ts";
import { runEvery } from "#process/run-every.ts";
import type { MailSender } from "#outbound/mail.ts";
import { type EmailParts, Emails } from "./emails.ts";
import { openMailSender } from "./mail.ts";
import { type NotificationRow, NotificationStore } from "./store.ts";

/** Reads as the person, whatever the call that asks may reach. */

interface Parts extends Pick<EmailParts, "portalTitle" | "publicUrl" | "intervalMs" | "retrySeconds"> {
  readonly db: Kysely<Database>;
  readonly canRead: (user: SignedInUser, dataset: DatasetRef) => Promise<boolean>;
  readonly scopeKeysOf: ScopeKeysOf;
  /** Undefined = no emails. */
  readonly mail: MailSettings | undefined;
  readonly limits: Pick<SecurityLimits, "notificationsPerUser" | "notificationDays" | "notificationEmailSeconds">;
  readonly live: LiveReporter;
  readonly log: Pick<BaseLogger, "info" | "warn">;
}

export interface Notifications extends Capability {
  readonly notifier: TransactionalNotifier;
  /** For emails of other capabilities; undefined = no emails. Closed with the notifications. */
  readonly mailSender: Pick<MailSender, "send"> | undefined;
  /** Removes notifications that are too old, as every hour. */
  readonly prune: () => Promise<void>;
}

const pruneIntervalMs = 3_600_000;

/** Personal notifications, on the screen and by email. Decision 0410. */
export async function openNotifications(parts: Parts): Promise<Notifications> {
  const { db, canRead, scopeKeysOf, mail, limits, live, log } = parts;
  const store = new NotificationStore(db, limits, mail !== undefined);

  /** Checked on every read, because access to datasets and roles change. */
  const visible = async (user: SignedInUser, rows: readonly NotificationRow[]): Promise<NotificationRow[]> => {
    const readable = new Map<string, Promise<boolean>>();
    const isVisible = async (row: NotificationRow): Promise<boolean> => {
      const { role, category, dataset_id: datasetId } = row;
      if (role !== null && !passesRole(user.roles, role)) return false;
      if (category === null || datasetId === null) return true;
      const key = JSON.stringify([category, datasetId]);
      const dataset = { datasetCategory: category, datasetId };
      const known = readable.get(key) ?? canRead(user, dataset);
      readable.set(key, known);
      return (await known) && (!hasFigures(row) || seesTheSame(scopeKeysOf, user, dataset, row.scope_keys));
    };
    const shown = await Promise.all(rows.map(isVisible));
    return rows.filter((_, index) => shown[index]);
  };

  const prune = async () => {
    const removed = await store.removeOld();
    if (removed > 0) log.info({ removed }, "removed old notifications");
  };
  const pruning = runEvery(pruneIntervalMs, prune, (error) =>
    log.warn({ err: error }, "could not remove old notifications; retrying in the next run"),
  );
  const sender = mail && (await openMailSender({ ...mail, fromName: parts.portalTitle }));
  const emails =
    sender &&
    new JobRunner(
      new Emails({
        ...parts,
        store,
        visible,
        sender,
        findUser: (id) => userWithoutSession(db, id),
        addressOf: async (id) => (await findById(db, id))?.email ?? "",
      }),
    );

  const logFailure = (message: string) => (error: unknown) => log.warn({ err: error }, message);

  const notifyTabs = (users: readonly string[]) => live.report({ topic: "notifications", audience: { users } });

  const handlers: Handlers<typeof notifications> = {
    list: async ({ user, query: { before } }) => {
      const all = await visible(user, await store.of(user.id));
      const start = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
      // The last notification of the previous page may have been removed, and everything older with it.
      const page = before !== undefined && start === 0 ? [] : all.slice(start, start + notificationsPage);
      return {
        notifications: page.map(toNotification),
        unread: all.filter(isUnread).length,
        total: all.length,
        hasMore: page.length > 0 && start + page.length < all.length,
      };
    },
    read: async ({ user, body: { ids } }) => {
      const all = await visible(user, await store.of(user.id));
      await store.markRead(user.id, ids ?? all.map(({ id }) => id));
      notifyTabs([user.id]);
      return { unread: (await visible(user, await store.of(user.id))).filter(isUnread).length };
    },
  };
  return {
    routes: { notifications: implement(notifications, handlers) },
    mailSender: sender,
    notifier: {
      notify: (userIds, notification) =>
        store
          .add(userIds, notification)
          .then(() => notifyTabs(userIds))
          .catch(logFailure("a notification could not be stored")),
      notifyWithin: async (transaction, userIds, notification) => {
        await store.addWithin(transaction, userIds, notification);
        return () => notifyTabs(userIds);
      },
      retract: (topic) => store.retract(topic).then(notifyTabs).catch(logFailure("notifications could not be retracted")),
    },
    prune,
    close: async () => {
      await emails?.close();
      sender?.close();
      await pruning.close();
    },
  };
}

/** Those of alerts have figures, with keys unless a gateway of before has stored them. */
const hasFigures = ({ scope_keys: scopeKeys, link }: NotificationRow): boolean =>
  scopeKeys !== null || link === "/alerts" || link?.startsWith("/search/") === true;

const isUnread = ({ read_at: readAt }: NotificationRow): boolean => readAt === null;

const toNotification = (row: NotificationRow): Notification => ({
  id: row.id,
  title: row.title,
  text: row.text,
  link: row.link,
  isRead: row.read_at !== null,
  createdDateMs: row.created_at.getTime(),
});
