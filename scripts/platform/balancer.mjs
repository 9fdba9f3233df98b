// @ts-check
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { listen } from "../lib/processes.mjs";

/** @typedef {import("node:net").Socket} Socket */

/**
 * A balancer of TCP connections: each new connection goes to the next gateway that accepts it, and all its requests stay there.
 * It adds no headers, so demo accounts can sign in through it.
 * @param {() => readonly number[]} gatewayPorts the ports of the gateways that are up; one that refuses is passed over
 * @param {{ port?: number }} [options] default: a free port
 */
export async function startBalancer(gatewayPorts, { port = 0 } = {}) {
  /** Connections that each gateway has accepted, by its port. @type {Map<number, number>} */
  const accepted = new Map();
  /** @type {Set<Socket>} */
  const open = new Set();
  let next = 0;

  /** @param {Socket} client */
  const serve = async (client) => {
    open.add(client);
    client.once("close", () => open.delete(client));
    client.on("error", () => undefined);
    const ports = gatewayPorts();
    next += 1;
    for (let index = 0; index < ports.length && !client.destroyed; index += 1) {
      const chosen = ports[(next + index) % ports.length] ?? 0;
      const gateway = await connected(chosen);
      if (gateway === undefined) continue;
      accepted.set(chosen, (accepted.get(chosen) ?? 0) + 1);
      join(client, gateway);
      return;
    }
    client.resetAndDestroy();
  };

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => void serve(client));
  return {
    port: await listen(server, port),
    /** @returns {Promise<ReadonlyMap<number, number>>} */
    accepted: () => Promise.resolve(accepted),
    async close() {
      server.close();
      for (const client of open) client.destroy();
      if (server.listening) await once(server, "close");
    },
  };
}

/**
 * @param {number} port
 * @returns {Promise<Socket | undefined>}
 */
function connected(port) {
  return new Promise((resolve) => {
    const gateway = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    gateway.once("connect", () => resolve(gateway));
    gateway.once("error", () => resolve(undefined));
  });
}

/**
 * Passes on bytes, ends and resets in both directions.
 * @param {Socket} client
 * @param {Socket} gateway
 */
function join(client, gateway) {
  for (const [from, to] of [
    [client, gateway],
    [gateway, client],
  ]) {
    from?.on("error", () => to?.resetAndDestroy());
    from?.once("close", () => to?.destroySoon());
    from?.pipe(/** @type {Socket} */ (to));
  }
  if (client.destroyed) gateway.destroy();
}
