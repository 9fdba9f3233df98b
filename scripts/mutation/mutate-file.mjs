// @ts-check
// Mutates one file, runs the tests beside it against each mutant, and prints the statuses as JSON in the last line.
import { fileURLToPath } from "node:url";
import { checkout } from "../lib/checkout.mjs";
import { testsBeside } from "./pure-files.mjs";

const [file = ""] = process.argv.slice(2);
const { Stryker } = await import("@stryker-mutator/core");

process.chdir(checkout);
const mutants = await new Stryker({
  mutate: [file],
  testFiles: [testsBeside(file)],
  testRunner: "vitest",
  plugins: [fileURLToPath(new URL("node_modules/@stryker-mutator/vitest-runner/dist/src/index.js", import.meta.url))],
  vitest: { configFile: "scripts/mutation/vitest.config.ts" },
  coverageAnalysis: "perTest",
  // A fault in what runs while a module loads often stops its tests from being collected, which Stryker takes for survival.
  ignoreStatic: true,
  concurrency: 2,
  // The copy of the checkout needs sources only.
  ignorePatterns: [
    "*",
    "!contract/**",
    "!gateway/**",
    "!web/**",
    "!scripts/**",
    "!package.json",
    "!tsconfig*.json",
    "**/dist",
    "scripts/mutation/node_modules",
  ],
  tempDirName: ".build/mutation/copies",
  cleanTempDir: "always",
  // Stryker would rewrite the configuration of types by an API that TypeScript 7 does not have.
  tsconfigFile: "none.json",
  reporters: [],
  warnings: false,
  logLevel: "error",
}).runMutationTest();

console.log(
  JSON.stringify(
    mutants.map(({ status, mutatorName, replacement, location }) => ({ status, mutatorName, replacement, line: location.start.line })),
  ),
);
