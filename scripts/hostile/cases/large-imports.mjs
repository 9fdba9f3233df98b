// @ts-check
export const name = "Imports near the limit of 2,000,000 bytes, previewed and saved";
export const isLong = true;

/** @param {number} count @param {(n: number) => object} entity */
const many = (count, entity) => Array.from({ length: count }, (_, n) => entity(n));

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  const token = await portal.asAdministrator();
  const users = many(10_000, (n) => ({ username: `user-${n}`, firstName: "A", lastName: "B", email: `u${n}@fairway.example`, groups: [] }));
  const configurations = many(10_000, (n) => ({ name: `flow-${n}`, displayName: `Flow ${n}`, description: "d".repeat(100) }));
  const nested = `{"entities":[${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}],"isReplace":false}`;
  return portal.measure(async () => {
    const notes = [];
    for (const [type, entities] of /** @type {const} */ ([
      ["users", users],
      ["flowGroups", configurations],
      ["filesets", many(50_000, () => ({}))],
    ])) {
      for (const [method, path] of /** @type {[string, string][]} */ ([
        ["POST", `/admin/${type}/import/preview`],
        ["PUT", `/admin/${type}/import`],
      ])) {
        const { status, ms } = await portal.call(method, path, { token, body: { entities, isReplace: false } });
        notes.push(`${method} ${path} ${status} in ${Math.round(ms)} ms`);
      }
    }
    const { status } = await portal.call("POST", "/admin/filesets/import/preview", { token, body: nested });
    return `${notes.join(", ")}; nested ${status}`;
  });
}
