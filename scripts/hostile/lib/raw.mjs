// @ts-check
import { connect } from "node:net";

/**
 * A socket that has sent these bytes; closed with the portal.
 * @param {import("./portal.mjs").Portal} portal
 * @param {string} bytes
 */
export function openSocket(portal, bytes) {
  const { hostname, port } = new URL(portal.origin);
  const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
  // A portal that hangs up on us is right to do so.
  socket.on("error", () => socket.destroy());
  return socket;
}

/**
 * Sends the bytes and resolves with all that comes back until the portal closes, or until it is silent for too long.
 * @param {import("./portal.mjs").Portal} portal
 * @param {string} bytes
 * @param {number} silenceMs
 * @returns {Promise<string>}
 */
export async function exchange(portal, bytes, silenceMs = 1_500) {
  const socket = openSocket(portal, bytes);
  /** @type {Buffer[]} */
  const chunks = [];
  socket.setTimeout(silenceMs, () => socket.destroy());
  socket.on("data", (chunk) => chunks.push(chunk));
  await new Promise((resolve) => socket.once("close", resolve));
  return Buffer.concat(chunks).toString("latin1");
}
