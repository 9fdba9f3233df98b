import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { linkFolder } from "./checkouts.mjs";

it("links packages with the hidden folders that they bring, without the caches beside them", () => {
  const root = mkdtempSync(join(tmpdir(), "fairway-checkouts-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [from, to] = [join(root, "one/node_modules"), join(root, "other/node_modules")];
  const manifest = "@vitest/browser/dist/client/.vite/manifest.json";
  for (const file of [manifest, ".vite/deps/react.js"]) {
    mkdirSync(join(from, file, ".."), { recursive: true });
    writeFileSync(join(from, file), "{}");
  }
  linkFolder(from, to);
  expect(existsSync(join(to, manifest))).toBe(true);
  expect(existsSync(join(to, ".vite"))).toBe(false);
});
