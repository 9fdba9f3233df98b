// @ts-check
// Bundles what the portal's process loads of the server, into the folder of its first argument. A process of its own, because the
// bundler keeps 300 MB. Decision 0925.
import { rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { checkout } from "./checkout.mjs";
import { bundleFolder, portalModules } from "./portal-modules.mjs";

const folder = process.argv[2] ?? bundleFolder;
/** @type {string[]} */
const warnings = [];

const bundle = await rolldown({
  cwd: checkout,
  input: Object.fromEntries(Object.entries(portalModules).map(([name, { source }]) => [name, join(checkout, source)])),
  platform: "node",
  tsconfig: false,
  resolve: { conditionNames: ["source", "node", "import"] },
  // Packages stay where they are: some load files next to theirs, and not all that are written as CommonJS can be bundled.
  external: (id) => /^[@\w]/.test(id) && !id.startsWith("@fairway/"),
  plugins: [{ name: "fairway-locations", transform: { filter: { code: "import.meta.url" }, handler: keepLocation } }],
  onLog: (_level, { message }) => void warnings.push(message),
});
await rm(folder, { recursive: true, force: true });
await bundle.write({ dir: folder, chunkFileNames: "[name].js", sourcemap: true, sourcemapExcludeSources: true });
await bundle.close();
if (warnings.length > 0) throw new Error(warnings.join("\n"));

/**
 * Modules find files by their own location, which stays that of their compiled file. No line moves, so source maps stay right.
 * @param {string} code
 * @param {string} path of the source
 */
function keepLocation(code, path) {
  const compiled = path.replace(`${sep}src${sep}`, `${sep}dist${sep}`).replace(/\.ts$/, ".js");
  const location = relative(folder, compiled).replaceAll(sep, "/");
  return { code: code.replaceAll("import.meta.url", `new URL(${JSON.stringify(location)}, import.meta.url).href`), map: null };
}
