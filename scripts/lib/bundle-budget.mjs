// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Failure } from "./failure.mjs";

/**
 * The JavaScript that a screen loads before it is shown, compressed with gzip.
 * @typedef {object} ScreenBudget
 * @property {string} screen
 * @property {string[]} parts sources whose chunks the screen needs at first, including everything they import
 * @property {number} limit bytes
 *
 * @typedef {{ screen: string, limit: number, bytes: number, chunks: { file: string, bytes: number }[] }} ScreenSize largest chunk first
 */

const kB = 1_000;

/** @type {readonly ScreenBudget[]} */
export const screenBudgets = [
  { screen: "login", parts: ["login.html"], limit: 108 * kB },
  // Includes the search form, which the page fetches while it shows its list.
  {
    screen: "datasets",
    parts: ["index.html", "src/features/search/datasets/datasets-page.tsx", "src/features/search/datasets/search-form.tsx"],
    limit: 244 * kB,
  },
  { screen: "results", parts: ["index.html", "src/features/search/results/results-page.tsx"], limit: 303 * kB },
  {
    screen: "results as graphs",
    parts: ["index.html", "src/features/search/results/results-page.tsx", "src/features/search/graphs/graphs-view.tsx"],
    limit: 569 * kB,
  },
  {
    screen: "results on a map",
    parts: ["index.html", "src/features/search/results/results-page.tsx", "src/features/search/map/map-view.tsx"],
    limit: 682 * kB,
  },
  { screen: "catalog", parts: ["index.html", "src/features/catalog/list/catalog-page.tsx"], limit: 218 * kB },
  { screen: "schema", parts: ["index.html", "src/features/catalog/schema/schema-page.tsx"], limit: 250 * kB },
  { screen: "board", parts: ["index.html", "src/features/search/boards/board-page.tsx"], limit: 516 * kB },
  { screen: "filesets", parts: ["index.html", "src/features/files/filesets-page.tsx"], limit: 245 * kB },
  { screen: "profile", parts: ["index.html", "src/features/account/profile-page.tsx"], limit: 215 * kB },
  { screen: "sign-in methods", parts: ["index.html", "src/features/account/methods-page.tsx"], limit: 211 * kB },
  { screen: "password", parts: ["index.html", "src/features/account/password-page.tsx"], limit: 218 * kB },
  { screen: "CAC", parts: ["index.html", "src/features/account/cac-page.tsx"], limit: 206 * kB },
  { screen: "API keys", parts: ["index.html", "src/features/account/keys-page.tsx"], limit: 209 * kB },
  { screen: "notices", parts: ["index.html", "src/features/notices/notices-page.tsx"], limit: 223 * kB },
  { screen: "administration", parts: ["index.html", "src/features/admin/entity-page.tsx"], limit: 254 * kB },
  { screen: "feedback", parts: ["index.html", "src/features/feedback/feedback-admin-page.tsx"], limit: 215 * kB },
  { screen: "flows", parts: ["index.html", "src/features/flows/list/flows-page.tsx"], limit: 221 * kB },
  { screen: "flow history", parts: ["index.html", "src/features/flows/history/history-page.tsx"], limit: 223 * kB },
  { screen: "flow requests", parts: ["index.html", "src/features/flows/requests/requests-page.tsx"], limit: 226 * kB },
  { screen: "flow request", parts: ["index.html", "src/features/flows/request/request-page.tsx"], limit: 273 * kB },
  { screen: "auditing", parts: ["index.html", "src/features/auditing/auditing-page.tsx"], limit: 232 * kB },
];

/**
 * @param {string} folder of the built web app
 * @param {readonly ScreenBudget[]} [budgets]
 * @returns {Promise<ScreenSize[]>}
 */
export async function measureScreens(folder, budgets = screenBudgets) {
  /** @type {Manifest} */
  const manifest = JSON.parse(await readFile(join(folder, ".vite/manifest.json"), "utf8"));
  return Promise.all(
    budgets.map(async ({ screen, parts, limit }) => {
      const files = [...closure(manifest, parts)].filter((file) => file.endsWith(".js"));
      const chunks = await Promise.all(files.map(async (file) => ({ file, bytes: await gzipBytes(join(folder, file)) })));
      chunks.sort((a, b) => b.bytes - a.bytes);
      return { screen, limit, bytes: chunks.reduce((sum, chunk) => sum + chunk.bytes, 0), chunks };
    }),
  );
}

/**
 * Throws a Failure that lists the chunks of every screen that exceeds its budget.
 * @param {string} folder of the built web app
 * @param {readonly ScreenBudget[]} [budgets]
 */
export async function checkBudgets(folder, budgets) {
  const sizes = await measureScreens(folder, budgets);
  const exceeded = sizes.filter(({ bytes, limit }) => bytes > limit);
  if (exceeded.length > 0) throw new Failure(exceeded.map(sentence).join("\n"));
}

/** @param {ScreenSize} size */
function sentence({ screen, bytes, limit, chunks }) {
  const named = chunks.filter((chunk) => chunk.bytes >= kB).map((chunk) => `  ${inKb(chunk.bytes).padStart(9)}  ${chunk.file}`);
  const rest = chunks.length - named.length;
  return [
    `The ${screen} screen loads ${inKb(bytes)} of JavaScript (gzip), and its budget is ${inKb(limit)}: lazy-load what it does not show at first.`,
    ...named,
    ...(rest > 0 ? [`  and ${rest} below 1 kB`] : []),
  ].join("\n");
}

/** @param {number} bytes */
const inKb = (bytes) => `${(bytes / kB).toFixed(1)} kB`;

/** @typedef {Record<string, { file: string, imports?: string[] }>} Manifest */

/**
 * @param {Manifest} manifest
 * @param {string[]} parts
 */
function closure(manifest, parts) {
  const pending = [...parts];
  const seen = new Set();
  /** @type {Set<string>} */
  const files = new Set();
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (seen.has(part)) continue;
    seen.add(part);
    const chunk = manifest[part];
    // Otherwise a renamed source would count as zero bytes.
    if (chunk === undefined) throw new Failure(`The bundle budget names ${part}, which the web app's manifest does not have.`);
    files.add(chunk.file);
    pending.push(...(chunk.imports ?? []));
  }
  return files;
}

/** @param {string} file */
async function gzipBytes(file) {
  const compressed = await promisify(gzip)(await readFile(file), { level: 9 });
  return compressed.length;
}
