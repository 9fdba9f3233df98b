// @ts-check
import { once } from "node:events";
import { createServer } from "node:http";
import { listen } from "../../lib/processes.mjs";

/**
 * Starts an upstream service on 127.0.0.1 that always returns the same body, and creates its external dataset.
 * @param {import("./portal.mjs").Portal} portal
 * @param {string} name
 * @param {string | Buffer} body
 * @param {Record<string, string>} [headers]
 * @returns {Promise<{ search: (token: string) => Promise<import("./portal.mjs").Answer>, close: () => Promise<void> }>}
 */
export async function openUpstream(portal, name, body, headers = {}) {
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "application/json", ...headers }).end(body));
  const entity = { name, baseRoute: `http://127.0.0.1:${await listen(server)}`, apis: [{ name: "rows", path: "/rows", method: 0 }] };
  const { status, text } = await portal.call("POST", "/admin/datasets/external", { token: await portal.asAdministrator(), body: entity });
  if (status !== 201) throw new Error(`the external dataset was not saved: ${status} ${text.slice(0, 300)}`);
  return {
    search: (token) => portal.call("POST", `/datasets/${encodeURIComponent(name)}/rows/search`, { token, body: { filters: [] } }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
