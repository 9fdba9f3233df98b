// @ts-check
import { createServer } from "node:http";
import { listen } from "../../lib/processes.mjs";

const header = "x-tide-key";
/** The external dataset's key, which is stored encrypted and must survive the upgrade. */
export const upstreamKey = "spring-and-neap";
export const upstreamRows = [
  { port: "Bergen", height: 1.2 },
  { port: "Brest", height: 6.1 },
];

/** A service that returns rows to callers with the key. */
export async function openUpstream() {
  const server = createServer((request, response) => {
    const isKnown = request.headers[header] === upstreamKey;
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(isKnown ? upstreamRows : { error: "no key" }));
  });
  return { baseRoute: `http://127.0.0.1:${await listen(server)}`, headerName: header, close: () => server.close() };
}
