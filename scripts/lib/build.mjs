// @ts-check
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { compileServer } from "./compile-server.mjs";
import { isMissing } from "./failure.mjs";
import { fingerprint, generated } from "./fingerprint.mjs";
import { precompress } from "./precompress.mjs";
import { run } from "./run.mjs";

/** @typedef {{ name: string, sources: string[], build: () => Promise<void>, after?: string, beside?: readonly string[] }} Part `after` names an earlier part that this one needs, `beside` files that it writes beside the sources, where Git removes them when it goes to another commit */

const sharedSources = ["package-lock.json", "tsconfig.base.json"];
// contract/released is not part of the build.
const contract = ["contract/src", "contract/package.json", "contract/tsconfig.json"];
const expressions = ["expressions/src", "expressions/package.json", "expressions/tsconfig.json"];
/** Holds a fingerprint of the sources that each part was built from. */
const fingerprintFolder = join(checkout, ".build");

/** @type {Part[]} */
const portalParts = [
  {
    name: "server",
    sources: [...sharedSources, ...contract, ...expressions, "gateway", "demo"],
    build: compileServer,
  },
  {
    name: "web",
    sources: [...sharedSources, ...contract, ...expressions, "web"],
    build: async () => {
      await remove("web/dist");
      await run("Building the web app", process.execPath, [join(checkout, "node_modules/vite/bin/vite.js"), "build"], {
        cwd: join(checkout, "web"),
        env: { ...process.env, NODE_ENV: "production" },
      });
      await precompress(join(checkout, "web/dist/assets"));
    },
  },
  {
    name: "sdk",
    // The API is described by the contract.
    sources: [...sharedSources, ...contract, "gateway/src/http/openapi.ts", "package.json", "LICENSE", "sdk"],
    after: "server",
    beside: generated,
    build: async () => {
      await Promise.all([remove("sdk/dist"), remove(".build/sdk"), remove(".build/sdk.tsbuildinfo")]);
      await run("Generating the clients", process.execPath, [join(checkout, "sdk/build/main.mjs")]);
    },
  },
];

/**
 * Builds the parts whose sources have changed. The fingerprint of a part is written after its build, so that an interrupted
 * build is repeated.
 * @param {(line: string) => void} log
 * @param {{ always?: boolean, parts?: Part[], folder?: string, onStep?: (step: string, ms: number) => void }} [options] `folder`
 *   holds the fingerprints
 */
export async function ensureBuilt(log, { always = false, parts = portalParts, folder = fingerprintFolder, onStep } = {}) {
  /** @param {Part} part */
  const pathOf = ({ name }) => fingerprintPath(folder, name);
  const changed = await Promise.all(
    parts.map(async (part) => ({ part, now: await fingerprint(part.sources), before: await readFingerprint(pathOf(part)) })),
  );
  const outdated = changed.filter(
    ({ part, now, before }) => always || now !== before || part.beside?.some((file) => !existsSync(join(checkout, file))),
  );
  if (outdated.length === 0) return;
  log("Building …");
  /** @type {Map<string, Promise<void>>} */
  const builds = new Map();
  for (const { part, now } of outdated) {
    const build = async () => {
      await builds.get(part.after ?? "");
      await rm(pathOf(part), { force: true });
      const started = performance.now();
      await part.build();
      onStep?.(`Build of ${part.name}`, performance.now() - started);
      await mkdir(folder, { recursive: true });
      await writeFile(`${pathOf(part)}.${process.pid}`, now);
      await rename(`${pathOf(part)}.${process.pid}`, pathOf(part));
    };
    builds.set(part.name, build());
  }
  await Promise.all(builds.values());
}

/** Compiles the server if its sources have changed. @param {(line: string) => void} log */
export const ensureServerBuilt = (log) => ensureBuilt(log, { parts: portalParts.filter(({ name }) => name === "server") });

/** Builds the clients, whose types checks of the whole tree need, and the server, which describes the API. @param {(line: string) => void} log */
export const ensureClientsBuilt = (log) => ensureBuilt(log, { parts: portalParts.filter(({ name }) => name !== "web") });

/** Has the next start build the server: its outputs no longer come from the sources of the last build. */
export const forgetServerBuild = () => rm(fingerprintPath(fingerprintFolder, "server"), { force: true });

/**
 * The fingerprints of the sources that the portal's parts were built from.
 * @returns {Promise<Record<string, string | undefined>>}
 */
export async function builtFingerprints(folder = fingerprintFolder) {
  return Object.fromEntries(
    await Promise.all(portalParts.map(async ({ name }) => [name, await readFingerprint(fingerprintPath(folder, name))])),
  );
}

/**
 * @param {string} folder
 * @param {string} name
 */
function fingerprintPath(folder, name) {
  return join(folder, `${name}.fingerprint`);
}

/** @param {string} path */
async function readFingerprint(path) {
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
