import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { checkout } from "./checkout.mjs";
import { SourceServer } from "./source-server.mjs";

/** A server whose program records each start, and fails while the file `broken` is not empty. */
async function openServer() {
  const folder = await mkdtemp(join(tmpdir(), "fairway-dev-"));
  const paths = {
    program: join(folder, "server.mjs"),
    starts: join(folder, "starts"),
    broken: join(folder, "broken"),
    running: join(folder, "running"),
  };
  await Promise.all([writeFile(paths.starts, ""), writeFile(paths.broken, ""), writeFile(paths.running, "")]);
  await writeFile(
    paths.program,
    `import { appendFileSync, readFileSync } from "node:fs";
     appendFileSync(${JSON.stringify(paths.starts)}, "started\\n");
     if (readFileSync(${JSON.stringify(paths.broken)}, "utf8") !== "") process.exit(1);
     process.send("loaded");
     process.on("message", () => {
       process.on("SIGTERM", () => setTimeout(() => { appendFileSync(${JSON.stringify(paths.running)}, "-"); process.exit(0); }, 150));
       appendFileSync(${JSON.stringify(paths.running)}, "+");
       process.send("ready");
     });`,
  );
  const compiled: string[][] = [];
  const compile = async (changed: readonly string[]) => {
    compiled.push(changed.map((path) => relative(checkout, path)));
    if ((await readFile(paths.broken, "utf8")) === "no TypeScript") throw new Error("Compiling it failed.");
  };
  const server = new SourceServer({}, { program: paths.program, preloads: false, compile });
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const starts = async () => (await readFile(paths.starts, "utf8")).split("\n").length - 1;
  /** A plus for each server that opened, and a minus for each that closed. */
  const running = () => readFile(paths.running, "utf8");
  return { server, compiled, starts, running, breakWith: (text: string) => writeFile(paths.broken, text) };
}

const source = (path: string) => join(checkout, path);

it("restarts the server once for simultaneous changes, and only for changes of its sources", async () => {
  const { server, starts, compiled } = await openServer();
  server.start();
  await server.settled;
  expect(await starts()).toBe(1);
  for (const path of ["web/src/app.tsx", "gateway/src/portal/service.test.ts", "gateway/package.json"]) server.fileChanged(source(path));
  server.fileChanged(source("gateway/src/portal/service.ts"));
  server.fileChanged(source("contract/src/search.ts"));
  await expect.poll(starts).toBe(2);
  expect(compiled).toEqual([["gateway/src/portal/service.ts", "contract/src/search.ts"]]);
  await server.settled;
  server.fileChanged(source("gateway/src/portal/service.test.ts"));
  await server.stop();
  expect(await starts()).toBe(2);
});

it("settles after a failed start, and tries again after the next change", async () => {
  const { server, starts, breakWith } = await openServer();
  const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
  onTestFinished(() => logged.mockRestore());
  await breakWith("a typo");
  server.start();
  await server.settled;
  await expect.poll(() => logged.mock.calls.flat()).toEqual(["The server has ended. It restarts after the next saved change."]);
  await breakWith("");
  server.fileChanged(source("gateway/src/portal/service.ts"));
  await expect.poll(starts).toBe(2);
  await server.settled;
});

it("goes on with the present server while a source cannot be compiled, and compiles it with the next change", async () => {
  const { server, starts, compiled, breakWith } = await openServer();
  const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
  onTestFinished(() => logged.mockRestore());
  server.start();
  await server.settled;
  await breakWith("no TypeScript");
  server.fileChanged(source("gateway/src/portal/service.ts"));
  await expect.poll(() => logged.mock.calls.flat()).toEqual(["Compiling it failed."]);
  expect(await starts()).toBe(1);
  await breakWith("");
  server.fileChanged(source("gateway/src/portal/app.ts"));
  await expect.poll(starts).toBe(2);
  expect(compiled.at(-1)).toEqual(["gateway/src/portal/service.ts", "gateway/src/portal/app.ts"]);
  await server.settled;
});

it("never runs two servers at once, even for changes in quick succession", async () => {
  const { server, running } = await openServer();
  server.start();
  await server.settled;
  server.fileChanged(source("gateway/src/portal/service.ts"));
  // The first server is still stopping, or the second one starting.
  await new Promise((resolve) => setTimeout(resolve, 80));
  server.fileChanged(source("gateway/src/portal/service.ts"));
  await expect.poll(running).toMatch(/-.*\+$/);
  await server.whenSettled();
  await server.stop();
  expect(await running()).toMatch(/^(?:\+-){2,3}$/);
});
