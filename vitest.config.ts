import { defineConfig } from "vitest/config";

// Sources, not builds: tests see what is on the screen.
const conditions = ["source", "module", "node", "default"];
const source = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // The environment that loads global setups.
  environments: { __vitest__: { resolve: { conditions } } },
};
const withPostgres = { globalSetup: ["gateway/src/testing/global-setup.ts"], setupFiles: ["gateway/src/testing/cheap-passwords.ts"] };

function project(name: string, include: string[], more: { globalSetup?: string[]; setupFiles?: string[] } = {}) {
  return { extends: true as const, test: { name, include, environment: "node", ...more } };
}

export default defineConfig({
  ...source,
  test: {
    pool: "forks",
    maxWorkers: 2,
    // Cold starts of PostgreSQL and DuckDB on a busy machine; nothing waits by the clock.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      project("contract", ["contract/src/**/*.test.ts"]),
      project("gateway", ["gateway/src/**/*.test.ts"], withPostgres),
      project("demo", ["demo/src/**/*.test.ts"], withPostgres),
      project("web", ["web/src/**/*.test.ts"]),
      project("scripts", ["scripts/**/*.test.ts"]),
    ],
  },
});
