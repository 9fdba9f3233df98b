import { isLoopback } from "#process/loopback.ts";

/** How the portal sends emails. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** Whether the connection is encrypted: from the start, by STARTTLS, by STARTTLS where the server offers it, or not. */
  readonly tls: "from-start" | "required" | "if-offered" | "none";
  readonly auth: { readonly username: string; readonly password: string } | undefined;
  /** The address of the sender. */
  readonly from: string;
}

/** One address, without a name. Stricter than the standard, so that it is one address wherever it is written. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 320 && /^[^\s@,;:<>()[\]"\\\p{C}]+@[^\s@,;:<>()[\]"\\\p{C}]+$/u.test(text);

/** An `smtp:` or `smtps:` address with nothing behind the port. */
export function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text);
  const isPlain = ["", "/"].includes(pathname) && search === "" && hash === "";
  return ["smtp:", "smtps:"].includes(protocol) && hostname !== "" && isPlain && isDecodable(username) && isDecodable(password);
}

const isDecodable = (part: string): boolean => {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
};

export function mailSettings(url: string, from: string): MailSettings {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const auth = username === "" ? undefined : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const host = hostname.replace(/^\[(.+)\]$/, "$1");
  return { host, port: port === "" ? (secure ? 465 : 587) : Number(port), tls: secure ? "from-start" : tlsOf(host, auth), auth, from };
}

/** A password never travels unencrypted, except to this machine, whose mail server rarely has a valid certificate. */
function tlsOf(host: string, auth: MailSettings["auth"]): MailSettings["tls"] {
  if (isLoopback(host)) return "none";
  return auth === undefined ? "if-offered" : "required";
}

const connectTimeoutMs = 10_000;
const idleTimeoutMs = 20_000;

/** Options of the mail library for a connection to the server. */
export const smtpOptions = ({ host, port, tls, auth }: MailSettings) => ({
  host,
  port,
  secure: tls === "from-start",
  requireTLS: tls === "required",
  ignoreTLS: tls === "none",
  ...(auth && { auth: { user: auth.username, pass: auth.password } }),
  connectionTimeout: connectTimeoutMs,
  greetingTimeout: connectTimeoutMs,
  socketTimeout: idleTimeoutMs,
  disableFileAccess: true,
  disableUrlAccess: true,
});
