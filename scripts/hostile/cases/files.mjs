// @ts-check
import { once } from "node:events";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../lib/random.mjs";
import { exchange, openSocket } from "../lib/raw.mjs";

export const name = "Filesets: path tricks, floods of uploads and zips, cut and stalled connections";

const secret = "only for administrators";
const tricks = [
  "../closed/secret.txt",
  "..%2fclosed%2fsecret.txt",
  "%2e%2e/closed/secret.txt",
  "%252e%252e%252fclosed%252fsecret.txt",
  "..%5cclosed%5csecret.txt",
  "/etc/passwd",
  "%2fetc%2fpasswd",
  "file:///etc/passwd",
  "x%00/../../closed/secret.txt",
  ".fairway/tags/x",
  ".FAIRWAY/tags/x",
  "%c0%ae%c0%ae/closed/secret.txt",
  "x".repeat(1_025),
  "a/".repeat(511) + "ab",
  "e%CC%81",
  "%ff%fe",
];
/** Calls that the flood may get through in a minute; see `limits.userUploadsPerMinute`. */
const uploadsPerMinute = 1_000;

/** @param {import("../run.mjs").Context} context */
export async function run({ portal, short }) {
  const [flood, cuts, readers, zipPaths] = short ? [300, 20, 80, 1_000] : [3_000, 150, 200, 10_000];
  const [viewer, administrator] = [await portal.asViewer(), await portal.asAdministrator()];
  const folder = join(portal.home, "files");
  await mkdir(join(folder, "closed"), { recursive: true });
  await mkdir(join(folder, "open/many"), { recursive: true });
  await writeFile(join(folder, "closed/secret.txt"), secret);
  await writeFile(join(folder, "open/large.bin"), Buffer.alloc(20_000_000));
  const names = Array.from({ length: zipPaths }, (_, index) => `many/${index}.txt`);
  for (const one of names) await writeFile(join(folder, "open", one), "x");
  /** @type {string[]} */
  const problems = [];
  /** @type {string[]} */
  const notes = [];
  /** @param {string} file @param {string} token */
  const signedUrl = async (file, token = viewer) => {
    const { status, text } = await portal.call("GET", `/filesets/open/upload?file=${file}`, { token });
    if (status !== 200) throw new Error(`no address for an upload: ${status} ${text}`);
    return /** @type {string} */ (JSON.parse(text).uploadUrl);
  };
  const unfinished = async () => (await readdir(join(folder, "open/.fairway/unfinished"))).length;
  /** @param {string} url @param {number} length */
  const headOf = (url, length) => `PUT ${url} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;

  return portal.measure(async () => {
    for (const trick of tricks) {
      for (const target of [
        ...["download", "tags", "file", "upload"].map((route) => `/filesets/open/${route}?file=${trick}`),
        `/filesets/open/list?listPrefix=${trick}/`,
        `/filesets/closed/download?file=secret.txt&file=${trick}`,
        `/filesets/${trick}/download?file=secret.txt`,
        `/filesets/open/${trick}`,
      ]) {
        const head = `GET /api${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${viewer}\r\nConnection: close\r\n\r\n`;
        const answer = await exchange(portal, head);
        // A name may look like a trick without being one: then there is no such file yet.
        const isEmpty = answer.startsWith("HTTP/1.1 200 ") && /\{"(?:files":\[\]|uploadUrl")/.test(answer);
        if (!(isEmpty || /^HTTP\/1\.1 4\d\d /.test(answer)) || answer.includes(secret) || answer.includes("root:"))
          problems.push(`${target} got ${answer.split("\r\n", 1)[0]}`);
      }
    }

    const url = await signedUrl("cut.bin");
    const generator = new Random(7);
    const random = () => generator.next();
    const body = "x".repeat(200_000);
    const whole = headOf(url, body.length) + body;
    await Promise.all(
      Array.from({ length: cuts }, async () => {
        const socket = openSocket(portal, whole.slice(0, 1 + Math.floor(random() * (whole.length - 2))));
        await sleep(random() * 300);
        if (random() < 0.5) socket.resetAndDestroy();
        else socket.destroy();
      }),
    );
    const left = await settles(unfinished, 0);
    if (left !== 0) problems.push(`${left} unfinished files after cut connections`);
    const { status: cutStatus } = await portal.call("GET", "/filesets/open/file?file=cut.bin", { token: viewer });
    if (cutStatus !== 404) problems.push(`a cut upload is stored: ${cutStatus}`);

    const stalled = Array.from({ length: 60 }, () => openSocket(portal, `${headOf(url, 1_000)}x`));
    await sleep(500);
    const { status: besides } = await portal.call("PUT", (await signedUrl("other.txt", administrator)).slice("/api".length), {
      body: "x",
      headers: { "content-type": "text/plain" },
    });
    if (besides !== 201) problems.push(`another user's upload beside stalled ones got ${besides}`);
    if ((await unfinished()) > 6) problems.push(`${await unfinished()} stalled uploads are open`);
    for (const socket of stalled) socket.destroy();
    await settles(unfinished, 0);

    const emptyUrl = await signedUrl("empty.txt");
    const statuses = await inParallel(flood, 6, async () => {
      const { status } = await portal.call("PUT", emptyUrl.slice("/api".length), { body: "", headers: { "content-type": "text/plain" } });
      return status;
    });
    const stored = statuses.filter((status) => status === 201).length;
    if (statuses.some((status) => status !== 201 && status !== 429) || stored > 2 * uploadsPerMinute) {
      problems.push(`${flood} empty uploads were answered with ${[...new Set(statuses)].join(", ")}`);
    }
    notes.push(`${stored} of ${flood} empty uploads were stored`);

    const stuck = Array.from({ length: readers }, () =>
      openSocket(
        portal,
        `GET /api/filesets/open/download?file=large.bin HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${viewer}\r\n\r\n`,
      ),
    );
    // Not before all of them are answered: a call would take the place of one.
    await Promise.all(stuck.map((socket) => once(socket, "readable")));
    const { status: own } = await portal.call("GET", "/filesets/open/download?file=many/1.txt", { token: viewer });
    const { status: others } = await portal.call("GET", "/filesets/open/download?file=many/1.txt", { token: administrator });
    if (own !== 429 || others !== 200)
      problems.push(`beside ${readers} downloads that nobody reads: ${own} for their user, ${others} for others`);
    for (const socket of stuck) socket.destroy();
    await sleep(500);

    for (const paths of [
      names,
      // As many paths as one call may name.
      ["many/", ...names.slice(1)],
      Array.from({ length: 10_000 }, () => "many/"),
      ["../closed/"],
      ["many/../../closed/"],
    ]) {
      const requested = await portal.call("POST", "/filesets/open/zip", { token: viewer, body: { paths } });
      const escapes = paths.some((path) => path.includes(".."));
      if (requested.status !== (escapes ? 400 : 201)) problems.push(`a zip of ${paths.length} paths got ${requested.status}`);
      if (requested.status !== 201) continue;
      const zip = await portal.call("GET", JSON.parse(requested.text).zipUrl, { token: viewer });
      // Entries of its directory, with its manifest.
      const listed = zip.text.split("PK\u0001\u0002").length - 2;
      if (zip.status !== 200 || listed !== names.length)
        problems.push(`a zip of ${paths.length} paths holds ${listed} files: ${zip.status}`);
    }
    const huge = JSON.stringify({ paths: Array.from({ length: 10_000 }, () => "\u00e9".repeat(1_900)) });
    for (const text of [huge, `{"paths":["${"x".repeat(21_000_000)}"]}`]) {
      const { status } = await portal.call("POST", "/filesets/open/zip", { token: viewer, body: text });
      // The portal may close the connection before the whole body is sent.
      if (![0, 400, 413].includes(status)) problems.push(`a zip request of ${text.length} characters got ${status}`);
    }

    const signature = new URL(url, portal.origin).searchParams.get("signature") ?? "?";
    const log = await readFile(join(portal.home, "logs/fairway.log"), "utf8");
    const audit = await portal.call("GET", "/auditing/events", { token: administrator });
    for (const [where, text] of Object.entries({ log, audit: audit.text })) {
      if (text.includes(signature) || text.includes(encodeURIComponent(signature)) || text.includes("signature=")) {
        problems.push(`the ${where} has signatures of uploads`);
      }
    }
    const note = notes.join("; ");
    return problems.length === 0 ? note : { note, problem: problems.join("; ").slice(0, 2_000) };
  });
}

/**
 * Waits until `read` resolves with `value`, at most 5 s, and resolves with what it resolved with last.
 * @param {() => Promise<number>} read
 * @param {number} value
 */
async function settles(read, value) {
  let last = await read();
  for (let wait = 0; wait < 100 && last !== value; wait += 1) {
    await sleep(50);
    last = await read();
  }
  return last;
}

/**
 * @template T
 * @param {number} count
 * @param {number} atOnce
 * @param {() => Promise<T>} run
 */
async function inParallel(count, atOnce, run) {
  /** @type {T[]} */
  const results = [];
  let left = count;
  const next = async () => {
    while (left > 0) {
      left -= 1;
      results.push(await run());
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return results;
}
