// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, sep } from "node:path";
import { checkout } from "./checkout.mjs";
import { endsWithUs } from "./portal-process.mjs";

/** A save often touches several files within a moment: one restart is enough. */
const debounceMs = 50;

/** What the server's process runs from. */
export const serverSources = ["contract/src", "gateway/src", "demo/src", "scripts/portal.mjs"].map((path) => join(checkout, path));

/** @param {string} path absolute */
const isServerSource = (path) =>
  !path.endsWith(".test.ts") && serverSources.some((source) => path === source || path.startsWith(source + sep));

/** The portal run from its sources, started anew after each change of them. A failed start waits for the next change. */
export class SourceServer {
  #env;
  #program;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #stopping = false;
  /** Resolves when the newest process is ready, or has failed. */
  settled = Promise.resolve();

  /**
   * @param {NodeJS.ProcessEnv} env of the server, beside this process's own
   * @param {string} [program] sends a message once it is ready
   */
  constructor(env, program = join(checkout, "scripts/portal.mjs")) {
    this.#env = { UV_THREADPOOL_SIZE: "16", ...process.env, ...env };
    this.#program = program;
  }

  start() {
    this.settled = this.#run();
  }

  /** @param {string} path absolute, of a file that was saved, added or deleted */
  fileChanged(path) {
    if (!isServerSource(path) || this.#stopping) return;
    clearTimeout(this.#timer);
    // One restart after the other: two servers at once would claim one port and one folder.
    this.#timer = setTimeout(() => {
      this.settled = this.settled.then(() => this.#end()).then(() => this.#run());
    }, debounceMs);
  }

  async stop() {
    this.#stopping = true;
    clearTimeout(this.#timer);
    await this.#end();
    await this.settled;
  }

  async #run() {
    if (this.#stopping) return;
    const node = [
      process.execPath,
      "--conditions=source",
      `--import=${import.meta.resolve("tsx")}`,
      "--enable-source-maps",
      this.#program,
      "--api-only",
    ];
    const [command = process.execPath, ...args] = [...endsWithUs(), ...node];
    const child = spawn(command, args, { cwd: checkout, env: this.#env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#child = child;
    const ended = once(child, "exit");
    await Promise.race([once(child, "message"), ended]);
    void ended.then(() => {
      if (this.#child === child && !this.#stopping) console.error("The server ended. It starts again after the next saved change.");
    });
  }

  async #end() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}
