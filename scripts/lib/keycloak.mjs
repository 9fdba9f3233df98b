// @ts-check
// A real Keycloak for tests (decision 0502), with the realm of deploy/keycloak.
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { answers, downloadByMaven, freePort, installFolder, startServer } from "./processes.mjs";
import { checkout } from "./checkout.mjs";
import { run } from "./run.mjs";

const version = "26.7.3";
const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;

/** Folder of Keycloak, also before it is installed. `FAIRWAY_KEYCLOAK_FOLDER` overrides it. */
export const keycloakFolder = process.env["FAIRWAY_KEYCLOAK_FOLDER"] ?? join(homedir(), ".cache", "fairway", `keycloak-${version}`);

export const isKeycloakInstalled = () => existsSync(join(keycloakFolder, "bin", "kc.sh"));

/**
 * Downloads Keycloak by Maven, 177 MB, unless it is installed.
 * @param {(line: string) => void} log
 */
export async function installKeycloak(log) {
  if (isKeycloakInstalled()) return;
  log(`Downloading Keycloak ${version} by Maven …`);
  await installFolder(keycloakFolder, async (folder) => {
    await downloadByMaven("Keycloak", artifact, folder);
    await run("Unpacking Keycloak", "unzip", ["-qo", join(folder, `keycloak-quarkus-dist-${version}.zip`), "-d", folder], { cwd: folder });
    return join(folder, `keycloak-${version}`);
  });
}

/**
 * Starts the installed Keycloak in a temporary folder with the realm `fairway`, without people. `admin` may administer it.
 * @param {{ port?: number }} [options]
 * @returns {Promise<{ url: string, adminPassword: string, stop: () => Promise<void> }>}
 */
export async function startKeycloak({ port } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-keycloak-"));
  for (const part of ["bin", "lib", "conf", "providers"]) await cp(join(keycloakFolder, part), join(folder, part), { recursive: true });
  await mkdir(join(folder, "data", "import"), { recursive: true });
  await copyFile(join(checkout, "deploy", "keycloak", "fairway-realm.json"), join(folder, "data", "import", "fairway-realm.json"));
  const [ownPort, managementPort] = [port ?? (await freePort()), await freePort()];
  const adminPassword = "only-for-tests-of-fairway";
  const address = ["--http-host=127.0.0.1", `--http-port=${ownPort}`, `--http-management-port=${managementPort}`];
  const url = `http://127.0.0.1:${ownPort}`;
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  const server = await startServer({
    title: "Keycloak",
    // The script starts Java.
    ownGroup: true,
    command: [join(folder, "bin", "kc.sh"), "start-dev", ...address, "--import-realm"],
    cwd: folder,
    env: { KC_BOOTSTRAP_ADMIN_USERNAME: "admin", KC_BOOTSTRAP_ADMIN_PASSWORD: adminPassword, JAVA_OPTS_KC_HEAP: "-Xms64m -Xmx512m" },
    output: join(folder, "console.log"),
    isReady: () => answers(`${url}/realms/fairway/.well-known/openid-configuration`),
    // The first start builds, which takes minutes on a busy machine.
    minutes: 15,
  }).catch(async (error) => {
    await remove();
    throw error;
  });
  const stop = async () => {
    await server.stop();
    await remove();
  };
  return { url, adminPassword, stop };
}
