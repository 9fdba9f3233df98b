import type { ErrorBody } from "@fairway/contract/errors";
import type { Method } from "@fairway/contract/route";
import type { ShareDraft } from "@fairway/contract/sharing";
import { defaultLimits } from "@fairway/contract/limits";
import { openBoards } from "#capabilities/boards/capability.ts";
import { openSavedSearches } from "#capabilities/saved-searches/capability.ts";
import { openSharing, type OpenSharing } from "#capabilities/sharing/capability.ts";
import type { OwnedThings } from "#sharing/owned-things.ts";
import type { SharingParts } from "#sharing/candidates.ts";
import { administrationOf } from "./administration-app.ts";
import {
  adasPassword,
  alansAccount,
  type ApiResponse,
  identityApp,
  type IdentityApp,
  type OnClose,
  rootsAccount,
  someAccounts,
} from "./identity-app.ts";
import { ReportedChanges } from "./reported-changes.ts";
import { accessTokenOf } from "./signed-in.ts";

export type SharedKindName = "board" | "savedSearch";

/** The calls of each kind, so that one test proves both. */
export const sharedKinds = {
  board: { path: "/boards", topic: "boards", noun: "board", table: "boards" },
  savedSearch: { path: "/favorite/queries", topic: "savedSearches", noun: "saved search", table: "saved_searches" },
} as const;

export const storms = { datasetCategory: "nature", datasetId: "storms" };
export const secret = { datasetCategory: "secret", datasetId: "plans" };

/** The common part of the answers of both kinds. */
export interface SharedAnswer extends ErrorBody {
  readonly id: string;
  readonly name?: string;
  readonly queryName?: string;
  readonly owner: string;
  readonly ownerState: string;
  readonly can: string;
  readonly shares: readonly { readonly to: { readonly kind: string; readonly name: string }; readonly can: string }[];
  readonly sharedWithRoles: readonly string[];
  readonly version: number;
}

export type Person = "ada" | "alan" | "grace" | "root" | "bob";

const passwords: Readonly<Record<string, string>> = {
  ada: adasPassword,
  alan: alansAccount.password,
  grace: "nanoseconds",
  root: rootsAccount.password,
  bob: "hello, world of bob",
};

export interface SharingApp {
  readonly gateway: IdentityApp;
  readonly sharing: OpenSharing;
  readonly reported: ReportedChanges;
  /** Titles by username. */
  readonly notified: { readonly users: readonly string[]; readonly title: string }[];
  call<Body = ErrorBody>(person: Person, method: Method, path: string, body?: unknown): Promise<ApiResponse<Body>>;
  idOf(person: Person): Promise<string>;
  to(person: Person, can: ShareDraft["can"]): Promise<ShareDraft>;
  /** Resolves with its id. */
  made(person: Person, kind: SharedKindName, name: string, overrides?: object): Promise<string>;
  share(person: Person, kind: SharedKindName, id: string, shares: readonly ShareDraft[]): Promise<ApiResponse<SharedAnswer>>;
  /** As a person finds it; undefined if not. */
  found(person: Person, kind: SharedKindName, id: string): Promise<SharedAnswer | undefined>;
}

interface Options {
  readonly candidates?: SharingParts["candidates"];
  readonly boardBytesPerUser?: number;
}

/**
 * Boards and saved searches with their shares, and the administration of accounts: Ada, a reader and editor, Alan, a reader, Grace and Bob,
 * who have no role, and Root, an administrator. Only Ada can read the category `secret`.
 */
export async function sharingApp(
  onClose: OnClose,
  { candidates = "everyone", boardBytesPerUser = 1_000_000 }: Options = {},
): Promise<SharingApp> {
  const reported = new ReportedChanges();
  const notified: { users: readonly string[]; title: string }[] = [];
  let sharing: OpenSharing | undefined;
  const bob = { ...alansAccount, username: "bob", password: passwords["bob"] ?? "", email: "bob@example.org", roles: [] };
  const gateway = await identityApp({
    onClose,
    accounts: { ...someAccounts, users: [...(someAccounts.users ?? []), alansAccount, rootsAccount, bob] },
    capabilities: (parts) => {
      const { db, log } = parts;
      const notifier = { notify: async (users: readonly string[], { title }: { title: string }) => void notified.push({ users, title }) };
      const canRead = async (user: { username: string }, { datasetCategory }: { datasetCategory: string }) =>
        datasetCategory !== "secret" || user.username === "ada";
      const shared = { db, canRead, candidates, live: reported, notifier };
      const boards = openBoards({ ...shared, limits: { ...defaultLimits, boardBytesPerUser } });
      const savedSearches = openSavedSearches(shared);
      const things = [boards.things, savedSearches.things, noDatasets];
      const opened = openSharing({ ...shared, mayShareWithEveryone: true, things, log });
      sharing = opened;
      return [boards, savedSearches, opened, administrationOf(parts, {}, { giveAll: (...given) => opened.giveAll(...given) })];
    },
  });
  if (sharing === undefined) throw new Error("no capabilities were opened");
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (person: Person): Promise<string> => {
    const token = tokens.get(person) ?? accessTokenOf(gateway, person, passwords[person] ?? "");
    tokens.set(person, token);
    return token;
  };
  const call: SharingApp["call"] = async (person, method, path, body) =>
    gateway.call(method, path, { token: await tokenOf(person), ...(body === undefined ? {} : { body }) });
  const app: SharingApp = {
    gateway,
    sharing,
    reported,
    notified,
    call,
    idOf: async (person) => (await call<{ id: string }>(person, "GET", "/probe/me")).body.id,
    to: async (person, can) => ({ to: { kind: "user", id: await app.idOf(person) }, can }),
    made: async (person, kind, name, overrides = {}) => {
      const draft =
        kind === "board"
          ? { name, content: {}, ...overrides }
          : { ...storms, queryName: name, query: JSON.stringify({ filters: [] }), ...overrides };
      const { status, body } = await call<SharedAnswer>(person, "POST", sharedKinds[kind].path, draft);
      if (status !== 201) throw new Error(`not saved: ${JSON.stringify(body)}`);
      return body.id;
    },
    share: (person, kind, id, shares) => call(person, "PUT", `${sharedKinds[kind].path}/${id}/shares`, { shares }),
    found: async (person, kind, id) => {
      const lists = kind === "board" ? ["/boards"] : ["/favorite/queries", "/favorite/queries/shared"];
      const found = await Promise.all(lists.map(async (path) => (await call<SharedAnswer[]>(person, "GET", path)).body));
      return found.flat().find((one) => one.id === id);
    },
  };
  return app;
}

const noDatasets: OwnedThings = {
  kind: "ownDataset",
  ownerless: () => Promise.resolve([]),
  give: () => Promise.reject(new Error("there are no datasets here")),
  remove: () => Promise.reject(new Error("there are no datasets here")),
  giveAll: () => Promise.resolve({ count: 0, report: () => Promise.resolve() }),
  owned: () => Promise.resolve({ count: 0, shared: [] }),
};
