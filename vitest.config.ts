import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { systemBrowser } from "./scripts/lib/browser.mjs";
import { faIcons } from "./web/fa-icons.ts";
import { places } from "./web/places.ts";

// Sources, not builds: tests see what is on the screen. Without "module": Node cannot load such files of packages that it imports.
const conditions = ["source", "node", "default"];
const source = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // The environment that loads global setups.
  environments: { __vitest__: { resolve: { conditions } } },
};
const patientWaits = "scripts/lib/patient-waits.mjs";
const withPostgres = {
  globalSetup: ["gateway/src/testing/global-setup.ts"],
  setupFiles: ["cheap-passwords", "observed-hashing", "small-caches", "short-waits"].map((name) => `gateway/src/testing/${name}.ts`),
};

/** Tests that put something in the place of a module: each needs modules of its own. */
const replacingModules = [
  "gateway/src/identity/passwords.test.ts",
  "gateway/src/identity/sign-in.test.ts",
  "gateway/src/capabilities/dataset-administration/data-folder.test.ts",
  "gateway/src/outbound/bounded-fetch.test.ts",
];

/** Tests that take long and prove no requirement by themselves: `npm run nightly` runs these, `npm test` does not. */
const nightly = "**/*.night.test.{ts,tsx}";

interface ProjectOptions {
  exclude?: string[];
  globalSetup?: string[];
  setupFiles?: string[];
  isolate?: boolean;
}

/** The S3 client warns of versions of itself that will need a later Node.js. */
const quiet = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };

/** The files of a project share the modules of their worker: loading them anew for each file took a third of the whole run. */
function project(name: string, include: string[], { setupFiles = [], ...options }: ProjectOptions = {}) {
  const env = { NODE_ENV: "test", ...quiet };
  return {
    extends: true as const,
    test: { name, include, environment: "node", isolate: false, env, setupFiles: [patientWaits, ...setupFiles], ...options },
  };
}

const { version } = JSON.parse(readFileSync(new URL("web/package.json", import.meta.url), "utf8")) as { version: string };
const browserPath = systemBrowser();

/** Screens of the web app in a real browser, in front of a gateway that the tests play. */
const screens = (name: string, tests: { include: string[]; exclude?: string[] }) => ({
  plugins: [faIcons(), places()],
  assetsInclude: ["**/*.parquet"],
  define: {
    "process.env.NODE_ENV": JSON.stringify("production"),
    "import.meta.env.FAIRWAY_VERSION": JSON.stringify(version),
  },
  resolve: {
    conditions: ["source", "module", "browser", "development"],
    alias: [
      { find: /^zustand$/, replacement: fileURLToPath(new URL("web/src/testing/zustand.ts", import.meta.url)) },
      // The coasts of the whole world are most of what opening a map costs. Journeys render the real ones.
      {
        find: /^world-atlas\/countries-[15]0m\.json/,
        replacement: fileURLToPath(new URL("web/src/testing/small-world.json", import.meta.url)),
      },
    ],
  },
  // Packages that the app loads late are bundled before the first test as well: a bundle made in between reloads the page under it.
  optimizeDeps: {
    entries: [
      "web/src/main.tsx",
      "web/src/login.tsx",
      "web/src/testing/screen-setup.ts",
      "web/src/testing/accessibility.ts",
      "web/src/parts/file-preview/csv/csv-worker.ts",
      "web/src/parts/text-difference/comparison-worker.ts",
      "web/src/parts/text-difference/text-difference.tsx",
      "web/src/parts/file-preview/pdf/pdf-worker.ts",
      "web/src/parts/file-preview/parquet/parquet-worker.ts",
    ],
  },
  test: {
    name,
    ...tests,
    setupFiles: [patientWaits, "web/src/testing/screen-setup.ts"],
    // One page for all files: screen-setup.ts puts the app back to its beginning after every test.
    isolate: false,
    maxWorkers: 2,
    // As generous as the journeys: a machine that others use is slow, and nothing waits for these unless it fails.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Like journeys, `npm test` runs a failed screen test once more.
    retry: Number(process.env["FAIRWAY_SCREEN_RETRIES"] ?? 0),
    expect: { poll: { interval: 10, timeout: 15_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: {
          ...(browserPath === undefined ? {} : { executablePath: browserPath }),
          args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"],
        },
        contextOptions: {
          reducedMotion: "reduce" as const,
          timezoneId: "America/New_York",
          locale: "en-US",
          permissions: ["clipboard-read", "clipboard-write"],
        },
      }),
      instances: [{ browser: "chromium" as const, viewport: { width: 1440, height: 900 } }],
    },
  },
});

export default defineConfig({
  ...source,
  test: {
    pool: "forks",
    maxWorkers: 2,
    // Transformed sources are kept below node_modules, by their content: transforming them anew takes a tenth of the node tests.
    experimental: { fsModuleCache: true },
    // Cold starts of PostgreSQL and DuckDB on a busy machine; nothing waits by the clock.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // Tests wait for moments here, and longer on a busy machine.
    expect: { poll: { interval: 10, timeout: 10_000 } },
    // Under the condition "source", Node would load the TypeScript of packages that carry theirs.
    server: { deps: { inline: [/@modelcontextprotocol\/client/, /eventsource/] } },
    projects: [
      project("sources", ["contract/src/**/*.test.ts", "expressions/src/**/*.test.ts", "web/src/**/*.test.ts", "scripts/**/*.test.ts"], {
        // Vitest leaves these out by itself only where nothing else is left out.
        exclude: [nightly, "**/node_modules/**"],
      }),
      project("gateway", ["gateway/src/**/*.test.ts", "demo/src/**/*.test.ts", "sdk/test/**/*.test.ts"], {
        ...withPostgres,
        exclude: [...replacingModules, nightly],
      }),
      project("gateway with replaced modules", replacingModules, { ...withPostgres, isolate: true }),
      project(
        "night",
        ["{contract,expressions,gateway,web,demo}/src/**/*.night.test.ts", "{scripts,sdk}/**/*.night.test.ts"],
        withPostgres,
      ),
      screens("screens", { include: ["web/src/**/*.test.tsx"], exclude: [nightly] }),
      screens("night screens", { include: ["web/src/**/*.night.test.tsx"] }),
    ],
  },
});
