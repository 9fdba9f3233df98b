// @ts-check
import { connect } from "node:net";

/**
 * Opens a socket and sends bytes.
 * @param {import("./portal.mjs").Portal} portal
 * @param {string} bytes
 */
export function openSocket(portal, bytes) {
  const { hostname, port } = new URL(portal.origin);
  const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
  // The portal may reset the connection.
  socket.on("error", () => socket.destroy());
  return socket;
}

/**
 * Sends bytes and resolves with the answer, once the portal closes the connection or is silent for too long.
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
