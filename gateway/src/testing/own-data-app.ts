import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ErrorBody } from "@fairway/contract/errors";
import type { DataImport, ImportDraft } from "@fairway/contract/imports";
import { type Limits, defaultLimits } from "@fairway/contract/limits";
import type { OwnDataWho } from "@fairway/contract/own-datasets";
import { expect, onTestFinished, vi } from "vitest";
import { userOfKey } from "#capabilities/api-keys/callers.ts";
import { dataInspection } from "#capabilities/dataset-administration/data-inspection.ts";
import { openDatasetProfiles } from "#capabilities/dataset-profiles/capability.ts";
import { openDatasetQuality } from "#capabilities/dataset-quality/capability.ts";
import { openDatasets } from "#capabilities/datasets/capability.ts";
import type { DatasetService } from "#capabilities/datasets/service.ts";
import { openImports } from "#capabilities/imports/capability.ts";
import { openOwnDatasetManagement } from "#capabilities/own-datasets/capability.ts";
import { openSharing, type OpenSharing } from "#capabilities/sharing/capability.ts";
import { openSearch } from "#capabilities/search/capability.ts";
import type { LiveAudience } from "#database/live-changes.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { openOwnDatasets } from "#own-data/own-datasets.ts";
import { OwnFiles } from "#own-data/own-files.ts";
import { OwnStores } from "#own-data/own-stores.ts";
import { Refusal } from "#http/refusal.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { CallRates } from "#identity/call-rates.ts";
import { type EngineBench, engineBench } from "#query/duckdb/test-files.ts";
import { importedFiles } from "#query/imported/imported-files.ts";
import { RemoteImports } from "#query/imported/remote-imports.ts";
import { FileCache } from "#query/bucket/file-cache.ts";
import { EngineRegistry, openedEngine } from "#query/engines.ts";
import { inPlace } from "#query/sql/table-source.ts";
import { localDiskStores } from "#storage/local-disk.ts";
import type { FileStores } from "#storage/storage.ts";
import { noServer } from "#query/presto/no-server.ts";
import { administrationOf } from "./administration-app.ts";
import { type ApiResponse, type IdentityApp, type OnClose, alansAccount, identityApp, rootsAccount, someAccounts } from "./identity-app.ts";
import { noEngine } from "./no-engine.ts";
import { accessTokenOf } from "./signed-in.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A gateway with accounts, datasets, searches and imports. `ada`, `alan` and `root` may bring data, and `grace` may not. */
export interface OwnDataApp {
  readonly gateway: IdentityApp;
  readonly service: DatasetService;
  readonly entities: EntityStore;
  readonly bench: EngineBench;
  readonly files: OwnFiles;
  call<Body = ErrorBody>(username: string, method: Method, path: string, body?: unknown): Promise<ApiResponse<Body>>;
  /** Starts an import of files with these contents, and sends all parts. */
  upload(username: string, files: Readonly<Record<string, string | Uint8Array>>, draft?: Partial<ImportDraft>): Promise<DataImport>;
  /** The same, and waits until the files have been read. */
  read(username: string, files: Readonly<Record<string, string | Uint8Array>>, draft?: Partial<ImportDraft>): Promise<DataImport>;
  /** Waits until nothing is done for the import any more. */
  settled(username: string, id: string): Promise<DataImport>;
  /** Makes a dataset of a file, and returns the import that has done so. */
  dataset(username: string, name: string, content: string, body?: object): Promise<DataImport>;
  /** The notifications of users. */
  readonly notified: readonly { readonly users: readonly string[]; readonly title: string; readonly text?: string }[];
  /** Removes what has waited long enough, as the portal does regularly. */
  purge(): Promise<void>;
  /** Computes the profiles that are due, and then the quality of what was measured. */
  measure(): Promise<void>;
  /** Contents of files in filesets that were opened. */
  readonly openedContents: readonly Readable[];
  /** Whom changes of own datasets concern, as open tabs are told. */
  readonly announced: readonly LiveAudience[];
  /** Paths of all files in the store of own data. */
  stored(): Promise<string[]>;
}

interface Options {
  readonly limits?: Partial<Limits>;
  readonly who?: OwnDataWho;
  readonly candidates?: "everyone" | "groups" | "off";
  readonly mayShareWithEveryone?: boolean;
  readonly peer?: OwnDataApp & { readonly root: string };
  readonly onClose?: OnClose;
  readonly scanCommand?: readonly [string, ...string[]];
  /** The bucket for new files, and its service. Default: the disk. */
  readonly bucket?: { readonly name: string; readonly stores: FileStores };
}

const uploaders = {
  ...someAccounts,
  roles: [...someAccounts.roles, "data-upload"],
  users: [
    ...someAccounts.users.map((user) => Object.assign({}, user, user.username === "ada" && { roles: ["editor", "data-upload"] })),
    { ...alansAccount, roles: [...alansAccount.roles, "data-upload"] },
    rootsAccount,
  ],
};
const passwords: Readonly<Record<string, string>> = Object.fromEntries(
  uploaders.users.map(({ username, password }) => [username, password]),
);

export async function ownDataApp({
  limits = {},
  who = "role",
  candidates = "everyone",
  mayShareWithEveryone = true,
  peer,
  onClose = onTestFinished,
  scanCommand,
  bucket,
}: Options = {}): Promise<OwnDataApp & { readonly root: string }> {
  const allLimits = { ...defaultLimits, ...limits };
  const root = peer?.root ?? (await mkdtemp(join(tmpdir(), "fairway-own-data-")));
  const [importedFolder, writeFolder] = [join(root, "own-data", "kept"), join(root, "own-data", "scratch")];
  const stores = localDiskStores(root);
  const store = await stores.of("own-data");
  const cacheFolder = join(root, "cache", randomUUID());
  const cache = await FileCache.open({
    folder: cacheFolder,
    maxBytes: allLimits.s3CacheBytes,
    downloadsAtOnce: allLimits.s3DownloadsAtOnce,
    waitMs: allLimits.engineWaitMs,
  });
  const bench = await engineBench({ limits: allLimits, importedFolder, writeFolder, cacheFolder });
  const openedContents: Readable[] = [];
  const filesetFiles: Record<string, () => string> = {
    "folder/trips.csv": () => "name,size\na,1\n",
    "folder/growing.csv": () => `name,size\n${"a,1\n".repeat(openedContents.length)}`,
  };
  const notified: { users: readonly string[]; title: string; text?: string }[] = [];
  const announced: LiveAudience[] = [];
  let remote: RemoteImports | undefined;
  let parts:
    | { service: DatasetService; entities: EntityStore; files: OwnFiles; purge: () => Promise<void>; measure: () => Promise<void> }
    | undefined;
  const gateway = await identityApp({
    ...(peer === undefined ? { accounts: uploaders } : { peer: peer.gateway }),
    limits,
    onClose,
    capabilities: async (opened) => {
      const { db, notifications, masterKey, log } = opened;
      const entities = entityStore(db, log, masterKey);
      const ownDatasets = await openOwnDatasets(db, notifications);
      ownDatasets.onChanged((audiences) => void announced.push(...audiences));
      const ownStores = new OwnStores({ db, bucket: bucket?.name ?? "", disk: store, s3: () => Promise.resolve(bucket?.stores) });
      ownDatasets.onChanged(() => ownStores.lookForBuckets());
      remote = new RemoteImports({ folder: importedFolder, locations: ownStores, cache, fetchMs: allLimits.s3FetchMs });
      const engine = bench.engine.over(await importedFiles({ folder: importedFolder, others: inPlace, remote }));
      const engines = new EngineRegistry(
        { files: openedEngine(engine), tables: openedEngine(noServer), rest: openedEngine(noEngine) },
        log,
      );
      const files = new OwnFiles({ stores: ownStores, folder: importedFolder, cache });
      const datasets = openDatasets({
        entities,
        entityChanges: { subscribe: () => undefined },
        ownDatasets,
        engines,
        categories: [],
        masterKey,
      });
      const imports = openImports({
        db,
        findKeyUser: (keyId) => userOfKey(db, keyId, defaultSecurityLimits.providerConfirmedDays),
        masterKey,
        callRates: new CallRates(db),
        engine,
        inspection: dataInspection,
        derivedProblems: datasets.derivedProblems,
        files,
        partsFolder: join(root, "own-data", "parts"),
        caughtUp: () => notifications.caughtUp(),
        scratchFolder: writeFolder,
        dataFolder: bench.folder,
        openFilesetFile: async (_user, filesetId, path) => {
          const text = filesetId === "shared" ? filesetFiles[path]?.() : undefined;
          if (text === undefined) throw new Refusal("not-found", "There is no such file.");
          const content = Readable.from([Buffer.from(text)]);
          openedContents.push(content);
          return { size: Buffer.byteLength(text), content };
        },
        scanCommand,
        who,
        dateOrder: () => Promise.resolve(null),
        limits: allLimits,
        log,
      });
      const giveAll: OpenSharing["giveAll"] = (...given) => sharing.giveAll(...given);
      const administration = administrationOf(opened, {}, { giveAll });
      imports.imports.administerBy(administration.administrations["datasets/internal"]);
      const ownDatasetManagement = openOwnDatasetManagement({
        db,
        engines,
        notifier: {
          notify: (users, notification) => Promise.resolve(void notified.push({ users, ...notification })),
          retract: () => Promise.resolve(),
        },
        who,
        mayImport: imports.imports.mayImport,
        derivedProblems: datasets.derivedProblems,
        candidates,
        mayShareWithEveryone,
        cleanFiles: () => imports.imports.clean(),
        files,
        limits: allLimits,
        log,
      });
      const sharing = openSharing({
        db,
        candidates,
        mayShareWithEveryone,
        things: [ownDatasetManagement.things],
        notifier: { notify: () => Promise.resolve() },
        log,
      });
      const entityChanges = { subscribe: () => undefined };
      const profiles = openDatasetProfiles({
        db,
        pool: opened.database.longRunning.pool,
        figureView: datasets.figures,
        listed: datasets.listed,
        profiledDatasets: datasets.portalDatasets,
        use: datasets.useForPortal,
        entityChanges,
        limits: allLimits,
        log,
        startDelayMs: 600_000,
        pollMs: 600_000,
      });
      const quality = openDatasetQuality({
        db,
        figureView: datasets.figures,
        listed: datasets.listed,
        measuredDatasets: datasets.portalDatasets,
        profilesOf: profiles.profilesOf,
        measurementsOf: profiles.measurementsOf,
        entityChanges,
        log,
        intervalMs: 600_000,
      });
      const measure = async () => {
        await profiles.runProfiler();
        await quality.evaluate();
      };
      parts = { service: datasets, entities, files, purge: ownDatasetManagement.purgeExpired, measure };
      return [
        profiles,
        quality,
        ownDatasetManagement,
        sharing,
        datasets,
        openSearch({ datasets, limits: allLimits, onSearch: () => undefined }),
        imports,
        administration,
      ];
    },
  });
  onClose(async () => {
    await remote?.close();
    await cache.close();
    await bench.close();
    if (peer === undefined) await rm(root, { recursive: true, force: true });
  });
  if (parts === undefined) throw new Error("no capabilities were opened");
  const { service, entities, files: ownFiles, purge, measure } = parts;
  // Bodies of parts are read from a real connection.
  const origin = await gateway.app.listen({ host: "127.0.0.1", port: 0 });
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (username: string): Promise<string> => {
    const token = tokens.get(username) ?? accessTokenOf(gateway, username, passwords[username] ?? "");
    tokens.set(username, token);
    return token;
  };
  const call: OwnDataApp["call"] = async (username, method, path, body) =>
    gateway.call(method, path, { token: await tokenOf(username), ...(body === undefined ? {} : { body }) });

  const app: OwnDataApp & { readonly root: string } = {
    root,
    notified,
    announced,
    openedContents,
    files: ownFiles,
    purge,
    measure,
    gateway,
    service,
    entities,
    bench,
    call,
    upload: async (username, contents, draft = {}) => {
      const files = Object.entries(contents).map(([file, content]) => ({ file, size: Buffer.byteLength(content) }));
      const started = await call<DataImport>(username, "POST", "/imports", { files, ...draft });
      expect(started).toMatchObject({ status: 201 });
      for (const { number, file, size, partBytes } of started.body.files) {
        const bytes = Buffer.from(contents[file] ?? "");
        for (let part = 1; part === 1 || (part - 1) * partBytes < size; part += 1) {
          const path = `/imports/${started.body.id}/files/${number}/parts/${part}`;
          const { body } = await call<{ uploadUrl: string; headers?: Record<string, string> }>(username, "GET", path);
          const sent = await fetch(`${origin}${body.uploadUrl.replace(/^\/api/, "")}`, {
            method: "PUT",
            body: new Uint8Array(bytes.subarray((part - 1) * partBytes, part * partBytes)),
          });
          expect([sent.status, await sent.text()]).toEqual([204, ""]);
        }
      }
      return started.body;
    },
    read: async (username, contents, draft) => {
      const { id } = await app.upload(username, contents, draft);
      expect(await call(username, "POST", `/imports/${id}/complete`)).toMatchObject({ status: 202 });
      return app.settled(username, id);
    },
    settled: async (username, id) => {
      // A call for each look would compute more than what it waits for.
      const look = async () =>
        (await gateway.database.pool.query<{ status: string }>("select status from imports where id = $1", [id])).rows;
      await vi.waitFor(async () => expect(["ready", "failed", "done"]).toContain((await look())[0]?.status), {
        timeout: 20_000,
        interval: 20,
      });
      return (await call<DataImport>(username, "GET", `/imports/${id}`)).body;
    },
    dataset: async (username, name, content, body = {}) => {
      const { id } = await app.read(username, { [`${name}.csv`]: content });
      expect(await call(username, "POST", `/imports/${id}/dataset`, { name, acceptAssumed: true, ...body })).toMatchObject({ status: 202 });
      return app.settled(username, id);
    },
    stored: async () => {
      const names = await readdir(importedFolder, { recursive: true, withFileTypes: true });
      return names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name).slice(importedFolder.length + 1));
    },
  };
  return app;
}
