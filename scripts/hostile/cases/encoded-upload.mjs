// @ts-check
import { gzipSync } from "node:zlib";

export const name = "A gzip upload of 262 kB that would decompress to 60 MB";

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  const token = await portal.asViewer();
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
  const body = gzipSync(Buffer.concat([Buffer.from(head), Buffer.alloc(60_000_000, "a"), Buffer.from("\r\n--b--\r\n")]));
  const headers = { "content-type": "multipart/form-data; boundary=b", "content-encoding": "gzip" };
  return portal.measure(async () => {
    const { status, ms } = await portal.call("POST", "/feedback/upload", { token, body, headers });
    return { note: `answered after ${Math.round(ms)} ms`, ...(status === 415 ? {} : { problem: `${status} instead of 415` }) };
  });
}
