// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ExternalPostgres } from "@fairway/gateway/testing/external-postgres";
import { unmountLater } from "./unmount-later.mjs";

/**
 * Starts an external PostgreSQL for DATABASE_URL. It is also stopped if the run is interrupted.
 * @returns {Promise<{ postgres: ExternalPostgres, end: () => Promise<void> }>}
 */
export async function openPostgres() {
  const postgres = await ExternalPostgres.start();
  const endImmediately = () => {
    const pidFile = join(postgres.folder, "data/postmaster.pid");
    // A server that is starting has not written its PID file yet.
    for (let wait = 0; wait < 20 && !existsSync(pidFile); wait += 1) spawnSync("sleep", ["0.1"]);
    if (existsSync(pidFile)) spawnSync("kill", ["-QUIT", ...readFileSync(pidFile, "utf8").split("\n").slice(0, 1)]);
    if (postgres.hasOwnDisk) unmountLater(postgres.folder);
  };
  process.once("exit", endImmediately);
  return {
    postgres,
    end: async () => {
      await postgres.end();
      process.off("exit", endImmediately);
    },
  };
}
