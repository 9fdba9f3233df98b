// @ts-check
import { isKeycloakInstalled } from "./keycloak.mjs";
import { isNifiInstalled } from "./nifi.mjs";
import { hasProgram } from "./programs.mjs";
import { missingForSqlServer } from "./sql-servers.mjs";

const node = (/** @type {string[]} */ ...args) => [process.execPath, ...args];

/** The pieces of `npm run nightly`, in the order in which they run. @type {readonly import("./night.mjs").Piece[]} */
export const nightPieces = [
  { name: "tests", command: node("scripts/test.mjs", "--night", "--no-browser") },
  { name: "screens", command: node("scripts/test.mjs", "--night", "--only=screens") },
  { name: "journeys", command: node("scripts/test.mjs", "--night", "--only=journeys") },
  { name: "mutation", command: node("scripts/mutation/run.mjs") },
  { name: "hostile", command: node("scripts/hostile/run.mjs") },
  { name: "nifi", command: node("scripts/test-nifi.mjs"), missing: () => missingFor(isNifiInstalled()) },
  { name: "keycloak", command: node("scripts/test-keycloak.mjs"), missing: () => missingFor(isKeycloakInstalled()) },
  { name: "trino", command: node("scripts/test-engines.mjs", "--only=trino"), missing: () => missingForSqlServer("trino") },
  { name: "presto", command: node("scripts/test-engines.mjs", "--only=presto"), missing: () => missingForSqlServer("presto") },
  { name: "containers", command: node("scripts/test-containers.mjs") },
  { name: "upgrade", command: node("scripts/upgrade/run.mjs") },
  { name: "platform", command: node("scripts/test-platform.mjs") },
  { name: "platform-faults", command: node("scripts/test-platform.mjs", "--faults") },
  { name: "documents", command: node("scripts/test-documents.mjs") },
  { name: "bench", command: node("bench/run.mjs", "--short") },
];

/**
 * The missing requirement for a server that runs on Java and that Maven downloads.
 * @param {boolean} isInstalled
 */
async function missingFor(isInstalled) {
  const absent = [];
  for (const program of isInstalled ? ["java"] : ["java", "mvn", "unzip"]) if (!(await hasProgram(program))) absent.push(program);
  return absent.length === 0 ? undefined : `${absent.join(", ")} missing`;
}
