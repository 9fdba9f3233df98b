import type { BaseLogger } from "pino";
import { isMailAddress } from "#mail-settings.ts";
import { runEvery } from "#run-every.ts";
import { type Mail, MailFailed, type MailSender } from "./mail.ts";
import type { NotificationRow, NotificationStore } from "./store.ts";

/** The recipient as the account is now. */
export interface Recipient {
  readonly username: string;
  readonly email: string | null;
  readonly locked: boolean;
  readonly roles: readonly string[];
}

export interface EmailParts {
  readonly store: NotificationStore;
  readonly sender: MailSender;
  readonly findUser: (id: string) => Promise<Recipient | undefined>;
  /** Those that this user may see now. */
  readonly visible: (user: Pick<Recipient, "roles">, rows: readonly NotificationRow[]) => Promise<NotificationRow[]>;
  readonly portalTitle: () => Promise<string>;
  readonly publicUrl: string | undefined;
  readonly log: Pick<BaseLogger, "info" | "warn">;
  readonly intervalMs?: number;
  readonly retrySeconds?: number;
}

const maxAttempts = 4;

/** Sends unread notifications by email, one email per user for all that wait. Close it before the database. */
export function sendEmails({ intervalMs = 15_000, ...parts }: EmailParts): { close(): Promise<void> } {
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  const pass = async () => {
    while (!closing.signal.aborted && (await sendOne(parts))) continue;
  };
  const job = runEvery(
    intervalMs,
    async () => {
      // A slow mail server outlasts the interval.
      if (running !== undefined) return;
      running = pass();
      try {
        await running;
      } finally {
        running = undefined;
      }
    },
    (error) => parts.log.warn({ err: error }, "the notifications to send by email could not be read; retrying"),
  );
  return {
    async close() {
      closing.abort();
      await job.close();
      await running?.catch(() => undefined);
      parts.sender.close();
    },
  };
}

/** False if no notification is due. */
async function sendOne(parts: EmailParts): Promise<boolean> {
  const { store, sender, findUser, visible, log, retrySeconds = 120 } = parts;
  const claimed = await store.claimEmail(retrySeconds);
  if (claimed === undefined) return false;
  const user = await findUser(claimed.userId);
  const rows = user === undefined || user.locked ? [] : await visible(user, claimed.rows);
  const to = user?.email ?? "";
  if (rows.length === 0 || !isMailAddress(to)) {
    await store.endEmail(claimed.rows);
    return true;
  }
  try {
    await sender.send(await mailOf(parts, to, rows));
    await store.endEmail(claimed.rows);
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error;
    const spent = claimed.rows.filter(({ email_attempts: attempts }) => attempts >= maxAttempts);
    await store.endEmail(spent);
    const outcome = spent.length === claimed.rows.length ? "giving up" : "retrying later";
    log.warn({ username: user?.username, reason: error.message }, `an email about notifications could not be sent; ${outcome}`);
  }
  return true;
}

async function mailOf({ portalTitle, publicUrl }: EmailParts, to: string, rows: readonly NotificationRow[]): Promise<Mail> {
  const title = await portalTitle();
  const [first] = rows;
  const subject = rows.length === 1 && first ? first.title : `${rows.length} notifications`;
  const parts = rows.map((row) =>
    [row.title, row.text, row.link === null || publicUrl === undefined ? "" : `${publicUrl}${row.link}`]
      .filter((part) => part !== "")
      .join("\n"),
  );
  const footer = `You get this email because you have an account at ${title}${publicUrl === undefined ? "" : ` (${publicUrl})`}.`;
  return { to, subject: `${title}: ${subject}`, text: `${[...parts, footer].join("\n\n")}\n` };
}
