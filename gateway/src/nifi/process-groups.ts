import type { NifiClient } from "./client.ts";
import { NifiFailed } from "./failure.ts";
import { type FlowDefinition, readDefinition, renamedTemplate } from "./flow-content.ts";
import { type ProcessGroup, about, parameterContexts, processGroup, processGroups, replaceRequest, templateInstance } from "./protocol.ts";
import { pollUntil } from "./polling.ts";

export async function readVersion(client: NifiClient): Promise<string> {
  return client.shown((await client.json(about, { method: "GET", path: "/flow/about" })).about.version);
}

/** The groups directly below the root that the NiFi user may see. */
export async function rootGroups(client: NifiClient): Promise<ProcessGroup[]> {
  return (await client.json(processGroups, { method: "GET", path: "/process-groups/root/process-groups" })).processGroups;
}

/** Rejects for the answer of another group: what is done to it would be done to someone else's flow. */
export async function readGroup(client: NifiClient, id: string): Promise<ProcessGroup> {
  const group = await client.json(processGroup, { method: "GET", path: groupPath(id) });
  if (group.id !== id) throw new NifiFailed("failed", "NiFi answers with another process group than the one it was asked for.");
  return group;
}

export async function findGroup(client: NifiClient, id: string): Promise<ProcessGroup | undefined> {
  try {
    return await readGroup(client, id);
  } catch (error) {
    if (error instanceof NifiFailed && error.reason === "missing") return undefined;
    throw error;
  }
}

/** Creates a stopped group below the root. NiFi would also create a second group with the same name. */
export async function uploadDefinition(
  client: NifiClient,
  upload: NewGroup & { readonly definition: FlowDefinition },
): Promise<ProcessGroup> {
  const form = new FormData();
  form.set("groupName", upload.name);
  form.set("positionX", "0");
  form.set("positionY", String(below(upload.others)));
  form.set("clientId", upload.clientId);
  form.set("disconnectedNodeAcknowledged", "false");
  form.set("file", new Blob([JSON.stringify(upload.definition)], { type: "application/json" }), "flow.json");
  return requireNew(
    await client.json(processGroup, { method: "POST", path: "/process-groups/root/process-groups/upload", body: form }),
    upload,
  );
}

export interface NewGroup {
  readonly name: string;
  /** NiFi returns it in the revision of what it creates. */
  readonly clientId: string;
  /** The groups below the root that were there before. */
  readonly others: readonly ProcessGroup[];
}

/** Vertical position below other groups. */
const below = (others: readonly ProcessGroup[]): number => 250 * others.length;

/** Rejects for a group that was there before: it must not be started, changed or deleted. */
function requireNew(created: ProcessGroup, { others }: NewGroup): ProcessGroup {
  if (others.every(({ id }) => id !== created.id)) return created;
  throw new NifiFailed("failed", "NiFi answered with a process group that was there before, in place of a new one.");
}

export const downloadDefinition = async (client: NifiClient, id: string): Promise<string> =>
  (await client.text({ method: "GET", path: `${groupPath(id)}/download` })).text;

/** Replaces everything in a group. Connections that the new content still has keep their data. Rejects if NiFi cannot do it. */
export async function replaceContents(client: NifiClient, id: string, definition: FlowDefinition, timeoutMs: number): Promise<void> {
  let { request } = await retriedIfStale(async () => {
    const { revision } = await readGroup(client, id);
    const body = { processGroupRevision: revision, disconnectedNodeAcknowledged: false, versionedFlowSnapshot: definition };
    return client.json(replaceRequest, { method: "POST", path: `${groupPath(id)}/replace-requests`, body });
  });
  const path = `/process-groups/replace-requests/${encodeURIComponent(request.requestId)}`;
  try {
    await pollUntil(timeoutMs, "NiFi did not finish replacing the flow", async () => {
      if (!request.complete) request = (await client.json(replaceRequest, { method: "GET", path })).request;
      return request.complete;
    });
  } finally {
    // Only tidies up: NiFi forgets finished requests by itself.
    await client.text({ method: "DELETE", path }).catch(() => undefined);
  }
  if (typeof request.failureReason === "string" && request.failureReason !== "") {
    throw new NifiFailed("refused", `NiFi could not replace the flow${client.says(request.failureReason)}`);
  }
}

/** Binds a group to a parameter context by name: replacing the content leaves a group with the context that it had. */
export async function bindParameterContext(client: NifiClient, id: string, name: string | null | undefined): Promise<void> {
  if (name === undefined || name === null) return;
  const group = await readGroup(client, id);
  const { parameterContexts: contexts } = await client.json(parameterContexts, { method: "GET", path: "/flow/parameter-contexts" });
  const wanted = contexts.find(({ component }) => component?.name === name)?.id;
  if (wanted === undefined || group.component?.parameterContext?.id === wanted) return;
  const body = { revision: group.revision, disconnectedNodeAcknowledged: false, component: { id, parameterContext: { id: wanted } } };
  await client.json(processGroup, { method: "PUT", path: groupPath(id), body });
}

/** Deletes a stopped group without queued data. */
export async function deleteGroup(client: NifiClient, id: string): Promise<void> {
  await retriedIfStale(async () => {
    const { revision } = await readGroup(client, id);
    const query = new URLSearchParams({ version: String(revision.version), disconnectedNodeAcknowledged: "false" });
    if (revision.clientId !== undefined) query.set("clientId", revision.clientId);
    return client.text({ method: "DELETE", path: `${groupPath(id)}?${query.toString()}` });
  });
}

/** NiFi's own conversion of a template (NiFi 1.x): it is instantiated in a group that exists only for that. */
export async function convertTemplate(client: NifiClient, xml: string, scratch: NewGroup): Promise<FlowDefinition> {
  const body = {
    revision: { clientId: scratch.clientId, version: 0 },
    disconnectedNodeAcknowledged: false,
    component: { name: scratch.name, position: { x: 0, y: below(scratch.others) } },
  };
  const { id } = requireNew(
    await client.json(processGroup, { method: "POST", path: "/process-groups/root/process-groups", body }),
    scratch,
  );
  try {
    const templateId = await uploadTemplate(client, id, renamedTemplate(xml, `Fairway ${scratch.clientId}`));
    try {
      const instance = { templateId, originX: 0, originY: 0, disconnectedNodeAcknowledged: false };
      await client.json(templateInstance, { method: "POST", path: `${groupPath(id)}/template-instance`, body: instance });
    } finally {
      await client.text({ method: "DELETE", path: `/templates/${encodeURIComponent(templateId)}?disconnectedNodeAcknowledged=false` });
    }
    return readDefinition(await downloadDefinition(client, id));
  } finally {
    await deleteGroup(client, id);
  }
}

async function uploadTemplate(client: NifiClient, groupId: string, xml: string): Promise<string> {
  const form = new FormData();
  form.set("disconnectedNodeAcknowledged", "false");
  form.set("template", new Blob([xml], { type: "application/xml" }), "template.xml");
  const { text } = await client.text({ method: "POST", path: `${groupPath(groupId)}/templates/upload`, body: form });
  // An invalid template gets the status 200, with an error in the body.
  const problem = /<errorResponse [^<>]{0,200}statusText="([^"<>]{1,500})"/.exec(text)?.[1];
  if (problem !== undefined) throw new NifiFailed("refused", `NiFi refused the template${client.says(problem)}`);
  const id = /<id>([\w-]{1,100})<\/id>/.exec(text)?.[1];
  if (id === undefined) throw new NifiFailed("failed", "NiFi's response to the template cannot be read.");
  return id;
}

/** Someone else changed the group between reading its revision and using it. */
async function retriedIfStale<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const isStale = error instanceof NifiFailed && error.message.includes("is not the most up-to-date revision");
      if (!isStale || attempts === 3) throw error;
    }
  }
}

export const groupPath = (id: string): string => `/process-groups/${encodeURIComponent(id)}`;
