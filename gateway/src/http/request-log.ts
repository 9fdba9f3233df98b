import { type FastifyInstance, LogController } from "fastify";

/** For Fastify's options: it says nothing of calls by itself. */
export const silentLogController = new LogController({ disableRequestLogging: true });

/**
 * One line per call, when it is over: what was asked, by its path without the query, how it was answered and how long it
 * took. Fastify's own two lines cost a small call as much as everything else it does.
 */
export function installRequestLog(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    request.log.info({ req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, "answered");
    done();
  });
  app.addHook("onRequestAbort", (request, done) => {
    request.log.info({ req: request }, "the caller left");
    done();
  });
}
