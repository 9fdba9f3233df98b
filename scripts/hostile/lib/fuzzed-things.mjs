// @ts-check
import { platform } from "./platform.mjs";

const filters = [{ name: "name", operator: "=", value: "point 1" }];
const dataset = { datasetCategory: "Trials", datasetId: "points" };
const query = JSON.stringify({ filters });
const panel = { place: { x: 0, y: 0, w: 4, h: 4 }, title: "A panel" };
const flow = JSON.stringify({ flowContents: { identifier: "a", name: "A", processors: [], connections: [] } });

const [points] = platform.datasets;
const openFileset = platform.filesets?.find(({ entity }) => entity.id === "open");

/** Those that exist in the beginning, in case they were deleted. @type {[string, unknown][]} */
const first = [
  ["/admin/datasets/internal", points?.entity],
  ["/admin/filesets", openFileset?.entity],
];

/** Things of an administrator. @type {[string, unknown][]} */
const administered = [
  ["/admin/flowGroups", { name: "storm-desk", displayName: "Storm desk", description: "" }],
  [
    "/admin/flowEnvironments",
    { name: "test", displayName: "Test", baseUrl: "http://127.0.0.1:1/nifi", connectTimeoutMs: 1_000, readTimeoutMs: 1_000 },
  ],
  ["/admin/notices", { faIcon: "bullhorn", title: "A notice", message: "Text" }],
  ["/admin/groups", { name: "Readers", realmRoles: [] }],
  ["/admin/roles", { name: "reader" }],
  ["/admin/joltSpecifications", { name: "jolt", joltSpec: [{ operation: "shift", spec: { a: "b" } }] }],
  ["/admin/ecosystems", { name: "eco", roles: [] }],
  ["/admin/torch-service", { name: "torch", baseUrl: "http://127.0.0.1:1/torch" }],
  ["/admin/docs", { id: "guide", name: "Guide", category: "application/pdf", description: "" }],
  ["/admin/datasets/external", { name: "Outside", baseRoute: "http://127.0.0.1:1", apis: [{ name: "rows", path: "/rows", method: 0 }] }],
  ["/flowGroups/storm-desk/flows", { name: "Rain" }],
];

/** Things of a user. @type {[string, unknown][]} */
const owned = [
  ["/favorite/queries", { ...dataset, queryName: "few", query }],
  ["/favorite/datasets", dataset],
  ["/favorite/graphTemplates", { ...dataset, templateName: "graph", templateJson: "{}" }],
  ["/boards", { name: "Board", content: { panels: [{ ...panel, id: "p", kind: "text", text: "Text" }] } }],
  ["/datasets/Trials/points/export", { format: "csv", search: { filters } }],
  ["/imports", { files: [{ file: "a.csv", size: 12 }] }],
  ["/filesets/open/uploads", { file: "parts.bin", size: 20_000_000 }],
  ["/filesets/open/zip", { paths: ["a.txt"] }],
];

/**
 * Creates one thing of most kinds, so that generated calls reach what exists.
 * @param {import("./portal.mjs").Portal} portal
 * @param {import("./fuzzing-callers.mjs").Caller} administrator
 * @param {readonly import("./fuzzing-callers.mjs").Caller[]} users
 * @param {(path: string, answer: unknown) => void} remember
 * @returns {Promise<string[]>} what could not be created
 */
export async function createThings(portal, administrator, users, remember) {
  /** @type {string[]} */
  const failures = [];
  /** @param {import("./fuzzing-callers.mjs").Caller} caller @param {string} path @param {unknown} body */
  const create = async ({ headers }, path, body, method = "POST") => {
    const { status, text } = await portal.call(method, path, { headers, body });
    if (status >= 400 && status !== 409) failures.push(`${path}: ${status} ${text.slice(0, 300)}`);
    const answer = status < 400 && text !== "" ? JSON.parse(text) : {};
    remember(path, answer);
    return answer;
  };
  for (const [path, body] of [...first, ...administered]) await create(administrator, path, body);
  const { text } = await portal.call("GET", "/flowGroups/storm-desk/flows", administrator);
  const { id: flowId } = JSON.parse(text)[0] ?? {};
  const request = { name: "First", reason: "A reason", iterations: [{ content: flow, reason: "A reason" }] };
  const { id: requestId } = await create(administrator, `/flowGroups/storm-desk/flows/${flowId}/requests`, request);
  await create(administrator, `/flowGroups/storm-desk/flows/${flowId}/requests/${requestId}/comments`, { text: "A comment" });
  for (const user of [administrator, ...users]) {
    for (const [path, body] of owned) {
      const answer = await create(user, path, body);
      if (path !== "/favorite/queries" || answer.id === undefined) continue;
      const condition = { kind: "above", rows: 1 };
      await create(user, "/alerts", { name: "Alert", savedSearchId: answer.id, condition, everyMinutes: 1_440 });
      await create(user, "/subscriptions", {
        name: "Weekly",
        of: { savedSearchId: answer.id },
        at: { weekdays: [1], hour: 8, minute: 0, zone: "UTC" },
      });
    }
  }
  for (const file of ["a.txt", "b/c.csv"]) {
    const { uploadUrl } = JSON.parse((await portal.call("GET", `/filesets/open/upload?file=${file}`, administrator)).text);
    if (uploadUrl === undefined) continue;
    await portal.call("PUT", uploadUrl.slice(uploadUrl.indexOf("/api/") + 4), {
      body: "a,b\n1,2\n",
      headers: { "content-type": "text/plain" },
    });
  }
  return failures;
}
