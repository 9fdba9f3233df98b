// @ts-check
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { demoPassword } from "@fairway/contract/api";

/** @typedef {import("./portal.mjs").Portal} Portal */
/** @typedef {{ access_token: string, refresh_token: string }} Token */
/**
 * @typedef {object} CreatedData what was created through the older gateway
 * @property {Token} admin
 * @property {Token} person
 * @property {Token} other a second session of the same user
 * @property {string} key the value of an API key
 * @property {string} file the id of an attachment of feedback
 * @property {{ type: string, id: string }[]} entities
 * @property {{ name: string, token: "admin" | "person", method: string, path: string, body?: unknown, answer: any }[]} reads
 */

export const person = { username: "upgraded", password: "harbor-lights-7", changed: "harbor-lights-8" };
const demoAdministrator = { username: "admin", password: demoPassword };
export const fileText = "Tide tables are hard to read at night.\n";

const timeExtentMs = 120_000;
const demoService = "Sun and moon";
const rows = 500;
const portsCsv = [
  "port,depth,opened,latitude,longitude",
  ...Array.from(
    { length: rows },
    (_, index) =>
      `Port ${index},${(index * 37) % 101}.25,${new Date(Date.UTC(2020, 0, 1 + (index % 300))).toISOString()},${(index % 170) - 85},${(index % 350) - 175}`,
  ),
].join("\n");

const flights = { datasetCategory: "Aviation", datasetId: "flights" };
const airports = { datasetCategory: "Aviation", datasetId: "airports" };
const birdStrikes = { datasetCategory: "Aviation", datasetId: "bird-strikes" };
export const ports = { datasetCategory: "Harbors", datasetId: "upgrade-ports" };
const flightsPath = "/datasets/Aviation/flights";
export const portsPath = "/datasets/Harbors/upgrade-ports";
export const tidesPath = "/datasets/upgrade-tides/heights";

/** Calls to compare, and who makes them. Lists that change with every call, such as sessions, are checked separately. */
const reads = /** @type {const} */ ([
  ["person", "/profile"],
  ["person", "/datasets"],
  ["person", "/favorite/datasets"],
  ["person", "/favorite/queries"],
  ["person", "/favorite/queries/shared"],
  ["person", "/favorite/graphTemplates"],
  ["person", "/datasetGroupings"],
  ["person", "/apiKeys"],
  ["person", "/notices"],
  ["person", "/notices/new"],
  ["person", "/feedback/own"],
  ["person", `${flightsPath}/describe`],
  ["person", `${portsPath}/describe`],
  ["person", `${portsPath}/schema`],
  ["admin", "/admin/feedback"],
  ["admin", "/admin/apiKeys"],
  ["admin", "/static/settings.json"],
  ["admin", "/ui/config"],
  ["admin", "/ecosystems"],
]);

const week = { start: "2001-03-01T00:00:00Z", end: "2001-03-08T00:00:00Z" };
/** Queries with a deterministic answer. */
const queries = /** @type {const} */ ([
  [`${portsPath}/search`, { sort: [{ column: "port", direction: "asc" }], paging: { offset: 0, max: 100 } }],
  [`${portsPath}/search`, { filters: [{ name: "depth", operator: ">", value: "90" }], paging: { offset: 0, max: 500 } }],
  [`${flightsPath}/search`, { timeRange: week, paging: { offset: 0, max: 50 } }],
  [
    `${flightsPath}/aggregate`,
    { search: {}, groups: [{ id: "week", timeRange: week }], aggregations: [{ aggregation: "count", column: "*" }] },
  ],
]);

/**
 * Creates one of everything that users can create, and reads it.
 * @param {Portal} portal
 * @param {string} home
 * @param {{ baseRoute: string, headerName: string, key: string }} upstream
 * @returns {Promise<CreatedData>}
 */
export async function createData(portal, home, upstream) {
  const admin = await portal.signIn(demoAdministrator.username, demoAdministrator.password);
  const token = admin.access_token;
  const entities = await createEntities(portal, token, home, upstream);
  const signedIn = await portal.signIn(person.username, person.password);
  const own = await createOwnData(portal, signedIn.access_token);
  const other = await portal.signIn(person.username, person.password);
  const tokens = { admin: token, person: signedIn.access_token };
  /** @type {CreatedData["reads"]} */
  const answers = [];
  /** @type {(who: "admin" | "person", method: string, path: string, body?: unknown) => Promise<void>} */
  const read = async (who, method, path, body) => {
    const answer = await answerTo(portal, { method, path, body }, tokens[who]);
    answers.push({ name: `${method} ${path} by the ${who}`, token: who, method, path, body, answer });
  };
  for (const [who, path] of reads) await read(who, "GET", path);
  for (const type of new Set(entities.map((entity) => entity.type))) await read("admin", "GET", `/admin/${type}`);
  for (const { type, id } of entities) await read("admin", "GET", `/admin/${type}/${encodeURIComponent(id)}/revisions`);
  for (const [path, body] of queries) await read("person", "POST", path, body);
  return { admin, person: signedIn, other, ...own, entities, reads: answers };
}

/**
 * The same data with what another portal answers now.
 * @param {Portal} portal
 * @param {CreatedData} created
 * @returns {Promise<CreatedData>}
 */
export async function readAgain(portal, created) {
  const reads = [];
  for (const read of created.reads) reads.push({ ...read, answer: await answerTo(portal, read, created[read.token].access_token) });
  return { ...created, reads };
}

/**
 * The portal's answer. A time extent is null until it has been computed in the background.
 * @param {Portal} portal
 * @param {{ method: string, path: string, body?: unknown }} read
 * @param {string} token
 */
export async function answerTo(portal, { method, path, body }, token) {
  for (const until = performance.now() + timeExtentMs; ; await wait(100)) {
    const answer = await portal.expect(method, path, { token, ...(body === undefined ? {} : { body }) });
    // The demo updates the address of its own service at each start.
    if (path === "/admin/datasets/external") return answer.filter((/** @type {{ name: string }} */ { name }) => name !== demoService);
    if (answer.timeExtent !== null || performance.now() > until) return answer;
  }
}

/**
 * @param {Portal} portal
 * @param {string} token
 * @param {string} home
 * @param {{ baseRoute: string, headerName: string, key: string }} upstream
 */
async function createEntities(portal, token, home, upstream) {
  /** @type {{ type: string, id: string }[]} */
  const created = [];
  /** @type {(type: string, body: Record<string, unknown>) => Promise<any>} */
  const create = async (type, body) => {
    const entity = await portal.expect("POST", `/admin/${type}`, { token, body });
    created.push({ type, id: entity.id ?? entity.name });
    return entity;
  };
  // Visible to one role only, because journeys count datasets and would be interrupted by new notices.
  const role = "upgrade-pilots";
  const roles = [{ roleName: role }];
  await create("roles", { name: role });
  await create("groups", { name: "Upgrade harbor", realmRoles: [role] });
  await create("users", {
    username: person.username,
    email: "upgraded@fairway.example",
    firstName: "Ada",
    lastName: "Before",
    groups: [{ name: "Upgrade harbor" }],
    password: { setPassword: true, value: person.password, requirePasswordChange: false },
  });
  for (const severity of ["info", "critical"]) {
    await create("notices", { title: `Harbor is closed (${severity})`, message: "Until **noon**.", faIcon: "anchor", severity, roles });
  }
  await create("torch-service", { name: "upgrade-torch", baseUrl: "https://torch.example.org" });
  await create("ecosystems", { name: "upgrade-ecosystem", roles });
  await create("filesets", { id: "upgrade-files", s3Bucket: "harbor", s3Prefix: "tides/" });
  await create("config", { name: "upgrade-configuration", enabled: false, appTitle: "Harbor", appSubtitle: "Tides" });
  await create("docs", { id: "upgrade-doc", name: "How to berth", category: "Harbors", description: "Slowly." });
  await create("flowGroups", { name: "upgrade-flow-group", displayName: "Berths", description: "" });
  await create("flowEnvironments", { name: "upgrade-environment", displayName: "Quay", baseUrl: "https://quay.example.org" });
  await create("joltSpecifications", { name: "upgrade-jolt", joltSpec: [{ operation: "shift", spec: { a: "b" } }] });
  await create("datasets/external", {
    name: "upgrade-tides",
    baseRoute: upstream.baseRoute,
    apiKeyCredential: { headerName: upstream.headerName, key: upstream.key },
    apis: [{ name: "heights", path: "/heights", method: 0 }],
    roles,
  });
  const folder = join(home, "datasets/upgrade");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "ports.csv"), portsCsv);
  const { dataset } = await portal.expect("POST", "/admin/datasets/internal/inspect", { token, body: { path: "upgrade/ports.csv" } });
  const saved = await create("datasets/internal", { ...dataset, id: ports.datasetId, category: ports.datasetCategory, roles: [role] });
  await portal.expect("PUT", "/admin/datasets/internal", { token, body: { ...saved, description: "Ports of the world." } });
  return created;
}

/**
 * @param {Portal} portal
 * @param {string} token of `person`
 */
async function createOwnData(portal, token) {
  /** @type {(method: string, path: string, body?: unknown) => Promise<any>} */
  const call = (method, path, body) => portal.expect(method, path, { token, ...(body === undefined ? {} : { body }) });
  const query = JSON.stringify({
    timeRange: { last: "24h" },
    filters: [{ name: "origin", operator: "=", value: "SEA" }],
    view: "table",
  });
  await call("PUT", "/profile", { email: "upgraded@harbor.example", firstName: "Ada", lastName: "Lovelace" });
  await call("POST", "/favorite/datasets", flights);
  await call("POST", "/favorite/datasets", ports);
  await call("POST", "/favorite/queries", { ...flights, queryName: "From  Seattle", query, sharedWithRoles: ["upgrade-pilots"] });
  await call("POST", "/favorite/queries", { ...ports, queryName: "Ports", query: "{}" });
  await call("POST", "/favorite/graphTemplates", { ...flights, templateName: "By week", templateJson: '{"kind":"bar"}' });
  await call("POST", "/datasetGroupings", { name: "Around airports", datasets: [airports, birdStrikes] });
  const { key } = await call("POST", "/apiKeys", { name: "upgrade-key", datasets: [flights, ports] });
  const [notice] = await call("GET", "/notices/new");
  await call("PUT", "/notices/viewed", [notice.id]);
  const form = new FormData();
  form.set("file", new Blob([fileText], { type: "text/plain" }), "night.txt");
  const { id: file } = await call("POST", "/feedback/upload", form);
  await call("POST", "/feedback/create", {
    username: person.username,
    name: "Ada Lovelace",
    email: "upgraded@harbor.example",
    type: "bug",
    description: "Hard to read.",
    datasets: [],
    attachments: [file],
  });
  return { key: /** @type {string} */ (key), file: /** @type {string} */ (file) };
}
