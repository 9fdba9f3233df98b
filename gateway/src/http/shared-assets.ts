import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "#process/system-code.ts";

/** A tab that was opened with a version may need another of its files for this long after the last gateway of it has ended. */
const keepDays = 30;
/** A file that no version names may belong to one that is just being added. */
const unlistedHours = 24;
const hourMs = 3_600_000;

/** A file directly in the folder, with nothing in its name that could lead out of it. */
export const isAssetName = (name: string): boolean => /^\w[\w.-]*$/.test(name);

/**
 * Copies the hashed files of a web app to a folder that gateways share, and removes those of versions that no gateway has served for
 * `keepDays`. While gateways of two versions serve behind one load balancer, a page of one version asks the gateways of the other one
 * for its files, too. Decision 0552.
 */
export async function shareAssets(assets: string, folder: string): Promise<void> {
  const names = (await filesIn(assets)).filter(isAssetName).toSorted();
  const versions = join(folder, "versions");
  await mkdir(versions, { recursive: true, mode: 0o700 });
  // The list comes first: files that a list names are not removed.
  const version = createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 32);
  await replaceFile(join(versions, `${version}.json`), (unfinished) => writeFile(unfinished, JSON.stringify(names), { mode: 0o600 }));
  const present = new Set(await filesIn(folder));
  for (const name of names) {
    if (!present.has(name))
      await replaceFile(join(folder, name), async (unfinished) =>
        writeFile(unfinished, await readFile(join(assets, name)), { mode: 0o600 }),
      );
  }
  await removeOld(folder);
}

/** Other gateways see a file only once it is complete. */
async function replaceFile(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  await write(unfinished);
  await rename(unfinished, path);
}

async function removeOld(folder: string): Promise<void> {
  const listed = new Set<string>();
  for (const name of await filesIn(join(folder, "versions"))) {
    const path = join(folder, "versions", name);
    if (await isOlder(path, keepDays * 24)) await rm(path, { force: true });
    else if (name.endsWith(".json")) for (const file of await namesOf(path)) listed.add(file);
  }
  for (const name of await filesIn(folder)) {
    if (!listed.has(name) && (await isOlder(join(folder, name), unlistedHours))) await rm(join(folder, name), { force: true });
  }
}

/** Another gateway may remove a list or a file at the same time. */
const namesOf = async (list: string): Promise<string[]> => {
  const text = await readFile(list, "utf8").catch(unlessMissing);
  return text === undefined ? [] : (JSON.parse(text) as string[]);
};

const isOlder = async (path: string, hours: number): Promise<boolean> => {
  const stats = await stat(path).catch(unlessMissing);
  return stats !== undefined && Date.now() - stats.mtimeMs > hours * hourMs;
};

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== "ENOENT") throw error;
  return undefined;
}
