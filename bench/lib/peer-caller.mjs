// @ts-check
import { Agent, request } from "node:http";
import { gunzipSync } from "node:zlib";

/** A connection to another tool: keep-alive, signed in, with compressed responses, as `Caller` has one to the portal. */
export class PeerCaller {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #origin;
  /** @type {string | undefined} */
  token;

  /** @param {string} origin */
  constructor(origin) {
    this.#origin = origin;
  }

  /**
   * Resolves with the parsed response.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {number} [status]
   * @returns {Promise<any>}
   */
  call(method, path, body, status = 200) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      "accept-encoding": "gzip",
      ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
      ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#origin}${path}`, { method, agent: this.#agent, headers }, (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () => {
          const bytes = Buffer.concat(chunks);
          const plain = (response.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString("utf8");
          if (response.statusCode === status) resolve(JSON.parse(plain));
          else reject(new Error(`${path} answered ${response.statusCode}: ${plain.slice(0, 300)}`));
        });
      });
      sent.once("error", reject);
      sent.end(text);
    });
  }

  close() {
    this.#agent.destroy();
  }
}
