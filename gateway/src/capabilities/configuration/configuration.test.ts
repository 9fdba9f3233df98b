import { type AddressInfo, type Socket, createServer } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { once } from "node:events";
import type { UiConfig } from "@fairway/contract/settings";
import Fastify from "fastify";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { serveCapability } from "#http/capability.ts";
import { type Notifications, openNotifications } from "#database/notifications.ts";
import { storedTypes } from "#entities/entity-types.ts";
import { type EntityChanges, openEntityChanges } from "#entities/entity-changes.ts";
import { type LiveConfiguration, liveConfiguration } from "#entities/live-configuration.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { Gatekeeper } from "#http/gatekeeper.ts";
import { Metrics } from "#http/metrics.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { configuredUi } from "#capabilities/settings/capability.ts";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";
import { secretKey } from "#testing/secret-key.ts";
import { GraphiteSender } from "./graphite.ts";
import { reachabilityOf } from "./reachability.ts";
import { canUse, openConfiguration } from "./capability.ts";
import { someUser } from "#testing/some-user.ts";

const log = pino({ level: "silent" });
const loopback = new AddressPolicy(["127.0.0.1"]);
const operatorUi: UiConfig = {
  appTitle: "Operator's",
  appSubtitle: "",
  feedbackEnabled: true,
  availableTorchServices: [],
  downloadableTools: [],
  cac: null,
  oidc: null,
};

let database: TestDatabase;
let notifications: Notifications;
let store: EntityStore;
let changes: EntityChanges;
let live: LiveConfiguration;
beforeAll(async () => {
  database = await testDatabase();
  notifications = await openNotifications(database.url, log);
  store = entityStore(database.db, log, secretKey);
  changes = await openEntityChanges(notifications);
  live = liveConfiguration(store, changes);
});
beforeEach(async () => {
  await database.db.deleteFrom("entities").execute();
  for (const { name } of [storedTypes.config, storedTypes.ecosystems, storedTypes["torch-service"]]) changes.report(name);
});
afterAll(async () => {
  await notifications.close();
  await database.drop();
});

/** Starts a server that collects the lines it receives. */
async function graphiteServer(): Promise<{ port: number; lines: string[] }> {
  const lines: string[] = [];
  const server = createServer((socket: Socket) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.on("end", () => lines.push(...text.trim().split("\n")));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, lines };
}

it("[SESSION-28][SESSION-29] applies changes of the enabled configuration and torch services to the UI configuration immediately", async () => {
  expect(await configuredUi(operatorUi, live)).toEqual(operatorUi);
  await store.create(storedTypes.config, { name: "main", appTitle: "Harbour", appSubtitle: "North" });
  await store.create(storedTypes["torch-service"], { name: "halo", baseUrl: "https://torch.example.org" });
  await store.create(storedTypes["torch-service"], { name: "off", baseUrl: "https://torch.example.org" }, { enabled: false });
  const publicConfig = () => configuredUi(operatorUi, live);
  await expect.poll(publicConfig).toEqual({ ...operatorUi, appTitle: "Harbour", appSubtitle: "North", availableTorchServices: ["halo"] });
  await store.setEnabled(storedTypes.config, "main", false);
  await expect.poll(async () => (await publicConfig()).appTitle).toBe("Operator's");
});

it("keeps the operator's title if the configuration leaves it empty", async () => {
  await store.create(storedTypes.config, { name: "main", appSubtitle: "North" });
  changes.report(storedTypes.config.name);
  await expect.poll(() => configuredUi(operatorUi, live)).toMatchObject({ appTitle: "Operator's", appSubtitle: "North" });
});

it("opens an ecosystem to an API key only if the key names it", () => {
  const ada = someUser({ roles: ["sailor"] });
  const key = someUser({
    roles: ["sailor"],
    reach: { apiKeyId: "k", apiKeyName: "key", datasets: [], filesets: [], ecosystems: ["reef"] },
  });
  const sea = { name: "sea", roles: [{ roleName: "sailor" }] };
  expect([canUse(sea, ada), canUse(sea, key), canUse({ ...sea, name: "reef" }, key)]).toEqual([true, false, true]);
  expect(canUse({ name: "reef", roles: [{ roleName: "pilot" }] }, key)).toBe(false);
});

it("[KEYS-17][ACCESS-08] lists enabled ecosystems to holders of their roles, and those without roles to everyone", async () => {
  await store.create(storedTypes.ecosystems, { name: "open", roles: [] });
  await store.create(storedTypes.ecosystems, { name: "sea", roles: [{ roleName: "sailor" }, { roleName: "pilot" }] });
  await store.create(storedTypes.ecosystems, { name: "gone", roles: [] }, { enabled: false });
  changes.report(storedTypes.ecosystems.name);
  const app = Fastify();
  app.decorateRequest("signedIn", undefined);
  onTestFinished(() => app.close());
  // The token is the name of the user's role.
  const readAccessToken = (role: string) => Promise.resolve(someUser({ roles: [role] }));
  const gatekeeper = new Gatekeeper({ readAccessToken, readStepToken: () => Promise.resolve(undefined) });
  const engine = { version: () => Promise.resolve("none"), metrics: { running: 0, waiting: 0 } };
  const metadata = {
    db: database.db,
    version: "0",
    release: undefined,
    embeddedDatabase: false,
    engine,
    engineSlots: 1,
    catalog: { forgivesTypingErrors: false },
  };
  const configuration = openConfiguration({ liveConfiguration: live, addresses: loopback, metrics: new Metrics(), metadata, log });
  onTestFinished(() => configuration.close?.());
  serveCapability(app, gatekeeper, configuration);
  const namesFor = async (role: string) => {
    const response = await app.inject({ url: "/ecosystems", headers: { authorization: `Bearer ${role}` } });
    return response.json<{ name: string }[]>().map(({ name }) => name);
  };
  expect(await namesFor("pilot")).toEqual(["open", "sea"]);
  expect(await namesFor("admin")).toEqual(["open"]);
});

it("sends metrics to Graphite in its plaintext protocol while the configuration enables it", async () => {
  const graphite = await graphiteServer();
  const metrics = new Metrics();
  metrics.counter("fairway_test_total", "Counted by this test.").increment(3);
  const sender = new GraphiteSender({ configuration: live, metrics, addresses: loopback, log, intervalMs: 20 });
  onTestFinished(() => sender.close());
  await store.create(storedTypes.config, { name: "main", graphiteEnabled: true, graphiteUrl: `127.0.0.1:${graphite.port}` });
  await expect
    .poll(() => graphite.lines.find((line) => line.includes("fairway_test_total")))
    .toMatch(/^fairway\.[\w-]+\.fairway_test_total 3 \d{10}$/);
  expect(graphite.lines.every((line) => /^[\w.-]+ [\d.e+-]+ \d{10}$/.test(line))).toBe(true);

  await store.setEnabled(storedTypes.config, "main", false);
  await expect
    .poll(async () => {
      const before = graphite.lines.length;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return graphite.lines.length - before;
    })
    .toBe(0);
});

it("does not call Graphite on the portal's own machine", async () => {
  const graphite = await graphiteServer();
  const warnings: object[] = [];
  const sender = new GraphiteSender({
    configuration: live,
    metrics: new Metrics(),
    addresses: new AddressPolicy([]),
    log: { info: () => undefined, warn: (details: object) => void warnings.push(details) },
    intervalMs: 20,
  });
  onTestFinished(() => sender.close());
  await store.create(storedTypes.config, { name: "main", graphiteEnabled: true, graphiteUrl: `127.0.0.1:${graphite.port}` });
  await expect.poll(() => warnings.length).toBe(1);
  expect(graphite.lines).toEqual([]);
});

it("reports torch services as reachable with any response, and otherwise the reason", async () => {
  const server = createHttpServer((_, response) => response.writeHead(503).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, "close");
  const services = [
    { name: "up", baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    { name: "down", baseUrl: `http://127.0.0.1:${port}` },
    { name: "metadata", baseUrl: "http://169.254.169.254" },
    { name: "unknown", baseUrl: "http://torch.invalid" },
  ];
  const found = await reachabilityOf(services, loopback, new AbortController().signal);
  expect(found).toMatchObject([
    { name: "up", reachable: true, status: 503, answeredMs: expect.any(Number), problem: null },
    { name: "down", reachable: false, problem: "It refuses connections." },
    { name: "metadata", reachable: false, problem: "The portal does not call this address." },
    { name: "unknown", reachable: false, problem: "Its name is not known." },
  ]);
});
