// @ts-check
// `npm run dev`: runs the demo platform from source. Vite serves the web app on PORT with hot reload and proxies the server,
// which runs on another port and restarts after each saved change of its sources.
import { join } from "node:path";
import { freePort } from "./lib/processes.mjs";
import { checkout } from "./lib/checkout.mjs";
import { ensureServerBuilt } from "./lib/build.mjs";
import { serveDemoNifi } from "./lib/demo-nifi.mjs";
import { onceAskedToEnd } from "./lib/ending.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { SourceServer, serverSources } from "./lib/source-server.mjs";

await ensureInstalled((line) => console.log(line), { forTests: true });
await ensureServerBuilt((line) => console.log(line));
// Vite can only be imported once it is installed.
const { createServer } = await import("vite");

const port = process.env["PORT"];
const gatewayPort = await freePort();
const gateway = `http://127.0.0.1:${gatewayPort}`;
/** @type {SourceServer | undefined} */
let server;

const vite = await createServer({
  root: join(checkout, "web"),
  // A requested port is used strictly; otherwise the next free one, so that two checkouts can run side by side.
  server: { host: "localhost", port: Number(port ?? 8080), strictPort: port !== undefined, proxy: { "/api": gateway, "/static": gateway } },
  plugins: [{ name: "fairway-await-server", configureServer: ({ middlewares }) => void middlewares.use(awaitServer) }],
  logLevel: "warn",
});
await vite.listen();
const address = vite.resolvedUrls?.local[0]?.replace(/\/$/, "");
/** @type {Promise<void> | undefined} */
let nifi;
server = new SourceServer(
  { PUBLIC_URL: address, PORT: String(gatewayPort), HOST: "127.0.0.1", FAIRWAY_OPEN: "0" },
  { onHome: (home) => void (nifi ??= serveDemoNifi(home)) },
);
server.start();
vite.watcher.add(serverSources);
vite.watcher.on("all", (_event, path) => server?.fileChanged(path));

onceAskedToEnd(() => void Promise.all([server?.stop(), vite.close()]).then(() => process.exit(0)));

/**
 * Holds calls that arrive while the server restarts.
 * @type {import("vite").Connect.NextHandleFunction}
 */
function awaitServer(request, _response, next) {
  if (server && /^\/(api|static)\//.test(request.url ?? "")) void server.whenSettled().finally(next);
  else next();
}
