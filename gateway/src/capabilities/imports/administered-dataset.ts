import { randomUUID } from "node:crypto";
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { administeredFolder } from "./administered-files.ts";
import type { Entity } from "@fairway/contract/entities";
import type { InternalDataset, OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import { isOwnCategory } from "@fairway/contract/own-datasets";
import { passesRole } from "@fairway/contract/access";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { administratorRole } from "#identity/accounts.ts";

/** The administration of internal datasets, which validates and records what it creates. */
export interface DatasetCreation {
  create(draft: Readonly<Record<string, unknown>>, by: SignedInUser): Promise<Entity>;
}

export interface AdministeredParts {
  readonly db: Kysely<Database>;
  /** The folder with the files of internal datasets. */
  readonly dataFolder: string;
  /** Available once the portal's administration is open. */
  readonly administration: Promise<DatasetCreation>;
}

interface Address {
  readonly category: string;
  readonly id: string;
}

/** Below the data folder. The same in each run of an import, so that a repeated run finds what an interrupted one has made. */
const globOf = (importId: string): string => `${administeredFolder}/${importId}.parquet`;

export function requireMayAdminister({ roles }: Pick<SignedInUser, "roles">): void {
  if (!passesRole(roles, administratorRole)) throw new Refusal("forbidden", "Only administrators choose a category.", { path: "category" });
}

/** Refuses what the creation would refuse anyway, while somebody still waits for the answer. */
export async function requireFreeAddress(db: Kysely<Database>, { category, id }: Address): Promise<void> {
  if (isOwnCategory(category)) {
    throw new Refusal("invalid-value", "'category' must not begin with '~': such categories are those of users' own datasets.", {
      path: "category",
    });
  }
  if ((await datasetOf(db, id)) !== undefined)
    throw new Refusal("name-taken", `There is already an internal dataset '${id}'.`, { path: "name" });
}

/**
 * Makes an ordinary internal dataset of rows in a Parquet file, which `write` creates at the path that it returns. The rows belong to the
 * data folder from then on, like any other file there.
 */
export async function createAdministered(
  { db, dataFolder, administration }: AdministeredParts,
  importId: string,
  { by, category, id, settings }: Address & { readonly by: SignedInUser; readonly settings: OwnDatasetSettings },
  write: () => Promise<string>,
): Promise<void> {
  requireMayAdminister(by);
  const glob = globOf(importId);
  const known = await datasetOf(db, id);
  if (known?.body["source"] !== undefined && (known.body["source"] as { glob?: unknown }).glob === glob) return;
  await requireFreeAddress(db, { category, id });
  const path = join(dataFolder, glob);
  await moveTo(path, await write());
  const dataset: InternalDataset = { ...settings, id, category, roles: [], source: { kind: "files", glob, format: "parquet" } };
  try {
    await (await administration).create(dataset, by);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

const datasetOf = (db: Kysely<Database>, id: string) =>
  db.selectFrom("entities").select("body").where("type", "=", "datasets/internal").where("id", "=", id).executeTakeFirst();

/** The data folder may be on another file system. Readers see the whole file or none. */
async function moveTo(path: string, from: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${randomUUID()}`;
  try {
    await copyFile(from, unfinished);
    await rename(unfinished, path);
  } finally {
    await Promise.all([rm(unfinished, { force: true }), rm(from, { force: true })]);
  }
}
