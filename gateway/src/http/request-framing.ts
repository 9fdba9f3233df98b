import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { Refusal } from "./refusal.ts";

/**
 * Refuses requests with an encoded body. Bodies are never decompressed, so a few kilobytes cannot become megabytes. Install it
 * before the routes, so that it runs before the body is read.
 */
export function refuseUnsupportedFraming(app: FastifyInstance): void {
  // Node would respond to these by itself, without an error body.
  app.server.on("checkExpectation", (request, response) => app.routing(request, response));
  app.addHook("onRequest", (request, _reply, done) => done(framingProblem(request.headers)));
}

function framingProblem(headers: IncomingHttpHeaders): Refusal | undefined {
  const contentEncoding = headers["content-encoding"];
  if (contentEncoding !== undefined && tokensOf(contentEncoding).some((token) => token !== "identity")) {
    return new Refusal("unsupported-media-type", "The request body must not be encoded: send it without Content-Encoding.");
  }
  const transferEncoding = headers["transfer-encoding"];
  if (transferEncoding !== undefined && tokensOf(transferEncoding).some((token) => token !== "chunked")) {
    return new Refusal(
      "unsupported-media-type",
      "The request body must not be compressed: only 'Transfer-Encoding: chunked' is supported.",
    );
  }
  if (headers.expect !== undefined && headers.expect.trim().toLowerCase() !== "100-continue") {
    return new Refusal("invalid-request", "The only expectation that is supported is 'Expect: 100-continue'.");
  }
  return undefined;
}

const tokensOf = (value: string): string[] => value.split(",").map((token) => token.trim().toLowerCase());
