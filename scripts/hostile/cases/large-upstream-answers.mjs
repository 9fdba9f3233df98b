// @ts-check
import { openUpstream } from "../lib/upstream.mjs";

export const name = "Upstream answers: 42 MB of rows, eight at once, and a row of 200,000 columns";
export const isLong = true;

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  const row = (/** @type {number} */ n) => `{"id":${n},"name":"station ${n}","value":${n / 7},"is_open":true}`;
  const rows = `[${Array.from({ length: 500_000 }, (_, n) => row(n)).join(",")}]`;
  const columns = `[{${Array.from({ length: 200_000 }, (_, n) => `"column ${n}":${n}`).join(",")}}]`;
  const many = await openUpstream(portal, "Many rows", rows);
  const wide = await openUpstream(portal, "Wide row", columns);
  const token = await portal.asViewer();
  try {
    return await portal.measure(async () => {
      const one = await many.search(token);
      const eight = await Promise.all(Array.from({ length: 8 }, () => many.search(token)));
      const widest = await wide.search(token);
      const unexpected = [one, ...eight, widest].filter(({ status }) => ![200, 502, 503, 504].includes(status));
      const note = `${(rows.length / 1e6).toFixed(0)} MB in ${Math.round(one.ms)} ms, eight in ${Math.round(Math.max(...eight.map(({ ms }) => ms)))} ms`;
      if (one.status !== 200 || widest.status !== 200) return { note, problem: `${one.status} and ${widest.status} instead of 200` };
      return {
        note,
        ...(unexpected.length === 0 ? {} : { problem: `unexpected answers: ${unexpected.map(({ status }) => status).join(", ")}` }),
      };
    });
  } finally {
    await many.close();
    await wide.close();
  }
}
