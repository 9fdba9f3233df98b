// @ts-check
import { brotliCompressSync, gzipSync } from "node:zlib";
import { openUpstream } from "../lib/upstream.mjs";

export const name = "Upstream answers that expand too much: compressed, nested, repeated names";
export const isLong = true;

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]));
  /** @type {[string, string | Buffer, Record<string, string>?][]} */
  const answers = [
    ["gzip", gzipSync(Buffer.alloc(300_000_000)), { "content-encoding": "gzip" }],
    ["brotli", brotliCompressSync(Buffer.alloc(100_000_000)), { "content-encoding": "br" }],
    ["empty objects", `[${"{},".repeat(16_000_000)}{}]`],
    ["nested lists", "[".repeat(20_000_000) + "]".repeat(20_000_000)],
    ["long names", JSON.stringify([{ ["name".repeat(20_000)]: fields }])],
    ["digits", `[{"n":${"1".repeat(10_000_000)}}]`],
  ];
  const token = await portal.asViewer();
  /** @type {Awaited<ReturnType<typeof openUpstream>>[]} */
  const upstreams = [];
  for (const [kind, body, headers] of answers) upstreams.push(await openUpstream(portal, `Bomb of ${kind}`, body, headers));
  try {
    return await portal.measure(async () => {
      const notes = [];
      const problems = [];
      for (const [index, upstream] of upstreams.entries()) {
        const { status, ms } = await upstream.search(token);
        notes.push(`${answers[index]?.[0]} ${status} in ${Math.round(ms)} ms`);
        if (![200, 502].includes(status)) problems.push(notes.at(-1));
      }
      return { note: notes.join(", "), ...(problems.length === 0 ? {} : { problem: problems.join(", ") }) };
    });
  } finally {
    for (const upstream of upstreams) await upstream.close();
  }
}
