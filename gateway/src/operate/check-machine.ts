import { readFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { version } from "#process/version.ts";
import type { Findings } from "./finding.ts";

export interface Machine {
  /** `process.versions.node`. */
  readonly nodeVersion: string;
  readonly now: Date;
  /** Of the machine, or of the container if it may use less. */
  readonly memoryBytes: number;
  /** Of this process; undefined = unknown or unlimited. */
  readonly openFiles: number | undefined;
  readonly threads: string | undefined;
}

export async function thisMachine(env: Readonly<Record<string, string | undefined>>): Promise<Machine> {
  const constrained = process.constrainedMemory();
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const [, openFiles] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  return {
    nodeVersion: process.versions.node,
    now: new Date(),
    memoryBytes: constrained > 0 ? Math.min(constrained, totalmem()) : totalmem(),
    openFiles: openFiles === undefined ? undefined : Number(openFiles),
    threads: env["UV_THREADPOOL_SIZE"],
  };
}

/** When the security fixes of each long-term version of Node.js end: https://github.com/nodejs/release. */
const endsOfNode: Readonly<Record<string, string>> = { "20": "2026-04-30", "22": "2027-04-30", "24": "2028-04-30" };

const minMemoryBytes = 2 * 1_073_741_824;
const minOpenFiles = 4_096;
const minThreads = 8;

export function checkMachine(findings: Findings, { nodeVersion, now, memoryBytes, openFiles, threads }: Machine): void {
  findings.fine(`Fairway ${version} on Node.js ${nodeVersion}, ${process.platform} ${process.arch}, ${availableParallelism()} processors.`);
  const [major = ""] = nodeVersion.split(".");
  const end = endsOfNode[major];
  if (end !== undefined && now.toISOString().slice(0, 10) > end) {
    findings.warning(`Node.js ${major} has had no security fixes since ${end}.`, {
      why: "Known weaknesses of the runtime stay open.",
      todo: "Install a newer long-term version of Node.js, and restart the portal.",
    });
  }
  const memory = `${(memoryBytes / 1_073_741_824).toFixed(1)} GB`;
  if (memoryBytes < minMemoryBytes) {
    findings.warning(`The portal may use ${memory} of memory.`, {
      why: "Searches, exports and the database share it; with less than 2 GB, large ones fail or the system ends the portal.",
      todo: "Give the machine or the container at least 2 GB, preferably 4 GB.",
    });
  } else findings.fine(`${memory} of memory.`);
  if (openFiles !== undefined && openFiles < minOpenFiles) {
    findings.warning(`This process may open ${openFiles} files.`, {
      why: "Every connection and every file of a dataset that is read counts; beyond the limit, calls fail with EMFILE.",
      todo: `Raise the limit to at least ${minOpenFiles}: LimitNOFILE of systemd, --ulimit nofile of Docker, or ulimit -n.`,
    });
  } else if (openFiles !== undefined) findings.fine(`Up to ${openFiles} open files.`);
  if (threads !== undefined && !(Number(threads) >= minThreads)) {
    findings.warning(`UV_THREADPOOL_SIZE is ${JSON.stringify(threads)}.`, {
      why: "Each running search occupies a thread; files and passwords wait for one.",
      todo: "Unset it, and the launcher sets 16.",
    });
  }
}
