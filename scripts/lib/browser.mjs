// @ts-check
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const systemBrowsers = [
  // The browser without its windows: the same engine, much lighter.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * The browser to test with, by its path. Undefined where Playwright has to find its own.
 * @returns {string | undefined}
 */
export const systemBrowser = () => process.env["FAIRWAY_BROWSER"] ?? systemBrowsers.find((path) => existsSync(path));

/**
 * A browser for the journeys: the system's own, else Debian's package when we may install it, else Playwright's download.
 * Answers the executable's path, or undefined where Playwright finds its own.
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
