import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { Turns } from "#turns/turns.ts";
import { StoreFailed } from "./storage.ts";

interface Options {
  /** An absolute path and its arguments, in which `{file}` is the path of the file. Without it, the file is the standard input. */
  readonly command: readonly [string, ...string[]];
  readonly timeoutMs: number;
  readonly atOnce: number;
}

/** The scanner found something harmful. */
export class FileInfected extends Error {
  override readonly name = "FileInfected";
}

const keptOutput = 2_000;

/** Runs the operator's command on a file: it exits with 0 for a clean file and with 1 for an infected one. Decision 0351. */
export class FileScanner {
  readonly #options: Options;
  readonly #turns: Turns;
  readonly #running = new Set<number>();

  constructor(options: Options) {
    this.#options = options;
    const perOwner = Math.ceil(options.atOnce / 2);
    this.#turns = new Turns(
      { turns: options.atOnce, perOwner, queue: Infinity, queuePerOwner: Infinity, waitMs: Infinity },
      { subject: "The scanner", work: "scans" },
    );
  }

  /** Rejects with FileInfected, and with StoreFailed if the file could not be scanned. */
  check(path: string): Promise<void> {
    return this.#turns.run(async () => {
      const { status, output } = await this.#run(path);
      if (status === 0) return;
      if (status === 1) throw new FileInfected(output);
      throw new StoreFailed(
        "The file could not be scanned, so it was not stored. Try again later; if this continues, an administrator has to check scanCommand of the settings.",
        { cause: new Error(`${status}: ${output}`) },
      );
    });
  }

  /** Kills running commands. */
  close(): void {
    for (const pid of this.#running) kill(pid);
  }

  async #run(path: string): Promise<{ status: number | string; output: string }> {
    const [program, ...args] = this.#options.command;
    const takesPath = args.some((arg) => arg.includes("{file}"));
    const input = takesPath ? undefined : await open(path, "r");
    try {
      return await new Promise((resolve) => {
        const child = spawn(
          program,
          args.map((arg) => arg.replaceAll("{file}", path)),
          {
            // A group of its own, so that what the command starts ends with it.
            detached: true,
            stdio: [input?.fd ?? "ignore", "pipe", "pipe"],
            // Not the portal's own environment, which has its secrets.
            env: { PATH: process.env["PATH"], LANG: "C.UTF-8" },
          },
        );
        let output = "";
        let isLate = false;
        for (const stream of [child.stdout, child.stderr]) {
          stream?.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(0, keptOutput)));
        }
        const { pid } = child;
        if (pid !== undefined) this.#running.add(pid);
        const timer = setTimeout(() => {
          isLate = true;
          if (pid !== undefined) kill(pid);
        }, this.#options.timeoutMs);
        const end = (status: number | string) => {
          clearTimeout(timer);
          if (pid !== undefined) this.#running.delete(pid);
          resolve({ status: isLate ? `took longer than ${this.#options.timeoutMs} ms` : status, output });
        };
        child.once("error", (error) => end(error.message));
        child.once("exit", (code, signal) => end(code ?? signal ?? "unknown"));
      });
    } finally {
      await input?.close();
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
