// @ts-check
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { checkout } from "./checkout.mjs";
import { Failure } from "./failure.mjs";

/** Workspaces that run in Node.js. */
const servers = ["contract", "gateway", "demo"];

/**
 * Removes the types from the sources of the server, file by file, into the `dist` folder of each workspace. Types are checked by
 * `npm run types`, which writes no JavaScript. Throws Failure for a source that cannot be read.
 */
export async function compileServer() {
  // Packages may have been installed after this file was loaded.
  const { transform } = await import("rolldown/utils");
  await Promise.all(
    servers.map(async (workspace) => {
      const [from, to] = [join(checkout, workspace, "src"), join(checkout, workspace, "dist")];
      // Outputs of deleted sources go.
      const [files] = await Promise.all([readdir(from, { recursive: true }), rm(to, { recursive: true, force: true })]);
      const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
      await Promise.all([...new Set(sources.map((file) => dirname(join(to, file))))].map((folder) => mkdir(folder, { recursive: true })));
      for (const file of sources) {
        const text = await readFile(join(from, file), "utf8");
        const output = join(to, file.replace(/\.ts$/, ".js"));
        const { code, map, errors } = await transform(join(from, file), text, {
          sourcemap: true,
          tsconfig: false,
          typescript: { rewriteImportExtensions: "rewrite" },
        });
        if (errors[0] !== undefined) throw new Failure(`Compiling ${workspace}/src/${file} failed: ${errors[0].message}`);
        const sourceMap = { ...map, sources: [relative(dirname(output), join(from, file))], sourcesContent: undefined };
        await Promise.all([
          writeFile(output, `${code}//# sourceMappingURL=${basename(output)}.map\n`),
          writeFile(`${output}.map`, JSON.stringify(sourceMap)),
        ]);
      }
    }),
  );
}
