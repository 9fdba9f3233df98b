// @ts-check
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { Random } from "../lib/random.mjs";

export const name = "Uploads in parts: acknowledged parts against cut attempts for the same part, on disk and on S3";
export const isLong = true;

/** The smallest part that S3 joins. */
const partBytes = 5_242_880;
const size = partBytes + 3;

/** @param {import("../run.mjs").Context} context */
export async function run({ openPortal }) {
  const { Crc32c } = await import("@fairway/gateway/storage/crc32c");
  const { S3Server, s3Program } = await import("@fairway/gateway/testing/s3-server");
  const rounds = 100;
  const content = Buffer.alloc(size, 1);
  const other = Buffer.alloc(size, 2);
  const generator = new Random(11);
  const random = () => generator.next();
  /** @param {Buffer} bytes */
  const crc32cOf = (bytes) => {
    const checksum = new Crc32c();
    checksum.add(bytes);
    return checksum.toString();
  };
  /** @param {Buffer} whole @param {number} part */
  const partOf = (whole, part) => whole.subarray((part - 1) * partBytes, part * partBytes);

  /** @param {import("../lib/portal.mjs").Portal} target @param {string} where */
  const attack = async (target, where) => {
    const token = await target.asViewer();
    /** @type {Record<string, number>} */
    const completions = {};
    let [forgotten, wrong] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const file = `cut-${round}.bin`;
      const started = await target.call("POST", "/filesets/open/uploads", { token, body: { file, size, version: "1" } });
      if (started.status !== 201) throw new Error(`no upload: ${started.status} ${started.text}`);
      const { uploadId } = JSON.parse(started.text);
      const path = `/filesets/open/uploads/${uploadId}`;
      /** @param {number} part @param {Buffer} bytes */
      const addressOf = async (part, bytes) => {
        const query = new URLSearchParams({ crc32c: crc32cOf(bytes) }).toString();
        const { uploadUrl, headers = {} } = JSON.parse((await target.call("GET", `${path}/parts/${part}?${query}`, { token })).text);
        return { url: new URL(uploadUrl, target.origin), headers: /** @type {Record<string, string>} */ (headers) };
      };
      for (const part of [1, 2]) {
        const bytes = partOf(content, part);
        const { url, headers } = await addressOf(part, bytes);
        const sent = await fetch(url, { method: "PUT", body: new Uint8Array(bytes), headers });
        if (!sent.ok) throw new Error(`part ${part} got ${sent.status}`);
        const etag = sent.headers.get("etag");
        if (url.origin !== target.origin)
          await target.call("POST", `${path}/parts/${part}`, { token, body: etag === null ? {} : { etag } });
      }
      await Promise.all(
        [1, 2, 3].map(async () => {
          const bytes = partOf(other, 1);
          const { url, headers } = await addressOf(1, bytes);
          const socket = connect(Number(url.port), "127.0.0.1");
          socket.on("error", () => {});
          const lines = Object.entries({ ...headers, host: url.host, "content-length": bytes.length });
          socket.write(
            `PUT ${url.pathname}${url.search} HTTP/1.1\r\n${lines.map(([field, value]) => `${field}: ${value}\r\n`).join("")}\r\n`,
          );
          socket.write(bytes.subarray(0, Math.floor(random() * bytes.length)), () =>
            random() < 0.5 ? socket.resetAndDestroy() : socket.destroy(),
          );
          await once(socket, "close");
        }),
      );
      const { text } = await target.call("POST", "/filesets/open/uploads", { token, body: { file, size, version: "1" } });
      if (JSON.parse(text).received?.length !== 2) forgotten += 1;
      const { status } = await target.call("POST", `${path}/complete`, { token });
      completions[status] = (completions[status] ?? 0) + 1;
      const stored = await fetch(`${target.origin}/api/filesets/open/download?file=${file}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      if (!Buffer.from(await stored.arrayBuffer()).equals(content)) wrong += 1;
      await target.call("DELETE", `/filesets/open/file?file=${file}`, { token: await administratorOf(target) });
    }
    const answers = Object.entries(completions).map(([status, times]) => `${times} × ${status}`);
    return {
      note: `${where}: ${rounds} completions: ${answers.join(", ")}; ${forgotten} times a part was forgotten, ${wrong} wrong files`,
      isBroken: forgotten > 0 || wrong > 0 || completions[201] !== rounds,
    };
  };

  /** @type {WeakMap<object, Promise<string>>} */
  const administrators = new WeakMap();
  /** @param {import("../lib/portal.mjs").Portal} target */
  const administratorOf = (target) => {
    const known = administrators.get(target) ?? target.asAdministrator();
    administrators.set(target, known);
    return known;
  };

  const limits = { uploadPartBytes: partBytes };
  const onDisk = await openPortal({ env: { FAIRWAY_SETTINGS: JSON.stringify({ limits }) } });
  const measured = onDisk.measure(async () => {
    const results = [await attack(onDisk, "on disk")];
    if (s3Program === undefined) results.push({ note: "on S3: not run, versitygw is not installed", isBroken: false });
    else {
      const server = await S3Server.start(s3Program);
      const fromGateway = createRequire(new URL("../../../gateway/package.json", import.meta.url));
      const { CreateBucketCommand } = /** @type {typeof import("@aws-sdk/client-s3")} */ (fromGateway("@aws-sdk/client-s3"));
      await server.client.send(new CreateBucketCommand({ Bucket: "open" }));
      const { accessKeyId = "", secretAccessKey = "" } = server.settings().credentials ?? {};
      const onS3 = await openPortal({
        env: {
          FAIRWAY_SETTINGS: JSON.stringify({ limits, s3: { directUploads: true } }),
          FAIRWAY_S3_ACCESS_KEY_ID: accessKeyId,
          FAIRWAY_S3_SECRET_ACCESS_KEY: secretAccessKey,
          FAIRWAY_UPSTREAM_ADDRESSES: "127.0.0.1",
        },
      });
      try {
        const configuration = { name: "s3", s3URL: server.address.url, s3Region: server.address.region };
        const created = await onS3.call("POST", "/admin/config", { token: await administratorOf(onS3), body: configuration });
        if (created.status !== 201) throw new Error(`the configuration was refused: ${created.text}`);
        results.push(await attack(onS3, "directly on S3"));
      } finally {
        await onS3.stop();
        await server.stop();
      }
    }
    const note = results.map((result) => result.note).join("; ");
    return results.some(({ isBroken }) => isBroken) ? { note, problem: "acknowledged parts were lost" } : { note };
  });
  try {
    return await measured;
  } finally {
    await onDisk.stop();
  }
}
