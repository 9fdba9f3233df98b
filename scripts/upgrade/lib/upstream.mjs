// @ts-check
import { once } from "node:events";
import { createServer } from "node:http";

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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the upstream is not listening");
  return { baseRoute: `http://127.0.0.1:${address.port}`, headerName: header, close: () => server.close() };
}
