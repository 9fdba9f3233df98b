// @ts-check
import { call, expectCall } from "../../harness/calls.mjs";
import { end, spawnPortal } from "../../lib/processes.mjs";
import { readyOrigin } from "../../lib/ready-origin.mjs";

const startMs = 180_000;

/** @typedef {{ token?: string, key?: string, body?: unknown }} CallOptions */

/** A portal in a separate process. */
export class Portal {
  #child;

  /**
   * @param {import("node:child_process").ChildProcess} child
   * @param {string} origin
   * @param {string} name for messages
   */
  constructor(child, origin, name) {
    this.#child = child;
    this.origin = origin;
    this.name = name;
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
  return new Portal(child, await readyOrigin(child, name, { withinMs: startMs }), name);
}
