// @ts-check
// Tests signing in with a real Keycloak, which is downloaded by Maven if it is not installed. Needs Java 17 and unzip.
// Ends with `N passed, N failed`.
//   --serve    only starts Keycloak with the realm of deploy/keycloak, on port 8461 or --port=N, until it is interrupted
import { once } from "node:events";
import { parseArgs } from "node:util";
import { Failure } from "./lib/failure.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { installKeycloak, keycloakFolder, startKeycloak } from "./lib/keycloak.mjs";
import { runVitest } from "./lib/run-vitest.mjs";

const { values: options } = parseArgs({
  options: { serve: { type: "boolean", default: false }, port: { type: "string", default: "8461" } },
});

let total = { passed: 0, failed: 0 };
try {
  await ensureInstalled(console.log, { forTests: true });
  await installKeycloak(console.log);
  console.log(`Starting the Keycloak in ${keycloakFolder} …`);
  const keycloak = await startKeycloak(options.serve ? { port: Number(options.port) } : {});
  try {
    console.log(`Keycloak is ready at ${keycloak.url}, administered by admin with the password ${keycloak.adminPassword}`);
    if (options.serve) await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    else total = await runTests(keycloak);
  } finally {
    await keycloak.stop();
  }
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  total = { passed: 0, failed: 1 };
}
if (!options.serve) console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** @param {{ url: string, adminPassword: string }} keycloak */
function runTests({ url, adminPassword }) {
  const env = { KEYCLOAK_URL: url, KEYCLOAK_ADMIN_PASSWORD: adminPassword };
  return runVitest(["gateway/src/capabilities/oidc/keycloak.test.ts"], env);
}
