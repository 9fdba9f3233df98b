// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../lib/failure.mjs";

/** Until a portal has to be ready: a first start installs and builds everything. */
const readyMs = 10 * 60_000;

/** @type {Set<RunningCommand>} */
const running = new Set();
process.once("exit", () => running.forEach((command) => command.signal("SIGKILL")));

/** A command in a shell, in a group of processes of its own, as a terminal has it. */
export class RunningCommand {
  output = "";

  /**
   * @param {string} text
   * @param {{ cwd: string, variables: Readonly<Record<string, string>>, input: string }} options
   */
  constructor(text, { cwd, variables, input }) {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(FAIRWAY_|LIMIT_|npm_)|^(PORT|HOST|DATABASE_URL|NODE_ENV)$/.test(name),
    );
    this.child = spawn("sh", ["-c", text], {
      cwd,
      detached: true,
      env: { ...Object.fromEntries(inherited), FAIRWAY_OPEN: "0", ...variables },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.child.stdin.on("error", () => undefined);
    this.child.stdin.end(input);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => (this.output += chunk));
    }
    // Not "exit": npm may end before the portal, which still writes to its folder.
    this.ended = once(this.child, "close");
    this.hasEnded = false;
    running.add(this);
    void this.ended.then(() => {
      this.hasEnded = true;
      running.delete(this);
    });
  }

  /** @param {NodeJS.Signals} name */
  signal(name) {
    if (!this.hasEnded && this.child.pid !== undefined) process.kill(-this.child.pid, name);
  }

  /**
   * Resolves with the address at which it says that it is ready.
   * @returns {Promise<string>}
   */
  async ready() {
    for (const endMs = Date.now() + readyMs; Date.now() < endMs && !this.hasEnded; await wait(200)) {
      const [, origin] = /\bready at (http:\S+)/.exec(this.output) ?? [];
      if (origin !== undefined) return origin.replace("localhost", "127.0.0.1");
    }
    throw new Failure(`It was not ready.\n${this.output.slice(-2_000)}`);
  }
}

/**
 * Waits until a command has ended, with all that it has started.
 * @param {RunningCommand} command
 * @returns {Promise<{ code: number | null, output: string }>} `code`: null if a signal ended it
 */
export async function ended(command) {
  await command.ended;
  return { code: command.child.exitCode, output: command.output };
}

/**
 * Ends a command as Ctrl-C does.
 * @param {RunningCommand} command
 */
export async function interrupt(command) {
  command.signal("SIGINT");
  return ended(command);
}
