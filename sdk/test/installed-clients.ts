import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { buildTools } from "../build/build-tools.mjs";
import type * as Client from "../src/client/index.ts";
import { type Portal, outcomeOf, startPortal, temporaryFolder } from "./portal.ts";

interface InstalledClients {
  portal: Portal;
  /** Folder of the packages. */
  tools: string;
  /** Folder of a project in which the npm packages are installed. */
  project: string;
  client: typeof Client;
}

/** Builds the clients before the tests of a file and installs them beside a portal. What is returned has these once the tests run. */
export function installClients(): Readonly<InstalledClients> {
  const closers: (() => Promise<void>)[] = [];
  const installed = {} as InstalledClients;

  beforeAll(async () => {
    const folder = await temporaryFolder((close) => closers.push(close));
    const [tools, project] = [join(folder, "tools"), join(folder, "project")];
    const [portal] = await Promise.all([startPortal(), buildTools({ compiled: join(folder, "compiled"), output: tools })]);
    closers.push(() => portal.close());
    await mkdir(project);
    await writeFile(join(project, "package.json"), '{"private":true,"type":"module"}');
    const packages = (await readdir(tools)).filter((name) => name.endsWith(".tgz")).map((name) => join(tools, name));
    const npm = ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
    const outcome = await outcomeOf("npm", npm, { cwd: project });
    if (outcome.code !== 0) throw new Error(outcome.stderr);
    const client = (await import(pathToFileURL(join(project, "node_modules/fairway-client/lib/index.js")).href)) as typeof Client;
    Object.assign(installed, { portal, tools, project, client });
  });

  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });
  return installed;
}

/** Runs the installed command line with these arguments. */
export const runFairway = ({ portal, project }: Readonly<InstalledClients>, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  outcomeOf(join(project, "node_modules/.bin/fairway"), [...args], {
    cwd: project,
    env: { PATH: process.env["PATH"], FAIRWAY_URL: portal.url, FAIRWAY_API_KEY: portal.apiKey, ...env },
  });
