// @ts-check
// The portal's process, started by start.mjs: the gateway, with the demo platform unless --production is given. With --api-only
// it does not serve the web app; with --verbose it prints how long each step of its start took.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { serveDemoNifi } from "./lib/demo-nifi.mjs";
import { importPortalModule } from "./lib/portal-modules.mjs";
import { builtRelease } from "./lib/release.mjs";

const production = process.argv.includes("--production");
const apiOnly = process.argv.includes("--api-only");
const verbose = process.argv.includes("--verbose");
// A server that is being developed restarts from the files that a save has compiled.
const fromFiles = apiOnly;
const { runPortal } = await importPortalModule("portal-process", { fromFiles });
const { openService } = await importPortalModule("service", { fromFiles });
const platform = production ? undefined : (await importPortalModule("platform", { fromFiles })).demoPlatform;

// The demo's storms were recorded every six hours, so only a longer interval is a gap in their paths.
if (!production) process.env["LIMIT_PATH_GAP_MS"] ||= String(12 * 3_600_000);

if (apiOnly && process.send) {
  // Ends with the development server, however that ends.
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.send("loaded");
  // Another one may still have the port and the folder.
  await once(process, "message");
}

let home = "";

await runPortal({
  demo: !production,
  verbose,
  openService: async (foundation) => {
    ({ home } = foundation.config);
    return openService(apiOnly ? withoutPages(foundation) : foundation, platform, await builtRelease());
  },
  onReady: ({ address }, openBrowser) => {
    // The parent process restarts a portal that has been ready.
    process.send?.("ready");
    if (!platform) return;
    const { users } = platform.accounts;
    console.log(`Sign in as ${users.map(({ username }) => username).join(", ")} with the password ${users[0]?.password}.`);
    if (openBrowser) showInBrowser(address);
    // Only for people: commands and tests that start this file alone need no NiFi.
    if (process.send && !apiOnly) void serveDemoNifi(home);
    // Starting it again with every save would take the processor for a minute.
    if (apiOnly) process.send?.({ home });
  },
});

/**
 * Opens the browser only in an interactive desktop session, and ignores failures.
 * @param {string} address
 */
function showInBrowser(address) {
  const desktop = process.platform === "darwin" || process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"];
  if (!process.stdout.isTTY || !desktop || process.env["SSH_CONNECTION"] || process.env["CI"]) return;
  const opener = spawn(process.platform === "darwin" ? "open" : "xdg-open", [address], { stdio: "ignore", detached: true });
  opener.on("error", () => undefined);
  opener.unref();
}

/**
 * @param {import("@fairway/gateway/portal/portal").Foundation} foundation
 * @returns {import("@fairway/gateway/portal/portal").Foundation}
 */
function withoutPages(foundation) {
  return { ...foundation, config: { ...foundation.config, webRoot: null } };
}
