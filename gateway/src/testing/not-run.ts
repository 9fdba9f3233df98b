import { appendFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const reports = fileURLToPath(new URL("../../../.build/", import.meta.url));

/**
 * Records a check that cannot run on this machine. `npm test` lists it above its last line, as neither passed nor failed, so
 * that nothing is skipped silently.
 */
export function noteNotRun(check: string, reason: string): void {
  mkdirSync(reports, { recursive: true });
  appendFileSync(`${reports}not-run.txt`, `${check} (${reason})\n`);
}
