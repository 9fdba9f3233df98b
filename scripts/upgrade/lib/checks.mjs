// @ts-check
import { losses } from "./keeps.mjs";
import { fileText, person, ports, portsPath, tidesPath } from "./platform-data.mjs";
import { upstreamRows } from "./upstream.mjs";

/** @typedef {import("./portal.mjs").Portal} Portal */
/** @typedef {import("./platform-data.mjs").Made} Made */
/** @typedef {{ name: string, run: () => Promise<void> }} Check */

/**
 * What has to hold on the upgraded portal, in this order: reading comes before anything is changed.
 * @param {Portal} portal
 * @param {Made} made
 * @returns {Check[]}
 */
export function checksOf(portal, made) {
  const tokens = { admin: made.admin.access_token, person: made.person.access_token };
  const admin = { token: tokens.admin };
  return [
    ...made.reads.map(({ name, token, method, path, body, answer }) => ({
      name: `${name} answers what it did`,
      run: async () => {
        const now = await portal.expect(method, path, { token: tokens[token], ...(body === undefined ? {} : { body }) });
        const lost = losses(answer, now);
        if (lost.length > 0) throw new Error(lost.slice(0, 10).join("\n"));
      },
    })),
    {
      name: "the older session is listed and goes on with its refresh token",
      run: async () => {
        const sessions = await portal.expect("GET", "/profile/sessions", { token: tokens.person });
        equal(sessions.length, 2);
        const renewed = await portal.expect("POST", "/auth/refresh", { body: { refreshToken: made.other.refresh_token } });
        const profile = await portal.expect("GET", "/profile", { token: renewed.access_token });
        equal([profile.username, profile.lastName], [person.username, "Lovelace"]);
        await portal.expect("POST", "/auth/refresh", { body: { refreshToken: renewed.refresh_token } });
      },
    },
    {
      name: "the older API key goes on and is shut out where it always was",
      run: async () => {
        const rows = await portal.expect("POST", `${portsPath}/search`, { key: made.key, body: { paging: { offset: 0, max: 5 } } });
        equal(rows.results.length, 5);
        equal((await portal.call("POST", "/datasets/Aviation/airports/search", { key: made.key, body: {} })).status, 404);
      },
    },
    {
      name: "stored secrets can still be decrypted: an upstream is called with its key",
      run: async () => {
        const rows = await portal.expect("POST", `${tidesPath}/search`, { token: tokens.person, body: {} });
        equal(rows.results, upstreamRows);
      },
    },
    {
      name: "a file that was uploaded is there, byte by byte",
      run: async () => {
        const { status, text } = await portal.call("GET", `/admin/feedback/attachments/${made.file}`, admin);
        equal([status, text], [200, fileText]);
      },
    },
    {
      name: "the audit log holds the calls of before",
      run: async () => {
        const events = await portal.expect("GET", `/auditing/events?username=${person.username}&responseCode=201`, admin);
        const paths = new Set(events.content.map((/** @type {{ path: string }} */ { path }) => path));
        for (const path of ["/api/favorite/queries", "/api/apiKeys", "/api/feedback/create"]) equal(paths.has(path), true, path);
      },
    },
    ...made.entities.map(({ type, id }) => ({
      name: `${type} ${id} is saved again as the older web app sends it`,
      run: async () => {
        const path = `/admin/${type}`;
        const stored = made.reads.find((read) => read.path === path)?.answer.find((/** @type {any} */ one) => (one.id ?? one.name) === id);
        const saved = await portal.expect("PUT", path, { ...admin, body: stored });
        const lost = losses({ ...stored, version: saved.version }, saved);
        equal(lost, []);
      },
    })),
    {
      name: "the older password signs in, and can be changed",
      run: async () => {
        const { username, password } = person;
        const { access_token: token } = await portal.signIn(username, password);
        await portal.expect("PUT", "/profile/reset-password", { token, body: { password: person.changed } });
        await portal.signIn(username, person.changed);
        equal((await portal.call("POST", "/auth/login", { body: { username, password } })).status, 401);
      },
    },
    {
      name: "an older revision is restored",
      run: async () => {
        const path = `/admin/datasets/internal/${ports.datasetId}/revisions`;
        const revisions = await portal.expect("GET", path, admin);
        const first = revisions.at(-1);
        equal(first.action, "create");
        const restored = await portal.expect("PUT", `${path}/${first.revision}/restore`, admin);
        equal(restored.description === "Ports of the world.", false);
      },
    },
  ];
}

/**
 * @param {unknown} found
 * @param {unknown} expected
 * @param {string} [what]
 */
function equal(found, expected, what = "the answer") {
  const [is, was] = [JSON.stringify(found), JSON.stringify(expected)];
  if (is !== was) throw new Error(`${what} is ${is?.slice(0, 300)}, not ${was.slice(0, 300)}`);
}
