// @ts-check
import { readFile, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, runnerImport } from "vite";

const web = fileURLToPath(new URL("../../web", import.meta.url));

/** @type {Record<string, string>} */
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
};

/**
 * Serves components on a separate page, built like the portal but without gateway and sign-in.
 * @param {object} page
 * @param {string} page.entry the name of the source in web/src/testing that exposes them to the page, such as `map-page`
 * @param {string} page.body HTML
 * @param {string} [page.style] CSS
 * @returns {Promise<{ address: string, close: () => Promise<void> }>}
 */
export async function serveComponentPage({ entry, body, style = "" }) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-page-"));
  // A TypeScript source, which Node.js cannot import directly.
  const { module } = /** @type {{ module: { faIcons: () => import("vite").Plugin } }} */ (await runnerImport(join(web, "fa-icons.ts")));
  // The import above leaves `development` here, with which React would be built for development.
  process.env["NODE_ENV"] = "production";
  await build({
    root: web,
    configFile: false,
    logLevel: "warn",
    plugins: [module.faIcons()],
    resolve: { conditions: ["source", "module", "browser", "development|production"] },
    build: {
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: { [entry]: join(web, `src/testing/${entry}.tsx`) },
        output: { entryFileNames: "[name].js", assetFileNames: "[name][extname]" },
        // Ignores "use client" directives: here everything runs in the browser.
        onLog: (level, log, report) => (log.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : report(level, log)),
      },
      chunkSizeWarningLimit: 2_000,
      cssCodeSplit: false,
    },
    worker: { format: "es" },
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = resolve(folder, `.${pathname}`);
    response.setHeader("Content-Type", types[extname(path)] ?? "application/octet-stream");
    if (pathname === `/${entry}.html`) {
      response.end(
        `<!doctype html><html lang="en" data-mantine-color-scheme="light"><meta charset="utf-8"><title>Components</title><style>html,body{margin:0;height:100%}body{display:flex;flex-direction:column}${style}</style><link rel="stylesheet" href="/style.css">${body}<script type="module" src="/${entry}.js"></script></html>`,
      );
      return;
    }
    readFile(path).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    address: `http://127.0.0.1:${port}/${entry}.html`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
