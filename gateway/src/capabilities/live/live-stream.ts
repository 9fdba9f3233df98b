import { Readable } from "node:stream";
import type { LiveMessage } from "@fairway/contract/live";
import type { SignedInUser } from "#http/signed-in-user.ts";

export type StreamUser = Pick<SignedInUser, "id" | "sessionId" | "roles" | "groupNames" | "lacksSecondFactor">;

/** Upper bound on unread data: beyond it the stream ends, and the next one says that changes were missed. */
const maxBufferedBytes = 16_384;

/** One stream of server-sent events. */
export class LiveStream {
  readonly body: Readable;
  /** As of the last time that the session was looked up. */
  user: StreamUser;
  readonly #lifetime: NodeJS.Timeout;
  #hasEnded = false;

  /** It ends by itself at `endsAtMs`. */
  constructor(user: StreamUser, endsAtMs: number) {
    this.user = user;
    this.body = new Readable({ read: () => undefined, highWaterMark: maxBufferedBytes });
    // A caller who leaves destroys the body, which is no failure.
    this.body.on("error", () => undefined);
    this.#lifetime = setTimeout(() => this.end("renew"), Math.max(0, endsAtMs - Date.now())).unref();
    this.body.once("close", () => clearTimeout(this.#lifetime));
  }

  send(message: LiveMessage, retryMs?: number): void {
    this.#write(`${retryMs === undefined ? "" : `retry: ${Math.round(retryMs)}\n`}data: ${JSON.stringify(message)}\n\n`);
  }

  /** A comment, which keeps proxies from closing an idle connection and shows clients that this one lives. */
  beat(): void {
    this.#write(":\n\n");
  }

  /** `retryMs`: when the client is to come back. */
  end(reason: Extract<LiveMessage, { kind: "end" }>["reason"], retryMs?: number): void {
    if (this.#hasEnded) return;
    this.send({ kind: "end", reason }, retryMs);
    this.#hasEnded = true;
    clearTimeout(this.#lifetime);
    if (!this.body.destroyed) this.body.push(null);
  }

  #write(text: string): void {
    if (this.#hasEnded || this.body.destroyed) return;
    this.body.push(text);
    if (this.body.readableLength > maxBufferedBytes) this.body.destroy();
  }
}
