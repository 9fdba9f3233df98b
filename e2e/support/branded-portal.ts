import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface BrandedPortal {
  address: string;
  administrator: { username: string; password: string };
  stop: () => Promise<void>;
}

/** A second, empty portal with the operator's settings of its own. */
export async function startBrandedPortal(settings: object): Promise<BrandedPortal> {
  const home = await mkdtemp(join(tmpdir(), "fairway-branded-"));
  const settingsFile = join(home, "settings.json");
  await writeFile(settingsFile, JSON.stringify(settings));
  const administrator = { username: "harbour-master", password: "of-the-harbour-office" };
  const port = await freePort();
  const child = spawn(process.execPath, ["scripts/portal.mjs", "--production"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: "ignore",
    env: {
      ...process.env,
      PORT: String(port),
      FAIRWAY_HOME: home,
      FAIRWAY_SETTINGS: settingsFile,
      FAIRWAY_ADMIN_USERNAME: administrator.username,
      FAIRWAY_ADMIN_PASSWORD: administrator.password,
    },
  });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  const address = `http://127.0.0.1:${port}`;
  while (!(await isReady(address))) {
    if (child.exitCode !== null) throw new Error(`The branded portal ended with ${child.exitCode} before it was ready.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    address,
    administrator,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/api/health/ready`)).ok;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, "127.0.0.1", resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  if (address === null || typeof address === "string") throw new Error("a TCP server without a port");
  return address.port;
}
