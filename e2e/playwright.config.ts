import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { journeyLimits, journeySettings } from "../scripts/lib/journey-limits.mjs";
import { homeFolder, port } from "./support/platform.ts";

const systemBrowser =
  process.env["FAIRWAY_BROWSER"] ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"].find((path) =>
    existsSync(path),
  );

/** Runs the journeys in a real browser against a real gateway with the demo platform. */
export default defineConfig({
  // `npm test` runs the first, `npm run nightly` the second: journeys that prove no requirement by themselves.
  projects: [
    { name: "gate", testDir: "./journeys" },
    { name: "night", testDir: "./night" },
  ],
  testDir: ".",
  testMatch: "*.e2e.ts",
  fullyParallel: true,
  // One more than the cores of a small machine, because a journey often waits.
  workers: 3,
  forbidOnly: true,
  retries: 0,
  // Generous for busy machines; these timeouts only matter for failures.
  timeout: 180_000,
  expect: { timeout: Number(process.env["FAIRWAY_E2E_EXPECT_MS"] ?? 45_000) },
  outputDir: "../test-results",
  reporter: [["list"], ["json", { outputFile: "../.build/journeys.json" }]],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    // Interface times are in the browser's zone and results in UTC: a zone far from UTC reveals mix-ups.
    timezoneId: "America/New_York",
    locale: "en-US",
    permissions: ["clipboard-read", "clipboard-write"],
    // Tracing every journey would slow down the run by a quarter, so only retries are traced.
    trace: "on-first-retry",
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    launchOptions: {
      ...(systemBrowser === undefined ? {} : { executablePath: systemBrowser }),
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        // Each journey's code runs once in a fresh browser, so optimizing it does not pay off.
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
    // For developing journeys: uses a running portal at FAIRWAY_E2E_PORT with FAIRWAY_E2E_HOME.
    reuseExistingServer: process.env["FAIRWAY_E2E_REUSE"] === "1",
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
    env: {
      PORT: String(port),
      FAIRWAY_HOME: homeFolder,
      FAIRWAY_OPEN: "0",
      UV_THREADPOOL_SIZE: "16",
      FAIRWAY_SETTINGS: JSON.stringify(journeySettings),
      ...journeyLimits,
    },
  },
});
