// @ts-check
// The demo platform with hot reload of the web app: Vite on 5173 in front of the portal on PORT. Restart it after a change
// of the server's sources.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt } from "./lib/build.mjs";
import { checkout } from "./lib/checkout.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { runPortal } from "./lib/portal-process.mjs";

/** @param {string} line */
const say = (line) => console.log(line);
await ensureInstalled(say);
await ensureBuilt(say);
process.env["FAIRWAY_OPEN"] = "0";
const vite = spawn(process.execPath, [join(checkout, "node_modules/vite/bin/vite.js"), "--strictPort"], {
  cwd: join(checkout, "web"),
  stdio: "inherit",
});
process.exitCode = await runPortal([]);
vite.kill();
