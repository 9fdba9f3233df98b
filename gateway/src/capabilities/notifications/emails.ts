import type { BaseLogger } from "pino";
import type { Job, JobKind } from "#background/jobs.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { isMailAddress } from "#config/mail-settings.ts";
import { type Mail, MailFailed, type MailSender } from "#outbound/mail.ts";
import type { ClaimedEmail, NotificationRow, NotificationStore } from "./store.ts";

export interface EmailParts {
  readonly store: NotificationStore;
  readonly sender: MailSender;
  /** Undefined if deleted or locked. */
  readonly findUser: (id: string) => Promise<SignedInUser | undefined>;
  /** The email address of an account; empty without one. */
  readonly addressOf: (userId: string) => Promise<string>;
  /** Those that this user may see now. */
  readonly visible: (user: SignedInUser, rows: readonly NotificationRow[]) => Promise<NotificationRow[]>;
  readonly portalTitle: () => Promise<string>;
  readonly publicUrl: string | undefined;
  readonly log: Pick<BaseLogger, "info" | "warn">;
  readonly intervalMs?: number;
  readonly retrySeconds?: number;
}

const maxAttempts = 4;

/** Sends unread notifications by email, one email per user for all that wait. Decision 0412. */
export class Emails implements JobKind<ClaimedEmail> {
  readonly atOnce = 1;
  readonly pollMs: number;
  readonly firstMs = 0;
  /** An email that is being sent may have arrived: nobody else may send it. */
  readonly finishMs = Infinity;
  readonly #parts: EmailParts;

  constructor(parts: EmailParts) {
    this.pollMs = parts.intervalMs ?? 15_000;
    this.#parts = parts;
  }

  async claim(): Promise<ClaimedEmail[]> {
    const { store, retrySeconds = 120 } = this.#parts;
    const claimed = await store.claimEmail(retrySeconds);
    return claimed === undefined ? [] : [claimed];
  }

  async run({ userId, rows: claimed }: ClaimedEmail, { persist }: Job): Promise<void> {
    const { store, sender, findUser, addressOf, visible, log } = this.#parts;
    const user = await findUser(userId);
    const rows = user === undefined ? [] : await visible(user, claimed);
    const to = rows.length === 0 ? "" : await addressOf(userId);
    if (!isMailAddress(to)) return persist(() => store.endEmail(claimed));
    try {
      await sender.send(await mailOf(this.#parts, to, rows));
    } catch (error) {
      if (!(error instanceof MailFailed)) throw error;
      const spent = claimed.filter(({ email_attempts: attempts }) => attempts >= maxAttempts);
      await persist(() => store.endEmail(spent));
      const outcome = spent.length === claimed.length ? "giving up" : "retrying later";
      log.warn({ username: user?.username, reason: error.message }, `an email about notifications could not be sent; ${outcome}`);
      return;
    }
    await persist(() => store.endEmail(claimed));
  }

  couldNotLook(error: unknown): void {
    this.#parts.log.warn({ err: error }, "the notifications to send by email could not be read; retrying");
  }

  /** They are due again later. */
  failed(error: unknown): void {
    this.couldNotLook(error);
  }
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
