// @ts-check
import { brotliCompressSync, gzipSync } from "node:zlib";

export const name = "JSON that is deep, wide or repetitive, and bodies that would decompress a thousandfold";

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  const token = await portal.asViewer();
  const deep = (/** @type {string} */ open, /** @type {string} */ close, /** @type {number} */ times) =>
    open.repeat(times) + close.repeat(times);
  const zeros = Buffer.from(`{"filters":[${"0,".repeat(5_000_000)}0]}`);
  const bodies = [
    deep("[", "]", 450_000),
    "[".repeat(1_000_000),
    `{"filters":${deep('{"a":', "}", 100_000).replace("}", "1}")}}`,
    `{"filters":${deep("[", "]", 400_000)}}`,
    `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(",")}}`,
    `{${'"filters":[],'.repeat(60_000)}"filters":7}`,
    `{"filters":[${'{"name":"value","operator":"=","value":1},'.repeat(20_000)}0]}`,
    `{"filters":[${"{},".repeat(340_000)}{}]}`,
    `{"filters":[${"{},".repeat(39_000)}{}]}`,
    `{"filters":[${"0,".repeat(110_000)}0]}`,
    `{"filters":[${'{"name":"value","operator":"=","value":1},'.repeat(24_000)}{"x":1}]}`,
    `{"filters":[{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(",")}}]}`,
    `{"paging":{"start":${"9".repeat(500_000)},"max":1}}`,
    `{"paging":{"start":1e${"9".repeat(1_000)},"max":1}}`,
    `"${"\\ud800".repeat(150_000)}"`,
    '{"__proto__":{"filters":[]},"constructor":{"prototype":{"filters":[]}}}',
    "x".repeat(3_000_000),
  ];
  const encoded = /** @type {[string, Uint8Array][]} */ ([
    ["gzip", gzipSync(zeros)],
    ["br", brotliCompressSync(zeros)],
    ["gzip, gzip", gzipSync(gzipSync(zeros))],
  ]);
  return portal.measure(async () => {
    const answers = [];
    for (const path of ["/datasets/Trials/points/search", "/favorite/queries", "/auth/login"]) {
      for (const body of bodies) answers.push(await portal.call("POST", path, { token, body }));
      for (const [coding, body] of encoded)
        answers.push(await portal.call("POST", path, { token, body, headers: { "content-encoding": coding } }));
    }
    const unexpected = answers
      .filter(({ status }) => status < 400 || status >= 500)
      .map(({ status, text }) => `${status} ${text.slice(0, 100)}`);
    const note = `the slowest answer took ${Math.round(Math.max(...answers.map(({ ms }) => ms)))} ms`;
    return unexpected.length === 0 ? note : { note, problem: `not refused: ${unexpected.join("; ")}` };
  });
}
