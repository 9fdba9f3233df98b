import { hidingSecrets } from "#secrets/hide-secrets.ts";
import { type MailSettings, smtpOptions } from "#config/mail-settings.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export interface MailSender {
  /** Rejects with MailFailed. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Failure to send an email, without any part of the sign-in at the mail server. */
export class MailFailed extends Error {}

/** Sends emails by SMTP. Loads the library only here: most portals send none. */
export async function openMailSender({ fromName, ...settings }: MailSettings & { fromName: () => Promise<string> }): Promise<MailSender> {
  const { auth, from } = settings;
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(smtpOptions(settings));
  const hide = hidingSecrets([], auth && { user: auth.username, password: auth.password });
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({
          from: { name: await fromName(), address: from },
          to: { name: "", address: to },
          envelope: { from, to: [to] },
          subject,
          text,
          // No automatic replies.
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } catch (error) {
        throw new MailFailed(hide(error instanceof Error ? error.message : String(error)));
      }
    },
    close: () => transport.close(),
  };
}
