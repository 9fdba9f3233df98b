// @ts-check
// Tests signing in with a real Keycloak, which is downloaded by Maven if it is not installed. Needs Java 17 and unzip.
// Ends with `N passed, N failed`.
//   --serve    only starts Keycloak with the realm of deploy/keycloak, on port 8461 or --port=N, until it is interrupted
import { parseArgs } from "node:util";
import { log, runScenario, untilInterrupted } from "./harness/scenario.mjs";
import { installKeycloak, keycloakFolder, startKeycloak } from "./lib/keycloak.mjs";
import { runVitest } from "./lib/run-vitest.mjs";

const { values: options } = parseArgs({
  options: { serve: { type: "boolean", default: false }, port: { type: "string", default: "8461" } },
});

await runScenario(async (outcomes) => {
  await installKeycloak(log);
  log(`Starting the Keycloak in ${keycloakFolder} …`);
  const { url, adminPassword, stop } = await startKeycloak(options.serve ? { port: Number(options.port) } : {});
  try {
    log(`Keycloak is ready at ${url}, administered by admin with the password ${adminPassword}`);
    if (options.serve) return await untilInterrupted();
    const env = { KEYCLOAK_URL: url, KEYCLOAK_ADMIN_PASSWORD: adminPassword };
    return outcomes.add(await runVitest(["gateway/src/capabilities/oidc/keycloak.test.ts"], env));
  } finally {
    await stop();
  }
});
