import { once } from "node:events";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly content: string;
}

/** Of the user `portal`. */
export const mailPassword = "a pass:word@/";

/** A mail server on this machine. It refuses what `onMail` throws at. */
export async function openMailServer(onMail: (mail: ReceivedMail) => void): Promise<{ port: number; close: () => Promise<void> }> {
  const server = new SMTPServer({
    logger: false,
    authMethods: ["PLAIN", "LOGIN"],
    allowInsecureAuth: true,
    onAuth: (auth, _session, callback) => {
      if (auth.username === "portal" && auth.password === mailPassword) callback(null, { user: "portal" });
      else callback(new Error(`wrong password: ${auth.password}`));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        try {
          onMail({ from, to: rcptTo.map(({ address }) => address), content: Buffer.concat(chunks).toString() });
          callback(null);
        } catch (error) {
          callback(error as Error);
        }
      });
    },
  });
  // A client that is killed.
  server.on("error", () => {});
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the mail server has no port");
  return { port: address.port, close: () => new Promise((resolve) => server.close(resolve)) };
}
