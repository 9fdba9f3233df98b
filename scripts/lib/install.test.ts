import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isInstalled } from "./install.mjs";

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
    expect(isInstalled(wanted, installed)).toBe(true);
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
    expect(isInstalled(wanted, new Map(Object.entries(packages)))).toBe(false);
  });
});
