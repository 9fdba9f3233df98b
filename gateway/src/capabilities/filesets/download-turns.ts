import { Readable } from "node:stream";
import type { Limits } from "@fairway/contract/limits";
import { Refusal } from "#http/refusal.ts";

/** Limits the downloads of each user at this gateway: each one keeps a file and a connection open for as long as its reader likes. */
export class DownloadTurns {
  readonly #atOnce: number;
  readonly #running = new Map<string, number>();

  constructor({ downloadsAtOncePerUser }: Pick<Limits, "downloadsAtOncePerUser">) {
    this.#atOnce = downloadsAtOncePerUser;
  }

  /** Opens an answer, which counts until its content is closed. Refuses with `too-many-requests` beyond the limit. */
  async run<Answer extends object>(userId: string, open: () => Promise<Answer>): Promise<Answer> {
    const running = this.#running.get(userId) ?? 0;
    if (running >= this.#atOnce) {
      const message = `You may download ${this.#atOnce} files at the same time. Try again when one is done.`;
      throw new Refusal("too-many-requests", message, { retryAfterSeconds: 2 });
    }
    this.#running.set(userId, running + 1);
    let content: unknown;
    try {
      const answer = await open();
      content = "chunks" in answer ? answer.chunks : undefined;
      return answer;
    } finally {
      if (content instanceof Readable) content.once("close", () => this.#end(userId));
      else this.#end(userId);
    }
  }

  #end(userId: string): void {
    const left = (this.#running.get(userId) ?? 1) - 1;
    if (left === 0) this.#running.delete(userId);
    else this.#running.set(userId, left);
  }
}
