// @ts-check
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const systemBrowsers = [
  // The headless shell uses the same engine with much less memory.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * The path of the browser to test with; undefined to let Playwright find its own.
 * @returns {string | undefined}
 */
export const systemBrowser = () => process.env["FAIRWAY_BROWSER"] ?? systemBrowsers.find((path) => existsSync(path));

/**
 * Ensures that there is a browser for the journeys: the system's, Debian's package if it can be installed, or Playwright's
 * download. Returns the executable's path, or undefined for Playwright's own.
 * @returns {string | undefined}
 */
export function ensureBrowser() {
  const found = systemBrowser();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-q"], { stdio: "inherit", env: environment });
    spawnSync("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium-headless-shell"], {
      stdio: "inherit",
      env: environment,
    });
    const installed = systemBrowser();
    if (installed !== undefined) return installed;
  }
  execFileSync("npx", ["playwright", "install", "--only-shell", "chromium"], { stdio: "inherit" });
  return undefined;
}
