import type { Kysely } from "kysely";
import type { BaseLogger } from "pino";
import type { Database } from "#database/schema.ts";
import { runEvery } from "#run-every.ts";
import { removeOldRevisions } from "./revisions.ts";

interface CleaningParts {
  readonly db: Kysely<Database>;
  readonly days: number;
  readonly log: Pick<BaseLogger, "info" | "warn">;
}

const everyMs = 86_400_000;

/** Removes revisions that are older than `days`, now and each day. Close it before the database. */
export const cleanRevisions = ({ db, days, log }: CleaningParts): { close(): Promise<void> } =>
  runEvery(
    everyMs,
    async () => {
      const removed = await removeOldRevisions(db, days);
      if (removed > 0) log.info({ removed }, "old revisions are removed");
    },
    (error) => log.warn({ err: error }, "old revisions could not be removed; the next round tries again"),
  );
