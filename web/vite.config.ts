import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { type Connect, defineConfig, type Plugin } from "vite";

/** The gateway serves login.html for these two; so does the development server. */
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

const text = String.raw`"(?:[^"\\]|\\.)*"`;

/** What only the API's reference and the operator's guide tell need not reach every browser. */
function contractWithoutProse(): Plugin {
  return {
    name: "fairway-contract-without-prose",
    apply: "build",
    transform: {
      order: "pre",
      filter: { id: /\/contract\/src\/[^/]+\.ts$/ },
      handler: (code) => ({
        code: code
          .replaceAll(new RegExp(String.raw`\bsummary:\s*(?:${text}\s*\+?\s*)+,`, "g"), 'summary: "",')
          .replaceAll(new RegExp(String.raw`\.describe\(\s*${text}\s*\)`, "g"), ""),
        map: null,
      }),
    },
  };
}

/** `import()` runs through `importPart`, which first fetches the files: a failed import could not be repeated. */
function repeatableImports(): Plugin {
  const helper = fileURLToPath(new URL("src/lib/part-files.ts", import.meta.url));
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

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as { version: string };

export default defineConfig({
  define: { "import.meta.env.FAIRWAY_VERSION": JSON.stringify(version) },
  plugins: [react(), signInPages(), contractWithoutProse(), repeatableImports()],
  resolve: { conditions: ["source", "module", "browser", "development|production"] },
  // The gateway puts a fresh nonce in its place with every page it serves.
  html: { cspNonce: "__NONCE__" },
  build: {
    manifest: true,
    sourcemap: false,
    // data: addresses would need exceptions in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Vite leaves out a chunk that has no other files: importPart has to know it, too.
      resolveDependencies: (file, files, { hostType }) => (hostType === "html" || files.includes(file) ? files : [file, ...files]),
    },
    rolldownOptions: { input: { index: "index.html", login: "login.html" } },
  },
  worker: { format: "es" },
});
