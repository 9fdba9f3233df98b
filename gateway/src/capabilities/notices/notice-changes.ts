import type { NoticeEntity } from "@fairway/contract/notice-entity";
import type { BaseLogger } from "pino";
import type { EntityChanges } from "#entities/entity-changes.ts";
import { storedTypes } from "#entities/entity-types.ts";
import type { EntityStore, Stored } from "#entities/store.ts";

interface Parts {
  readonly entities: Pick<EntityStore, "list">;
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  readonly log: Pick<BaseLogger, "warn">;
}

/** An import changes many notices at once. */
const coalesceMs = 250;
const retryMs = 60_000;
/** Below the largest delay of a timer. */
const maxWaitMs = 86_400_000;

/** Tells when other notices are shown than before: some were edited, or the time of one has come or is over. */
export class NoticeChanges {
  readonly #parts: Parts;
  readonly #listeners: (() => void)[] = [];
  #coalescing: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  #planned: Promise<void>;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.entityChanges.subscribe((type) => {
      if (type === undefined || type === storedTypes.notices.name) this.#coalescing ??= setTimeout(() => this.#onChanged(), coalesceMs);
    });
    this.#planned = this.#plan();
  }

  subscribe(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#coalescing);
    clearTimeout(this.#next);
    await this.#planned;
  }

  #onChanged(): void {
    this.#coalescing = undefined;
    if (this.#isClosed) return;
    for (const listener of this.#listeners) listener();
    this.#planAgain();
  }

  #planAgain(): void {
    this.#planned = this.#plan();
  }

  async #plan(): Promise<void> {
    const { entities, log } = this.#parts;
    const nowMs = Date.now();
    try {
      const nextMs = nextTimeOf(await entities.list(storedTypes.notices), nowMs);
      const waitMs = nextMs - nowMs;
      if (waitMs <= maxWaitMs) this.#wait(waitMs, () => this.#onChanged());
      else if (nextMs !== Number.POSITIVE_INFINITY) this.#wait(maxWaitMs, () => this.#planAgain());
    } catch (error) {
      log.warn({ err: error }, "the times of notices could not be read; trying again");
      this.#wait(retryMs, () => this.#planAgain());
    }
  }

  #wait(ms: number, run: () => void): void {
    clearTimeout(this.#next);
    if (!this.#isClosed) this.#next = setTimeout(run, ms).unref();
  }
}

/** When the next notice starts or ends. */
const nextTimeOf = (all: readonly Stored<NoticeEntity>[], nowMs: number): number =>
  Math.min(
    ...all
      .flatMap(({ enabled, body: { startMs, endMs } }) => (enabled ? [startMs, endMs].filter((ms) => ms !== null && ms > nowMs) : []))
      .map(Number),
  );
