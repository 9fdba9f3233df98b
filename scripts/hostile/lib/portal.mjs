// @ts-check
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { spawnPortal } from "../../lib/processes.mjs";
import { readyOrigin } from "../../lib/ready-origin.mjs";
import { administrator, viewer } from "./platform.mjs";

/** @typedef {{ token?: string, body?: unknown, headers?: Record<string, string>, timeoutMs?: number }} CallOptions */
/** @typedef {{ status: number, text: string, ms: number, retryAfter?: string }} Answer */
/** The result of a case. `problem` describes a failure other than a delay, which fails the run. */
/** @typedef {{ calls: number, worstDelayMs: number, slice: import("./slices.mjs").Slice, statuses: Record<string, number>, note: string, problem?: string }} Measured */
/** `notRun` is the reason why this machine cannot run the case. */
/** @typedef {Measured | { notRun: string }} Outcome */

const program = fileURLToPath(new URL("../portal.mjs", import.meta.url));
/** Calls that take longer fail. */
const callTimeoutMs = 120_000;

/** A portal in a separate process and folder, on 127.0.0.1. */
export class Portal {
  #child;
  #ended;
  /** @type {Record<string, number>} */
  #statuses = {};
  #calls = 0;

  /**
   * @param {import("node:child_process").ChildProcess} child
   * @param {string} origin
   * @param {string} home
   */
  constructor(child, origin, home) {
    this.#child = child;
    this.#ended = child.exitCode === null ? once(child, "exit") : Promise.resolve();
    this.origin = origin;
    this.home = home;
    this.pid = child.pid ?? 0;
  }

  /** Resolves when the process has ended, for any reason. */
  get ended() {
    return this.#ended;
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Resolves with any answer, or with status 0 if there is none.
   * @param {string} method
   * @param {string} path below /api
   * @param {CallOptions} [options] a body other than text or bytes is sent as JSON
   * @returns {Promise<Answer>}
   */
  async call(method, path, { token, body, headers = {}, timeoutMs = callTimeoutMs } = {}) {
    const isRaw = typeof body === "string" || body instanceof Uint8Array || body === undefined;
    const startedMs = performance.now();
    const answer = await fetch(`${this.origin}/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? /** @type {string | Uint8Array<ArrayBuffer>} */ (body) : JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
      .then(async (response) => {
        const retryAfter = response.headers.get("retry-after");
        return { status: response.status, text: await response.text(), ...(retryAfter === null ? {} : { retryAfter }) };
      })
      .catch((error) => ({ status: 0, text: String(error) }));
    this.#calls += 1;
    this.#statuses[answer.status] = (this.#statuses[answer.status] ?? 0) + 1;
    return { ...answer, ms: performance.now() - startedMs };
  }

  /**
   * @param {{ username: string, password: string }} account
   * @returns {Promise<string>} a token
   */
  async signIn(account) {
    const { status, text } = await this.call("POST", "/auth/login", { body: account });
    if (status !== 200) throw new Error(`${account.username} cannot sign in: ${status} ${text.slice(0, 200)}`);
    return JSON.parse(text).token.access_token;
  }

  asAdministrator() {
    return this.signIn(administrator);
  }

  asViewer() {
    return this.signIn(viewer);
  }

  /**
   * Runs the work and measures the longest event loop delay and the answers meanwhile.
   * @param {() => Promise<string | { note: string, problem?: string }>} work resolves with a note
   * @returns {Promise<Measured>}
   */
  async measure(work) {
    await this.#trace("start trace");
    await this.#worstDelayMs();
    this.#calls = 0;
    this.#statuses = {};
    const probe = this.#probe();
    let outcome;
    try {
      outcome = await work();
    } finally {
      probe.stop();
    }
    const worstAnswerMs = await probe.worstMs;
    const { note, problem } = typeof outcome === "string" ? { note: outcome, problem: undefined } : outcome;
    const worstDelayMs = await this.#worstDelayMs();
    return {
      calls: this.#calls,
      statuses: { ...this.#statuses },
      worstDelayMs,
      slice: /** @type {import("./slices.mjs").Slice} */ (await this.#trace("stop trace")),
      note: `${note}; /health/live took at most ${Math.round(worstAnswerMs)} ms`,
      ...(problem === undefined ? {} : { problem }),
    };
  }

  /** The longest event loop delay of the portal since the previous call. */
  async #worstDelayMs() {
    const response = await fetch(`${this.origin}/api/metrics`, { signal: AbortSignal.timeout(callTimeoutMs) });
    const found = /^fairway_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await response.text())?.[1];
    if (found === undefined) throw new Error("/api/metrics does not contain the event loop delay");
    return Number(found) * 1_000;
  }

  /** @param {"start trace" | "stop trace"} message */
  async #trace(message) {
    const answered = once(this.#child, "message");
    this.#child.send(message);
    const [answer] = await answered;
    return answer;
  }

  /** Calls the portal's health check repeatedly. */
  #probe() {
    const stopping = new AbortController();
    const poll = async () => {
      let worst = 0;
      while (!stopping.signal.aborted) {
        const startedMs = performance.now();
        await fetch(`${this.origin}/api/health/live`, { signal: AbortSignal.timeout(callTimeoutMs) }).then((response) => response.text());
        worst = Math.max(worst, performance.now() - startedMs);
        await sleep(20);
      }
      return worst;
    };
    return { worstMs: poll().catch(() => Infinity), stop: () => stopping.abort() };
  }

  /** @param {NodeJS.Signals} signal */
  async kill(signal) {
    this.#child.kill(signal);
    await this.#ended;
  }

  async stop() {
    if (this.isRunning) await this.kill("SIGTERM");
    await rm(this.home, { recursive: true, force: true });
  }
}

/**
 * Combines the measurements of several portals.
 * @param {readonly Measured[]} parts
 * @returns {Omit<Measured, "note" | "problem">}
 */
export function sumMeasurements(parts) {
  /** @type {Record<string, number>} */
  const statuses = {};
  for (const part of parts) for (const [status, times] of Object.entries(part.statuses)) statuses[status] = (statuses[status] ?? 0) + times;
  const calls = parts.reduce((sum, part) => sum + part.calls, 0);
  const slices = parts.map((part) => part.slice);
  const longest = slices.reduce((one, other) => (other.ms > one.ms ? other : one), { ms: 0, where: "", turnMs: 0, bodyMs: 0 });
  const most = (/** @type {"turnMs" | "bodyMs"} */ name) => Math.max(0, ...slices.map((part) => part[name]));
  const slice = { ...longest, turnMs: most("turnMs"), bodyMs: most("bodyMs") };
  return { calls, statuses, slice, worstDelayMs: Math.max(0, ...parts.map(({ worstDelayMs }) => worstDelayMs)) };
}

/**
 * Starts a portal, in a new folder unless `home` is given.
 * @param {{ home?: string, env?: NodeJS.ProcessEnv, expectedError?: string, onLine?: (line: string) => void }} [options] `expectedError` is
 * a line of stderr to hide, `onLine` receives the other lines of both outputs
 * @returns {Promise<Portal>}
 */
export async function openPortal({ home, env = {}, expectedError = "", onLine = () => {} } = {}) {
  const folder = home ?? (await mkdtemp(join(tmpdir(), "fairway-hostile-")));
  const child = spawnPortal(program, { variables: { FAIRWAY_HOME: folder, ...env }, rest: ["pipe", "ipc"] });
  createInterface({ input: child.stderr }).on("line", (line) => {
    onLine(line);
    if (line !== expectedError) console.error(line);
  });
  return new Portal(child, await readyOrigin(child, "the portal", { onLine }), folder);
}
