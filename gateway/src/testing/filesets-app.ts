import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Fileset, fileset as filesetSchema } from "@fairway/contract/entity-schemas";
import { reservedFolder } from "@fairway/contract/filesets";
import { type Limits, defaultLimits } from "@fairway/contract/limits";
import type { LightMyRequestResponse } from "fastify";
import { onTestFinished } from "vitest";
import type { z } from "zod";
import { userOfKey } from "#capabilities/api-keys/callers.ts";
import { openFilesets } from "#capabilities/filesets/capability.ts";
import type { EntityStore } from "#entities/store.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { CallRates } from "#identity/call-rates.ts";
import { localDiskStores, plainFolder } from "#storage/local-disk.ts";
import type { FileStore, FileStores } from "#storage/storage.ts";
import { type IdentityApp, type OnClose, identityApp, rootsAccount, someAccounts } from "./identity-app.ts";
import { accessTokenOf } from "./signed-in.ts";

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A gateway with accounts and filesets on a disk. */
export interface FilesetsApp {
  readonly gateway: IdentityApp;
  /** Folder of the buckets. */
  readonly folder: string;
  readonly stores: FileStores;
  /** Puts a file where an operator would. */
  put(path: string, content: string | Uint8Array): Promise<void>;
  /** Calls as a user of `someAccounts`, as `root`, or without a token if undefined. */
  request(
    username: string | undefined,
    method: "GET" | "HEAD" | "POST" | "DELETE",
    url: string,
    options?: CallOptions,
  ): Promise<LightMyRequestResponse>;
  /** An access token of such a user. */
  tokenOf(username: string): Promise<string>;
  /** The gateway's address, for calls over a real connection. */
  readonly origin: string;
  /** Discards expired uploads in parts. */
  expireUploads(): Promise<void>;
  /** Replaces the enabled filesets. */
  configure(filesets: readonly z.input<typeof filesetSchema>[]): void;
}

const passwords: Readonly<Record<string, string>> = Object.fromEntries(
  [...someAccounts.users, rootsAccount].map(({ username, password }) => [username, password]),
);

interface Options {
  limits?: Partial<Limits>;
  onClose?: OnClose;
  /** Default: on disk. */
  stores?: FileStores;
  /** Returns the store that the gateway uses in place of this one. */
  wrapStore?: (store: FileStore) => FileStore;
  scanCommand?: readonly [string, ...string[]];
  /** Receives what the gateway warns of. */
  onWarning?: (...args: readonly unknown[]) => void;
}

export async function filesetsApp(
  filesets: readonly z.input<typeof filesetSchema>[],
  {
    limits = {},
    onClose = onTestFinished,
    stores: otherStores,
    wrapStore = (store) => store,
    scanCommand,
    onWarning = () => {},
  }: Options = {},
): Promise<FilesetsApp> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-filesets-"));
  const stores = otherStores ?? localDiskStores(folder, plainFolder);
  let configured: readonly Fileset[] = filesets.map((one) => filesetSchema.parse(one));
  const list = (async () => configured.map((body) => ({ body, enabled: true }))) as unknown as EntityStore["list"];
  let notify = () => {};
  let expireUploads = () => Promise.resolve();
  const gateway = await identityApp({
    accounts: { ...someAccounts, users: [...someAccounts.users, rootsAccount] },
    onClose,
    headRoutes: true,
    reachable: { dataset: async () => false, fileset: async () => true, ecosystem: async () => false },
    capabilities: ({ db, masterKey }) => {
      const opened = openFilesets({
        db,
        findKeyUser: (keyId) => userOfKey(db, keyId, defaultSecurityLimits.providerConfirmedDays),
        callRates: new CallRates(db),
        masterKey,
        entities: { list },
        entityChanges: { subscribe: (listener) => (notify = () => listener(undefined)) },
        stores: { of: async (bucket) => wrapStore(await stores.of(bucket)) },
        helpFilesetId: "help",
        partsFolder: join(folder, reservedFolder, "uploads"),
        scanCommand,
        log: { warn: onWarning },
        limits: { ...defaultLimits, ...limits },
      });
      ({ expireUploads } = opened);
      return [opened];
    },
  });
  onClose(() => rm(folder, { recursive: true }));
  const origin = await gateway.app.listen({ host: "127.0.0.1", port: 0 });
  const tokens = new Map<string, string>();
  const tokenOf = async (username: string): Promise<string> => {
    const token = tokens.get(username) ?? (await accessTokenOf(gateway, username, passwords[username] ?? ""));
    tokens.set(username, token);
    return token;
  };
  return {
    gateway,
    folder,
    stores,
    origin,
    tokenOf,
    expireUploads: () => expireUploads(),
    put: async (path, content) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    },
    request: async (username, method, url, { headers = {}, body } = {}) =>
      gateway.app.inject({
        method,
        url,
        headers: { ...headers, ...(username === undefined ? {} : { authorization: `Bearer ${await tokenOf(username)}` }) },
        ...(body === undefined ? {} : { payload: body }),
      }),
    configure: (changed) => {
      configured = changed.map((one) => filesetSchema.parse(one));
      notify();
    },
  };
}
