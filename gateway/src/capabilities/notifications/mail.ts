import { hidingSecrets } from "#secrets/hide-secrets.ts";
import { type MailSettings, smtpOptions } from "#config/mail-settings.ts";
import { MailFailed, type MailSender } from "#outbound/mail.ts";

/** Sends emails by SMTP. Loads the library only here: most portals send none. */
export async function openMailSender({ fromName, ...settings }: MailSettings & { fromName: () => Promise<string> }): Promise<MailSender> {
  const { auth, from } = settings;
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(smtpOptions(settings));
  const hide = hidingSecrets([], auth && { user: auth.username, password: auth.password });
  return {
    async send({ to, subject, text, html, attachments = [], headers = {} }) {
      try {
        await transport.sendMail({
          from: { name: await fromName(), address: from },
          to: { name: "", address: to },
          envelope: { from, to: [to] },
          subject,
          text,
          ...(html === undefined ? {} : { html }),
          attachments: attachments.map(({ name, type, content, contentId }) => ({
            filename: name,
            ...(contentId === undefined ? {} : { cid: contentId, contentDisposition: "inline" as const }),
            contentType: type,
            content: typeof content === "string" ? content : Buffer.from(content),
          })),
          // No automatic replies.
          headers: { "Auto-Submitted": "auto-generated", ...headers },
        });
      } catch (error) {
        throw new MailFailed(hide(error instanceof Error ? error.message : String(error)), { mayHaveArrived: isUncertain(error) });
      }
    },
    close: () => transport.close(),
  };
}

/** Of the library: failures before the email was handed over. */
const earlyCodes = new Set(["EDNS", "EAUTH", "EENVELOPE", "ETLS", "ENOAUTH", "EREQUIRETLS"]);
const earlyMessages = new Set(["Connection timeout", "Greeting never received"]);

/** Whether the mail server may have accepted the email: unless it said no, or the failure is known to be an earlier one. */
function isUncertain(error: unknown): boolean {
  const { responseCode, code, syscall, message } = error as { responseCode?: number; code?: string; syscall?: string; message?: string };
  if (responseCode !== undefined || syscall === "connect") return false;
  return !earlyCodes.has(code ?? "") && !earlyMessages.has(message ?? "");
}
