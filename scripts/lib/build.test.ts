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

it("tells sources apart by name and content, not by time, and leaves out tests and what is made from them", async () => {
  const path = await sources();
  const before = await fingerprint([path]);
  await utimes(join(path, "src/a.ts"), 0, 0);
  for (const made of ["dist", "node_modules"]) {
    await mkdir(join(path, made));
    await writeFile(join(path, made, "a.js"), "a");
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

it("builds what changed, once, and again after a build that did not end well", async () => {
  const [changing, staying, notes] = [await sources(), await sources(), await folder()];
  const built: string[] = [];
  let failing = false;
  const part = (name: string, path: string) => ({
    name,
    sources: [path],
    build: async () => {
      built.push(name);
      if (failing) throw new Error("killed");
    },
  });
  const parts = [part("changing", changing), part("staying", staying)];
  const ensure = (always = false) => ensureBuilt(() => undefined, { parts, notes, always });
  const builtBy = async (work: Promise<unknown>) => {
    built.length = 0;
    await work.catch(() => undefined);
    // Parts are built side by side.
    return built.toSorted();
  };

  expect(await builtBy(ensure())).toEqual(["changing", "staying"]);
  expect(await builtBy(ensure())).toEqual([]);
  await writeFile(join(changing, "src/a.ts"), "changed");
  failing = true;
  expect(await builtBy(ensure())).toEqual(["changing"]);
  // The sources are back as they were when last built, but what was built from them is gone.
  await writeFile(join(changing, "src/a.ts"), "a");
  failing = false;
  expect(await builtBy(ensure())).toEqual(["changing"]);
  expect(await builtBy(ensure())).toEqual([]);
  expect(await builtBy(ensure(true))).toEqual(["changing", "staying"]);
});
