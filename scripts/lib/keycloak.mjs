// @ts-check
// A real Keycloak for tests (decision 0502), with the realm of deploy/keycloak.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { checkout } from "./checkout.mjs";
import { Failure } from "./failure.mjs";
import { run } from "./run.mjs";

const version = "26.7.3";
const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

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
  await mkdir(join(keycloakFolder, ".."), { recursive: true });
  const folder = await mkdtemp(`${keycloakFolder}-`);
  try {
    const copy = [`-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`, "-Dmdep.useBaseVersion=true"];
    await run("Downloading Keycloak by Maven", "mvn", ["-q", "-B", `${plugin}:copy`, ...copy], { cwd: folder });
    await run("Unpacking Keycloak", "unzip", ["-qo", join(folder, `keycloak-quarkus-dist-${version}.zip`), "-d", folder], { cwd: folder });
    await rm(keycloakFolder, { recursive: true, force: true });
    await rename(join(folder, `keycloak-${version}`), keycloakFolder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
  const log = join(folder, "console.log");
  // Its own process group, because the script starts Java.
  const child = spawn(join(folder, "bin", "kc.sh"), ["start-dev", ...address, "--import-realm"], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: "admin",
      KC_BOOTSTRAP_ADMIN_PASSWORD: adminPassword,
      JAVA_OPTS_KC_HEAP: "-Xms64m -Xmx512m",
    },
  });
  const output = createWriteStream(log);
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  /** @type {string | undefined} */
  let ended;
  child.once("error", (error) => (ended = error.message));
  child.once("exit", (code, signal) => (ended = `it ended with ${signal ?? code}`));
  /** @param {NodeJS.Signals} signal */
  const kill = (signal) => {
    if (child.pid !== undefined && ended === undefined) process.kill(-child.pid, signal);
  };
  const killNow = () => kill("SIGKILL");
  process.once("exit", killNow);
  const stop = async () => {
    process.off("exit", killNow);
    if (ended === undefined) {
      const exited = once(child, "exit");
      kill("SIGTERM");
      await Promise.race([exited, wait(20_000).then(killNow)]);
    }
    output.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  const url = `http://127.0.0.1:${ownPort}`;
  // The first start builds, which takes minutes on a busy machine.
  for (let attempt = 0; attempt < 1_800; attempt++) {
    if (ended !== undefined) break;
    if (await isReady(url)) return { url, adminPassword, stop };
    await wait(500);
  }
  const text = await readFile(log, "utf8").catch(() => "");
  await stop();
  throw new Failure(`Keycloak did not start: ${ended ?? "it did not answer within 15 minutes"}.\n${text.slice(-2_000)}`);
}

/** @param {string} url */
async function isReady(url) {
  try {
    const response = await fetch(`${url}/realms/fairway/.well-known/openid-configuration`, { signal: AbortSignal.timeout(5_000) });
    return response.ok;
  } catch {
    return false;
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return address === null || typeof address === "string" ? 0 : address.port;
}
