import type { PlatformRecipe } from "@fairway/contract/recipes";

/** Port of the demo's own NiFi, on a machine that has one. */
export const demoNifiPort = 8451;

/** Nothing answers in production, and in staging only where a NiFi is installed: deploying then fails as in an outage. */
export const flowEnvironments: PlatformRecipe["flowEnvironments"] = [
  {
    name: "staging",
    displayName: "Staging",
    baseUrl: `http://127.0.0.1:${demoNifiPort}/nifi-api`,
    readTimeoutMs: 60_000,
    connectTimeoutMs: 5_000,
    ca: "",
  },
  {
    name: "production",
    displayName: "Production",
    baseUrl: "http://127.0.0.1:8452/nifi-api",
    readTimeoutMs: 60_000,
    connectTimeoutMs: 5_000,
    ca: "",
  },
];
