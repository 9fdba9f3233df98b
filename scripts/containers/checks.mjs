// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startEmbeddedPostgres } from "@fairway/gateway/database/embedded-postgres";
import { checkout } from "../lib/checkout.mjs";
import { Failure } from "../lib/failure.mjs";
import { startContainer } from "./container.mjs";
import { outputOf } from "../lib/programs.mjs";

/**
 * @typedef {import("./image.mjs").MountedImage} MountedImage
 * @typedef {Awaited<ReturnType<typeof startContainer>>} Container
 */

const administrator = { username: "admin", password: "tide-table-7" };
const ports = { one: 8733, two: 8734, balancer: 8735 };
/** @type {unknown} */
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

/** @param {(line: string) => void} log */
export async function checkCompose(log) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-compose-"));
  try {
    await cp(join(checkout, "deploy/compose"), folder, { recursive: true });
    // The file must exist.
    await mkdir(join(folder, "secrets"), { recursive: true });
    await writeFile(join(folder, "secrets/storage.env"), "");
    await outputOf("docker-compose", ["-f", join(folder, "compose.yaml"), "config", "--quiet"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  log("compose.yaml has the form that docker-compose expects.");
}

const kubernetesVersions = ["1.25", "1.33", "1.37"];

/** Options of the chart that together produce every object it can produce. */
const chartOptions = [
  ["existingSecret=fairway"],
  [
    "existingSecret=fairway,ingress.enabled=true,ingress.host=data.example.org,ingress.tlsSecret=certificate,ingress.className=nginx",
    "autoscaling.enabled=true,networkPolicy.enabled=true,home.storageClassName=nfs,settings.PUBLIC_URL=https://data.example.org",
    "settings.OIDC_ISSUER=https://login.example.org,settings.OIDC_CLIENT_ID=fairway,secretKeys.OIDC_CLIENT_SECRET=oidc-client-secret",
    "settings.FAIRWAY_S3_DATASET_BUCKETS=lake,cache.size=100Gi",
  ],
];

/** @param {(line: string) => void} log */
export async function checkChart(log) {
  const chart = join(checkout, "deploy/helm/fairway");
  await outputOf("helm", ["lint", "--strict", chart, "--set", chartOptions[0]?.join(",") ?? ""]);
  const folder = await mkdtemp(join(tmpdir(), "fairway-chart-"));
  try {
    for (const version of kubernetesVersions) {
      for (const options of chartOptions) {
        const file = join(folder, "objects.yaml");
        await writeFile(
          file,
          await outputOf("helm", ["template", "fairway", chart, "--kube-version", version, "--set", options.join(",")]),
        );
        await outputOf("kubernetes-validate", ["--strict", "--kubernetes-version", version, file]);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  log(`The chart passes helm lint, and its objects have the form that Kubernetes ${kubernetesVersions.join(", ")} expect.`);
}

/**
 * Runs one container and signs in, with the secrets in files.
 * @param {MountedImage} image
 * @param {(line: string) => void} log
 */
export async function checkSignIn(image, log) {
  const healthCheck = image.config.Healthcheck?.Test.slice(1);
  if (healthCheck === undefined) throw new Failure("The image has no health check.");
  await withDatabase(async (folder, env) => {
    const volume = join(folder, "home");
    const container = await startGateway(image, volume, { ...env, PORT: String(ports.one) });
    try {
      await signIn(ports.one);
      const health = await startContainer(image, {
        volume,
        env: { PORT: String(ports.one) },
        command: healthCheck,
      });
      expect("The exit code of the health check", await health.ended, 0);
      const page = await fetch(`http://127.0.0.1:${ports.one}/`);
      expect("The status of the page", page.status, 200);
      const program = `try { require("fs").writeFileSync("/opt/fairway/x", "") } catch (error) { console.log(process.getuid(), error.code) }`;
      const intruder = await startContainer(image, { volume, command: ["node", "-e", program] });
      await intruder.ended;
      expect("What writing into the image answers", intruder.output().trim(), "10001 EROFS");
    } finally {
      expect("The exit code", await container.stop(), 0);
    }
    const unhealthy = await startContainer(image, {
      volume,
      env: { PORT: String(ports.one) },
      command: healthCheck,
    });
    expect("The exit code of the health check of a stopped portal", await unhealthy.ended, 1);
  });
  log("The image runs with a read-only root as user 10001, is healthy, serves the page and a sign-in, and stops on SIGTERM.");
}

/**
 * Restarts two containers in turn behind HAProxy while clients call them, and counts the calls that failed.
 * @param {MountedImage} image
 * @param {(line: string) => void} log
 */
export async function checkRollingRestart(image, log) {
  await withDatabase(async (folder, env) => {
    const volume = join(folder, "home");
    const start = (/** @type {number} */ port) => startGateway(image, volume, { ...env, PORT: String(port) });
    /** @type {Map<number, Container>} */
    const gateways = new Map();
    for (const port of [ports.one, ports.two]) gateways.set(port, await start(port));
    // Fewer connections than its configuration allows, since each needs two open files and this machine may permit few.
    const balancer = spawn("haproxy", ["-f", join(checkout, "deploy/compose/haproxy.cfg"), "-n", "2000", "-db"], {
      env: {
        PATH: process.env["PATH"],
        BALANCER_ADDRESS: `127.0.0.1:${ports.balancer}`,
        GATEWAY_ONE: `127.0.0.1:${ports.one}`,
        GATEWAY_TWO: `127.0.0.1:${ports.two}`,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let problems = "";
    balancer.stderr.on("data", (text) => (problems += String(text)));
    const ended = once(balancer, "close");
    try {
      await Promise.race([wait(3_000), ended]);
      if (balancer.exitCode !== null) throw new Failure(`The balancer ended at once:\n${problems}`);
      const load = startLoad(await signIn(ports.balancer));
      for (const [port, gateway] of gateways) {
        await wait(2_000);
        expect("The exit code of a gateway that was asked to stop", await gateway.stop(), 0);
        gateways.set(port, await start(port));
        // Until the balancer has seen it.
        await wait(5_000);
        if (port === ports.two) break;
      }
      const { answered, failures } = await load.stop();
      expect("Calls lost by a rolling restart", failures, []);
      log(`A rolling restart behind HAProxy lost none of ${answered} calls.`);
    } finally {
      for (const gateway of gateways.values()) await gateway.stop();
      balancer.kill("SIGTERM");
      await ended;
    }
  });
}

/** @param {(folder: string, env: Record<string, string>) => Promise<void>} use */
async function withDatabase(use) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-containers-"));
  const postgres = await startEmbeddedPostgres({
    folder: join(folder, "postgres"),
    log: /** @type {Parameters<typeof startEmbeddedPostgres>[0]["log"]} */ (silent),
  });
  try {
    await use(folder, {
      HOST: "127.0.0.1",
      DATABASE_URL: postgres.url,
      FAIRWAY_ADMIN_USERNAME: administrator.username,
      FAIRWAY_ADMIN_PASSWORD: administrator.password,
      LIMIT_USER_CALLS_PER_MINUTE: "1000000",
      DRAIN_SECONDS: process.env["DRAIN_SECONDS"] ?? "10",
    });
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {MountedImage} image
 * @param {string} volume
 * @param {Record<string, string>} env
 */
async function startGateway(image, volume, env) {
  const container = await startContainer(image, { volume, env });
  await container.says("Fairway is ready");
  return container;
}

/** @param {number} port */
async function signIn(port) {
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(administrator),
  });
  expect("The status of the sign-in", response.status, 200);
  const { token } = /** @type {{ token: { access_token: string } }} */ (await response.json());
  return token.access_token;
}

/**
 * Eight clients with a kept connection each, which call one path after another.
 * @param {string} token
 */
function startLoad(token) {
  const paths = ["/", "/api/auditing/events", "/api/health/live"];
  const stopping = new AbortController();
  let answered = 0;
  /** @type {string[]} */
  const failures = [];
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      const path = paths[count % paths.length] ?? "/";
      const outcome = await call(agent, path, token);
      if (outcome === "200") answered += 1;
      else failures.push(`${path}: ${outcome}`);
      await wait(20);
    }
    agent.destroy();
  };
  const clients = Array.from({ length: 8 }, client);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(clients);
      return { answered, failures };
    },
  };
}

/**
 * @param {Agent} agent
 * @param {string} path
 * @param {string} token
 * @returns {Promise<string>} the status or the error
 */
function call(agent, path, token) {
  return new Promise((resolve) => {
    const options = { agent, port: ports.balancer, path, headers: { authorization: `Bearer ${token}` } };
    const sent = request(options, (response) => {
      response.resume();
      response.once("end", () => resolve(String(response.statusCode)));
      response.once("error", (error) => resolve(error.message));
    });
    sent.once("error", (error) => resolve(error.message));
    sent.end();
  });
}

/**
 * @param {string} what
 * @param {unknown} actual
 * @param {unknown} expected
 */
function expect(what, actual, expected) {
  const [is, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== wanted) throw new Failure(`${what}: ${is.slice(0, 2_000)} instead of ${wanted}.`);
}
