// @ts-check
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { toolIndex } from "@fairway/contract/tools";
import { rolldown } from "rolldown";
import { isolatedDeclaration } from "rolldown/experimental";
import { Failure } from "../../scripts/lib/failure.mjs";
import { stripTypes } from "../../scripts/lib/strip-types.mjs";
import { writeGeneratedTypes } from "./generated-types.mjs";
import { npmPackage } from "./tar.mjs";
import { pythonWheel } from "./wheel.mjs";

/** @typedef {import("./tar.mjs").PackedFile} PackedFile */

const folder = fileURLToPath(new URL("..", import.meta.url));
const root = join(folder, "..");
/** @type {{ version: string, license: string }} */
const { version, license } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));

/**
 * Generates the types of the clients, compiles and packs them and the command line, with an index. The same sources give the same bytes.
 * @param {{ compiled: string, output: string }} folders for the compiled sources and for the packages
 */
export async function buildTools({ compiled, output }) {
  await writeGeneratedTypes();
  await compileClients(compiled);
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  const index = await Promise.all(
    (await toolsFrom(compiled)).map(async ({ display, description, icon, guide: guideFile, file: { content, ...file } }) => {
      await writeFile(join(output, file.filename), content);
      await writeFile(join(output, guideFile), await guide(guideFile));
      const sha256 = createHash("sha256").update(content).digest("hex");
      const { filename, description: kind } = file;
      return {
        display,
        description,
        icon,
        version,
        files: [{ filename, size: content.length, sha256, description: kind }],
        guide: guideFile,
      };
    }),
  );
  await writeFile(join(output, "index.json"), `${JSON.stringify(toolIndex.parse(index), undefined, 2)}\n`);
}

/**
 * Writes JavaScript and declarations, file by file: `isolatedDeclarations` in tsconfig.json makes sure that each file alone says
 * what it exports. Throws Failure for a source that cannot be read.
 *
 * @param {string} compiled
 */
async function compileClients(compiled) {
  const sources = join(folder, "src");
  await rm(compiled, { recursive: true, force: true });
  for (const file of (await readdir(sources, { recursive: true })).filter((name) => name.endsWith(".ts"))) {
    const text = await readFile(join(sources, file), "utf8");
    const output = join(compiled, file.replace(/\.ts$/, ""));
    const script = await stripTypes(`sdk/src/${file}`, text, { sourcemap: false });
    const declaration = await isolatedDeclaration(file, text, { sourcemap: false });
    if (declaration.errors[0] !== undefined) throw new Failure(`Declaring sdk/src/${file} failed: ${declaration.errors[0].message}`);
    await mkdir(dirname(output), { recursive: true });
    await Promise.all([writeFile(`${output}.js`, script.code), writeFile(`${output}.d.ts`, declaration.code)]);
  }
  await compileGrammars(join(compiled, "contract"));
}

/** Sources of the contract that the clients share with the web app, and that import only one another: filters, measures, groups. */
const grammars = /^(?:filter-(?!values)[\w-]+|measure-text|breakdown-text)\.ts$/;
/** Those of them that the TypeScript client has beside its own. */
const clientGrammars = ["breakdown-text", "measure-text"];

/** @param {string} output */
async function compileGrammars(output) {
  const sources = join(root, "contract/src");
  await mkdir(output, { recursive: true });
  for (const file of (await readdir(sources)).filter((name) => grammars.test(name))) {
    const { code } = await stripTypes(`contract/src/${file}`, await readFile(join(sources, file), "utf8"), { sourcemap: false });
    await writeFile(join(output, file.replace(/\.ts$/, ".js")), code);
  }
}

const guides = join(folder, "guides");
/** @param {string} file */
const guide = async (file) => (await readFile(join(guides, file), "utf8")).replaceAll("{{version}}", version);

/** A README has no portal to name. @param {string} text */
const readmeOf = (text) => text.replaceAll("{{origin}}", "https://fairway.example").replaceAll("{{dataset}}", "CATEGORY/DATASET");

/** @param {PackedFile[]} files @param {Record<string, unknown>} manifest @param {string} readme */
async function npmFiles(files, manifest, readme) {
  const shared = { version, license, type: "module", engines: { node: ">=20" } };
  return npmPackage([
    { path: "package.json", content: Buffer.from(`${JSON.stringify({ ...manifest, ...shared }, undefined, 2)}\n`) },
    { path: "README.md", content: Buffer.from(readmeOf(readme)) },
    { path: "LICENSE", content: await readFile(join(root, "LICENSE")) },
    ...files,
  ]);
}

/** @param {string} source @param {RegExp} pattern @returns {Promise<PackedFile[]>} */
async function filesOf(source, pattern) {
  const names = (await readdir(source)).filter((name) => pattern.test(name)).sort();
  return Promise.all(names.map(async (name) => ({ path: name, content: await readFile(join(source, name)) })));
}

/** @param {string} compiled */
async function commandLine(compiled) {
  const bundle = await rolldown({
    // Comments of the bundle name its files.
    cwd: compiled,
    input: "cli/main.js",
    platform: "node",
    logLevel: "warn",
    resolve: { alias: { "@fairway/contract": join(compiled, "contract") }, extensions: [".js"] },
    transform: { define: { FAIRWAY_VERSION: JSON.stringify(version) } },
  });
  const { output: chunks } = await bundle.generate({ format: "esm", codeSplitting: false, banner: "#!/usr/bin/env node" });
  await bundle.close();
  const manifest = { name: "fairway-cli", description: "Fairway on the command line", bin: { fairway: "fairway.js" } };
  const code = chunks[0].code;
  return npmFiles([{ path: "fairway.js", content: Buffer.from(code), executable: true }], manifest, await guide("command-line.md"));
}

/** @param {string} compiled */
async function typescriptClient(compiled) {
  // Declarations keep the extension of the sources.
  const sources = await filesOf(join(compiled, "client"), /\.(?:js|d\.ts)$/);
  const shared = await filesOf(join(compiled, "contract"), new RegExp(`^(?:${clientGrammars.join("|")})\\.js$`));
  const files = [...sources, ...shared].map(({ path, content }) => ({
    path: `lib/${path}`,
    content: Buffer.from(
      content
        .toString()
        .replaceAll(/from "@fairway\/contract\/([\w-]+)"/g, 'from "./$1.js"')
        .replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'),
    ),
  }));
  const manifest = {
    name: "fairway-client",
    description: "Client of a Fairway data portal",
    exports: { ".": { types: "./lib/index.d.ts", default: "./lib/index.js" } },
    sideEffects: false,
  };
  return npmFiles(files, manifest, await guide("typescript-client.md"));
}

async function pythonClient() {
  const modules = await filesOf(join(folder, "python/fairway"), /^(?:\w+\.py|py\.typed)$/);
  return pythonWheel(
    {
      name: "fairway-client",
      version,
      summary: "Client of a Fairway data portal",
      requiresPython: ">=3.9",
      license,
      readme: readmeOf(await guide("python-client.md")),
    },
    modules.map(({ path, content }) => ({ path: `fairway/${path}`, content })),
  );
}

/** The tools in the order of their names. @param {string} compiled */
const toolsFrom = async (compiled) => [
  {
    display: "Command line",
    description: "Search datasets and copy files from a terminal or a script.",
    icon: { type: "fa-solid", name: "terminal" },
    guide: "command-line.md",
    file: {
      filename: `fairway-cli-${version}.tgz`,
      description: "npm package, for Node.js 20 or newer",
      content: await commandLine(compiled),
    },
  },
  {
    display: "Python client",
    description: "Search datasets into lists or pandas, and read and write files, with the standard library alone.",
    icon: { type: "fa-solid", name: "code" },
    guide: "python-client.md",
    file: {
      filename: `fairway_client-${version}-py3-none-any.whl`,
      description: "Wheel, for Python 3.9 or newer",
      content: await pythonClient(),
    },
  },
  {
    display: "TypeScript client",
    description: "Typed searches and files for Node.js and bundlers, without dependencies.",
    icon: { type: "fa-solid", name: "cube" },
    guide: "typescript-client.md",
    file: {
      filename: `fairway-client-${version}.tgz`,
      description: "npm package (ES modules with types), for Node.js 20 or newer",
      content: await typescriptClient(compiled),
    },
  },
];
