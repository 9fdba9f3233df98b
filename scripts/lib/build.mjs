// @ts-check
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { isMissing } from "./failure.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { precompress } from "./precompress.mjs";
import { run } from "./run.mjs";

/** @typedef {{ name: string, sources: string[], build: () => Promise<void> }} Part */

const everyPart = ["package-lock.json", "tsconfig.base.json"];
// What is kept of releases beside the contract is no part of what is built.
const contract = ["contract/src", "contract/package.json", "contract/tsconfig.json"];
const servers = ["contract", "gateway", "demo"];
/** The folder of the notes that say what each part was built from. */
const builtFrom = join(checkout, ".build");

/** @type {Part[]} */
const portalParts = [
  {
    name: "server",
    sources: [...everyPart, ...contract, "gateway", "demo"],
    build: async () => {
      // From nothing: a compiler that goes on from before leaves the outputs of deleted sources behind.
      await Promise.all(servers.flatMap((name) => [remove(`${name}/dist`), remove(`${name}/tsconfig.tsbuildinfo`)]));
      await run("Compiling the server", process.execPath, [join(checkout, "node_modules/typescript/bin/tsc"), "-b", ...servers]);
    },
  },
  {
    name: "web",
    sources: [...everyPart, ...contract, "web"],
    build: async () => {
      await remove("web/dist");
      await run("Building the web app", process.execPath, [join(checkout, "node_modules/vite/bin/vite.js"), "build"], {
        cwd: join(checkout, "web"),
        env: { ...process.env, NODE_ENV: "production" },
      });
      await precompress(join(checkout, "web/dist/assets"));
    },
  },
];

/**
 * Builds what has changed since it was last built. A part's note of what it was built from is written after the build, so
 * that an interrupted one is done again.
 * @param {(line: string) => void} say
 * @param {{ always?: boolean, parts?: Part[], notes?: string }} [options] `notes` is the folder of the notes
 */
export async function ensureBuilt(say, { always = false, parts = portalParts, notes = builtFrom } = {}) {
  /** @param {Part} part */
  const note = ({ name }) => notePath(notes, name);
  const changed = await Promise.all(
    parts.map(async (part) => ({ part, now: await fingerprint(part.sources), before: await readNote(note(part)) })),
  );
  const due = changed.filter(({ now, before }) => always || now !== before);
  if (due.length === 0) return;
  say("Building …");
  await Promise.all(
    due.map(async ({ part, now }) => {
      await rm(note(part), { force: true });
      await part.build();
      await mkdir(notes, { recursive: true });
      await writeFile(`${note(part)}.${process.pid}`, now);
      await rename(`${note(part)}.${process.pid}`, note(part));
    }),
  );
}

/**
 * The fingerprints of the sources that the parts of the portal were built from.
 * @returns {Promise<Record<string, string | undefined>>}
 */
export async function builtFingerprints(notes = builtFrom) {
  return Object.fromEntries(await Promise.all(portalParts.map(async ({ name }) => [name, await readNote(notePath(notes, name))])));
}

/**
 * @param {string} notes
 * @param {string} name
 */
function notePath(notes, name) {
  return join(notes, `${name}.fingerprint`);
}

/** @param {string} path */
async function readNote(path) {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** @param {string} path */
async function remove(path) {
  await rm(join(checkout, path), { recursive: true, force: true });
}
