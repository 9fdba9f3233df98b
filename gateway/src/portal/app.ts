import { randomUUID } from "node:crypto";
import { constants } from "node:zlib";
import { apiBase } from "@fairway/contract/api";
import { health } from "@fairway/contract/health";
import compress from "@fastify/compress";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { type Capability, contractsOf, serveCapability } from "#http/capability.ts";
import type { Config } from "#config/config.ts";
import { installAllowedHosts, originForm } from "#http/allowed-hosts.ts";
import { answerFailure, installErrorHandler, toRefusal } from "#http/error-handler.ts";
import { installCallers } from "#http/callers.ts";
import type { Gatekeeper } from "#http/gatekeeper.ts";
import { readJsonBodies } from "#http/json-body.ts";
import { KnownPaths } from "#http/known-paths.ts";
import type { Metrics } from "#http/metrics.ts";
import { openApiDocument } from "#http/openapi.ts";
import { answerParseFailure } from "#http/parse-failure.ts";
import { installReference } from "#http/reference.ts";
import { continueWhenRead, limitBodyTime, refuseUnsupportedFraming } from "#http/request-framing.ts";
import { installRequestLog, silentLogController } from "#http/request-log.ts";
import { type AllowedOrigins, installSecurityHeaders, setSecurityHeaders } from "#http/security-headers.ts";
import { installWebApp } from "#http/web-app.ts";
import { traceRequests } from "#tracing/request-spans.ts";
import { addressKey } from "#identity/client-address.ts";
import { currentTracer } from "#tracing/trace.ts";

interface AppParts {
  readonly config: Pick<Config, "trustedProxies" | "allowedHosts" | "webRoot" | "settings">;
  readonly log: FastifyBaseLogger;
  readonly version: string;
  /** Aborted once the portal is asked to stop. */
  readonly stopping: AbortSignal;
  readonly metrics: Metrics;
  readonly gatekeeper: Gatekeeper;
  readonly capabilities: readonly Capability[];
  /** The folder with the web app's files of other versions, if other gateways may serve one. */
  readonly sharedAssets: string | undefined;
  /** Origins that browsers upload to besides the portal. */
  readonly uploadOrigins: () => readonly string[];
}

/**
 * Browsers close connections that were idle for five minutes, balancers earlier. If the portal did so first, the next request could
 * already be under way, and would get no answer.
 */
const idleConnectionMs = 330_000;

/** Builds the Fastify app: hooks for every call, and the routes of every capability. */
export async function buildApp({
  config,
  log,
  version,
  stopping,
  metrics,
  gatekeeper,
  capabilities,
  sharedAssets,
  uploadOrigins,
}: AppParts): Promise<FastifyInstance> {
  const paths = new KnownPaths();
  const app = Fastify({
    loggerInstance: log,
    logController: silentLogController,
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit: 1_048_576,
    keepAliveTimeout: idleConnectionMs,
    // Dataset names may be long, but no name exceeds this.
    routerOptions: { maxParamLength: 1_000 },
    rewriteUrl: originForm,
    // A missing Host header is refused with the usual error body instead.
    http: { requireHostHeader: false },
    frameworkErrors(error, request, reply) {
      setSecurityHeaders(request, reply);
      void answerFailure(toRefusal(error, request), request, reply);
    },
    clientErrorHandler: (error, socket) => answerParseFailure(error, socket, paths),
  });
  installCallers(app, addressKey);
  const tracer = currentTracer();
  if (tracer !== undefined) traceRequests(app, tracer);
  app.decorateRequest("signedIn", undefined);
  // Bodies are JSON only: a form or plain text from another site is refused before it is read.
  app.removeContentTypeParser("text/plain");
  readJsonBodies(app);
  installSecurityHeaders(app);
  installAllowedHosts(app, config.allowedHosts, ({ routeOptions }) => {
    const { contract } = routeOptions.config;
    return contract === health.live || contract === health.ready;
  });
  installErrorHandler(app, paths);
  installRequestLog(app);
  refuseUnsupportedFraming(app);
  continueWhenRead(app);
  limitBodyTime(app, 120_000);
  endConnectionsWhenStopping(app, stopping);
  metrics.observe(app);
  for (const capability of capabilities) capability.install?.(app);
  // Fast rather than small, because rows are compressed while they stream. Static files are precompressed by the build.
  await app.register(compress, {
    encodings: ["gzip"],
    threshold: 1_024,
    zlibOptions: { level: constants.Z_BEST_SPEED },
    globalDecompression: false,
  });

  await app.register(
    async (api) => {
      for (const capability of capabilities) serveCapability(api, gatekeeper, capability);
      installReference(api, () => openApiDocument(contractsOf(capabilities), { title: "Fairway", version }));
    },
    { prefix: apiBase },
  );
  for (const { originRoutes = [] } of capabilities) for (const implementation of originRoutes) implementation.serve(app, gatekeeper);
  if (config.webRoot !== null) {
    const origins = frameAndTileOrigins(config.settings);
    await installWebApp(app, config.webRoot, () => ({ ...origins, uploads: uploadOrigins() }), sharedAssets);
  }
  return app;
}

/** Asks clients to send their next request over another connection, so that none is under way when the app closes. */
function endConnectionsWhenStopping(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (stopping.aborted) reply.header("connection", "close");
    done();
  });
}

const frameAndTileOrigins = ({ externalPages, mapTiles }: Config["settings"]): Omit<AllowedOrigins, "uploads"> => ({
  frames: externalPages.map(({ url }) => new URL(url).origin),
  tiles: mapTiles === null ? [] : [new URL(mapTiles.url).origin],
});
