import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isInstalled, type LockedPackage, withUrls } from "./install.mjs";

interface LockEntry {
  version?: string;
  link?: boolean;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")) as {
  packages: Record<string, LockEntry>;
};

describe("package-lock.json", () => {
  it("lists every optional package for all systems, because npm ci fails otherwise", () => {
    const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`${path}/node_modules/${name}` in lock.packages) && !(`node_modules/${name}` in lock.packages),
      ),
    );
    expect(missing).toEqual([]);
  });

  it("contains no registry URLs", () => {
    expect(Object.values(lock.packages).filter(({ resolved = "" }) => resolved.startsWith("http"))).toEqual([]);
  });
});

describe("an installation", () => {
  const wanted = new Map(
    Object.entries({
      "": { version: "1.0.0" },
      web: { version: "1.0.0" },
      "node_modules/zod": { version: "4.0.0", integrity: "sha512-a" },
      "node_modules/@esbuild/darwin-arm64": { version: "1.0.0", optional: true },
    }),
  );
  const installed = new Map(Object.entries({ "node_modules/zod": { version: "4.0.0", integrity: "sha512-a" } }));

  it("is complete without the packages of other systems", () => {
    expect(isInstalled(wanted, installed, { forTests: true })).toBe(true);
  });

  it.each([
    ["is missing a package", {}],
    ["has another version of one", { "node_modules/zod": { version: "4.0.1", integrity: "sha512-a" } }],
    ["has another build of one", { "node_modules/zod": { version: "4.0.0", integrity: "sha512-b" } }],
    [
      "has another version of an optional one",
      { ...Object.fromEntries(installed), "node_modules/@esbuild/darwin-arm64": { version: "2.0.0" } },
    ],
  ])("is incomplete if it %s", (_case, packages) => {
    expect(isInstalled(wanted, new Map(Object.entries(packages)), { forTests: false })).toBe(false);
  });

  it("is complete without the packages of tests only if no tests are run", () => {
    const withTests = new Map<string, LockedPackage>([
      ...wanted,
      ["node_modules/vitest", { version: "4.0.0", integrity: "sha512-c", dev: true }],
    ]);
    expect(isInstalled(withTests, installed, { forTests: false })).toBe(true);
    expect(isInstalled(withTests, installed, { forTests: true })).toBe(false);
  });
});

it("computes the URL of each package from its name, its version and the registry of its scope", () => {
  const packages = {
    "": { version: "1.0.0" },
    "node_modules/zod": { version: "4.0.0", integrity: "sha512-a" },
    "node_modules/a/node_modules/@scope/name": { version: "1.0.0", integrity: "sha512-b" },
    "node_modules/alias": { name: "real", version: "2.0.0", integrity: "sha512-c" },
    "node_modules/@fairway/web": { resolved: "web", link: true },
  };
  const config = { registry: "https://registry.example", "@scope:registry": "https://scope.example/npm/" };
  expect(Object.fromEntries(Object.entries(withUrls(packages, config)).map(([path, { resolved }]) => [path, resolved]))).toEqual({
    "": undefined,
    "node_modules/zod": "https://registry.example/zod/-/zod-4.0.0.tgz",
    "node_modules/a/node_modules/@scope/name": "https://scope.example/npm/@scope/name/-/name-1.0.0.tgz",
    "node_modules/alias": "https://registry.example/real/-/real-2.0.0.tgz",
    "node_modules/@fairway/web": "web",
  });
});
