import { mkdir, readFile, rename } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

interface Module {
  readonly path: string;
}

interface PluginBuild {
  readonly onResolve: (options: { filter: RegExp }, resolve: (module: Module) => { path: string; external: boolean } | undefined) => void;
  readonly onLoad: (options: { filter: RegExp }, load: (module: Module) => Promise<{ loader: "ts"; contents: string }>) => void;
}

interface Bundler {
  readonly build: (options: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** The bundler that tsx depends on. */
const requireLikeTsx = createRequire(createRequire(import.meta.url).resolve("tsx"));
const { build } = requireLikeTsx("esbuild") as Bundler;

/** Packages are imported from here. */
const folder = fileURLToPath(new URL("../../../node_modules/.cache/fairway-test-programs/", import.meta.url));

const sourcesOnly = {
  name: "sources-only",
  setup({ onResolve, onLoad }: PluginBuild) {
    onResolve({ filter: /^[^.#/]/ }, ({ path }) => (path.startsWith("@fairway/") ? undefined : { path, external: true }));
    // Sources look for files next to them.
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const contents = source.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path)));
      // Node.js loads no sources, so the migrations are bundled.
      return { loader: "ts", contents: contents.replace("import(new URL(file, folder).href)", "import(`./migrations/${file}`)") };
    });
  },
};

const bundles = new Map<string, Promise<string>>();

/** Bundles a source file and its imports for child processes, and returns the path: loading each source takes three times the CPU. */
export function bundledProgram(source: URL): Promise<string> {
  const bundle = bundles.get(source.href) ?? bundleProgram(fileURLToPath(source));
  bundles.set(source.href, bundle);
  return bundle;
}

async function bundleProgram(source: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = `${folder}${basename(source, ".ts")}.mjs`;
  const unfinished = `${path}.${process.pid}`;
  await build({
    entryPoints: [source],
    outfile: unfinished,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["source"],
    plugins: [sourcesOnly],
    logLevel: "silent",
  });
  // Another worker may be starting it.
  await rename(unfinished, path);
  return path;
}
