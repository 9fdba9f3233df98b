import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { bundledProgram } from "./bundled-program.ts";
import type { OnClose } from "./identity-app.ts";

const programs = { portal: new URL("portal-child.ts", import.meta.url), gateway: new URL("gateway-child.ts", import.meta.url) };

interface PortalProcessOptions {
  /** `gateway` has every capability but no web app. */
  readonly program?: keyof typeof programs;
  /** Registers the function that stops the process. Default: `onTestFinished`. */
  readonly onClose?: OnClose;
}

/** A portal in a child process. */
export class PortalProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  #out = "";
  #err = "";

  static async start(
    env: Record<string, string>,
    { program = "portal", onClose = onTestFinished }: PortalProcessOptions = {},
  ): Promise<PortalProcess> {
    return new PortalProcess(await bundledProgram(programs[program]), env, onClose);
  }

  private constructor(program: string, env: Record<string, string>, onClose: OnClose) {
    this.child = spawn(process.execPath, ["--conditions=source", program], {
      env: { PATH: process.env["PATH"], PORT: "0", ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.child.stdout?.on("data", (text) => (this.#out += String(text)));
    this.child.stderr?.on("data", (text) => (this.#err += String(text)));
    this.ended = once(this.child, "close").then(([code]) => code as number | null);
    onClose(async () => {
      this.child.kill("SIGTERM");
      await this.ended;
    });
  }

  get errors(): string {
    return this.#err;
  }

  get output(): string {
    return this.#out;
  }

  /** Resolves with the match of `pattern` on stdout; rejects if the process ends first. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#out);
      if (found) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`ended without ${pattern}: ${this.#out}${this.#err}`);
      const data = this.child.stdout ? once(this.child.stdout, "data") : this.ended;
      await Promise.race([data, this.ended]);
    }
  }

  /** The address it listens on, once it is ready. */
  async address(): Promise<string> {
    return (await this.says(/ready at (\S+)/))[1] ?? "";
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** A folder that is removed when the test has finished, or by the function that is passed to `onClose`. */
export async function temporaryFolder(onClose: OnClose = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-test-"));
  onClose(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
