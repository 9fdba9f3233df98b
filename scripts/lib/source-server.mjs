// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, sep } from "node:path";
import { checkout } from "./checkout.mjs";
import { endWithParent } from "./portal-process.mjs";

/** A save often changes several files at once, which should cause one restart. */
const debounceMs = 50;

/** The sources that the server runs from. */
export const serverSources = ["contract/src", "gateway/src", "demo/src", "scripts/portal.mjs"].map((path) => join(checkout, path));

/** @param {string} path absolute */
const isServerSource = (path) =>
  !path.endsWith(".test.ts") && serverSources.some((source) => path === source || path.startsWith(source + sep));

/** Runs the portal from its sources and restarts it after each change. After a failed start it waits for the next change. */
export class SourceServer {
  #env;
  #program;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #stopping = false;
  /** Resolves when the latest process is ready or has failed. */
  settled = Promise.resolve();

  /**
   * @param {NodeJS.ProcessEnv} env of the server, added to this process's own
   * @param {string} [program] must send a message once it is ready
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
    // Restarts are sequential, because two servers would conflict over the port and the folder.
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
    const [command = process.execPath, ...args] = [...endWithParent(), ...node];
    const child = spawn(command, args, { cwd: checkout, env: this.#env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#child = child;
    const ended = once(child, "exit");
    await Promise.race([once(child, "message"), ended]);
    void ended.then(() => {
      if (this.#child === child && !this.#stopping) console.error("The server has ended. It restarts after the next saved change.");
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
