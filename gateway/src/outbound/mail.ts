export interface Attachment {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly content: string | Uint8Array;
  /** For a picture in the HTML, which names it as `cid:…`. */
  readonly contentId?: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** The same as HTML, for programs that show it. */
  readonly html?: string;
  readonly attachments?: readonly Attachment[];
  /** Further headers; values are one line each. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MailSender {
  /** Resolves once the mail server has accepted the email. Rejects with MailFailed. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Failure to send an email, without any part of the sign-in at the mail server. */
export class MailFailed extends Error {
  /** The connection ended before the mail server said whether it accepted the email. */
  readonly mayHaveArrived: boolean;
  constructor(message: string, { mayHaveArrived = false } = {}) {
    super(message);
    this.mayHaveArrived = mayHaveArrived;
  }
}
