import { type FastifyInstance, LogController } from "fastify";

/** Disables Fastify's request logging. */
export const silentLogController = new LogController({ disableRequestLogging: true });

/**
 * Logs one line per completed call: its path without the query, its status and its duration. Fastify's two lines would cost as
 * much as the rest of a small call.
 */
export function installRequestLog(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    request.log.info({ req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, "answered");
    done();
  });
  app.addHook("onRequestAbort", (request, done) => {
    request.log.info({ req: request }, "the caller disconnected");
    done();
  });
}
