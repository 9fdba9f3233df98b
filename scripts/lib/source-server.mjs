// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, sep } from "node:path";
import { forgetServerBuild } from "./build.mjs";
import { checkout } from "./checkout.mjs";
import { compileChanged } from "./compile-server.mjs";
import { endWithParent } from "./portal-process.mjs";

/** A save often changes several files at once, which should cause one restart. */
const debounceMs = 50;

/** The sources that the server runs from. */
export const serverSources = ["contract/src", "expressions/src", "gateway/src", "demo/src", "scripts/portal.mjs"].map((path) =>
  join(checkout, path),
);

/** @param {string} path absolute */
const isServerSource = (path) =>
  !path.endsWith(".test.ts") && serverSources.some((source) => path === source || path.startsWith(source + sep));

/** Runs the portal, compiles sources that are saved, and restarts it after each change. After a failed start it waits for the next change. */
export class SourceServer {
  #env;
  #program;
  #compile;
  /** The latest process. @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  #onHome;
  /** Waits to become the next process. @type {import("node:child_process").ChildProcess | undefined} */
  #spare;
  #preloads;
  /** Resolves when all earlier processes have ended: two would conflict over the port and the folder. */
  #vacant = Promise.resolve();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** Saved and not compiled yet. @type {Set<string>} */
  #changed = new Set();
  #stopping = false;
  /** Resolves when the latest process is ready or has failed. */
  settled = Promise.resolve();

  /**
   * @param {NodeJS.ProcessEnv} env of the server, added to this process's own
   * @param {{ program?: string, preloads?: boolean, onHome?: (home: string) => void, compile?: (paths: readonly string[]) => Promise<void> }} [options] `program` sends
   *   "loaded", waits for a message before it opens anything, and sends "ready"; `preloads`: the packages of the gateway are loaded ahead; `onHome`:
   *   called with the portal's folder whenever a server is ready
   */
  constructor(
    env,
    { program = join(checkout, "scripts/portal.mjs"), preloads = true, onHome = () => undefined, compile = compileSaved } = {},
  ) {
    this.#preloads = preloads;
    this.#onHome = onHome;
    this.#env = { UV_THREADPOOL_SIZE: "16", ...process.env, ...env };
    this.#program = program;
    this.#compile = compile;
  }

  /** Starts a process in the place of the present one. It loads its sources while that one ends. */
  start() {
    if (this.#stopping) return;
    const earlier = this.#child;
    this.#vacant = Promise.all([this.#vacant, earlier && end(earlier)]).then(() => undefined);
    const child = this.#spare && isRunning(this.#spare) ? this.#spare : this.#spawn();
    this.#spare = undefined;
    this.#child = child;
    child.once("exit", () => {
      if (this.#child === child && !this.#stopping) console.error("The server has ended. It restarts after the next saved change.");
    });
    child.on("message", (sent) => {
      if (typeof sent === "object" && sent !== null && "home" in sent) this.#onHome(String(sent.home));
    });
    child.send(this.#program, () => undefined);
    this.settled = open(child, this.#vacant).then(() => {
      // Not before: it would slow down the start.
      if (this.#child === child && !this.#stopping) this.#spare ??= this.#spawn();
    });
  }

  /** Resolves when the latest process is ready or has failed, also if others take its place meanwhile. */
  async whenSettled() {
    for (let settled; settled !== this.settled;) {
      settled = this.settled;
      await settled;
    }
  }

  /** @param {string} path absolute, of a file that was saved, added or deleted */
  fileChanged(path) {
    if (!isServerSource(path) || this.#stopping) return;
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#takeChanges(), debounceMs);
  }

  /** A source that cannot be compiled leaves the present process as it is. */
  async #takeChanges() {
    const paths = [...this.#changed];
    try {
      await this.#compile(paths);
    } catch (error) {
      return console.error(error instanceof Error ? error.message : String(error));
    }
    for (const path of paths) this.#changed.delete(path);
    this.start();
  }

  async stop() {
    this.#stopping = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#vacant, ...[this.#child, this.#spare].map((child) => child && end(child))]);
  }

  #spawn() {
    const node = [process.execPath, "--enable-source-maps", join(checkout, "scripts/lib/spare-server.mjs"), "--api-only"];
    const [command = "", ...args] = [...endWithParent(), ...node, ...(this.#preloads ? ["--preload"] : [])];
    return spawn(command, args, { cwd: checkout, env: this.#env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  }
}

/** @param {readonly string[]} paths */
async function compileSaved(paths) {
  await forgetServerBuild();
  await compileChanged(paths);
}

/**
 * Lets a process open its port and folder once they are free. Resolves when it is ready or has ended.
 * @param {import("node:child_process").ChildProcess} child
 * @param {Promise<void>} vacant
 */
async function open(child, vacant) {
  const [loaded, ready] = [message(child, "loaded"), message(child, "ready")];
  await Promise.all([vacant, loaded]);
  if (child.connected) child.send("open", () => undefined);
  await ready;
}

/**
 * Resolves when a process has sent this, or has ended.
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} text
 * @returns {Promise<void>}
 */
function message(child, text) {
  return new Promise((resolve) => {
    child.on("message", (sent) => {
      if (sent === text) resolve();
    });
    child.once("exit", () => resolve());
  });
}

/** @param {import("node:child_process").ChildProcess} child */
const isRunning = (child) => child.exitCode === null && child.signalCode === null;

/** @param {import("node:child_process").ChildProcess} child */
async function end(child) {
  if (!isRunning(child)) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
