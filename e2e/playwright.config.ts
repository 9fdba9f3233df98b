import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { homeFolder, port } from "./support/platform.ts";

const systemBrowser =
  process.env["FAIRWAY_BROWSER"] ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"].find((path) =>
    existsSync(path),
  );

/** Journeys in a real browser against one real gateway with one demo build. */
export default defineConfig({
  testDir: "./journeys",
  testMatch: "*.e2e.ts",
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  // Generous: a machine that others use is slow, and nothing waits for these unless it fails.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  outputDir: "../test-results",
  reporter: [["list"], ["json", { outputFile: "../.build/journeys.json" }]],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    // Times of the interface are the browser's; results are UTC. A zone far from UTC tells them apart.
    timezoneId: "America/New_York",
    locale: "en-US",
    permissions: ["clipboard-read", "clipboard-write"],
    // Recording each journey costs a quarter of the whole run; one that failed is recorded when it is tried again.
    trace: "on-first-retry",
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    launchOptions: {
      ...(systemBrowser === undefined ? {} : { executablePath: systemBrowser }),
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        // A journey's code runs once, in a browser of its own: optimising it costs more than it gains.
        "--js-flags=--no-opt --no-maglev",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: "exec node scripts/portal.mjs",
    cwd: "..",
    url: `http://127.0.0.1:${port}/api/health/ready`,
    timeout: 120_000,
    // While journeys are written: a portal that is already there, at FAIRWAY_E2E_PORT with FAIRWAY_E2E_HOME.
    reuseExistingServer: process.env["FAIRWAY_E2E_REUSE"] === "1",
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
    env: {
      PORT: String(port),
      FAIRWAY_HOME: homeFolder,
      FAIRWAY_OPEN: "0",
      UV_THREADPOOL_SIZE: "16",
      // Many journeys sign in from one address within a minute.
      LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "10000",
      LIMIT_LOGIN_FAILURES_PER_MINUTE: "10000",
      LIMIT_REFRESHES_PER_MINUTE: "10000",
    },
  },
});
