// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { checkout } from "./checkout.mjs";
import { Failure } from "./failure.mjs";

/**
 * The JavaScript of a part of the web app, compressed with gzip.
 * @typedef {{ file: string, bytes: number }} Script
 * @typedef {object} PartSize
 * @property {string} name for example `search/results/results-page`
 * @property {"page" | "screen" | "island"} kind
 * @property {number} own bytes, without what the shell has loaded
 * @property {number} shell bytes that are loaded before; 0 for a page
 * @property {number} limit of `own`
 * @property {Script[]} scripts what is counted in `own`, largest first
 * @property {Script[]} all `scripts` and those of the shell, largest first
 *
 * @typedef {{ pages: Readonly<Record<string, number>>, parts: Readonly<Record<string, number>>, otherwise: number }} Budgets bytes
 */

const kB = 1_000;

/**
 * The measured sizes and a tenth, at least 40 kB. Parts that are loaded on their first use have 20 kB of room, as the files that they
 * share with others may change with any import; those with large libraries have an entry. A screen without one has the limit of all
 * others, so that a new screen needs none.
 * @type {Budgets}
 */
export const budgets = {
  pages: { "index.html": 235 * kB, "login.html": 122 * kB },
  parts: {
    "search/results/results-page": 139 * kB,
    "search/boards/board-page": 343 * kB,
    "catalog/schema/schema-page": 88 * kB,
    "tools/tools-page": 66 * kB,
    "flows/request/request-page": 88 * kB,
    "admin/code-dialogs": 224 * kB,
    "admin/entities/entity-dialogs": 132 * kB,
    "flows/changes/flow-drawing": 132 * kB,
    "search/boards/panels/map-panel": 377 * kB,
    "search/graphs/graphs-view": 392 * kB,
    "search/map/map-view": 496 * kB,
    "search/results/dialogs": 124 * kB,
    "parts/area/area-dialog": 411 * kB,
    "parts/area/location-dialog": 342 * kB,
    "parts/file-preview/json/geojson-view": 380 * kB,
    "parts/file-preview/parquet/parquet-view": 61 * kB,
    "parts/file-preview/pdf/pdf-view": 210 * kB,
    "parts/filters/calendars": 90 * kB,
    "parts/text-difference/text-views": 106 * kB,
    "shell/tour/help-file-preview": 73 * kB,
    "shell/palette/palette": 74 * kB,
    "shell/shell-dialogs": 127 * kB,
    "shell/tour/tour": 41 * kB,
  },
  otherwise: 60 * kB,
};

/** A part that is larger than this share of its limit is named by every build. */
const warnedShare = 0.95;
const largestShown = 3;

/** The screens, as the shell imports them. */
export async function screenSources() {
  const source = await readFile(join(checkout, "web/src/shell/screens.ts"), "utf8");
  return [...source.matchAll(/import\("#(features\/[^"]+)"\)/g)].map((match) => `src/${match[1]}`);
}

/**
 * @param {string} folder of the built web app
 * @param {{ limits?: Budgets, screens?: readonly string[] }} [options]
 * @returns {Promise<PartSize[]>} the pages, the screens, and of what is loaded on its first use the parts with a limit of their own
 */
export async function measureParts(folder, { limits = budgets, screens } = {}) {
  /** @type {Manifest} */
  const manifest = JSON.parse(await readFile(join(folder, ".vite/manifest.json"), "utf8"));
  const screenFiles = screens ?? (await screenSources());
  const pages = Object.keys(limits.pages);
  const islands = Object.keys(manifest).filter(
    (source) => manifest[source]?.isDynamicEntry === true && !screenFiles.includes(source) && limits.parts[nameOf(source)] !== undefined,
  );
  const shellFiles = closure(manifest, "index.html");
  /** @type {Map<string, Promise<Script>>} */
  const sizes = new Map();
  /** @param {Iterable<string>} files */
  const scriptsOf = async (files) => {
    const scripts = [...files].map((file) => {
      const size = sizes.get(file) ?? gzipBytes(join(folder, file)).then((bytes) => ({ file, bytes }));
      sizes.set(file, size);
      return size;
    });
    return (await Promise.all(scripts)).toSorted((a, b) => b.bytes - a.bytes);
  };
  const shell = sum(await scriptsOf(shellFiles));
  /**
   * @param {PartSize["kind"]} kind
   * @param {string} source
   * @returns {Promise<PartSize>}
   */
  const measure = async (kind, source) => {
    const files = closure(manifest, source);
    const isPage = kind === "page";
    const scripts = await scriptsOf(isPage ? files : [...files].filter((file) => !shellFiles.has(file)));
    const name = isPage ? source : nameOf(source);
    return {
      name,
      kind,
      own: sum(scripts),
      shell: isPage ? 0 : shell,
      limit: (isPage ? limits.pages[source] : limits.parts[name]) ?? limits.otherwise,
      scripts,
      all: await scriptsOf(isPage ? files : new Set([...shellFiles, ...files])),
    };
  };
  const parts = await Promise.all([
    ...pages.map((source) => measure("page", source)),
    ...screenFiles.map((source) => measure("screen", source)),
    ...islands.map((source) => measure("island", source)),
  ]);
  const names = new Set(parts.map(({ name }) => name));
  const gone = Object.keys(limits.parts).filter((name) => !names.has(name));
  // Otherwise the budget of a renamed part would be forgotten.
  if (gone.length > 0) throw new Failure(`The bundle budget names ${gone.join(" and ")}, which the web app does not have.`);
  return parts;
}

/**
 * Throws a Failure that names every part that exceeds its budget.
 * @param {readonly PartSize[]} parts
 */
export function checkBudgets(parts) {
  const exceeded = parts.filter(({ own, limit }) => own > limit);
  if (exceeded.length > 0) throw new Failure(exceeded.map(sentence).join("\n"));
}

/**
 * A line for each part that has nearly reached its budget.
 * @param {readonly PartSize[]} parts
 */
export const budgetWarnings = (parts) =>
  parts
    .filter(({ own, limit }) => own <= limit && own > warnedShare * limit)
    .map(({ name, own, limit }) => `${name} has ${inKb(own)} of ${inKb(limit)}.`);

/** @param {PartSize} part */
function sentence({ name, kind, own, shell, limit, scripts }) {
  const what = kind === "page" ? `${name} loads` : `The ${kind} ${name} adds`;
  return [
    `${what} ${inKb(own)} of JavaScript (gzip)${kind === "page" ? "" : ` to the shell's ${inKb(shell)}`}, and its budget is ${inKb(limit)}. Its largest files:`,
    ...scripts.slice(0, largestShown).map((script) => `  ${inKb(script.bytes).padStart(9)}  ${script.file}`),
  ].join("\n");
}

/** @param {number} bytes */
export const inKb = (bytes) => `${(bytes / kB).toFixed(1)} kB`;

/** @param {readonly Script[]} scripts */
const sum = (scripts) => scripts.reduce((total, { bytes }) => total + bytes, 0);

/** @param {string} source */
const nameOf = (source) => source.replace(/^src\/(?:features\/)?/, "").replace(/\.tsx?$/, "");

/** @typedef {Record<string, { file: string, imports?: string[], isDynamicEntry?: boolean }>} Manifest */

/**
 * The scripts of a part and of everything it imports.
 * @param {Manifest} manifest
 * @param {string} source
 */
function closure(manifest, source) {
  const pending = [source];
  const seen = new Set();
  /** @type {Set<string>} */
  const files = new Set();
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (seen.has(part)) continue;
    seen.add(part);
    const chunk = manifest[part];
    // Otherwise a renamed source would count as zero bytes.
    if (chunk === undefined) throw new Failure(`${part} is not in the web app's manifest.`);
    if (chunk.file.endsWith(".js")) files.add(chunk.file);
    pending.push(...(chunk.imports ?? []));
  }
  return files;
}

/** @param {string} file */
async function gzipBytes(file) {
  const compressed = await promisify(gzip)(await readFile(file), { level: 9 });
  return compressed.length;
}
