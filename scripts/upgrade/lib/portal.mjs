// @ts-check
import { setTimeout as wait } from "node:timers/promises";
import { call, expectCall } from "../../harness/calls.mjs";
import { end, spawnPortal } from "../../lib/processes.mjs";
import { readyOrigin } from "../../lib/ready-origin.mjs";

const startMs = 180_000;
/** Of lines of a log, which is piped. */
const [mostLogged, logDelayMs] = [1_000, 500];

/** @typedef {{ token?: string, key?: string, body?: unknown }} CallOptions */

/** A portal in a separate process. */
export class Portal {
  #child;
  #logged;

  /**
   * @param {import("node:child_process").ChildProcess} child
   * @param {string} origin
   * @param {string} name for messages
   * @param {readonly string[]} logged lines of its log, to which more are added
   */
  constructor(child, origin, name, logged) {
    this.#child = child;
    this.origin = origin;
    this.name = name;
    this.#logged = logged;
  }

  /**
   * The lines of its log about the request that an error quotes; empty if it quotes none.
   * @param {string} error
   */
  async logAbout(error) {
    const id = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/.exec(error)?.[0];
    if (id === undefined) return "";
    await wait(logDelayMs);
    return this.#logged.filter((line) => line.includes(id)).join("\n");
  }

  /**
   * @param {string} method
   * @param {string} path below /api
   * @param {CallOptions} [options] a form is sent as such, anything else as JSON
   */
  call(method, path, options) {
    return call(this.origin, method, path, { ...options, keepsConnection: true });
  }

  /**
   * Makes a call that must succeed, and resolves with its JSON.
   * @param {string} method
   * @param {string} path
   * @param {CallOptions} [options]
   */
  expect(method, path, options) {
    return expectCall(this.origin, method, path, { ...options, keepsConnection: true });
  }

  /**
   * @param {string} username
   * @param {string} password
   * @returns {Promise<{ access_token: string, refresh_token: string }>}
   */
  async signIn(username, password) {
    return (await this.expect("POST", "/auth/login", { body: { username, password } })).token;
  }

  /** Resolves with the exit code. */
  async stop() {
    await end(this.#child, "SIGTERM");
    return this.#child.exitCode;
  }
}

/**
 * @param {string} cwd the checkout
 * @param {string} program path in the checkout
 * @param {Record<string, string>} variables
 * @param {{ args?: string[], name?: string }} [options]
 * @returns {Promise<Portal>}
 */
export async function startPortal(cwd, program, variables, { args = [], name = program } = {}) {
  const child = spawnPortal(program, { cwd, args, variables });
  /** @type {string[]} */
  const logged = [];
  const onLine = (/** @type {string} */ line) => {
    if (logged.push(line) > mostLogged) logged.shift();
  };
  return new Portal(child, await readyOrigin(child, name, { withinMs: startMs, onLine }), name, logged);
}
