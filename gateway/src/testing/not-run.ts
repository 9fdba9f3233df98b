import { appendFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const reports = fileURLToPath(new URL("../../../.build/", import.meta.url));

/**
 * Notes a check that this machine does not allow. `npm test` lists it by name above its closing line, neither passed nor
 * failed: nothing is left out in silence.
 */
export function noteNotRun(check: string, reason: string): void {
  mkdirSync(reports, { recursive: true });
  appendFileSync(`${reports}not-run.txt`, `${check} (${reason})\n`);
}
