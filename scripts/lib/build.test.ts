import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ensureBuilt } from "./build.mjs";
import { fingerprint } from "./fingerprint.mjs";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "fairway-build-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function sources(): Promise<string> {
  const path = await folder();
  await mkdir(join(path, "src/deep"), { recursive: true });
  await writeFile(join(path, "src/a.ts"), "a");
  await writeFile(join(path, "src/deep/b.ts"), "b");
  return path;
}

it("fingerprints sources by name and content rather than time, ignoring tests and build output", async () => {
  const path = await sources();
  const before = await fingerprint([path]);
  await utimes(join(path, "src/a.ts"), 0, 0);
  for (const ignored of ["dist", "node_modules"]) {
    await mkdir(join(path, ignored));
    await writeFile(join(path, ignored, "a.js"), "a");
  }
  for (const name of ["tsconfig.tsbuildinfo", "a.test.ts", "a.test.tsx"]) await writeFile(join(path, name), "{}");
  expect(await fingerprint([path])).toBe(before);
  const seen = new Set([before]);
  const changes = [
    () => writeFile(join(path, "src/a.ts"), "c"),
    () => writeFile(join(path, "src/c.ts"), ""),
    () => rename(join(path, "src/c.ts"), join(path, "src/d.ts")),
    () => rm(join(path, "src/deep"), { recursive: true }),
  ];
  for (const change of changes) {
    await change();
    seen.add(await fingerprint([path]));
  }
  expect(seen.size).toBe(1 + changes.length);
});

it("builds changed parts once, and again after a failed build", async () => {
  const [changing, unchanged, fingerprints] = [await sources(), await sources(), await folder()];
  const built: string[] = [];
  let isFailing = false;
  const part = (name: string, path: string) => ({
    name,
    sources: [path],
    build: async () => {
      built.push(name);
      if (isFailing) throw new Error("killed");
    },
  });
  const parts = [part("changing", changing), part("unchanged", unchanged)];
  const ensure = (always = false) => ensureBuilt(() => undefined, { parts, folder: fingerprints, always });
  const builtBy = async (work: Promise<unknown>) => {
    built.length = 0;
    await work.catch(() => undefined);
    // Parts are built in parallel.
    return built.toSorted();
  };

  expect(await builtBy(ensure())).toEqual(["changing", "unchanged"]);
  expect(await builtBy(ensure())).toEqual([]);
  await writeFile(join(changing, "src/a.ts"), "changed");
  isFailing = true;
  expect(await builtBy(ensure())).toEqual(["changing"]);
  // The sources match the last successful build again, but its output is gone.
  await writeFile(join(changing, "src/a.ts"), "a");
  isFailing = false;
  expect(await builtBy(ensure())).toEqual(["changing"]);
  expect(await builtBy(ensure())).toEqual([]);
  expect(await builtBy(ensure(true))).toEqual(["changing", "unchanged"]);
});
