import type { Kysely } from "kysely";
import type { BaseLogger } from "pino";
import type { Database } from "#database/schema.ts";
import { runEvery } from "#process/run-every.ts";
import type { FileStore } from "#storage/storage.ts";
import { removeForgotten } from "./attachments.ts";

export interface CleaningParts {
  readonly db: Kysely<Database>;
  readonly files: FileStore;
  readonly hours: number;
  readonly log: Pick<BaseLogger, "info" | "warn">;
}

const cleanupIntervalMs = 3_600_000;

/** Removes uploads that were never submitted, now and every hour. Close it before the database. */
export const cleanFeedback = ({ db, files, hours, log }: CleaningParts): { close(): Promise<void> } =>
  runEvery(
    cleanupIntervalMs,
    async () => {
      const removed = await removeForgotten(db, files, hours);
      if (removed > 0) log.info({ removed }, "removed attachments of feedback that was never submitted");
    },
    (error) => log.warn({ err: error }, "could not remove attachments that were never submitted; retrying in the next run"),
  );
