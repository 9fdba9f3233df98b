// @ts-check
import { losses } from "./keeps.mjs";
import { answerTo, fileText, person, ports, portsPath, tidesPath } from "./platform-data.mjs";
import { upstreamRows } from "./upstream.mjs";

/** @typedef {import("./portal.mjs").Portal} Portal */
/** @typedef {import("./platform-data.mjs").CreatedData} CreatedData */
/** @typedef {{ name: string, run: () => Promise<void> }} Check */

/**
 * That everything that was read before is still there.
 * @param {Portal} portal
 * @param {CreatedData} created
 * @returns {Check[]}
 */
export const readChecksOf = (portal, created) =>
  created.reads.map((read) => ({
    name: `${read.name} returns the same answer`,
    run: async () => {
      const lost = losses(read.answer, await answerTo(portal, read, created[read.token].access_token));
      if (lost.length > 0) throw new Error(lost.slice(0, 10).join("\n"));
    },
  }));

/**
 * The checks of the upgraded portal, in order: all reads come before the first change.
 * @param {Portal} portal
 * @param {CreatedData} created
 * @returns {Check[]}
 */
export function checksOf(portal, created) {
  const tokens = { admin: created.admin.access_token, person: created.person.access_token };
  const admin = { token: tokens.admin };
  return [
    ...readChecksOf(portal, created),
    {
      name: "the older session is listed and can be refreshed",
      run: async () => {
        const sessions = await portal.expect("GET", "/profile/sessions", { token: tokens.person });
        expectEqual(sessions.length, 2);
        const renewed = await portal.expect("POST", "/auth/refresh", { body: { refreshToken: created.other.refresh_token } });
        const profile = await portal.expect("GET", "/profile", { token: renewed.access_token });
        expectEqual([profile.username, profile.lastName], [person.username, "Lovelace"]);
        await portal.expect("POST", "/auth/refresh", { body: { refreshToken: renewed.refresh_token } });
      },
    },
    {
      name: "the older API key works and is still limited to its datasets",
      run: async () => {
        const rows = await portal.expect("POST", `${portsPath}/search`, { key: created.key, body: { paging: { offset: 0, max: 5 } } });
        expectEqual(rows.results.length, 5);
        expectEqual((await portal.call("POST", "/datasets/Aviation/airports/search", { key: created.key, body: {} })).status, 404);
      },
    },
    {
      name: "stored secrets can be decrypted: an upstream is called with its key",
      run: async () => {
        const rows = await portal.expect("POST", `${tidesPath}/search`, { token: tokens.person, body: {} });
        expectEqual(rows.results, upstreamRows);
      },
    },
    {
      name: "an uploaded file is unchanged",
      run: async () => {
        const { status, text } = await portal.call("GET", `/admin/feedback/attachments/${created.file}`, admin);
        expectEqual([status, text], [200, fileText]);
      },
    },
    {
      name: "the audit log contains earlier calls",
      run: async () => {
        const events = await portal.expect("GET", `/auditing/events?username=${person.username}&responseCode=201`, admin);
        const paths = new Set(events.content.map((/** @type {{ path: string }} */ { path }) => path));
        for (const path of ["/api/favorite/queries", "/api/apiKeys", "/api/feedback/create"]) expectEqual(paths.has(path), true, path);
      },
    },
    ...created.entities.map(({ type, id }) => ({
      name: `${type} ${id} can be saved as sent by the older web app`,
      run: async () => {
        const path = `/admin/${type}`;
        const stored = created.reads
          .find((read) => read.path === path)
          ?.answer.find((/** @type {any} */ one) => (one.id ?? one.name) === id);
        const saved = await portal.expect("PUT", path, { ...admin, body: stored });
        const lost = losses({ ...stored, version: saved.version }, saved);
        expectEqual(lost, []);
      },
    })),
    {
      name: "the older password can be used and changed",
      run: async () => {
        const { username, password } = person;
        const { access_token: token } = await portal.signIn(username, password);
        await portal.expect("PUT", "/profile/reset-password", { token, body: { password: person.changed } });
        await portal.signIn(username, person.changed);
        expectEqual((await portal.call("POST", "/auth/login", { body: { username, password } })).status, 401);
      },
    },
    {
      name: "an older revision can be restored",
      run: async () => {
        const path = `/admin/datasets/internal/${ports.datasetId}/revisions`;
        const revisions = await portal.expect("GET", path, admin);
        const first = revisions.at(-1);
        expectEqual(first.action, "create");
        const restored = await portal.expect("PUT", `${path}/${first.revision}/restore`, admin);
        expectEqual(restored.description === "Ports of the world.", false);
      },
    },
  ];
}

/**
 * @param {unknown} found
 * @param {unknown} expected
 * @param {string} [what]
 */
export function expectEqual(found, expected, what = "the answer") {
  const [foundText, expectedText] = [JSON.stringify(found), JSON.stringify(expected)];
  if (foundText !== expectedText) throw new Error(`${what} is ${foundText?.slice(0, 300)}, not ${expectedText.slice(0, 300)}`);
}
