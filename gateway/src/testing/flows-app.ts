import type { ErrorBody } from "@fairway/contract/errors";
import type { FlowComment, FlowEvent, FlowIteration, FlowRequest } from "@fairway/contract/flow-requests";
import type { Flow } from "@fairway/contract/flows";
import { defaultLimits, type Limits } from "@fairway/contract/limits";
import type { Capability } from "#http/capability.ts";
import { type Flows, openFlows } from "#capabilities/flows/capability.ts";
import { openNotifications } from "#capabilities/notifications/capability.ts";
import { openEntityChanges } from "#entities/entity-changes.ts";
import { storedTypes } from "#entities/entity-types.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import {
  adasPassword,
  type CallOptions,
  type CapabilityParts,
  type IdentityApp,
  identityApp,
  type OnClose,
  rootsAccount,
  someAccounts,
} from "./identity-app.ts";
import { ReportedChanges } from "./reported-changes.ts";
import { secretKey } from "./secret-key.ts";
import { accessTokenOf, adaAndGrace } from "./signed-in.ts";

interface Options {
  readonly limits?: Partial<Limits>;
  readonly selfAccept?: boolean;
  readonly onClose?: OnClose;
  /** Opens a second gateway on the database of this one. */
  readonly peer?: IdentityApp;
  /** Opens more capabilities, which use flows. */
  readonly more?: (opened: Opened) => readonly Capability[] | Promise<readonly Capability[]>;
}

interface Opened extends Pick<CapabilityParts, "db" | "log"> {
  readonly flows: Flows;
  readonly entities: EntityStore;
  readonly entityChanges: Awaited<ReturnType<typeof openEntityChanges>>;
}

/** The tables that `sharedApp` empties before each test. */
export const flowTables = ["flows", "notifications"] as const;

type Method = "GET" | "POST" | "PUT" | "DELETE";
type Body<T> = T & ErrorBody & { current?: FlowRequest };

/** Calls of one user. */
export const flowClient = ({ call }: Pick<IdentityApp, "call">, token: string) => {
  const to = <T>(method: Method, path: string, body?: unknown, options: CallOptions = {}) =>
    call<Body<T>>(method, path, { token, ...(body === undefined ? {} : { body }), ...options });
  return {
    call: to,
    createFlow: (name: string, group = "storm-desk") => to<Flow>("POST", `/flowGroups/${group}/flows`, { name }),
    createRequest: (flow: string, name = "A change", content = "{}") =>
      to<FlowRequest>("POST", `${flow}/requests`, { name, iterations: [{ content }] }),
    get: <T = FlowRequest>(path: string) => to<T>("GET", path),
    iterate: (request: string, content = "{}") => to<FlowIteration>("POST", `${request}/iterations`, { content }),
    comment: (request: string, text: string, anchor?: object) => to<FlowComment>("POST", `${request}/comments`, { text, anchor }),
    comments: async (request: string) => (await to<FlowComment[]>("GET", `${request}/comments`)).body,
    events: async (request: string) => (await to<FlowEvent[]>("GET", `${request}/events`)).body,
    change: (request: string, action: "submit" | "abandon" | "reviewer", body?: object) =>
      to<FlowRequest>("PUT", `${request}/${action}`, body),
    decide: (id: number, decision: "accept" | "reject", body?: object) =>
      to<FlowRequest>("PUT", `/admin/flowRequest/${id}/${decision}`, body),
  };
};
export type FlowClient = ReturnType<typeof flowClient>;

/**
 * The flow groups `storm-desk`, of which Ada and Grace are members, and `harbor`, of which Ada is not. Root is an administrator.
 * Mary is in no group.
 */
export async function flowsApp({ selfAccept = true, limits = {}, onClose, peer, more = () => [] }: Options = {}) {
  let entities: EntityStore | undefined;
  let flows: Flows | undefined;
  const { users, roles } = someAccounts;
  const rolesOf: Readonly<Record<string, string[]>> = {
    ada: ["flow-developer-storm-desk"],
    grace: ["flow-developer-storm-desk", "flow-developer-harbor"],
  };
  const mary = { username: "mary", password: "frankenstein", firstName: "Mary", lastName: "S", email: "mary@example.org", groups: [] };
  const reported = new ReportedChanges();
  const gateway = await identityApp({
    ...(onClose && { onClose }),
    ...(peer && { peer }),
    accounts: {
      ...someAccounts,
      roles: [...roles, "flow-developer-storm-desk", "flow-developer-harbor"],
      users: [...users.map((user) => Object.assign({}, user, { groups: [], roles: rolesOf[user.username] ?? [] })), rootsAccount, mary],
    },
    capabilities: async ({ db, log, notifications }) => {
      const entityChanges = await openEntityChanges(notifications);
      entities = entityStore(db, log, secretKey, entityChanges.report);
      const notifying = await openNotifications({
        db,
        canRead: async () => true,
        scopeKeysOf: async () => [],
        mail: undefined,
        publicUrl: undefined,
        portalTitle: async () => "Harbour Office",
        limits: defaultSecurityLimits,
        live: reported,
        log,
      });
      flows = openFlows({ db, entities, entityChanges, notifier: notifying.notifier, selfAccept, limits: { ...defaultLimits, ...limits } });
      return [notifying, flows, ...(await more({ db, log, flows, entities, entityChanges }))];
    },
  });
  if (entities === undefined || flows === undefined) throw new Error("the capabilities have not opened");
  const clientOf = (token: string) => flowClient(gateway, token);
  const root = clientOf(await accessTokenOf(gateway, "root", rootsAccount.password));
  const outsider = clientOf(await accessTokenOf(gateway, "mary", mary.password));
  const app = {
    gateway,
    entities,
    flows,
    adaToken: await accessTokenOf(gateway, "ada", adasPassword),
    root,
    mary: outsider,
    ...(await adaAndGrace(gateway, clientOf)),
  };
  if (peer) return app;
  await entities.create(storedTypes.flowGroups, { name: "storm-desk", displayName: "Storm desk", description: "Storms." });
  await entities.create(storedTypes.flowGroups, { name: "harbor", displayName: "Harbor", description: "" });
  return app;
}

/** The path of a new flow. */
export async function newFlow(client: FlowClient, name = "Storm tracks", group = "storm-desk"): Promise<string> {
  const { body } = await client.createFlow(name, group);
  return `/flowGroups/${group}/flows/${body.id}`;
}

/** A new request: its path and its id. */
export async function newRequest(client: FlowClient, content = "{}", flow?: string): Promise<{ path: string; id: number; flow: string }> {
  const at = flow ?? (await newFlow(client));
  const { body } = await client.createRequest(at, "A change", content);
  return { path: `${at}/requests/${body.id}`, id: body.id, flow: at };
}
