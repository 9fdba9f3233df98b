import { type AddressInfo, type Socket, createServer } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { once } from "node:events";
import type { UiConfig } from "@fairway/contract/settings";
import Fastify from "fastify";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { serveCapability } from "#capability.ts";
import { type Notifications, openNotifications } from "#database/notifications.ts";
import { configurations, ecosystems, torchServices } from "#entities/entity-types.ts";
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
import { openConfiguration } from "./capability.ts";

const log = pino({ level: "silent" });
const loopback = new AddressPolicy(["127.0.0.1"]);
const operators: UiConfig = {
  appTitle: "Operator's",
  appSubtitle: "",
  feedbackEnabled: true,
  availableTorchServices: [],
  downloadableTools: [],
  cac: null,
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
  for (const { name } of [configurations, ecosystems, torchServices]) changes.report(name);
});
afterAll(async () => {
  await notifications.close();
  await database.drop();
});

/** Remembers every line that arrives. */
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

it("[SESSION-28][SESSION-29] the enabled configuration and torch services change what browsers are told, at once", async () => {
  expect(await configuredUi(operators, live)).toEqual(operators);
  await store.create(configurations, { name: "main", appTitle: "Harbour", appSubtitle: "North" });
  await store.create(torchServices, { name: "halo", baseUrl: "https://torch.example.org" });
  await store.create(torchServices, { name: "off", baseUrl: "https://torch.example.org" }, { enabled: false });
  const told = () => configuredUi(operators, live);
  await expect.poll(told).toEqual({ ...operators, appTitle: "Harbour", appSubtitle: "North", availableTorchServices: ["halo"] });
  await store.setEnabled(configurations, "main", false);
  await expect.poll(async () => (await told()).appTitle).toBe("Operator's");
});

it("[KEYS-17][ACCESS-08] ecosystems are told to holders of their roles, to everyone where they name none, and no disabled one", async () => {
  await store.create(ecosystems, { name: "open", roles: [] });
  await store.create(ecosystems, { name: "sea", roles: [{ roleName: "sailor" }, { roleName: "pilot" }] });
  await store.create(ecosystems, { name: "gone", roles: [] }, { enabled: false });
  changes.report(ecosystems.name);
  const app = Fastify();
  app.decorateRequest("signedIn", undefined);
  onTestFinished(() => app.close());
  // A token here is the name of the role it brings.
  const readAccessToken = (role: string) => Promise.resolve({ id: "u", username: "u", sessionId: "s", signedInAtMs: 0, roles: [role] });
  const gatekeeper = new Gatekeeper({ readAccessToken, readStepToken: () => Promise.resolve(undefined) });
  const engine = { version: () => Promise.resolve("none"), metrics: { running: 0, waiting: 0 } };
  const metadata = { db: database.db, version: "0", release: undefined, embeddedDatabase: false, engine, engineSlots: 1 };
  const configuration = openConfiguration({ liveConfiguration: live, addresses: loopback, metrics: new Metrics(), metadata, log });
  onTestFinished(() => configuration.close?.());
  serveCapability(app, gatekeeper, configuration);
  const namesFor = async (role: string) => {
    const answer = await app.inject({ url: "/ecosystems", headers: { authorization: `Bearer ${role}` } });
    return answer.json<{ name: string }[]>().map(({ name }) => name);
  };
  expect(await namesFor("pilot")).toEqual(["open", "sea"]);
  expect(await namesFor("admin")).toEqual(["open"]);
});

it("metrics reach Graphite as lines of its plaintext protocol while the configuration says so", async () => {
  const graphite = await graphiteServer();
  const metrics = new Metrics();
  metrics.counter("fairway_test_total", "Counted by this test.").increment(3);
  const sender = new GraphiteSender({ configuration: live, metrics, addresses: loopback, log, everyMs: 20 });
  onTestFinished(() => sender.close());
  await store.create(configurations, { name: "main", graphiteEnabled: true, graphiteUrl: `127.0.0.1:${graphite.port}` });
  await expect
    .poll(() => graphite.lines.find((line) => line.includes("fairway_test_total")))
    .toMatch(/^fairway\.[\w-]+\.fairway_test_total 3 \d{10}$/);
  expect(graphite.lines.every((line) => /^[\w.-]+ [\d.e+-]+ \d{10}$/.test(line))).toBe(true);

  await store.setEnabled(configurations, "main", false);
  await expect
    .poll(async () => {
      const before = graphite.lines.length;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return graphite.lines.length - before;
    })
    .toBe(0);
});

it("a Graphite on the portal's own machine is not called", async () => {
  const graphite = await graphiteServer();
  const warned: object[] = [];
  const sender = new GraphiteSender({
    configuration: live,
    metrics: new Metrics(),
    addresses: new AddressPolicy([]),
    log: { info: () => undefined, warn: (details: object) => void warned.push(details) },
    everyMs: 20,
  });
  onTestFinished(() => sender.close());
  await store.create(configurations, { name: "main", graphiteEnabled: true, graphiteUrl: `127.0.0.1:${graphite.port}` });
  await expect.poll(() => warned.length).toBe(1);
  expect(graphite.lines).toEqual([]);
});

it("torch services are reachable that answer anything, and the others say why not", async () => {
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
