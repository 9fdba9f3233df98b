// @ts-check
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { OutsidePostgres } from "@fairway/gateway/testing/outside-postgres";

/**
 * A PostgreSQL beside the portal, as DATABASE_URL names one. An interrupted run ends it, too.
 * @returns {Promise<{ postgres: OutsidePostgres, end: () => Promise<void> }>}
 */
export async function openPostgres() {
  const postgres = await OutsidePostgres.start();
  const endAtOnce = () => {
    const [pid] = readFileSync(join(postgres.folder, "data/postmaster.pid"), "utf8").split("\n");
    process.kill(Number(pid), "SIGQUIT");
    if (postgres.hasOwnDisk) execFileSync("umount", ["--lazy", postgres.folder]);
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
