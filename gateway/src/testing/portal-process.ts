import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { OnClose } from "./identity-app.ts";

const programPath = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const portalProgram = programPath("portal-child.ts");

interface PortalProcessOptions {
  readonly program?: string;
  readonly onClose?: OnClose;
}

/** A portal in a child process. */
export class PortalProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  #out = "";
  #err = "";

  /** `onClose` registers the function that stops the process; by default, it is stopped when the test has finished. */
  constructor(env: Record<string, string>, { program = portalProgram, onClose = onTestFinished }: PortalProcessOptions = {}) {
    this.child = spawn(process.execPath, ["--conditions=source", "--import", "tsx", program], {
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

/** A portal with every capability but no web app, in a child process. */
export const gatewayProcess = (env: Record<string, string>): PortalProcess =>
  new PortalProcess(env, { program: programPath("gateway-child.ts") });

/** A folder that is removed when the test has finished. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
