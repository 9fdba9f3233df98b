import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RequestSpan, Tracer } from "./trace.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined unless traces are sent. */
    span: RequestSpan | undefined;
  }
}

/**
 * Times every call, from its arrival to the end of its answer. Names the pattern of the route, never the path, its parameters, the
 * query or the caller. Must be installed before everything that works on calls.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.decorateRequest("span", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    const route = request.routeOptions.config.contract?.path;
    const span = tracer.startRequest(
      {
        name: route === undefined ? request.method : `${request.method} ${route}`,
        attributes: {
          "http.request.method": request.method,
          ...(route !== undefined && { "http.route": route }),
          // The id that users quote from an error message, and that the log calls `reqId`.
          "fairway.request_id": request.id,
        },
      },
      comesFromProxy(request) ? request.headers : undefined,
    );
    request.span = span;
    span.within(done);
  });
  // The end of a body is an event of the connection, which knows no span.
  app.addHook("preHandler", (request, _reply, done) => (request.span === undefined ? done() : request.span.within(done)));
  app.addHook("onResponse", (request, reply, done) => {
    const { span } = request;
    if (span === undefined) return done();
    span.set("http.response.status_code", reply.statusCode);
    // The line of the request log belongs to the call.
    span.within(done);
    span.end(reply.statusCode >= 500);
  });
  app.addHook("onRequestAbort", (request, done) => {
    const { span } = request;
    if (span === undefined) return done();
    span.set("fairway.aborted", true);
    span.within(done);
    span.end(false);
  });
}

/**
 * Whether the call came through a trusted proxy. Other callers could choose which of their calls are recorded, and mix them into
 * the traces of others.
 */
const comesFromProxy = ({ ips }: FastifyRequest): boolean => ips !== undefined && ips.length > 1;
