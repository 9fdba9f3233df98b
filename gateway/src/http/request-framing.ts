import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
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

/** Requests whose client waits for 100 Continue before it sends the body, with the function that sends it. */
const waitingClients = new WeakMap<IncomingMessage, () => void>();

/** Tells a client that waits for it to send the body. */
export function requestBody(request: IncomingMessage): void {
  waitingClients.get(request)?.();
  waitingClients.delete(request);
}

/** Lets clients send the body only once it is going to be read, so that a refused upload of gigabytes is not sent. */
export function continueWhenRead(app: FastifyInstance): void {
  app.server.on("checkContinue", (request, response) => {
    waitingClients.set(request, () => response.writeContinue());
    app.routing(request, response);
  });
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    if (request.routeOptions.config.contract?.rawBody === undefined) requestBody(request.raw);
    done();
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    // The client may or may not send the body after the refusal, so the next request could not be found.
    if (waitingClients.has(request.raw)) reply.header("connection", "close");
    done();
  });
}

/**
 * Ends requests whose body takes longer, except where the handler reads the body and limits its pauses: Node's own limit would
 * also end a large upload.
 */
export function limitBodyTime(app: FastifyInstance, maxMs: number): void {
  app.addHook("onRequest", ({ raw, routeOptions }, _reply, done) => {
    const { "content-length": length = "0", "transfer-encoding": encoding } = raw.headers;
    if ((length !== "0" || encoding !== undefined) && routeOptions.config.contract?.rawBody === undefined) {
      const timer = setTimeout(() => {
        app.server.emit("clientError", Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), raw.socket);
      }, maxMs).unref();
      raw.once("close", () => clearTimeout(timer));
    }
    done();
  });
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
