// @ts-check
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { checkout } from "./checkout.mjs";
import { isMissing } from "./failure.mjs";
import { bundleFolder } from "./portal-modules.mjs";
import { run } from "./run.mjs";
import { stripTypes } from "./strip-types.mjs";

/** Workspaces that run in Node.js. */
const servers = ["contract", "expressions", "gateway", "demo"];

/**
 * Removes the types from the sources of the server, file by file, into the `dist` folder of each workspace, and bundles what every
 * start loads. Types are checked by `npm run types`, which writes no JavaScript. Throws Failure for a source that cannot be read.
 */
export async function compileServer() {
  await Promise.all(
    servers.map(async (workspace) => {
      const [from, to] = [join(checkout, workspace, "src"), join(checkout, workspace, "dist")];
      const [files, earlier] = await Promise.all([readdir(from, { recursive: true }), filesIn(to)]);
      const sources = files.filter(isSource);
      await Promise.all([...new Set(sources.map((file) => dirname(join(to, file))))].map((folder) => mkdir(folder, { recursive: true })));
      for (const file of sources) await compile(join(from, file), join(to, outputOf(file)));
      // Outputs of deleted sources go. The others are never away: the linter, which runs beside a build, reads what is imported.
      const current = new Set(sources.flatMap((file) => [outputOf(file), `${outputOf(file)}.map`]));
      await Promise.all(earlier.filter((file) => !current.has(file)).map((file) => rm(join(to, file), { force: true })));
    }),
  );
  await run("Bundling the server", process.execPath, [join(checkout, "scripts/lib/bundle-server.mjs")]);
}

/**
 * Compiles only these sources of the server, or removes the outputs of those that are gone; other files are ignored. The bundle goes,
 * since it is of other sources then. Throws Failure for a source that cannot be read.
 * @param {readonly string[]} paths absolute
 */
export async function compileChanged(paths) {
  await rm(bundleFolder, { recursive: true, force: true });
  for (const workspace of servers) {
    const [from, to] = [join(checkout, workspace, "src"), join(checkout, workspace, "dist")];
    for (const path of paths) {
      if (!path.startsWith(from + sep) || !isSource(path)) continue;
      const output = join(to, outputOf(relative(from, path)));
      await mkdir(dirname(output), { recursive: true });
      await compile(path, output).catch((error) => {
        if (!isMissing(error)) throw error;
        return rm(output, { force: true });
      });
    }
  }
}

/** @param {string} folder */
async function filesIn(folder) {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** @param {string} file */
const isSource = (file) => file.endsWith(".ts") && !file.endsWith(".test.ts");

/** @param {string} file */
const outputOf = (file) => file.replace(/\.ts$/, ".js");

/**
 * @param {string} source
 * @param {string} output
 */
async function compile(source, output) {
  const { code, map } = await stripTypes(relative(checkout, source), await readFile(source, "utf8"), { sourcemap: true });
  const sourceMap = { ...map, sources: [relative(dirname(output), source)], sourcesContent: undefined };
  await Promise.all([
    writeFile(output, `${code}//# sourceMappingURL=${basename(output)}.map\n`),
    writeFile(`${output}.map`, JSON.stringify(sourceMap)),
  ]);
}
