// @ts-check
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";

const chunk = randomBytes(1_048_576);

/** Downloads and uploads files over keep-alive connections, as fast as the other side takes or sends them. */
export class FileTransfers {
  #agent = new Agent({ keepAlive: true });
  #bytes;

  /** @param {number} bytes of an upload */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  /**
   * Resolves with the bytes that were received.
   * @param {string} url
   * @param {Record<string, string>} [headers]
   * @returns {Promise<number>}
   */
  download(url, headers = {}) {
    return new Promise((resolve, reject) => {
      const call = request(url, { agent: this.#agent, headers }, (response) => {
        let bytes = 0;
        response.on("data", (/** @type {Buffer} */ part) => (bytes += part.byteLength));
        response.once("error", reject);
        response.once("end", () => {
          if (response.statusCode === 200 || response.statusCode === 206) resolve(bytes);
          else reject(new Error(`${url.split("?")[0]} answered ${response.statusCode}`));
        });
      });
      call.once("error", reject);
      call.end();
    });
  }

  /**
   * Resolves once the file is stored.
   * @param {string} url
   * @param {number} [bytes]
   * @returns {Promise<void>}
   */
  upload(url, bytes = this.#bytes) {
    return new Promise((resolve, reject) => {
      const call = request(url, { method: "PUT", agent: this.#agent, headers: { "content-length": bytes } }, (response) => {
        response.resume();
        response.once("error", reject);
        response.once("end", () => {
          if (response.statusCode === 200 || response.statusCode === 201) resolve();
          else reject(new Error(`${url.split("?")[0]} answered ${response.statusCode}`));
        });
      });
      call.once("error", reject);
      let left = bytes;
      const send = () => {
        while (left > 0) {
          const part = left < chunk.byteLength ? chunk.subarray(0, left) : chunk;
          left -= part.byteLength;
          if (!call.write(part)) {
            call.once("drain", send);
            return;
          }
        }
        call.end();
      };
      send();
    });
  }

  close() {
    this.#agent.destroy();
  }
}
