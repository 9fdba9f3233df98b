// @ts-check
import { setTimeout as wait } from "node:timers/promises";
import { demoPassword } from "@fairway/contract/api";
import { expectEqual } from "./checks.mjs";
import { losses } from "./keeps.mjs";
import { portsPath } from "./platform-data.mjs";

/** @typedef {import("./portal.mjs").Portal} Portal */
/** @typedef {import("./checks.mjs").Check} Check */
/** @typedef {import("./platform-data.mjs").CreatedData} CreatedData */

/** A change reaches the other gateways by a notification; without one, after five seconds. */
const staleMs = 5_000;
const flights = { datasetCategory: "Aviation", datasetId: "flights" };
const ports = { datasetCategory: "Harbors", datasetId: "upgrade-ports" };

/**
 * Checks that the gateways of two versions agree while both serve one database and folder. Checked from `one` to `other`.
 * @param {Portal} one
 * @param {Portal} other
 * @param {Portal} older which of them
 * @param {CreatedData} created
 * @returns {Check[]}
 */
export function mixedChecksOf(one, other, older, created) {
  const admin = { token: created.admin.access_token };
  const mark = `by ${one.name}`;
  /** @type {(name: string, run: () => Promise<void>) => Check} */
  const check = (name, run) => ({ name: `${one.name} → ${other.name}: ${name}`, run });
  const signIn = (/** @type {Portal} */ portal) => portal.signIn("developer", demoPassword);
  const entityOf = async (/** @type {Portal} */ portal, /** @type {string} */ type, /** @type {string} */ id) =>
    (await portal.expect("GET", `/admin/${type}`, admin)).find((/** @type {any} */ entity) =>
      [entity.id, entity.name, entity.username].includes(id),
    );
  /** The part of one's answer that is missing in the other's, apart from fields that only the newer version knows. */
  const lossesBetween = (/** @type {any} */ ones, /** @type {any} */ others) =>
    one === older ? losses(ones, others) : losses(others, ones);
  return [
    check("a session is renewed at either gateway in turn, and ends at both", async () => {
      let token = await signIn(one);
      for (const portal of [other, one, other, one, other]) {
        const profile = await portal.expect("GET", "/profile", { token: token.access_token });
        expectEqual(profile.username, "developer");
        token = await portal.expect("POST", "/auth/refresh", { body: { refreshToken: token.refresh_token } });
      }
      for (const portal of [one, other]) await portal.expect("GET", "/profile", { token: token.access_token });
      await one.expect("POST", "/auth/logout", { body: { refreshToken: token.refresh_token } });
      await eventually(async () => expectEqual((await other.call("GET", "/profile", { token: token.access_token })).status, 401));
      expectEqual((await other.call("POST", "/auth/refresh", { body: { refreshToken: token.refresh_token } })).status, 401);
    }),
    check("a session that is ended in the list of sessions is refused", async () => {
      const [kept, ended] = [await signIn(one), await signIn(other)];
      const sessions = await one.expect("GET", "/profile/sessions", { token: ended.access_token });
      const { id } = sessions.find((/** @type {{ isCurrent: boolean }} */ { isCurrent }) => isCurrent);
      expectEqual((await other.expect("GET", "/profile/sessions", { token: kept.access_token })).length, sessions.length);
      await one.expect("DELETE", `/profile/sessions/${id}`, { token: kept.access_token });
      await eventually(async () => expectEqual((await other.call("GET", "/profile", { token: ended.access_token })).status, 401));
      await other.expect("POST", "/auth/logout", { body: { refreshToken: kept.refresh_token } });
    }),
    check("searches, graphs and files return the same", async () => {
      const { access_token: token } = created.person;
      const body = { sort: [{ column: "port", direction: "asc" }], paging: { offset: 10, max: 50 } };
      const [first, second] = await Promise.all(
        [one, other].map((portal) => portal.expect("POST", `${portsPath}/search`, { token, body })),
      );
      expectEqual(second.results, first.results);
      const path = `/admin/feedback/attachments/${created.file}`;
      expectEqual((await other.call("GET", path, admin)).text, (await one.call("GET", path, admin)).text);
    }),
    check("favorites, saved searches and dataset groups", async () => {
      const { access_token: token } = created.person;
      const query = { ...ports, queryName: `Saved ${mark}`, query: "{}" };
      const saved = await one.expect("POST", "/favorite/queries", { token, body: query });
      const list = await other.expect("GET", "/favorite/queries", { token });
      const seen = list.filter((/** @type {any} */ { id }) => id === saved.id);
      // The older release knows fewer fields.
      expectEqual(one === older ? losses([saved], seen) : losses(seen, [saved]), []);
      expectEqual(seen.length, 1);
      await other.expect("PUT", `/favorite/queries/${saved.id}`, { token, body: { queryName: `Renamed ${mark}`, query: "{}" } });
      const names = new Set((await one.expect("GET", "/favorite/queries", { token })).map((/** @type {any} */ { queryName }) => queryName));
      expectEqual([names.has(`Renamed ${mark}`), names.has(`Saved ${mark}`)], [true, false]);
      await one.expect("DELETE", "/favorite/datasets", { token, body: flights });
      expectEqual(hasFlights(await other.expect("GET", "/favorite/datasets", { token })), false);
      await other.expect("POST", "/favorite/datasets", { token, body: flights });
      expectEqual(hasFlights(await one.expect("GET", "/favorite/datasets", { token })), true);
    }),
    ...(one === older
      ? []
      : [
          check("rows of a dataset with rules are not answered by a version that does not apply them", async () => {
            const { access_token: token } = created.person;
            const ports = await entityOf(one, "datasets/internal", "upgrade-ports");
            const path = (/** @type {string} */ id) => `/datasets/${encodeURIComponent(ports.category)}/${id}`;
            const deep = { filters: [{ name: "depth", operator: ">", value: "90" }] };
            const rules = { access: { rules: [{ name: "Depth", grants: [{ roles: ["*"], rows: deep }] }] } };
            for (const [id, changes] of Object.entries({ "upgrade-ruled": rules, "upgrade-plain": {} })) {
              await one.expect("POST", "/admin/datasets/internal", { ...admin, body: { ...ports, id, ...changes } });
              const { results } = await one.expect("POST", `${path(id)}/search`, { token, body: { paging: { offset: 0, max: 500 } } });
              expectEqual(
                results.every((/** @type {{ depth: number }} */ { depth }) => depth > 90),
                id === "upgrade-ruled",
              );
            }
            // The one that was made later is known at the other gateway.
            await eventually(async () => void (await other.expect("POST", `${path("upgrade-plain")}/search`, { token, body: {} })));
            for (const [method, call, body] of /** @type {const} */ ([
              ["GET", "describe", undefined],
              ["POST", "search", {}],
              ["POST", "export", { format: "csv", search: {} }],
            ])) {
              const answer = await other.call(method, `${path("upgrade-ruled")}/${call}`, { token, body });
              expectEqual([call, answer.status], [call, 404]);
            }
            for (const id of ["upgrade-ruled", "upgrade-plain"]) await one.expect("DELETE", `/admin/datasets/internal/${id}`, admin);
          }),
        ]),
    check("an API key is accepted, and refused once it is deleted", async () => {
      const session = await signIn(one);
      const own = { token: session.access_token };
      const { key } = await one.expect("POST", "/apiKeys", { ...own, body: { name: mark, datasets: [flights] } });
      await other.expect("GET", "/datasets/Aviation/flights/describe", { key });
      await other.expect("DELETE", `/apiKeys/${encodeURIComponent(mark)}`, own);
      await eventually(async () => expectEqual((await one.call("GET", "/datasets/Aviation/flights/describe", { key })).status, 401));
      await one.expect("POST", "/auth/logout", { body: { refreshToken: session.refresh_token } });
    }),
    check("a notice is shown, and not again once it was seen", async () => {
      const notice = await one.expect("POST", "/admin/notices", {
        ...admin,
        body: { title: `Notice ${mark}`, message: "Soon.", faIcon: "anchor", severity: "info", roles: [{ roleName: "upgrade-pilots" }] },
      });
      const { access_token: token } = created.person;
      const ids = async (/** @type {Portal} */ portal) =>
        (await portal.expect("GET", "/notices/new", { token })).map((/** @type {{ id: string }} */ { id }) => id);
      await eventually(async () => expectEqual((await ids(other)).includes(notice.id), true));
      await other.expect("PUT", "/notices/viewed", { token, body: [notice.id] });
      expectEqual((await ids(one)).includes(notice.id), false);
      await other.expect("DELETE", `/admin/notices/${notice.id}`, admin);
    }),
    check("feedback with an attachment", async () => {
      const { access_token: token } = created.person;
      const form = new FormData();
      form.set("file", new Blob([mark], { type: "text/plain" }), "mixed.txt");
      const { id } = await one.expect("POST", "/feedback/upload", { token, body: form });
      const draft = { username: "upgraded", name: "Ada Lovelace", email: "upgraded@harbor.example", type: "bug", description: mark };
      await other.expect("POST", "/feedback/create", { token, body: { ...draft, datasets: [], attachments: [id] } });
      const own = await one.expect("GET", "/feedback/own", { token });
      expectEqual(own[0].description, mark);
      for (const portal of [one, other]) {
        expectEqual((await portal.call("GET", `/admin/feedback/attachments/${id}`, admin)).text, mark);
      }
    }),
    check("entities of every type are read as written, and can be saved again", async () => {
      for (const type of new Set(created.entities.map((entity) => entity.type))) {
        for (const { id } of created.entities.filter((entity) => entity.type === type)) {
          const saved = await one.expect("PUT", `/admin/${type}`, { ...admin, body: await entityOf(one, type, id) });
          expectEqual(lossesBetween(saved, await entityOf(other, type, id)), [], `${type} ${id}`);
          const again = await other.expect("PUT", `/admin/${type}`, { ...admin, body: await entityOf(other, type, id) });
          expectEqual(lossesBetween(await entityOf(one, type, id), again), [], `${type} ${id}, saved again`);
        }
      }
    }),
    check("a new entity is used, changed, disabled and deleted", async () => {
      const stored = await entityOf(one, "datasets/internal", ports.datasetId);
      await one.expect("PUT", "/admin/datasets/internal", { ...admin, body: { ...stored, description: `Described ${mark}.` } });
      const { access_token: token } = created.person;
      const seen = async () => (await other.expect("GET", `${portsPath}/describe`, { token })).description;
      await eventually(async () => expectEqual(await seen(), `Described ${mark}.`));
      await other.expect("PUT", `/admin/datasets/internal/${ports.datasetId}/disable`, admin);
      await eventually(async () => expectEqual((await one.call("POST", `${portsPath}/search`, { token, body: {} })).status, 404));
      await one.expect("PUT", `/admin/datasets/internal/${ports.datasetId}/enable`, admin);
      await eventually(async () => expectEqual((await other.call("POST", `${portsPath}/search`, { token, body: {} })).status, 200));
      const now = await entityOf(other, "datasets/internal", ports.datasetId);
      await other.expect("PUT", "/admin/datasets/internal", { ...admin, body: { ...now, description: stored.description } });
    }),
    check("roles that are taken and given apply", async () => {
      const group = await entityOf(one, "groups", "Upgrade harbor");
      const { access_token: token } = created.person;
      const status = async (/** @type {Portal} */ portal) => (await portal.call("GET", `${portsPath}/describe`, { token })).status;
      const taken = await one.expect("PUT", "/admin/groups", { ...admin, body: { ...group, realmRoles: [] } });
      await eventually(async () => expectEqual(await status(other), 404));
      await other.expect("PUT", "/admin/groups", { ...admin, body: { ...taken, realmRoles: group.realmRoles } });
      await eventually(async () => expectEqual(await status(one), 200));
    }),
    check("an account is created, has its password changed, and is deleted", async () => {
      const username = `mixed-${one.name}`.replaceAll(" ", "-");
      const [first, second] = ["harbor-lights-1", "harbor-lights-2"];
      await one.expect("POST", "/admin/users", {
        ...admin,
        body: {
          username,
          email: "mixed@fairway.example",
          firstName: "M",
          lastName: "X",
          groups: [],
          password: { setPassword: true, value: first, requirePasswordChange: false },
        },
      });
      const { access_token: token } = await other.signIn(username, first);
      await other.expect("PUT", "/profile/reset-password", { token, body: { password: second } });
      expectEqual((await one.call("POST", "/auth/login", { body: { username, password: first } })).status, 401);
      const session = await one.signIn(username, second);
      const { id } = await entityOf(one, "users", username);
      await one.expect("DELETE", `/admin/users/${encodeURIComponent(id ?? username)}`, admin);
      await eventually(async () => expectEqual((await other.call("GET", "/profile", { token: session.access_token })).status, 401));
    }),
    check("an export is written and downloaded", async () => {
      const { access_token: token } = created.person;
      const { exportId } = await one.expect("POST", `${portsPath}/export`, { token, body: { format: "csv", search: {} } });
      const state = () => one.expect("GET", `/exports/${exportId}`, { token });
      await eventually(async () => expectEqual((await state()).status, "done"), 60_000);
      const { status, text } = await one.call("GET", `/exports/${exportId}/file`, { token });
      expectEqual([status, text.trimEnd().split("\n").length], [200, 501]);
    }),
    check("calls are in the audit log", async () => {
      const path = `/favorite/queries`;
      const count = async () => (await other.expect("GET", `/auditing/events?path=${path}&responseCode=200`, admin)).totalElements;
      const before = await count();
      await one.expect("GET", path, { token: created.person.access_token });
      await eventually(async () => expectEqual((await count()) > before, true));
    }),
  ];
}

/** @param {{ datasetId: string }[]} favorites */
const hasFlights = (favorites) => favorites.some(({ datasetId }) => datasetId === flights.datasetId);

/**
 * Repeats a check until it holds, because changes take a moment to reach another gateway.
 * @param {() => Promise<void>} run
 * @param {number} [withinMs]
 */
async function eventually(run, withinMs = staleMs) {
  for (const until = performance.now() + withinMs; ; await wait(50)) {
    try {
      return await run();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}
