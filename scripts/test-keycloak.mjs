// @ts-check
// Tests signing in with a real Keycloak, which is downloaded by Maven if it is not installed. Needs Java 17 and unzip.
//   --serve    only starts Keycloak with the realm of deploy/keycloak, on port 8461 or --port=N, until it is interrupted
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkout } from "./lib/checkout.mjs";
import { Failure } from "./lib/failure.mjs";
import { installKeycloak, keycloakFolder, startKeycloak } from "./lib/keycloak.mjs";

const { values: options } = parseArgs({
  options: { serve: { type: "boolean", default: false }, port: { type: "string", default: "8461" } },
});

try {
  await installKeycloak(console.log);
  console.log(`Starting the Keycloak in ${keycloakFolder} …`);
  const keycloak = await startKeycloak(options.serve ? { port: Number(options.port) } : {});
  try {
    console.log(`Keycloak is ready at ${keycloak.url}, administered by admin with the password ${keycloak.adminPassword}`);
    if (options.serve) await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    else process.exitCode = await runTests(keycloak);
  } finally {
    await keycloak.stop();
  }
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** @param {{ url: string, adminPassword: string }} keycloak */
async function runTests({ url, adminPassword }) {
  const env = { ...process.env, KEYCLOAK_URL: url, KEYCLOAK_ADMIN_PASSWORD: adminPassword };
  const vitest = join(checkout, "node_modules", ".bin", "vitest");
  const tests = ["gateway/src/capabilities/oidc/keycloak.test.ts"];
  const [code] = await once(spawn(vitest, ["run", ...tests], { cwd: checkout, env, stdio: "inherit" }), "close");
  return code ?? 1;
}
