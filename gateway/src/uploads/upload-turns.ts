import type { Limits } from "@fairway/contract/limits";
import { Refusal } from "#http/refusal.ts";
import type { CallRate } from "#identity/call-rate.ts";
import type { CallRates } from "#identity/call-rates.ts";

/** Limits the uploads of each user: concurrent ones at this gateway, and those per minute at all gateways. */
export class UploadTurns {
  readonly #atOnce: number;
  readonly #rate: CallRate;
  readonly #perMinute: number;
  readonly #running = new Map<string, number>();

  constructor(
    { uploadsAtOncePerUser, userUploadsPerMinute }: Pick<Limits, "uploadsAtOncePerUser" | "userUploadsPerMinute">,
    callRates: Pick<CallRates, "rate">,
  ) {
    this.#atOnce = uploadsAtOncePerUser;
    this.#perMinute = userUploadsPerMinute;
    this.#rate = callRates.rate("uploads", userUploadsPerMinute);
  }

  /** Refuses with `too-many-requests` beyond a limit. Call the returned function once the upload has ended. */
  begin(userId: string): () => void {
    const running = this.#running.get(userId) ?? 0;
    if (running >= this.#atOnce) {
      throw new Refusal("too-many-requests", `You may upload ${this.#atOnce} files at the same time. Try again when one is done.`, {
        retryAfterSeconds: 2,
      });
    }
    this.count(userId);
    this.#running.set(userId, running + 1);
    return () => {
      const left = (this.#running.get(userId) ?? 1) - 1;
      if (left === 0) this.#running.delete(userId);
      else this.#running.set(userId, left);
    };
  }

  /** Counts an upload whose content does not pass this gateway. Refuses with `too-many-requests` beyond the limit per minute. */
  count(userId: string): void {
    const retryAfterSeconds = this.#rate.tryCount(userId);
    if (retryAfterSeconds !== undefined) {
      const message = `You may upload ${this.#perMinute} files a minute. Try again in ${retryAfterSeconds} s.`;
      throw new Refusal("too-many-requests", message, { retryAfterSeconds });
    }
  }
}
