import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { type Connect, defineConfig, type Plugin } from "vite";
import { screenSources } from "../scripts/lib/bundle-budget.mjs";
import { faIcons } from "./fa-icons.ts";
import { places } from "./places.ts";
import { sharedChunks } from "./shared-chunks.ts";

/** The development server serves login.html for /login and /setup, as the gateway does. */
function signInPages(): Plugin {
  const serve: Connect.NextHandleFunction = (request, _response, next) => {
    if (/^\/(login|setup)\/?($|\?)/.test(request.url ?? "")) request.url = "/login.html";
    next();
  };
  return {
    name: "fairway-sign-in-pages",
    configureServer: (server) => void server.middlewares.use(serve),
  };
}

const stringLiteral = String.raw`"(?:[^"\\]|\\.)*"`;

/** Strips summaries and descriptions from the contract: only the API reference and the operator guide use them. */
function contractWithoutProse(): Plugin {
  return {
    name: "fairway-contract-without-prose",
    apply: "build",
    transform: {
      order: "pre",
      filter: { id: /\/contract\/src\/[^/]+\.ts$/ },
      handler: (code) => ({
        code: code
          .replaceAll(new RegExp(String.raw`\bsummary:\s*(?:${stringLiteral}\s*\+?\s*)+,`, "g"), 'summary: "",')
          .replaceAll(new RegExp(String.raw`\.describe\(\s*${stringLiteral}\s*\)`, "g"), ""),
        map: null,
      }),
    },
  };
}

const unusedInZod: readonly [part: string, pattern: RegExp | string, replacement: string][] = [
  ["the JSON Schema processor of a schema", /^ *inst\._zod\.processJSONSchema = .*;\n/gm, ""],
  ["the JSON Schema of a standard schema", /^ {12}jsonSchema: \{\n(?:.*\n){2} {12}\},\n/m, ""],
  // The web app runs zod with `jitless`.
  ["the parser that compiles itself", /core\.\$ZodObjectJIT\.init\(/, "core.$ZodObject.init("],
  // A response is a tree without circular references.
  ["the memoizer for circular values", "core.config({ memoizer: core.memoizer() });", ";"],
  ["encoding, decoding and toJSONSchema", /^ {4}encode: function[^]*?(?=^ {4}\/\/ Reads through to the registry)/m, ""],
  // Formats are written as z.email(), never as z.string().email().
  ["the formats as methods of a string", /, \{\n {4}email\(params\) \{[^]*?\n\}\);(?=\nexport function string\()/, ");"],
];

/** Schema methods keep all of zod in the bundle. This removes those the web app never calls. See docs/decisions/archive/0211. */
function zodWithoutUnused(): Plugin {
  return {
    name: "fairway-zod-without-unused",
    apply: "build",
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        for (const [part, pattern, replacement] of unusedInZod) {
          const rest = code.replace(pattern, replacement);
          if (rest === code) this.error(`zod no longer has ${part} where the build looks for it.`);
          code = rest;
        }
        return { code, map: null };
      },
    },
  };
}

/** Routes `import()` through `importPart`, which fetches the files first: browsers do not retry a failed import. */
function repeatableImports(): Plugin {
  const helper = fileURLToPath(new URL("src/lib/browser/part-files.ts", import.meta.url));
  return {
    name: "fairway-repeatable-imports",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => `export { importPart as __vitePreload } from ${JSON.stringify(helper)};`,
    },
  };
}

const main = fileURLToPath(new URL("src/main.tsx", import.meta.url));
const login = fileURLToPath(new URL("src/login.tsx", import.meta.url));

const screens = new Set((await screenSources()).map((path) => fileURLToPath(new URL(path, import.meta.url))));

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as { version: string };

export default defineConfig({
  define: { "import.meta.env.FAIRWAY_VERSION": JSON.stringify(version) },
  plugins: [react(), faIcons(), places(), signInPages(), contractWithoutProse(), zodWithoutUnused(), repeatableImports()],
  resolve: { conditions: ["source", "module", "browser", "development|production"] },
  // The gateway replaces this placeholder with a fresh nonce on every page it serves.
  html: { cspNonce: "__NONCE__" },
  build: {
    manifest: true,
    sourcemap: false,
    // data: URLs would need exceptions in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Vite omits a chunk that has no dependencies, but importPart needs the chunk itself, too.
      resolveDependencies: (file, files, { hostType }) => (hostType === "html" || files.includes(file) ? files : [file, ...files]),
    },
    rolldownOptions: {
      input: { index: "index.html", login: "login.html" },
      output: {
        codeSplitting: { groups: [{ name: sharedChunks(main, login, (id) => screens.has(id)), includeDependenciesRecursively: false }] },
      },
    },
  },
  worker: { format: "es" },
});
