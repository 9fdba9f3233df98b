import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { builtRelease, readReleases } from "./release.mjs";

async function checkoutWith(releases: string, kept: Record<string, object> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-release-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "docs"));
  await writeFile(join(folder, "docs/releases.tsv"), releases);
  for (const [name, builtFrom] of Object.entries(kept)) {
    await mkdir(join(folder, "contract/released", name), { recursive: true });
    await writeFile(join(folder, "contract/released", name, "built-from.json"), JSON.stringify(builtFrom));
  }
  return folder;
}

const head = "release\tcommit\tdate\n";
const two = `${head}r1\taaaaaaa\t2026-01-02\nr2\tbbbbbbb\t2026-02-03\n`;
const released = { server: "s2", web: "w2" };

it("a build of the last release's sources has its name", async () => {
  const folder = await checkoutWith(two, { r1: { server: "s1", web: "w1" }, r2: released });
  expect(await builtRelease({ folder, built: released })).toBe("r2");
});

it.each([
  ["another server", { server: "s3", web: "w2" }],
  ["another web app", { server: "s2", web: "w3" }],
  ["the release before", { server: "s1", web: "w1" }],
  ["a part that was not built", { server: "s2", web: undefined }],
])("a build of %s is marked as having later changes", async (_, built) => {
  const folder = await checkoutWith(two, { r1: { server: "s1", web: "w1" }, r2: released });
  expect(await builtRelease({ folder, built })).toBe("r2 with later changes");
});

it("a build never matches a release without fingerprints", async () => {
  expect(await builtRelease({ folder: await checkoutWith(two), built: released })).toBe("r2 with later changes");
});

it("a build has no release name without a list of releases", async () => {
  const folder = await checkoutWith(head);
  expect([await builtRelease({ folder, built: released }), await readReleases(folder)]).toEqual([undefined, []]);
  await rm(join(folder, "docs"), { recursive: true });
  expect(await builtRelease({ folder, built: released })).toBeUndefined();
});

it("releases are read with their commits and dates, oldest first", async () => {
  expect(await readReleases(await checkoutWith(two))).toEqual([
    { name: "r1", commit: "aaaaaaa", date: "2026-01-02" },
    { name: "r2", commit: "bbbbbbb", date: "2026-02-03" },
  ]);
});
