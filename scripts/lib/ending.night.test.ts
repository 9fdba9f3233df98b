import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkout } from "./checkout.mjs";

/** False for one that has ended, even if nothing has asked for its exit code yet. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
  } catch {
    return false;
  }
}

/** A development server below a process that only waits for it, as npm does. */
async function openDev() {
  const folder = await mkdtemp(join(tmpdir(), "fairway-ending-"));
  const path = (name: string) => join(folder, name);
  const module = (name: string) => JSON.stringify(join(checkout, "scripts/lib", name));
  const noteOf = (name: string) => `writeFileSync(${JSON.stringify(path(name))}, String(process.pid))`;
  await writeFile(
    path("server.mjs"),
    `import { writeFileSync } from "node:fs";
     import { onceAskedToEnd } from ${module("ending.mjs")};
     onceAskedToEnd(() => process.exit(0));
     ${noteOf("server")};
     process.send("loaded");
     process.on("message", () => process.send("ready"));`,
  );
  await writeFile(
    path("dev.mjs"),
    `import { writeFileSync } from "node:fs";
     import { onceAskedToEnd } from ${module("ending.mjs")};
     import { SourceServer } from ${module("source-server.mjs")};
     const server = new SourceServer({}, { program: ${JSON.stringify(path("server.mjs"))}, preloads: false });
     onceAskedToEnd(() => void server.stop().then(() => process.exit(0)));
     server.start();
     await server.settled;
     ${noteOf("dev")};`,
  );
  await writeFile(
    path("parent.mjs"),
    `import { spawn } from "node:child_process";
     spawn(process.execPath, [${JSON.stringify(path("dev.mjs"))}], { stdio: "ignore" });
     setInterval(() => {}, 1_000);`,
  );
  const parent = spawn(process.execPath, [path("parent.mjs")], { stdio: "ignore" });
  await expect.poll(() => existsSync(path("dev"))).toBe(true);
  const pidIn = async (name: string) => Number(await readFile(path(name), "utf8"));
  const [dev, server] = [await pidIn("dev"), await pidIn("server")];
  onTestFinished(async () => {
    parent.kill("SIGKILL");
    for (const pid of [dev, server]) if (isRunning(pid)) process.kill(pid, "SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });
  return { parent, dev, server };
}

it.each([
  ["its parent is killed", ({ parent }: { parent: ChildProcess }) => void parent.kill("SIGKILL")],
  ["it is killed itself", ({ dev }: { dev: number }) => void process.kill(dev, "SIGKILL")],
  ["it is asked to", ({ dev }: { dev: number }) => void process.kill(dev, "SIGTERM")],
])("leaves no process behind when %s", async (_, end) => {
  const opened = await openDev();
  expect([isRunning(opened.dev), isRunning(opened.server)]).toEqual([true, true]);
  end(opened);
  await expect.poll(() => [isRunning(opened.dev), isRunning(opened.server)], { timeout: 30_000 }).toEqual([false, false]);
});
