import type { Kysely } from "kysely";
import type { BaseLogger } from "pino";
import type { Database } from "#database/schema.ts";
import { runEvery } from "#process/run-every.ts";
import { removeOldRevisions } from "./revisions.ts";

interface CleaningParts {
  readonly db: Kysely<Database>;
  readonly days: number;
  readonly log: Pick<BaseLogger, "info" | "warn">;
}

const cleanupIntervalMs = 86_400_000;

/** Removes revisions older than `days`, now and every day. Close it before the database. */
export const cleanRevisions = ({ db, days, log }: CleaningParts): { close(): Promise<void> } =>
  runEvery(
    cleanupIntervalMs,
    async () => {
      const removed = await removeOldRevisions(db, days);
      if (removed > 0) log.info({ removed }, "removed old revisions");
    },
    (error) => log.warn({ err: error }, "could not remove old revisions; retrying in the next run"),
  );
