import { defineConfig } from "vitest/config";

/** Stryker runs from a copy of the checkout, whose packages are links to the original. */
const copy = process.cwd();
const conditions = ["source", "node", "default"];

// Tests of rules that need neither a database nor a browser.
export default defineConfig({
  root: copy,
  resolve: { conditions, alias: [{ find: /^@fairway\/contract\/(.+)$/, replacement: `${copy}/contract/src/$1.ts` }] },
  ssr: { resolve: { conditions } },
  test: {
    include: ["contract/src/**/*.test.ts", "web/src/**/*.test.ts", "gateway/src/{query/sql,flow-definitions}/**/*.test.ts"],
    environment: "node",
    env: { NODE_ENV: "test" },
  },
});
