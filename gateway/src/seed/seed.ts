import { createReadStream } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type InternalDataset, defaultOrder } from "@fairway/contract/internal-datasets";
import type { DatasetRecipe, PlatformRecipe } from "@fairway/contract/recipes";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { z } from "zod";
import type { cacSettings } from "#openid/cac-settings.ts";
import type { GuardedPool } from "#database/guarded-pool.ts";
import { waitForLock } from "#database/wait-for-lock.ts";
import { internalDatasets, storedTypes } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import type { Identity } from "#identity/identity.ts";
import { storedOrderKey } from "#query/duckdb/parquet-source.ts";
import { fingerprint, quoted, withPaths, withSeedEngine } from "#seed/engine.ts";
import { buildFilesets } from "#seed/filesets.ts";
import { startUpstreams } from "#seed/upstreams.ts";
import type { operatorSettings } from "#config/settings-file.ts";
import { fileKey } from "#storage/key.ts";
import type { FileStore } from "#storage/storage.ts";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";

type RequiredPart = "categories" | "datasets";

/** Declarative description of a platform that fills an empty portal. */
export interface Platform extends Pick<PlatformRecipe, RequiredPart>, Partial<Omit<PlatformRecipe, RequiredPart>> {
  /** Used where the operator's settings file has none. */
  readonly settings?: Pick<z.input<typeof operatorSettings>, "externalPages" | "supplementalHelp" | "start">;
  readonly accounts: Parameters<Identity["ensureAccounts"]>[0];
  /** Starts a card issuer, for a portal whose operator configures none. */
  readonly cards?: () => Promise<CardService>;
}

/** A local card issuer that runs as long as the portal. */
interface CardService {
  readonly settings: z.input<typeof cacSettings>;
  /** Sets the portal's address, the only one that the issuer redirects to. */
  serve(portalAddress: string): void;
  close(): Promise<void>;
}

interface SeedParts {
  readonly platform: Platform;
  /** The data folder, which contains the globs of datasets. */
  readonly folder: string;
  /** Contains one folder for each bucket of filesets. */
  readonly filesetFolder: string;
  /** Contains the files of docs. */
  readonly files: Pick<FileStore, "write">;
  readonly entities: Pick<EntityStore, "createIfAbsent" | "get" | "list" | "replace">;
  readonly identity: Pick<Identity, "ensureAccounts">;
  readonly pool: Pick<GuardedPool, "connect">;
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  readonly signal: AbortSignal;
  /** How often it is checked that the platform's services are still there. */
  readonly upstreamCheckMs?: number;
  readonly print: (line: string) => void;
}

/** Ensures that one gateway builds at a time. Arbitrary, but must not be used by another advisory lock. */
const buildLock = 7_102_010;

/**
 * Builds the platform's files if they are missing or their recipe has changed, and adds missing accounts and entities.
 * Existing ones are not changed, which keeps administrators' edits. Returns a function that closes the platform's services.
 */
export async function seedPlatform(parts: SeedParts): Promise<() => Promise<void>> {
  const { platform, filesetFolder, entities, identity, pool, log, signal } = parts;
  const client = await pool.connect();
  try {
    await waitForLock((statement) => client.query(statement), buildLock, signal);
    await identity.ensureAccounts(platform.accounts);
    const onBuild = announcer(parts.print);
    // Side by side, as one waits for the engine and the other for the disk. A failure waits for the end of the other.
    const builds = await Promise.allSettled([
      buildDatasets(parts, onBuild),
      buildFilesets({ recipes: platform.filesets ?? [], folder: filesetFolder, log, signal, onBuild }),
    ]);
    for (const build of builds) if (build.status === "rejected") throw build.reason;
    for (const { entity } of platform.datasets) await entities.createIfAbsent(internalDatasets, entity);
    for (const { entity } of platform.filesets ?? []) await entities.createIfAbsent(storedTypes.filesets, entity);
    for (const { entity } of platform.flowGroups ?? []) await entities.createIfAbsent(storedTypes.flowGroups, entity);
    for (const entity of platform.flowEnvironments ?? []) await entities.createIfAbsent(storedTypes.flowEnvironments, entity);
    await createDocs(parts);
    const { upstreamCheckMs = 5_000 } = parts;
    const closeUpstreams = await startUpstreams(platform.upstreams ?? [], { entities, log, checkMs: upstreamCheckMs });
    await client.query("select pg_advisory_unlock($1)", [buildLock]);
    client.release();
    return closeUpstreams;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Files first, so that a doc is never seen without its content. An existing doc keeps the files that administrators gave it. */
async function createDocs({ platform, files, entities }: SeedParts): Promise<void> {
  const existing = new Set((await entities.list(storedTypes.docs)).map(({ body }) => body.id));
  for (const { entity, files: sources } of platform.docs ?? []) {
    if (existing.has(entity.id)) continue;
    for (const [name, path] of Object.entries(sources)) {
      await files.write(fileKey("docs", entity.id, name), createReadStream(path) as AsyncIterable<Uint8Array>, Infinity);
    }
    await entities.createIfAbsent(storedTypes.docs, entity);
  }
}

/** Prints once that the start takes longer than usual. */
function announcer(print: SeedParts["print"]): () => void {
  let isAnnounced = false;
  return () => {
    if (!isAnnounced) print("Building the demo data …");
    isAnnounced = true;
  };
}

async function buildDatasets({ platform, folder, log, signal }: SeedParts, onBuild: () => void): Promise<void> {
  const outdated: { recipe: DatasetRecipe; file: string; recipeHash: string }[] = [];
  for (const recipe of platform.datasets) {
    const file = join(folder, fileOf(recipe.entity));
    const recipeHash = await fingerprint([recipe.select, orderNote(recipe.entity)], recipe.sources);
    if (!(await isUpToDate(file, recipeHash))) outdated.push({ recipe, file, recipeHash });
  }
  if (outdated.length === 0) return;
  onBuild();
  await withSeedEngine(async (connection) => {
    for (const { recipe, file, recipeHash } of outdated) {
      signal.throwIfAborted();
      const started = performance.now();
      await buildFile(connection, recipe, file);
      await writeFile(`${file}.recipe`, recipeHash);
      log.info({ dataset: recipe.entity.id, ms: Math.round(performance.now() - started) }, "dataset built");
    }
  });
}

async function buildFile(connection: DuckDBConnection, { sources, select, entity }: DatasetRecipe, file: string): Promise<void> {
  const query = withPaths(select, sources, entity.id);
  const unfinished = `${file}.unfinished`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // The format is explicit because DuckDB would derive it from the file extension. The stored order saves every reader the sort.
  await connection.run(
    `copy (${query}) to ${quoted(unfinished)} (format parquet, compression zstd, kv_metadata {${storedOrderKey}: ${quoted(orderNote(entity))}})`,
  );
  // Atomic: readers see either the old file or the new one.
  await rename(unfinished, file);
}

const orderNote = (entity: InternalDataset): string => JSON.stringify(defaultOrder(entity));

/** The single file that matches a recipe's glob. */
function fileOf({ id, source }: InternalDataset): string {
  if (source.kind !== "files" || source.format !== "parquet")
    throw new StartFailure(`The dataset ${id} of this platform cannot be built: it is not made of Parquet files.`);
  return source.glob.replaceAll("*", "rows");
}

async function isUpToDate(file: string, recipeHash: string): Promise<boolean> {
  try {
    const [recipe] = await Promise.all([readFile(`${file}.recipe`, "utf8"), stat(file)]);
    return recipe === recipeHash;
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    await rm(`${file}.unfinished`, { force: true });
    return false;
  }
}
