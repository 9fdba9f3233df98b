// @ts-check
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { end, isRunning, spawnPortal } from "../lib/processes.mjs";
import { Failure } from "../lib/failure.mjs";
import { readyOrigin } from "../lib/ready-origin.mjs";

/** Generous for busy machines. */
const startMs = 600_000;

/** One gateway of the demo, which can be killed and started again. It keeps its port. */
export class Gateway {
  /** @type {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, import("node:stream").Readable> | undefined} */
  #child;
  #isReady = false;

  /**
   * @param {string} name
   * @param {number} port
   * @param {string} logFile
   * @param {Record<string, string>} variables
   */
  constructor(name, port, logFile, variables) {
    this.name = name;
    this.port = port;
    this.origin = `http://127.0.0.1:${port}`;
    this.logFile = logFile;
    this.variables = variables;
  }

  get isReady() {
    return this.#isReady;
  }

  /** Resolves when it serves. */
  async start() {
    const variables = { ...this.variables, PORT: String(this.port) };
    const child = spawnPortal("scripts/portal.mjs", { variables, rest: ["pipe"] });
    this.#child = child;
    const log = createWriteStream(this.logFile, { flags: "a" });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.once("exit", () => (this.#isReady = false));
    await readyOrigin(child, `gateway ${this.name}`, { withinMs: startMs }).catch(async (error) => {
      throw new Failure(`${error.message}:\n${(await readFile(this.logFile, "utf8")).slice(-3_000)}`);
    });
    this.#isReady = true;
  }

  /** Loses whatever it has not stored. */
  async kill() {
    this.#isReady = false;
    if (this.#child) await end(this.#child, "SIGKILL");
  }

  /** Resolves with its exit code; undefined if it had ended before. */
  async stop() {
    const child = this.#child;
    if (child === undefined || !isRunning(child)) return undefined;
    await end(child, "SIGTERM");
    return child.exitCode;
  }
}
