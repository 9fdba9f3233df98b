// @ts-check
import { Agent, createServer, request } from "node:http";
import { listen } from "../../lib/processes.mjs";

/**
 * A load balancer that decides for each call which gateway gets it.
 * @param {(path: string) => { origin: string }} choose
 */
export async function openMixingProxy(choose) {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(choose(incoming.url ?? "/").origin);
    const { method, url: path, headers } = incoming;
    const call = request({ agent, hostname, port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    call.once("error", () => outgoing.destroy());
    outgoing.once("close", () => call.destroy());
    incoming.pipe(call);
  });
  return {
    origin: `http://127.0.0.1:${await listen(server)}`,
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
