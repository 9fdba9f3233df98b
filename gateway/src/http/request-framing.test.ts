import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, it } from "vitest";
import { installErrorHandler } from "./error-handler.ts";
import { refuseUnsupportedFraming } from "./request-framing.ts";

let app: FastifyInstance;
afterEach(() => app.close());

/** Sends the headers with a chunked body and resolves with the raw response. */
async function send(...headers: string[]): Promise<string> {
  app = Fastify();
  installErrorHandler(app);
  refuseUnsupportedFraming(app);
  app.post("/echo", (request) => Promise.resolve(request.body));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => (answer += String(chunk)));
  const head = ["POST /echo HTTP/1.1", "Host: portal", "Connection: close", "Content-Type: application/json", ...headers];
  socket.write(`${head.join("\r\n")}\r\n\r\n8\r\n{"a": 1}\r\n0\r\n\r\n`);
  await once(socket, "close");
  return answer;
}

it.each([
  ["gzip as content coding", ["Content-Encoding: gzip", "Transfer-Encoding: chunked"]],
  ["an unknown content coding", ["Content-Encoding: zap", "Transfer-Encoding: chunked"]],
  ["two content codings", ["Content-Encoding: identity, BR", "Transfer-Encoding: chunked"]],
  ["two headers of content codings", ["Content-Encoding: identity", "Content-Encoding: deflate", "Transfer-Encoding: chunked"]],
  ["gzip as transfer coding", ["Transfer-Encoding: gzip, chunked"]],
  ["two headers of transfer codings", ["Transfer-Encoding: deflate", "Transfer-Encoding: chunked"]],
])("refuses %s with 415 and an error body", async (_, headers) => {
  const answer = await send(...headers);
  expect(answer).toMatch(/^HTTP\/1\.1 415 /);
  expect(answer).toContain('"code":"unsupported-media-type"');
});

it("refuses an unknown expectation with an error body", async () => {
  const answer = await send("Expect: 200-ok", "Transfer-Encoding: chunked");
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"code":"invalid-request"');
});

it.each([
  ["plain chunks", ["Transfer-Encoding: chunked"]],
  ["the identity coding", ["Content-Encoding: Identity", "Transfer-Encoding: chunked"]],
  ["a body after 100 Continue", ["Expect: 100-continue", "Transfer-Encoding: chunked"]],
])("accepts %s", async (_, headers) => {
  expect(await send(...headers)).toContain('{"a":1}');
});
