import { apiKeyAdministration, apiKeys } from "@fairway/contract/api-keys";
import { type Capability, implement } from "#http/capability.ts";
import type { ApiKeyReader } from "#http/gatekeeper.ts";
import { type CallerParts, openApiKeyCallers } from "./callers.ts";
import { type ApiKeyParts, apiKeyAdministrationRoutes, apiKeyRoutes } from "./routes.ts";

interface Parts extends Omit<ApiKeyParts, "callers" | "identity" | "masterKey" | "limits"> {
  readonly masterKey: ApiKeyParts["masterKey"] & CallerParts["masterKey"];
  readonly identity: ApiKeyParts["identity"] & CallerParts["identity"];
  readonly limits: ApiKeyParts["limits"] & CallerParts["limits"];
  readonly securityLimits: CallerParts["securityLimits"];
  readonly notifications: CallerParts["notifications"];
  readonly callRates: CallerParts["callRates"];
  readonly log: CallerParts["log"];
}

export interface ApiKeys extends Capability {
  /** Authenticates calls by their API key. */
  readonly reader: ApiKeyReader;
}

/** API keys for programs. */
export async function openApiKeys(parts: Parts): Promise<ApiKeys> {
  const callers = await openApiKeyCallers(parts);
  return {
    reader: callers,
    routes: {
      apiKeys: implement(apiKeys, apiKeyRoutes({ ...parts, callers })),
      apiKeyAdministration: implement(apiKeyAdministration, apiKeyAdministrationRoutes({ ...parts, callers })),
    },
  };
}
