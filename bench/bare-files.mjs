// @ts-check
// A minimal file server as the baseline for downloads and uploads: GET sends a file of the folder in argv, PUT stores one as
// durably as the portal does.
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const folder = process.argv[2] ?? ".";

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function answer(request, response) {
  const path = join(folder, request.url ?? "");
  if (request.method === "GET") {
    const { size } = await stat(path);
    const [, start = "0", end = String(size - 1)] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    response.writeHead(200, { "content-length": Number(end) - Number(start) + 1 });
    await pipeline(createReadStream(path, { start: Number(start), end: Number(end) }), response);
    return;
  }
  await pipeline(request, createWriteStream(`${path}.unfinished`));
  const handle = await open(`${path}.unfinished`);
  await handle.sync();
  await handle.close();
  await rename(`${path}.unfinished`, path);
  response.writeHead(201, { "content-length": 0 });
  response.end();
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.destroy(error));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`ready at http://127.0.0.1:${typeof address === "object" ? address?.port : ""}\n`);
});
process.once("SIGTERM", () => process.exit());
