import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { journeyLimits, journeySettings } from "../../scripts/lib/journey-limits.mjs";
import { databaseUrl } from "./accounts.ts";
import { homeFolder } from "./platform.ts";

export interface ProductionPortal {
  address: string;
  /** The lines that it has output. */
  output: readonly string[];
  stop: () => Promise<void>;
}

/** Starts a second, empty portal like `npm run start:production`, with the given settings file and variables. */
export async function startProductionPortal(settings: object, variables: Record<string, string>): Promise<ProductionPortal> {
  const home = await mkdtemp(join(tmpdir(), "fairway-production-"));
  const settingsFile = join(home, "settings.json");
  await writeFile(settingsFile, JSON.stringify(settings));
  const portal = await startPortal({ FAIRWAY_HOME: home, FAIRWAY_SETTINGS: settingsFile, ...variables });
  return {
    ...portal,
    stop: async () => {
      await portal.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Starts a second gateway of the journeys' portal, on the same database and folder, and without a demo of its own. */
export const startSecondGateway = async (): Promise<ProductionPortal> =>
  startPortal({
    FAIRWAY_HOME: homeFolder,
    FAIRWAY_OPEN: "0",
    FAIRWAY_SETTINGS: JSON.stringify(journeySettings),
    DATABASE_URL: await databaseUrl(),
    // As the demo's: its query server and file store run on this machine.
    FAIRWAY_UPSTREAM_ADDRESSES: "127.0.0.0/8",
    ...journeyLimits,
  });

async function startPortal(variables: Record<string, string>): Promise<ProductionPortal> {
  const child = spawn(process.execPath, ["scripts/portal.mjs", "--production"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PORT: "0", ...variables },
  });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  const output: string[] = [];
  const address = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The portal ended with ${code} before it was ready: ${output.join("\n")}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      output.push(line);
      const ready = /^Fairway is ready at (\S+)$/.exec(line)?.[1];
      if (ready !== undefined) resolve(ready);
    });
  });
  return {
    address,
    output,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
