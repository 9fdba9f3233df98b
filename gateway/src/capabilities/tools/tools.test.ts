import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Tool, tools as routes } from "@fairway/contract/tools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTools } from "#capabilities/tools/capability.ts";
import { type IdentityApp, identityApp, someAccounts } from "#testing/identity-app.ts";
import { adaAndGrace } from "#testing/signed-in.ts";

const wheel = "the bytes of a wheel";
const sha256 = createHash("sha256").update(wheel).digest("hex");
const python = {
  display: "Python client",
  description: "Search into pandas.",
  icon: { type: "fa-solid", name: "code" },
  version: "1.2.0",
  files: [{ filename: "fairway-1.2.0-py3-none-any.whl", size: wheel.length, sha256, description: "The package" }],
  guide: "python-client.md",
};
const cli = { ...python, display: "Command Line Tool", icon: undefined, files: [], guide: "cli.md" };
const wheelUrl = "/tools/pythonclient/files/fairway-1.2.0-py3-none-any.whl";

let folder: string;
let gateway: IdentityApp;
let ada: string;
const closers: (() => Promise<void>)[] = [];

async function toolFolder(index: unknown): Promise<string> {
  const created = await mkdtemp(join(tmpdir(), "fairway-tools-"));
  closers.push(() => rm(created, { recursive: true }));
  await writeFile(join(created, "index.json"), JSON.stringify(index));
  return created;
}

beforeAll(async () => {
  folder = await toolFolder([python, cli]);
  await writeFile(join(folder, "fairway-1.2.0-py3-none-any.whl"), wheel);
  await writeFile(join(folder, "python-client.md"), "# Search from Python\n\n`{{origin}}` – größer");
  await writeFile(join(folder, "private.txt"), "not in the index");
  await mkdir(join(folder, "deep"));
  await symlink("/etc/hostname", join(folder, "deep/link"));
  const tools = await openTools({ folder });
  gateway = await identityApp({
    accounts: someAccounts,
    onClose: (close) => closers.push(close),
    headRoutes: true,
    capabilities: () => [tools],
  });
  ({ ada } = await adaAndGrace(gateway, (token) => token));
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const get = (url: string, headers: Record<string, string> = { authorization: `Bearer ${ada}` }) =>
  gateway.app.inject({ method: "GET", url, headers });

describe("tools", () => {
  it("[TOOLS-08] GET /tools lists each with the addresses of its files relative to the gateway, sorted by display name", async () => {
    expect(routes.list.path).toBe("/tools");
    const { icon: _inMenuOnly, guide: _ownAddress, ...common } = python;
    expect((await get("/tools")).json<Tool[]>()).toEqual([
      { ...common, display: "Command Line Tool", name: "commandlinetool", files: [] },
      { ...common, name: "pythonclient", files: [{ ...python.files[0], url: wheelUrl }] },
    ]);
  });

  it("[TOOLS-07] [TOOLS-08] send a file with its name, by range, and with headers that keep a browser from running it", async () => {
    const whole = await get(wheelUrl);
    expect([whole.statusCode, whole.body]).toEqual([200, wheel]);
    expect(whole.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": String(wheel.length),
      "content-disposition": expect.stringMatching(/^attachment; filename="fairway-1\.2\.0-py3-none-any\.whl"/),
      "content-security-policy": expect.stringContaining("sandbox"),
    });
    const part = await get(wheelUrl, { authorization: `Bearer ${ada}`, range: "bytes=4-8" });
    expect([part.statusCode, part.body]).toEqual([206, "bytes"]);
    const again = await get(wheelUrl, { authorization: `Bearer ${ada}`, "if-none-match": String(whole.headers["etag"]) });
    expect(again.statusCode).toBe(304);
    // A plain link carries the cookie.
    expect((await get(wheelUrl, { cookie: `JWT=${ada}` })).body).toBe(wheel);
  });

  it("[TOOLS-06] answer their guide as Markdown text", async () => {
    const guide = await get("/tools/pythonclient/guide");
    expect(guide.headers["content-type"]).toBe("text/markdown; charset=utf-8");
    expect(guide.body).toBe("# Search from Python\n\n`{{origin}}` – größer");
  });

  it("need a sign-in", async () => {
    for (const url of ["/tools", "/tools/pythonclient/guide", wheelUrl]) expect((await get(url, {})).statusCode).toBe(401);
  });

  it.each([
    "/tools/pythonclient/files/private.txt",
    "/tools/pythonclient/files/index.json",
    "/tools/pythonclient/files/python-client.md",
    "/tools/pythonclient/files/..%2Findex.json",
    "/tools/pythonclient/files/deep%2Flink",
    "/tools/pythonclient/files/%2Fetc%2Fhostname",
    "/tools/pythonclient/files/fairway-1.2.0-py3-none-any.whl%00.txt",
    "/tools/commandlinetool/files/fairway-1.2.0-py3-none-any.whl",
    "/tools/..%2F..%2Fetc/guide",
    "/tools/constructor/guide",
    "/tools/Python%20client/guide",
  ])("answer 404 for %s, which the index does not name", async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });

  it("lead nowhere when their index names a path", async () => {
    for (const filename of ["../secret", "deep/link", "/etc/hostname", "..", ".hidden", ""]) {
      const invalid = await toolFolder([{ ...python, files: [{ ...python.files[0], filename }] }]);
      await expect(openTools({ folder: invalid })).rejects.toThrow("is not an index of tools");
    }
  });

  it("are none without an index, and fail to open if two have the same name in addresses", async () => {
    const none = await openTools({ folder: fileURLToPath(new URL("missing/", import.meta.url)) });
    expect(none.downloadable).toEqual([]);
    const twice = await toolFolder([python, { ...python, display: "PythonClient" }]);
    await expect(openTools({ folder: twice })).rejects.toThrow("have the same name in addresses");
  });
});
