import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Copies the data folder of a stopped PostgreSQL below `folder`: creating one takes six times the CPU. */
export async function copyCluster(data: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Preserves the owner, which may be another user.
  await run("cp", ["-a", "--", data, join(folder, "data")]);
}
