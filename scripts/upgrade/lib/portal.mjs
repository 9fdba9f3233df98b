// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readyOrigin } from "../../lib/ready-origin.mjs";

const startMs = 180_000;
const callMs = 60_000;

/** @typedef {{ status: number, text: string, json: any }} Answer */

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
   * @param {{ token?: string, key?: string, body?: unknown }} [options] a form is sent as such, anything else as JSON
   * @returns {Promise<Answer>}
   */
  async call(method, path, { token, key, body } = {}) {
    const isForm = body instanceof FormData;
    const response = await fetch(`${this.origin}/api${path}`, {
      method,
      headers: {
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { "x-api-key": key }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(callMs),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined };
  }

  /**
   * Makes a call that must succeed, and resolves with its JSON.
   * @param {string} method
   * @param {string} path
   * @param {{ token?: string, key?: string, body?: unknown }} [options]
   */
  async expect(method, path, options) {
    const { status, text, json } = await this.call(method, path, options);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`);
    return json;
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
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, "exit");
      this.#child.kill("SIGTERM");
      await ended;
    }
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
  const inherited = Object.entries(process.env).filter(([name]) => !/^(FAIRWAY_|LIMIT_|npm_)|^(PORT|HOST|DATABASE_URL)$/.test(name));
  const child = spawn(process.execPath, ["--enable-source-maps", program, ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), UV_THREADPOOL_SIZE: "16", FAIRWAY_OPEN: "0", ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => child.kill("SIGTERM"));
  return new Portal(child, await readyOrigin(child, name, { withinMs: startMs }), name);
}
