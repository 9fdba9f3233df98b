import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { copyCluster } from "./copy-cluster.ts";
import type { OnClose } from "./identity-app.ts";
import { temporaryFolder } from "./portal-process.ts";

/** A folder for `startEmbeddedPostgres` that already holds a database, removed when the test has finished. */
export async function preparedPostgres(): Promise<string> {
  const folder = await temporaryFolder();
  await copyCluster(inject("testCluster"), folder);
  return folder;
}

/** A home folder of a portal with an empty database and a master key. */
export async function preparedHome(onClose?: OnClose): Promise<string> {
  const home = await temporaryFolder(onClose);
  await copyCluster(inject("testCluster"), join(home, "postgres"));
  await writeFile(join(home, "master.key"), `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  return home;
}
