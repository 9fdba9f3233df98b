import type { NifiClient } from "./client.ts";
import { NifiFailed } from "./failure.ts";
import { listedNames } from "./plain-text.ts";
import { pollUntil } from "./polling.ts";
import { groupPath } from "./process-groups.ts";
import { type ControllerService, type GroupStatusFields, controllerServices, groupStatus, runnable, schedule } from "./protocol.ts";

type ComponentKind = "processors" | "input-ports" | "output-ports";

export interface RunningComponent {
  readonly kind: ComponentKind;
  readonly id: string;
  readonly name: string;
  readonly state: "Running" | "Stopped" | "Invalid" | "Disabled" | "Validating" | "";
  readonly threads: number;
}

/** Activity of a group and the groups in it. */
export interface RunState {
  readonly components: readonly RunningComponent[];
  readonly queuedFlowFiles: number;
}

export async function readRunState(client: NifiClient, groupId: string): Promise<RunState> {
  const { processGroupStatus } = await client.json(groupStatus, { method: "GET", path: `${flowPath(groupId)}/status?recursive=true` });
  return {
    components: componentsIn(processGroupStatus.aggregateSnapshot).map((one) => Object.assign({}, one, { name: client.shown(one.name) })),
    queuedFlowFiles: processGroupStatus.aggregateSnapshot.flowFilesQueued,
  };
}

function componentsIn(group: GroupStatusFields): RunningComponent[] {
  const one = (kind: ComponentKind, snapshot: GroupStatusFields["processorStatusSnapshots"][number]["processorStatusSnapshot"]) => ({
    kind,
    id: snapshot.id,
    name: snapshot.name,
    state: snapshot.runStatus as RunningComponent["state"],
    threads: snapshot.activeThreadCount,
  });
  return [
    ...group.processorStatusSnapshots.map(({ processorStatusSnapshot }) => one("processors", processorStatusSnapshot)),
    ...group.inputPortStatusSnapshots.map(({ portStatusSnapshot }) => one("input-ports", portStatusSnapshot)),
    ...group.outputPortStatusSnapshots.map(({ portStatusSnapshot }) => one("output-ports", portStatusSnapshot)),
    ...group.processGroupStatusSnapshots.flatMap(({ processGroupStatusSnapshot }) => componentsIn(processGroupStatusSnapshot)),
  ];
}

export const isInvalid = ({ state }: RunningComponent): boolean => state === "Invalid";

export const isRunning = ({ state }: RunningComponent): boolean => state === "Running";

/** Stops everything in a group and waits until its threads have ended. */
export async function stopGroup(client: NifiClient, id: string, timeoutMs: number): Promise<RunState> {
  await scheduleGroup(client, id, "STOPPED");
  let state: RunState | undefined;
  const late = () => `${namesOf(state?.components.filter(isBusy) ?? [])} did not stop`;
  await pollUntil(timeoutMs, late, async () => {
    state = await readRunState(client, id);
    return !state.components.some(isBusy);
  });
  return state ?? readRunState(client, id);
}

const isBusy = (component: RunningComponent): boolean => isRunning(component) || component.threads > 0;

/** Stops the given sources and waits until the rest of the group has worked off all queues. */
export async function drainGroup(client: NifiClient, id: string, sourceIds: ReadonlySet<string>, timeoutMs: number): Promise<void> {
  const { components } = await readRunState(client, id);
  await setEach(
    client,
    components.filter((one) => isRunning(one) && sourceIds.has(one.id)),
    "STOPPED",
    Date.now() + timeoutMs,
  );
  let left = 0;
  await pollUntil(
    timeoutMs,
    () => `${left.toLocaleString("en-US")} FlowFiles were still in the queues: they did not drain`,
    async () => {
      const state = await readRunState(client, id);
      left = state.queuedFlowFiles;
      // Data that a processor is working on is still counted in its queue, but a source may be about to add some.
      return left === 0 && !state.components.some((one) => sourceIds.has(one.id) && one.threads > 0);
    },
  );
}

/**
 * Starts everything in a group that can be started. NiFi skips components that it is still validating, so this asks again until
 * nothing is left to start. Returns what runs in the end; components that stay invalid for `settleMs` are left as they are.
 */
export async function startGroup(client: NifiClient, id: string, timeoutMs: number, settleMs: number): Promise<RunState> {
  let state: RunState = { components: [], queuedFlowFiles: 0 };
  let invalidSinceMs = Date.now();
  const late = () => `${namesOf(state.components.filter(({ state: one }) => one === "Stopped" || one === "Validating"))} did not start`;
  await pollUntil(timeoutMs, late, async () => {
    await scheduleGroup(client, id, "RUNNING");
    state = await readRunState(client, id);
    if (!state.components.some((one) => one.state === "Invalid")) invalidSinceMs = Date.now();
    const isWaiting = state.components.some((one) => one.state === "Stopped" || one.state === "Validating");
    const isSettled = invalidSinceMs + settleMs <= Date.now() || !state.components.some((one) => one.state === "Invalid");
    return !isWaiting && isSettled;
  });
  return state;
}

/** Starts or stops single components. Rejects once the time is over, however many a NiFi says there are. */
export async function setEach(
  client: NifiClient,
  components: readonly RunningComponent[],
  state: "RUNNING" | "STOPPED",
  deadlineMs: number,
): Promise<void> {
  for (const [index, { kind, id }] of components.entries()) {
    if (Date.now() > deadlineMs) {
      const [done, all] = [index, components.length].map((count) => count.toLocaleString("en-US"));
      throw new NifiFailed("failed", `NiFi ${state === "RUNNING" ? "started" : "stopped"} only ${done} of ${all} components in time.`);
    }
    const path = `/${kind}/${encodeURIComponent(id)}`;
    const { revision } = await client.json(runnable, { method: "GET", path });
    await client.text({ method: "PUT", path: `${path}/run-status`, body: { revision, state, disconnectedNodeAcknowledged: false } });
  }
}

/** Why NiFi considers a processor or port invalid. */
export async function validationErrors(client: NifiClient, { kind, id }: RunningComponent): Promise<readonly string[]> {
  const { component } = await client.json(runnable, { method: "GET", path: `/${kind}/${encodeURIComponent(id)}` });
  return component?.validationErrors ?? [];
}

async function scheduleGroup(client: NifiClient, id: string, state: "RUNNING" | "STOPPED"): Promise<void> {
  await client.json(schedule, { method: "PUT", path: flowPath(id), body: { id, state, disconnectedNodeAcknowledged: false } });
}

/** The services of a group and of the groups in it. */
export async function readServices(client: NifiClient, id: string): Promise<readonly ControllerService[]> {
  const path = `${flowPath(id)}/controller-services?includeAncestorGroups=false&includeDescendantGroups=true`;
  const { controllerServices: services } = await client.json(controllerServices, { method: "GET", path });
  return services.map(({ id: serviceId, component }) => ({
    id: serviceId,
    component: component && { ...component, name: client.shown(component.name) },
  }));
}

/** Enables the services of a group. Rejects with NiFi's reason if one that is used cannot be enabled; returns those that are not used. */
export async function enableServices(client: NifiClient, id: string, timeoutMs: number, settleMs: number): Promise<readonly string[]> {
  let services = await readServices(client, id);
  const startedMs = Date.now();
  const pending = () => services.filter(({ component }) => component !== undefined && component.state !== "ENABLED");
  const isInvalid = ({ component }: ControllerService) => component?.validationStatus === "INVALID";
  await pollUntil(
    timeoutMs,
    () => `${namesOf(pending().flatMap(({ component }) => component ?? []))} could not be enabled`,
    async () => {
      if (pending().length === 0) return true;
      await client.json(schedule, {
        method: "PUT",
        path: `${flowPath(id)}/controller-services`,
        body: { id, state: "ENABLED", disconnectedNodeAcknowledged: false },
      });
      services = await readServices(client, id);
      // Validity is determined in the background, and depends on other services.
      return pending().every(isInvalid) && (pending().length === 0 || Date.now() - startedMs >= settleMs);
    },
  );
  const failed = pending();
  const used = failed.find(({ component }) => (component?.referencingComponents?.length ?? 0) > 0);
  if (used?.component) {
    const [reason = "It is invalid."] = used.component.validationErrors ?? [];
    throw new NifiFailed("refused", `${namesOf([used.component])} cannot be enabled${client.says(reason)}`);
  }
  return failed.flatMap(({ component }) => component?.name ?? []);
}

export const countedFlowFiles = (count: number): string => (count === 1 ? "1 FlowFile" : `${count.toLocaleString("en-US")} FlowFiles`);

export function namesOf(components: readonly { readonly name: string }[]): string {
  return listedNames(
    components.map(({ name }) => name),
    3,
  );
}

const flowPath = (id: string): string => `/flow${groupPath(id)}`;
