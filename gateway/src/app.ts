import { randomUUID } from "node:crypto";
import { constants } from "node:zlib";
import { userAdministration } from "@fairway/contract/accounts";
import { type AdministeredType, administration } from "@fairway/contract/administration";
import { apiBase } from "@fairway/contract/api";
import { apiKeyAdministration, apiKeys } from "@fairway/contract/api-keys";
import { auditing } from "@fairway/contract/audit";
import { auth, setup } from "@fairway/contract/auth";
import { cac } from "@fairway/contract/cac";
import { columnValues } from "@fairway/contract/column-values";
import { datasetAdministration } from "@fairway/contract/dataset-administration";
import { datasetGroups } from "@fairway/contract/dataset-groups";
import { datasets } from "@fairway/contract/datasets";
import { ecosystems } from "@fairway/contract/ecosystems";
import type { EntityRoutes } from "@fairway/contract/entities";
import { exports } from "@fairway/contract/exports";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { feedback, feedbackAdministration } from "@fairway/contract/feedback";
import { graphTemplates } from "@fairway/contract/graph-templates";
import { graphs } from "@fairway/contract/graphs";
import { health } from "@fairway/contract/health";
import { joltTrial } from "@fairway/contract/jolt";
import { mapResults } from "@fairway/contract/map-results";
import { platformMetadata } from "@fairway/contract/metadata";
import { notices } from "@fairway/contract/notices";
import { profile } from "@fairway/contract/profile";
import { savedSearches } from "@fairway/contract/saved-searches";
import { search } from "@fairway/contract/search";
import { passkeySignIn, secondFactorSignIn, signInMethods } from "@fairway/contract/second-factors";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import { ownSessions } from "@fairway/contract/sessions";
import { settings } from "@fairway/contract/settings";
import { torchServiceChecks } from "@fairway/contract/torch-services";
import compress from "@fastify/compress";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { apiKeyAdministrationRoutes, apiKeyRoutes } from "#capabilities/api-keys/routes.ts";
import { observeCalls } from "#capabilities/audit/observe.ts";
import { auditRoutes } from "#capabilities/audit/routes.ts";
import { authRoutes } from "#capabilities/auth.ts";
import { cacRoutes } from "#capabilities/cac/routes.ts";
import { ecosystemRoutes, metadataRoutes, torchServiceRoutes } from "#capabilities/configuration/routes.ts";
import { datasetAdministrationRoutes } from "#capabilities/dataset-administration/routes.ts";
import { datasetGroupRoutes } from "#capabilities/dataset-groups/routes.ts";
import { datasetRoutes } from "#capabilities/datasets/routes.ts";
import { entityHandlers } from "#capabilities/entities/routes.ts";
import type { Administration } from "#capabilities/entities/service.ts";
import { userAdministrationRoutes } from "#capabilities/entities/user-routes.ts";
import { exportRoutes } from "#capabilities/exports/routes.ts";
import { favoriteRoutes } from "#capabilities/favorites/routes.ts";
import { feedbackAdministrationRoutes, feedbackRoutes } from "#capabilities/feedback/routes.ts";
import { graphTemplateRoutes } from "#capabilities/graph-templates/routes.ts";
import { type Readiness, healthRoutes } from "#capabilities/health.ts";
import { joltRoutes } from "#capabilities/jolt.ts";
import { noticeRoutes } from "#capabilities/notices/routes.ts";
import { type ProfileParts, profileRoutes, securityEventRoutes } from "#capabilities/profile.ts";
import { passkeySignInRoutes, secondFactorRoutes, signInMethodRoutes } from "#capabilities/sign-in-methods.ts";
import { savedSearchRoutes } from "#capabilities/saved-searches/routes.ts";
import { columnValueRoutes } from "#capabilities/search/column-values.ts";
import { graphRoutes } from "#capabilities/search/graphs.ts";
import { mapResultRoutes } from "#capabilities/search/map-results.ts";
import { searchRoutes } from "#capabilities/search/routes.ts";
import { ownSessionRoutes } from "#capabilities/sessions.ts";
import { type PublicSettings, settingsRoutes } from "#capabilities/settings.ts";
import { setupRoutes } from "#capabilities/setup.ts";
import { installAllowedHosts, originForm } from "#http/allowed-hosts.ts";
import { answerFailure, installErrorHandler, toRefusal } from "#http/error-handler.ts";
import { type AccountRate, type ApiKeyReader, Gatekeeper } from "#http/gatekeeper.ts";
import { readJsonBodies } from "#http/json-body.ts";
import { KnownPaths } from "#http/known-paths.ts";
import type { Metrics } from "#http/metrics.ts";
import { openApiDocument } from "#http/openapi.ts";
import { answerParseFailure } from "#http/parse-failure.ts";
import { installReference } from "#http/reference.ts";
import { refuseUnsupportedFraming } from "#http/request-framing.ts";
import { installRequestLog, silentLogController } from "#http/request-log.ts";
import { type AllowedOrigins, installSecurityHeaders, setSecurityHeaders } from "#http/security-headers.ts";
import { serve } from "#http/serve.ts";
import { installWebApp } from "#http/web-app.ts";

/** The opened parts that the capabilities work with. `portal.ts` opens them; tests may open fewer of them for real. */
export interface Parts {
  readonly log: FastifyBaseLogger;
  readonly version: string;
  /** CIDRs whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[];
  /** How often one account may call. */
  readonly accountRate: AccountRate;
  /** Hosts that requests may name; undefined: any. */
  readonly allowedHosts: readonly string[] | undefined;
  /** The built web app; null serves the API alone. */
  readonly webRoot: string | null;
  readonly origins: AllowedOrigins;
  readonly settings: PublicSettings;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly identity: Parameters<typeof authRoutes>[0] &
    ProfileParts["identity"] &
    Parameters<typeof setupRoutes>[0] &
    Parameters<typeof cacRoutes>[0]["identity"] &
    Parameters<typeof secondFactorRoutes>[0] &
    Parameters<typeof passkeySignInRoutes>[0] &
    Parameters<typeof signInMethodRoutes>[0] &
    Parameters<typeof ownSessionRoutes>[0]["identity"] & { tokens: ConstructorParameters<typeof Gatekeeper>[0] };
  readonly noteOwnChange: ProfileParts["noteOwnChange"];
  readonly cac: Omit<Parameters<typeof cacRoutes>[0], "identity">;
  readonly datasets: Parameters<typeof datasetRoutes>[0];
  readonly search: Parameters<typeof searchRoutes>[0];
  readonly columnValues: Parameters<typeof columnValueRoutes>[0];
  readonly mapResults: Parameters<typeof mapResultRoutes>[0];
  readonly graphs: Parameters<typeof graphRoutes>[0];
  readonly exports: Parameters<typeof exportRoutes>[0];
  readonly favorites: Parameters<typeof favoriteRoutes>[0];
  readonly datasetGroups: Parameters<typeof datasetGroupRoutes>[0];
  readonly notices: Parameters<typeof noticeRoutes>[0];
  readonly feedback: Parameters<typeof feedbackRoutes>[0];
  readonly savedSearches: Parameters<typeof savedSearchRoutes>[0];
  readonly audit: Parameters<typeof auditRoutes>[0] & Parameters<typeof ownSessionRoutes>[0]["audit"] & Parameters<typeof observeCalls>[1];
  readonly graphTemplates: Parameters<typeof graphTemplateRoutes>[0];
  /** By the type's path segment. */
  readonly administration: Record<AdministeredType, Administration>;
  readonly ecosystems: Parameters<typeof ecosystemRoutes>[0];
  readonly torchServices: Parameters<typeof torchServiceRoutes>[0];
  readonly metadata: Parameters<typeof metadataRoutes>[0];
  readonly datasetAdministration: Parameters<typeof datasetAdministrationRoutes>[0];
  readonly jolt: Parameters<typeof joltRoutes>[0];
  readonly userAdministration: Parameters<typeof userAdministrationRoutes>[0];
  readonly apiKeys: Parameters<typeof apiKeyRoutes>[0] & { callers: ApiKeyReader };
}

/** Everything that is served, in the open. */
const capabilities = {
  auth,
  secondFactorSignIn,
  passkeySignIn,
  cac,
  profile,
  signInMethods,
  ownSecurityEvents,
  ownSessions,
  setup,
  settings,
  datasets,
  search,
  columnValues,
  mapResults,
  graphs,
  exports,
  favoriteDatasets,
  datasetGroups,
  savedSearches,
  graphTemplates,
  apiKeys,
  apiKeyAdministration,
  auditing,
  notices,
  feedback,
  feedbackAdministration,
  health,
  ecosystems,
  torchServiceChecks,
  platformMetadata,
  datasetAdministration,
  joltTrial,
  userAdministration,
  ...Object.fromEntries(Object.entries(administration).map(([type, routes]) => [nameOf(type), routes])),
};

/** Of a capability of the administration: `adminDatasetsInternal`. */
function nameOf(type: string): string {
  return `admin-${type}`.replaceAll(/\W(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const paths = new KnownPaths();
  const app = Fastify({
    loggerInstance: parts.log,
    logController: silentLogController,
    genReqId: () => randomUUID(),
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    bodyLimit: 1_048_576,
    requestTimeout: 120_000,
    // Names of datasets may be long; what is longer than this is nobody's name.
    routerOptions: { maxParamLength: 1_000 },
    rewriteUrl: originForm,
    // Missing ones are refused by us, in the one shape of errors.
    http: { requireHostHeader: false },
    frameworkErrors(error, request, reply) {
      setSecurityHeaders(request, reply);
      void answerFailure(toRefusal(error, request), request, reply);
    },
    clientErrorHandler: (error, socket) => answerParseFailure(error, socket, paths),
  });
  app.decorateRequest("signedIn", undefined);
  // Only JSON is a body here; a form or plain text from another site is refused before anything reads it.
  app.removeContentTypeParser("text/plain");
  readJsonBodies(app);
  installSecurityHeaders(app);
  installAllowedHosts(app, parts.allowedHosts, ({ routeOptions: { config } }) => {
    return config.contract === health.live || config.contract === health.ready;
  });
  installErrorHandler(app, paths);
  installRequestLog(app);
  refuseUnsupportedFraming(app);
  parts.metrics.observe(app);
  observeCalls(app, parts.audit);
  // Fast and light: rows are compressed while they stream. Static files come precompressed from the build.
  await app.register(compress, {
    encodings: ["gzip"],
    threshold: 1_024,
    zlibOptions: { level: constants.Z_BEST_SPEED },
    globalDecompression: false,
  });

  const gatekeeper = new Gatekeeper(parts.identity.tokens, parts.apiKeys.callers, parts.accountRate);
  await app.register(
    async (api) => {
      serve(api, gatekeeper, auth, authRoutes(parts.identity));
      serve(api, gatekeeper, cac, cacRoutes({ identity: parts.identity, ...parts.cac }));
      serve(api, gatekeeper, profile, profileRoutes(parts));
      serve(api, gatekeeper, secondFactorSignIn, secondFactorRoutes(parts.identity));
      serve(api, gatekeeper, passkeySignIn, passkeySignInRoutes(parts.identity));
      serve(api, gatekeeper, signInMethods, signInMethodRoutes(parts.identity));
      serve(api, gatekeeper, ownSecurityEvents, securityEventRoutes(parts));
      serve(api, gatekeeper, ownSessions, ownSessionRoutes(parts));
      serve(api, gatekeeper, setup, setupRoutes(parts.identity));
      serve(api, gatekeeper, settings, settingsRoutes(parts.settings));
      serve(api, gatekeeper, datasets, datasetRoutes(parts.datasets));
      serve(api, gatekeeper, search, searchRoutes(parts.search));
      serve(api, gatekeeper, columnValues, columnValueRoutes(parts.columnValues));
      serve(api, gatekeeper, mapResults, mapResultRoutes(parts.mapResults));
      serve(api, gatekeeper, graphs, graphRoutes(parts.graphs));
      serve(api, gatekeeper, exports, exportRoutes(parts.exports));
      serve(api, gatekeeper, favoriteDatasets, favoriteRoutes(parts.favorites));
      serve(api, gatekeeper, datasetGroups, datasetGroupRoutes(parts.datasetGroups));
      serve(api, gatekeeper, savedSearches, savedSearchRoutes(parts.savedSearches));
      serve(api, gatekeeper, graphTemplates, graphTemplateRoutes(parts.graphTemplates));
      serve(api, gatekeeper, apiKeys, apiKeyRoutes(parts.apiKeys));
      serve(api, gatekeeper, apiKeyAdministration, apiKeyAdministrationRoutes(parts.apiKeys));
      serve(api, gatekeeper, auditing, auditRoutes(parts.audit));
      serve(api, gatekeeper, notices, noticeRoutes(parts.notices));
      serve(api, gatekeeper, feedback, feedbackRoutes(parts.feedback));
      serve(api, gatekeeper, feedbackAdministration, feedbackAdministrationRoutes(parts.feedback));
      serve(api, gatekeeper, ecosystems, ecosystemRoutes(parts.ecosystems));
      serve(api, gatekeeper, torchServiceChecks, torchServiceRoutes(parts.torchServices));
      serve(api, gatekeeper, platformMetadata, metadataRoutes(parts.metadata));
      serve(api, gatekeeper, datasetAdministration, datasetAdministrationRoutes(parts.datasetAdministration));
      serve(api, gatekeeper, joltTrial, joltRoutes(parts.jolt));
      serve(api, gatekeeper, userAdministration, userAdministrationRoutes(parts.userAdministration));
      for (const [type, routes] of Object.entries(administration)) {
        serve<EntityRoutes>(api, gatekeeper, routes, entityHandlers(parts.administration[type as AdministeredType]));
      }
      serve(api, gatekeeper, health, healthRoutes(parts.readiness, parts.metrics));
      installReference(api, openApiDocument(capabilities, { title: "Fairway", version: parts.version }));
    },
    { prefix: apiBase },
  );
  // The settings file is at the origin's root too: pages read it from there.
  const { portal } = settingsRoutes(parts.settings);
  serve(app, gatekeeper, { portal: settings.portal }, { portal });
  if (parts.webRoot !== null) await installWebApp(app, parts.webRoot, parts.origins);
  return app;
}
