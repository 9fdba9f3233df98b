import type { Kysely } from "kysely";
import type { BaseLogger } from "pino";
import type { Database } from "#database/schema.ts";
import { runEvery } from "#run-every.ts";
import type { FileStore } from "#storage/storage.ts";
import { removeForgotten } from "./attachments.ts";

export interface CleaningParts {
  readonly db: Kysely<Database>;
  readonly files: FileStore;
  readonly hours: number;
  readonly log: Pick<BaseLogger, "info" | "warn">;
}

const everyMs = 3_600_000;

/** Removes uploads that nobody submitted, now and each hour. Close it before the database. */
export const cleanFeedback = ({ db, files, hours, log }: CleaningParts): { close(): Promise<void> } =>
  runEvery(
    everyMs,
    async () => {
      const removed = await removeForgotten(db, files, hours);
      if (removed > 0) log.info({ removed }, "attachments of feedback that was not submitted are removed");
    },
    (error) => log.warn({ err: error }, "forgotten attachments could not be removed; the next round tries again"),
  );
