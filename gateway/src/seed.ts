import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ExternalDataset } from "@fairway/contract/external-datasets";
import { type InternalDataset, orderOf } from "@fairway/contract/internal-datasets";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { z } from "zod";
import type { cacSettings } from "#cac-settings.ts";
import type { GuardedClient, GuardedPool } from "#database/guarded-pool.ts";
import { externalDatasets, internalDatasets } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import type { Identity } from "#identity/identity.ts";
import { storedOrderKey } from "#query/duckdb/source-metadata.ts";
import { StartFailure } from "#start-failure.ts";
import { systemCode } from "#system-code.ts";

/** A platform described as data: what an empty portal is filled with. */
export interface Platform {
  readonly categories: readonly { readonly id: string; readonly description: string }[];
  readonly datasets: readonly DatasetRecipe[];
  readonly accounts: Parameters<Identity["ensureAccounts"]>[0];
  /** Starts services that the platform brings, each with the external dataset that calls it. */
  readonly upstreams?: readonly (() => Promise<Upstream>)[];
  /** Starts a card issuer of its own, for a portal whose operator names none. */
  readonly cards?: () => Promise<CardService>;
}

/** A card issuer on this machine, for as long as the portal runs. */
interface CardService {
  readonly settings: z.input<typeof cacSettings>;
  /** Tells where the portal answers: browsers are sent back to there, and nowhere else. */
  serve(portalAddress: string): void;
  close(): Promise<void>;
}

/** A service on this machine, for as long as the portal runs. */
interface Upstream {
  readonly entity: ExternalDataset;
  close(): Promise<void>;
}

/** A dataset and how its one Parquet file is made. */
interface DatasetRecipe {
  readonly entity: InternalDataset;
  /** Absolute paths by the name used in the SQL. */
  readonly sources: Readonly<Record<string, string>>;
  /** One DuckDB SELECT; `{name}` stands for the quoted path of a source. It gives the rows in the dataset's own order. */
  readonly select: string;
}

interface SeedParts {
  readonly platform: Platform;
  /** Where the engine's data is; a dataset's glob is below it. */
  readonly folder: string;
  readonly entities: Pick<EntityStore, "createIfAbsent" | "get" | "replace">;
  readonly identity: Pick<Identity, "ensureAccounts">;
  readonly pool: Pick<GuardedPool, "connect">;
  readonly log: { info(details: object, message: string): void };
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** One gateway at a time builds. Any fixed number nobody else locks. */
const buildLock = 7_102_010;
const buildLockPollMs = 200;

/**
 * Builds the platform's files where they are missing or made by another recipe, and adds accounts and entities that are not
 * there yet: what an administrator changed since stays. Answers what ends the platform's services.
 */
export async function seedPlatform(parts: SeedParts): Promise<() => Promise<void>> {
  const { platform, entities, identity, pool, signal } = parts;
  const client = await pool.connect();
  try {
    await takeBuildLock(client, signal);
    await identity.ensureAccounts(platform.accounts);
    await buildDatasets(parts);
    for (const { entity } of platform.datasets) await entities.createIfAbsent(internalDatasets, entity);
    const upstreams = await Promise.all((platform.upstreams ?? []).map((start) => start()));
    for (const { entity } of upstreams) await pointTo(entity, entities);
    await client.query("select pg_advisory_unlock($1)", [buildLock]);
    client.release();
    return async () => {
      for (const upstream of upstreams) await upstream.close();
    };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Held by the connection: a gateway that dies while it builds frees it. Asked again and again, as one statement may not wait for minutes. */
async function takeBuildLock(client: Pick<GuardedClient, "query">, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [buildLock]);
    if (rows[0]?.mine === true) return;
    await wait(buildLockPollMs, undefined, { signal });
  }
}

/** The service listens elsewhere after each start. One that an administrator sent to another machine stays there. */
async function pointTo(entity: ExternalDataset, entities: SeedParts["entities"]): Promise<void> {
  if (await entities.createIfAbsent(externalDatasets, entity)) return;
  const { body } = await entities.get(externalDatasets, entity.name);
  if (new URL(body.baseRoute).hostname !== new URL(entity.baseRoute).hostname) return;
  const { baseRoute, apiKeyCredential } = entity;
  await entities.replace(externalDatasets, entity.name, { ...body, baseRoute, apiKeyCredential });
}

async function buildDatasets({ platform, folder, log, signal, say }: SeedParts): Promise<void> {
  const missing: { recipe: DatasetRecipe; file: string; made: string }[] = [];
  for (const recipe of platform.datasets) {
    const file = join(folder, fileOf(recipe.entity));
    const made = await fingerprint(recipe);
    if (!(await isMadeBy(file, made))) missing.push({ recipe, file, made });
  }
  if (missing.length === 0) return;
  say("Building the demo data …");
  // A separate engine with the rights to read the sources and to write: the one that serves readers has neither.
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false", autoload_known_extensions: "false" });
  try {
    const connection = await instance.connect();
    await connection.run("set TimeZone = 'UTC'");
    for (const { recipe, file, made } of missing) {
      signal.throwIfAborted();
      const started = performance.now();
      await buildFile(connection, recipe, file);
      await writeFile(`${file}.recipe`, made);
      log.info({ dataset: recipe.entity.id, ms: Math.round(performance.now() - started) }, "dataset built");
    }
  } finally {
    instance.closeSync();
  }
}

async function buildFile(connection: DuckDBConnection, { sources, select, entity }: DatasetRecipe, file: string): Promise<void> {
  const query = select.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const path = sources[name];
    if (path === undefined) throw new Error(`the recipe of ${entity.id} names no source '${name}'`);
    return quoted(path);
  });
  const unfinished = `${file}.unfinished`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // The format stands there because DuckDB goes by the file's ending otherwise. The note of the order spares every reader the sort.
  await connection.run(
    `copy (${query}) to ${quoted(unfinished)} (format parquet, compression zstd, kv_metadata {${storedOrderKey}: ${quoted(orderNote(entity))}})`,
  );
  // A reader sees the old file or the new one, never half of one.
  await rename(unfinished, file);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const orderNote = (entity: InternalDataset): string => JSON.stringify(orderOf(entity));

/** The one file that a recipe's glob finds. */
function fileOf({ id, source }: InternalDataset): string {
  if (source.kind !== "files" || source.format !== "parquet")
    throw new StartFailure(`The dataset ${id} of this platform cannot be built: it is not made of Parquet files.`);
  return source.glob.replaceAll("*", "rows");
}

/** Changes with the SQL, the order and the size of a source: reading every source would cost every start. */
async function fingerprint({ select, sources, entity }: DatasetRecipe): Promise<string> {
  const hash = createHash("sha256").update(select).update(orderNote(entity));
  for (const [name, path] of Object.entries(sources)) {
    const { size } = await stat(path);
    hash.update(`\n${name} ${size}`);
  }
  return hash.digest("hex");
}

async function isMadeBy(file: string, made: string): Promise<boolean> {
  try {
    const [recipe] = await Promise.all([readFile(`${file}.recipe`, "utf8"), stat(file)]);
    return recipe === made;
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    await rm(`${file}.unfinished`, { force: true });
    return false;
  }
}
