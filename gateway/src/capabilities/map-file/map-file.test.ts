import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { expect, it, onTestFinished, vi } from "vitest";
import { operatorSettings } from "#config/settings-file.ts";
import { identityApp, someAccounts } from "#testing/identity-app.ts";
import { mapFileBytes } from "#testing/map-file.ts";
import { adaAndGrace } from "#testing/signed-in.ts";
import { openMapFile } from "./capability.ts";

const attribution = "© Harbor charts";
const tile = (zoom: number) => ({ zoom, x: 0, y: 0, content: Buffer.from(`tile of ${zoom}`) });

async function home(content?: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-map-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (content !== undefined) await writeFile(join(folder, "chart.pmtiles"), content);
  return folder;
}

const open = async (content: Buffer | undefined, log = { warn: vi.fn<FastifyBaseLogger["warn"]>() }) =>
  openMapFile({ file: { name: "chart.pmtiles", attribution }, home: await home(content), log });

it("serves the operator's file in ranges to those who are signed in", async () => {
  const bytes = mapFileBytes([tile(0), tile(3)]);
  const mapFile = await open(bytes);
  expect(mapFile.settings).toEqual({ attribution, maxZoom: 3 });
  const gateway = await identityApp({ accounts: someAccounts, capabilities: () => [mapFile] });
  const { grace } = await adaAndGrace(gateway, (token) => token);
  const get = (headers: Record<string, string>) => gateway.app.inject({ method: "GET", url: "/map-file", headers });
  const authorization = `Bearer ${grace}`;

  const part = await get({ authorization, range: "bytes=0-6" });
  expect([part.statusCode, part.body, part.headers["content-range"]]).toEqual([206, "PMTiles", `bytes 0-6/${bytes.length}`]);
  expect((await get({ authorization, range: `bytes=${bytes.length}-` })).statusCode).toBe(416);
  expect((await get({ authorization, "if-none-match": String(part.headers.etag) })).statusCode).toBe(304);
  expect((await get({})).statusCode).toBe(401);
});

it.each([
  ["is missing", undefined],
  ["is another file", Buffer.from("no map at all, but long enough for a header of 127 bytes".repeat(4))],
  ["is cut off", mapFileBytes([tile(0)]).subarray(0, 100)],
  ["has vector tiles", mapFileBytes([tile(0)], 1)],
])("a file that %s is reported once, and maps know none", async (_, content) => {
  const log = { warn: vi.fn<FastifyBaseLogger["warn"]>() };
  const { settings } = await open(content, log);
  expect(settings).toBeNull();
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ file: "chart.pmtiles" }),
    "the map file cannot be read: maps show the bundled world",
  );
});

it.each(["/etc/passwd", "../secret", "maps/../../secret", ""])("the settings refuse the name %j", (name) => {
  expect(operatorSettings.safeParse({ mapFile: { name } }).success).toBe(false);
});
