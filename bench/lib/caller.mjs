// @ts-check
import { Agent, request } from "node:http";
import { gunzipSync } from "node:zlib";
import { demoPassword } from "@fairway/contract/api";

/** @typedef {{ status: number, text: string }} ApiResponse */

/** One user's connection, like a browser's: keep-alive, signed in, with compressed responses. */
export class Caller {
  #agent = new Agent({ keepAlive: true, maxSockets: 2 });
  #origin;
  #token;
  /** Calls that were sent again, as browsers do, because the connection had been closed while it was idle. */
  static resent = 0;
  /** @type {import("@fairway/contract/auth").TokenWrapper | undefined} the response to the sign-in */
  wrapper;

  /**
   * @param {string} origin
   * @param {string} [token]
   */
  constructor(origin, token) {
    this.#origin = origin;
    this.#token = token;
  }

  /**
   * Creates a signed-in caller.
   * @param {string} origin
   * @param {string} username
   */
  static async signIn(origin, username) {
    const caller = new Caller(origin);
    const response = await caller.call("POST", "/auth/login", { username, password: demoPassword });
    caller.wrapper = /** @type {import("@fairway/contract/auth").LoginAnswer} */ (JSON.parse(expectOk(response).text)).token;
    caller.#token = caller.wrapper.access_token;
    return caller;
  }

  get token() {
    return this.#token;
  }

  /**
   * Resolves once the whole response has arrived.
   * @param {string} method
   * @param {string} path below /api
   * @param {unknown} [body]
   * @returns {Promise<ApiResponse>}
   */
  async call(method, path, body) {
    try {
      return await this.#send(method, path, body);
    } catch (error) {
      if (!(error instanceof IdleConnectionClosed)) throw error;
      Caller.resent += 1;
      return this.call(method, path, body);
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @returns {Promise<ApiResponse>}
   */
  #send(method, path, body) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      "accept-encoding": "gzip",
      ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const call = request(`${this.#origin}/api${path}`, { method, agent: this.#agent, headers }, (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () => {
          const bytes = Buffer.concat(chunks);
          const plain = response.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
          resolve({ status: response.statusCode ?? 0, text: plain.toString("utf8") });
        });
      });
      let isAnswered = false;
      call.once("response", () => (isAnswered = true));
      call.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
        const isIdle = call.reusedSocket && !isAnswered && (error.code === "ECONNRESET" || error.code === "EPIPE");
        reject(isIdle ? new IdleConnectionClosed(error.message, { cause: error }) : error);
      });
      call.end(text);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

class IdleConnectionClosed extends Error {}

/** @param {ApiResponse} response @param {number} [status] */
export function expectOk(response, status = 200) {
  if (response.status !== status) throw new Error(`answered ${response.status}: ${response.text.slice(0, 500)}`);
  return response;
}
