// @ts-check
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** @typedef {{ url: string, method: string, token: string, calls: number, body?: string }} Burst */

/**
 * Sends equal calls at once from a thread of its own, so that what is measured here is the portal and not this process.
 * @param {Burst} burst
 * @returns {Promise<Record<string, number>>} how often each status was answered; 0 = no answer
 */
export function sendBurst(burst) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: burst });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

if (!isMainThread) {
  const { url, method, token, calls, body } = /** @type {Burst} */ (workerData);
  const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) };
  /** @type {Record<string, number>} */
  const statuses = {};
  const call = async () => {
    const status = await fetch(url, { method, headers, body: body ?? null })
      .then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      })
      .catch(() => 0);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: calls }, call));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
  parentPort?.postMessage(statuses);
}
