// @ts-check
// A real Apache NiFi for tests (decision 0442): put together from Maven's packages, HTTP only, without sign-in.
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { answers, freePort, installFolder, startServer } from "./processes.mjs";
import { endWithParent } from "./portal-process.mjs";
import { run } from "./run.mjs";

const version = "1.18.0";
const nifi = "org.apache.nifi";

/** @type {readonly (readonly [group: string, version: string, type: string, artifacts: string])[]} */
const libraries = [
  [nifi, version, "nar", "nifi-framework-nar nifi-server-nar nifi-jetty-bundle nifi-provenance-repository-nar"],
  [nifi, version, "nar", "nifi-standard-services-api-nar nifi-standard-nar"],
  [nifi, version, "jar", "nifi-runtime nifi-api nifi-framework-api nifi-server-api nifi-nar-utils nifi-properties"],
  [nifi, version, "jar", "nifi-property-utils nifi-stateless-api"],
  ["ch.qos.logback", "1.2.11", "jar", "logback-classic logback-core"],
  ["org.slf4j", "1.7.36", "jar", "slf4j-api jcl-over-slf4j jul-to-slf4j log4j-over-slf4j"],
  ["javax.servlet", "3.1.0", "jar", "javax.servlet-api"],
  ["org.eclipse.jetty.toolchain", "3.1", "jar", "jetty-schemas"],
  ["javax.xml.bind", "2.3.1", "jar", "jaxb-api"],
  ["com.sun.xml.bind", "2.3.1", "jar", "jaxb-impl"],
  ["com.sun.xml.bind", "2.3.0.1", "jar", "jaxb-core"],
  ["javax.annotation", "1.3.2", "jar", "javax.annotation-api"],
  ["com.sun.activation", "1.2.0", "jar", "javax.activation"],
];
const bootstrap = "nifi-properties-loader nifi-property-protection-api nifi-property-protection-loader nifi-property-utils";
/** The resources of 1.18.0 are not published; these work. */
const resources = { version: "1.28.1", file: "nifi-resources-1.28.1-resources.zip" };

/** Folder of NiFi, also before it is installed. `FAIRWAY_NIFI_FOLDER` overrides it. */
export const nifiFolder = process.env["FAIRWAY_NIFI_FOLDER"] ?? join(homedir(), ".cache", "fairway", `nifi-${version}`);

/** Whether NiFi is installed and Java may be there to run it. */
export const isNifiInstalled = () => existsSync(join(nifiFolder, "lib", "bootstrap"));

/**
 * Downloads NiFi by Maven, about 200 MB, unless it is installed.
 * @param {(line: string) => void} log
 */
export async function installNifi(log) {
  if (isNifiInstalled()) return;
  log(`Downloading NiFi ${version} by Maven …`);
  await installFolder(nifiFolder, async (folder) => {
    await writeFile(join(folder, "pom.xml"), pom(folder));
    await run("Downloading NiFi by Maven", "mvn", ["-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"], {
      cwd: folder,
    });
    await run("Unpacking NiFi's settings", "unzip", ["-qo", join(folder, resources.file), "conf/*", "-d", folder]);
    return folder;
  });
}

/**
 * Starts the installed NiFi, by default with an empty flow in a temporary folder.
 * @param {{ port?: number, folder?: string }} [options] `folder`: keeps the flow for the next start
 * @returns {Promise<{ url: string, logs: string, stop: () => Promise<void> }>}
 */
export async function startNifi({ port, folder: keptFolder } = {}) {
  const folder = keptFolder ?? (await mkdtemp(join(tmpdir(), "fairway-nifi-")));
  const ownPort = port ?? (await freePort());
  const logs = join(folder, "logs");
  await mkdir(logs, { recursive: true });
  await mkdir(join(folder, "conf"), { recursive: true });
  await rm(join(folder, "lib"), { force: true });
  await symlink(join(nifiFolder, "lib"), join(folder, "lib"));
  for (const file of ["logback.xml", "state-management.xml", "authorizers.xml", "login-identity-providers.xml"]) {
    await copyFile(join(nifiFolder, "conf", file), join(folder, "conf", file));
  }
  const properties = await readFile(join(nifiFolder, "conf", "nifi.properties"), "utf8");
  await writeFile(join(folder, "conf", "nifi.properties"), withSettings(properties, ownPort));
  const args = ["-Xms256m", "-Xmx768m", "-Djava.awt.headless=true", `-Dorg.apache.nifi.bootstrap.config.log.dir=${logs}`];
  const java = ["java", ...args, "-Dnifi.properties.file.path=conf/nifi.properties", "-cp", "conf:lib/*", "org.apache.nifi.NiFi"];
  const url = `http://127.0.0.1:${ownPort}`;
  const remove = async () => {
    if (keptFolder === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  const server = await startServer({
    title: "NiFi",
    command: [...endWithParent(), ...java],
    cwd: folder,
    output: join(logs, "console.log"),
    log: join(logs, "nifi-app.log"),
    isReady: () => answers(`${url}/nifi-api/flow/about`),
    minutes: 5,
  }).catch(async (error) => {
    await remove();
    throw error;
  });
  const stop = async () => {
    await server.stop();
    await remove();
  };
  return { url, logs, stop };
}

/**
 * @param {string} properties
 * @param {number} port
 */
function withSettings(properties, port) {
  /** @type {Record<string, string>} */
  const settings = {
    "nifi.web.http.host": "127.0.0.1",
    "nifi.web.http.port": String(port),
    "nifi.web.https.host": "",
    "nifi.web.https.port": "",
    "nifi.remote.input.secure": "false",
    "nifi.security.keystore": "",
    "nifi.security.keystoreType": "",
    "nifi.security.keystorePasswd": "",
    "nifi.security.keyPasswd": "",
    "nifi.security.truststore": "",
    "nifi.security.truststoreType": "",
    "nifi.security.truststorePasswd": "",
    "nifi.security.user.authorizer": "",
    "nifi.security.user.login.identity.provider": "",
    "nifi.sensitive.props.key": "only-for-tests-of-fairway",
  };
  const lines = properties.split("\n").map((line) => {
    const name = line.slice(0, Math.max(0, line.indexOf("=")));
    return Object.hasOwn(settings, name) ? `${name}=${settings[name]}` : line;
  });
  return lines.join("\n");
}

/**
 * A project that only lists files to copy, so that one run of Maven gets all of them.
 * @param {string} folder
 */
function pom(folder) {
  /** @type {(group: string, artifact: string, version: string, type: string, target: string, classifier?: string) => string} */
  const item = (group, artifact, artifactVersion, type, target, classifier) =>
    `<artifactItem><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${artifactVersion}</version><type>${type}</type>` +
    `${classifier === undefined ? "" : `<classifier>${classifier}</classifier>`}<outputDirectory>${join(folder, target)}</outputDirectory></artifactItem>`;
  const items = [
    ...libraries.flatMap(([group, own, type, artifacts]) =>
      artifacts.split(" ").map((artifact) => item(group, artifact, own, type, "lib")),
    ),
    ...bootstrap.split(" ").map((artifact) => item(nifi, artifact, version, "jar", "lib/bootstrap")),
    item(nifi, "nifi-resources", resources.version, "zip", ".", "resources"),
  ];
  return (
    `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>fairway</groupId><artifactId>nifi</artifactId>` +
    `<version>1</version><packaging>pom</packaging><build><plugins><plugin><groupId>org.apache.maven.plugins</groupId>` +
    `<artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version><configuration><artifactItems>${items.join("")}</artifactItems>` +
    `</configuration></plugin></plugins></build></project>`
  );
}
