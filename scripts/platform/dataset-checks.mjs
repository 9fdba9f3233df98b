// @ts-check
// Answers of both gateways about datasets: each check changes something at one gateway and asks the other.
import { randomUUID } from "node:crypto";
import { call, expectCall, signIn } from "../harness/calls.mjs";
import { accountNamed, changeMs, expectEqual, expectStatus, jobMs, until } from "./steps.mjs";

const datasetCategory = "Natural hazards";
const ruledRegion = "Alaska";
const accessOfRegion = {
  rules: [
    {
      name: "Region",
      grants: [
        { roles: ["admin"], rows: "all" },
        { roles: ["*"], rows: { filters: [{ name: "region", operator: "=", value: ruledRegion }] } },
      ],
    },
  ],
  columns: [{ names: ["net"], roles: ["admin"], others: "withheld" }],
};

/**
 * @param {import("./open-platform.mjs").RunningPlatform} platform
 * @returns {import("./steps.mjs").Checks}
 */
export const datasetChecks = ({ tables }) => ({
  "a breakdown and a grid count every row once, alike at both gateways": ({ a, b, administrator }) =>
    withCopy(a, administrator, {}, async ({ id }) => {
      const token = await signInAs(b, "viewer");
      await isKnown(b, token, id);
      const { rows } = await expectCall(a, "POST", `${pathOf(id)}/rowCount`, { token, body: {} });
      if (rows === 0) throw new Error("there are no earthquakes");
      for (const origin of [a, b]) {
        expectEqual(sumOf([...(await breakdown(origin, token, id)).values()]), rows);
        const { kind, totals, cells } = await grid(origin, token, id);
        expectEqual(`${kind} ${totals.rows} ${sumOf(cells.rows) + totals.missing + totals.outOfRange}`, `cells ${rows} ${rows}`);
      }
    }),

  "access rules that are saved at one gateway apply at the other, to rows, groups, places and columns": ({ a, b, administrator }) =>
    withCopy(a, administrator, { access: accessOfRegion }, async ({ id, source }) => {
      expectEqual(source.kind, tables.includes("earthquakes") ? "table" : "files");
      const viewer = await signInAs(b, "viewer");
      await isKnown(b, viewer, id);
      const all = await breakdown(b, administrator, id);
      if (all.size < 2) throw new Error(`the administrator sees ${all.size} regions`);
      const seen = await breakdown(b, viewer, id);
      expectEqual([...seen].join(" "), `${ruledRegion},${all.get(ruledRegion)}`);
      expectEqual((await grid(b, viewer, id)).totals.rows, all.get(ruledRegion));
      const body = { filters: [{ name: "net", operator: "=", value: "ak" }] };
      for (const origin of [a, b]) await expectStatus(400, origin, "POST", `${pathOf(id)}/search`, { token: viewer, body });
      const stored = await datasetNamed(b, administrator, id);
      await expectCall(b, "PUT", "/admin/datasets/internal", { token: administrator, body: { ...stored, access: null } });
      await until(async () => (await breakdown(a, viewer, id)).size === all.size, changeMs);
    }),

  "columns that are looked up and computed at one gateway are searched at the other": ({ a, b, administrator }) =>
    withCopy(a, administrator, {}, async (other) => {
      const twice = { name: "twice", type: "decimal", combined: null, description: "", computed: { expression: "there * 2" } };
      const dataset = { datasetCategory, datasetId: other.id };
      const lookup = { id: "there", dataset, key: [{ column: "id", on: "id" }], columns: [{ from: "mag", name: "there" }] };
      const changes = { schema: { columns: [...other.schema.columns, twice] }, lookups: [lookup] };
      await withCopy(b, administrator, changes, async ({ id }) => {
        const token = await signInAs(a, "viewer");
        await isKnown(a, token, id);
        const paging = { offset: 0, max: 1_000 };
        const search = async (/** @type {string} */ of, /** @type {string} */ name, /** @type {string} */ value) => {
          const body = { filters: [{ name, operator: ">=", value }], paging };
          return (await expectCall(a, "POST", `${pathOf(of)}/search`, { token, body })).results;
        };
        const strong = await search(other.id, "mag", "5");
        if (strong.length === 0) throw new Error("there are no strong earthquakes");
        expectEqual(
          (await search(id, "twice", "10")).map((/** @type {any} */ row) => `${row.id} ${row.there} ${row.twice}`).join(),
          strong.map((/** @type {any} */ row) => `${row.id} ${row.mag} ${row.mag * 2}`).join(),
        );
      });
    }),

  "data that is brought by way of both gateways is a dataset at both, until it is deleted": async ({ a, b }) => {
    const token = await signInAs(a, "editor");
    const [name, rows] = [`brought-${randomUUID()}`, 2_000];
    const content = `name,size\n${Array.from({ length: rows }, (_, index) => `n${index},${index}`).join("\n")}\n`;
    const files = [{ file: `${name}.csv`, size: content.length }];
    const { id } = await expectCall(a, "POST", "/imports", { token, body: { files } });
    const { uploadUrl } = await expectCall(a, "GET", `/imports/${id}/files/1/parts/1`, { token });
    await expectStatus(204, b, "PUT", uploadUrl.replace(/^\/api/, ""), { raw: content });
    await expectCall(b, "POST", `/imports/${id}/complete`, { token });
    const isAt = async (/** @type {string} */ origin, /** @type {string} */ wanted) => {
      const { status, failure } = await expectCall(origin, "GET", `/imports/${id}`, { token });
      if (failure) throw new Error(failure.message);
      return status === wanted;
    };
    await until(() => isAt(a, "ready"), jobMs);
    await expectCall(a, "POST", `/imports/${id}/dataset`, { token, body: { name, acceptAssumed: true } });
    await until(() => isAt(b, "done"), jobMs);
    const path = `/datasets/~editor/${name}/rowCount`;
    for (const origin of [b, a]) expectEqual((await expectCall(origin, "POST", path, { token, body: {} })).rows, rows);
    const { datasets } = await expectCall(b, "GET", "/ownDatasets", { token });
    const own = datasets.find((/** @type {{ datasetId: string }} */ { datasetId }) => datasetId === name);
    await expectCall(b, "DELETE", `/ownDatasets/${own.id}?now=true`, { token });
    await until(async () => (await call(a, "POST", path, { token, body: {} })).status === 404, changeMs);
  },
});

/** @param {string} id */
const pathOf = (id) => `/datasets/Natural%20hazards/${id}`;

/** @param {readonly number[]} numbers */
const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** @param {string} origin @param {string} name of a demo account */
function signInAs(origin, name) {
  const { username, password } = accountNamed(name);
  return signIn(origin, username, password);
}

/**
 * Rows of each region.
 * @param {string} origin
 * @param {string} token
 * @param {string} id
 * @returns {Promise<Map<string | null, number>>}
 */
async function breakdown(origin, token, id) {
  const body = { search: {}, by: [{ kind: "value", column: "region" }], measures: [{ aggregation: "count" }] };
  const { by, cells } = await expectCall(origin, "POST", `${pathOf(id)}/breakdown`, { token, body });
  return new Map(
    cells.map((/** @type {{ at: number[], values: number[] }} */ { at, values }) => [
      by[0].entries[at[0] ?? 0].value ?? null,
      values[0] ?? 0,
    ]),
  );
}

/**
 * The cells of the whole world.
 * @param {string} origin
 * @param {string} token
 * @param {string} id
 */
const grid = (origin, token, id) => expectCall(origin, "POST", `${pathOf(id)}/grid`, { token, body: { level: 3 } });

/** @param {string} origin @param {string} token an administrator's @param {string} id */
async function datasetNamed(origin, token, id) {
  const datasets = await expectCall(origin, "GET", "/admin/datasets/internal", { token });
  return datasets.find((/** @type {{ id: string }} */ one) => one.id === id);
}

/**
 * Lends a dataset over the rows of earthquakes that requires no filter. Journeys count datasets, so it is removed in any case.
 * @param {string} origin
 * @param {string} token an administrator's
 * @param {object} changes
 * @param {(dataset: import("@fairway/contract/internal-datasets").InternalDataset) => Promise<void>} use
 */
async function withCopy(origin, token, changes, use) {
  const { version: _, ...original } = await datasetNamed(origin, token, "earthquakes");
  const id = `earthquakes-${randomUUID()}`;
  const filterSupport = { ...original.filterSupport, requiredOrFields: null };
  const body = { ...original, id, filterSupport, ...changes };
  const dataset = await expectCall(origin, "POST", "/admin/datasets/internal", { token, body });
  try {
    await use(dataset);
  } finally {
    await expectCall(origin, "DELETE", `/admin/datasets/internal/${id}`, { token });
  }
}

/** Waits until a gateway knows a new dataset. @param {string} origin @param {string} token @param {string} id */
const isKnown = (origin, token, id) =>
  until(async () => (await call(origin, "GET", `${pathOf(id)}/describe`, { token })).status === 200, changeMs);
