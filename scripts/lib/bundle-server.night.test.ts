import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { checkout } from "./checkout.mjs";
import { portalModules } from "./portal-modules.mjs";

const execute = promisify(execFile);
let folder: string;

beforeAll(async () => {
  // The packages of the gateway are found from here.
  const cache = join(checkout, "gateway/node_modules/.cache");
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, "bundle-"));
  await execute(process.execPath, [join(checkout, "scripts/lib/bundle-server.mjs"), folder], { cwd: checkout });
  return () => rm(folder, { recursive: true, force: true });
});

it("bundles what the portal's process imports, with stack traces that name the sources", async () => {
  const [process_, service, platform] = Object.keys(portalModules).map((name) => JSON.stringify(join(folder, `${name}.js`)));
  const program = `
    const { runPortal } = await import(${process_});
    const { demoPlatform } = await import(${platform});
    const { openService } = await import(${service});
    const { stack } = await openService(undefined).catch((error) => error);
    console.log(JSON.stringify({ run: typeof runPortal, users: demoPlatform.accounts.users.length, stack }));`;
  const { stdout } = await execute(process.execPath, ["--enable-source-maps", "--input-type=module", "--eval", program], { cwd: checkout });
  const { run, users, stack } = JSON.parse(stdout);
  expect(run).toBe("function");
  expect(users).toBeGreaterThan(0);
  expect(stack).toMatch(/gateway\/src\/portal\/service\.ts:\d+/);
});

it("lets modules find files from the place of their compiled file", async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".js"));
  const code = (await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))).join("\n");
  const places = Array.from(code.matchAll(/new URL\("([^"]+)", import\.meta\.url\)\.href(?:, "([^"]+)")?/g));
  // All that name their own place do it in this way.
  expect(code.split("import.meta.url")).toHaveLength(places.length + 1);
  expect(new Set(places.map(([, , worker]) => worker))).toEqual(
    new Set([
      undefined,
      "./chart-worker",
      "./content-worker",
      "./csv-lines-worker",
      "./csv-worker",
      "./flow-worker",
      "./jolt-worker",
      "./json-worker",
      "./response-worker",
      "./sheet-worker",
      "./xlsx-worker",
    ]),
  );
  for (const [, place = "", worker] of places) {
    const compiled = worker === undefined ? join(folder, place) : join(folder, place, "..", `${worker}.js`);
    expect(compiled).toContain("/dist/");
    await access(compiled.replace("/dist/", "/src/").replace(/js$/, "ts"));
  }
});
