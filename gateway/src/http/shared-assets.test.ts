import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { installErrorHandler } from "./error-handler.ts";
import { installSecurityHeaders } from "./security-headers.ts";
import { shareAssets } from "./shared-assets.ts";
import { installWebApp } from "./web-app.ts";

const day = 24 * 3_600_000;

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-shared-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function builtWebApp(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await emptyFolder();
  await mkdir(join(root, "assets"));
  for (const page of ["index.html", "login.html"]) await writeFile(join(root, page), page);
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(root, "assets", name), text);
    await writeFile(join(root, "assets", `${name}.gz`), gzipSync(text));
  }
  return root;
}

/** The start of a gateway, as far as it concerns the files of the web app. */
async function startGateway(webRoot: string, shared: string): Promise<FastifyInstance> {
  await shareAssets(join(webRoot, "assets"), shared);
  const app = Fastify();
  installSecurityHeaders(app);
  installErrorHandler(app);
  await installWebApp(app, webRoot, () => ({ frames: [], tiles: [], uploads: [] }), shared);
  onTestFinished(() => app.close());
  return app;
}

const setAge = (path: string, days: number) => utimes(path, new Date(Date.now() - days * day), new Date(Date.now() - days * day));
const filesOf = async (folder: string) => (await readdir(folder)).filter((name) => name !== "versions").toSorted();

it("gateways of two versions serve the files of both", async () => {
  const shared = await emptyFolder();
  const older = await startGateway(await builtWebApp({ "main-old.js": "old main", "same-abc.css": "same" }), shared);
  const newer = await startGateway(await builtWebApp({ "main-new.js": "new main", "same-abc.css": "same" }), shared);
  for (const app of [older, newer]) {
    for (const [name, text] of [
      ["main-old.js", "old main"],
      ["main-new.js", "new main"],
      ["same-abc.css", "same"],
    ]) {
      const response = await app.inject({ url: `/assets/${name}` });
      expect([response.statusCode, response.body]).toEqual([200, text]);
      expect(response.headers).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        "content-type": expect.stringMatching(/javascript|css/),
        "x-content-type-options": "nosniff",
      });
      const compressed = await app.inject({ url: `/assets/${name}`, headers: { "accept-encoding": "gzip" } });
      expect(compressed.headers["content-encoding"]).toBe("gzip");
    }
  }
});

it("gateways never serve what is not a file of the web app", async () => {
  const root = await emptyFolder();
  await writeFile(join(root, "master.key"), "secret");
  const shared = join(root, "web-files");
  const app = await startGateway(await builtWebApp({ "main-abc.js": "main" }), shared);
  const [version] = await readdir(join(shared, "versions"));
  for (const path of [
    "../master.key",
    "..%2fmaster.key",
    "%2e%2e/master.key",
    `versions/${version}`,
    "versions",
    ".",
    "gone-abc.js",
    ".hidden",
  ]) {
    const response = await app.inject({ url: `/assets/${path}` });
    // An address without the folder of files is a page.
    expect([path, response.statusCode === 404 || response.body === "index.html"]).toEqual([path, true]);
    expect(response.headers["cache-control"]).toBe("no-store");
  }
});

it("keeps the files of a version for 30 days after its last gateway has ended", async () => {
  const shared = await emptyFolder();
  const older = await builtWebApp({ "main-old.js": "old", "same-abc.css": "same" });
  await shareAssets(join(older, "assets"), shared);
  for (const name of await readdir(join(shared, "versions"))) await setAge(join(shared, "versions", name), 29);
  for (const name of await filesOf(shared)) await setAge(join(shared, name), 60);
  const newer = await builtWebApp({ "main-new.js": "new", "same-abc.css": "same" });
  const all = ["main-new.js", "main-new.js.gz", "main-old.js", "main-old.js.gz", "same-abc.css", "same-abc.css.gz"];
  await shareAssets(join(newer, "assets"), shared);
  expect(await filesOf(shared)).toEqual(all);

  for (const name of await readdir(join(shared, "versions"))) await setAge(join(shared, "versions", name), 31);
  await shareAssets(join(newer, "assets"), shared);
  expect(await filesOf(shared)).toEqual(all.filter((name) => !name.startsWith("main-old")));
  expect(await readdir(join(shared, "versions"))).toHaveLength(1);
});

it("a gateway that still serves a version keeps its files", async () => {
  const shared = await emptyFolder();
  const older = join(await builtWebApp({ "main-old.js": "old" }), "assets");
  await shareAssets(older, shared);
  for (const name of await filesOf(shared)) await setAge(join(shared, name), 60);
  for (const name of await readdir(join(shared, "versions"))) await setAge(join(shared, "versions", name), 60);
  await shareAssets(older, shared);
  await shareAssets(join(await builtWebApp({ "main-new.js": "new" }), "assets"), shared);
  expect(await filesOf(shared)).toContain("main-old.js");
});

it("gateways that start at the same time share the same files, and remove what a start has left unfinished", async () => {
  const shared = await emptyFolder();
  await writeFile(join(shared, "main-abc.js.1.unfinished"), "ma");
  await setAge(join(shared, "main-abc.js.1.unfinished"), 2);
  const root = join(await builtWebApp({ "main-abc.js": "main" }), "assets");
  await Promise.all([shareAssets(root, shared), shareAssets(root, shared), shareAssets(root, shared)]);
  expect(await filesOf(shared)).toEqual(["main-abc.js", "main-abc.js.gz"]);
});
