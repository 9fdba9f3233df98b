// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ExternalPostgres } from "@fairway/gateway/testing/external-postgres";
import { unmountLater } from "./unmount-later.mjs";

/**
 * A PostgreSQL beside the portal, as DATABASE_URL names one. An interrupted run ends it, too.
 * @returns {Promise<{ postgres: ExternalPostgres, end: () => Promise<void> }>}
 */
export async function openPostgres() {
  const postgres = await ExternalPostgres.start();
  const endAtOnce = () => {
    const note = join(postgres.folder, "data/postmaster.pid");
    // One that is about to start has no number yet; one that is gone needs no end.
    for (let wait = 0; wait < 20 && !existsSync(note); wait += 1) spawnSync("sleep", ["0.1"]);
    if (existsSync(note)) spawnSync("kill", ["-QUIT", ...readFileSync(note, "utf8").split("\n").slice(0, 1)]);
    if (postgres.hasOwnDisk) unmountLater(postgres.folder);
  };
  process.once("exit", endAtOnce);
  return {
    postgres,
    end: async () => {
      await postgres.end();
      process.off("exit", endAtOnce);
    },
  };
}
