import pino from "pino";
import { JobRunner } from "#background/jobs.ts";
import { findById } from "#identity/accounts.ts";
import { describeJobs } from "#testing/jobs-suite.ts";
import { Emails } from "./emails.ts";
import { MailFailed } from "#outbound/mail.ts";
import { NotificationStore } from "./store.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";

const limits = { notificationsPerUser: 30, notificationDays: 90, notificationEmailSeconds: 0 };

const traits = { leaseSeconds: 120, afterCrash: "repeated", onClose: "finished", onCancel: "cannot be canceled" } as const;
describeJobs("emails", traits, (shared) => ({
  open: ({ db }, works) =>
    new JobRunner(
      new Emails({
        store: new NotificationStore(db, limits, true),
        sender: {
          send: () => works.hold().catch((error: Error) => Promise.reject(new MailFailed(error.message))),
          close: () => undefined,
        },
        findUser: (id) => userWithoutSession(db, id),
        addressOf: async (id) => (await findById(db, id))?.email ?? "",
        visible: (_user, rows) => Promise.resolve([...rows]),
        portalTitle: () => Promise.resolve("Harbor Office"),
        publicUrl: undefined,
        log: pino({ level: "silent" }),
        intervalMs: 3_600_000,
        retrySeconds: traits.leaseSeconds,
      }),
    ),
  add: async () => {
    await shared.pool.query(
      "insert into users (id, username, username_key, email) values ('ada', 'ada', 'ada', 'ada@example.org') on conflict do nothing",
    );
    await new NotificationStore(shared.db, limits, true).add(["ada"], { title: "Hello" });
  },
  age: (seconds) => shared.pool.query("update notifications set email_due_at = email_due_at - make_interval(secs => $1)", [seconds]),
  outcome: async () => {
    const { rows } = await shared.pool.query<{ is_open: boolean; attempts: number }>(
      "select email_due_at is not null as is_open, email_attempts as attempts from notifications",
    );
    if (rows[0]?.is_open !== false) return "open";
    return rows[0].attempts < 4 ? "done" : "failed";
  },
  rows: async () => (await shared.pool.query("select * from notifications")).rows,
  clear: () => shared.pool.query("delete from notifications"),
}));
