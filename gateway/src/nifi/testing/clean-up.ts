import { expect } from "vitest";
import type { NifiClient } from "../client.ts";
import { deleteGroup, groupPath, rootGroups } from "../process-groups.ts";
import { readRunState, stopGroup } from "../running.ts";

const patienceMs = 20_000;

/** Deletes the process groups below the root whose names begin so, with the data in their queues. */
export async function deleteGroups(client: NifiClient, prefix: string): Promise<void> {
  for (const { id, component } of await rootGroups(client)) {
    if (component?.name.startsWith(prefix) !== true) continue;
    await stopGroup(client, id, patienceMs);
    await emptyQueues(client, id);
    await deleteGroup(client, id);
  }
}

/** Drops what is queued: NiFi deletes no group with data. */
async function emptyQueues(client: NifiClient, id: string): Promise<void> {
  await client.text({ method: "POST", path: `${groupPath(id)}/empty-all-connections-requests` });
  await expect.poll(async () => (await readRunState(client, id)).queuedFlowFiles, { timeout: patienceMs }).toBe(0);
}

/** Deletes the parameter contexts whose names begin so. */
export async function deleteContexts(url: string, prefix: string): Promise<void> {
  const answer = (await (await fetch(`${url}/nifi-api/flow/parameter-contexts`)).json()) as {
    parameterContexts: { id: string; revision: { version: number }; component: { name: string } }[];
  };
  for (const { id, revision, component } of answer.parameterContexts) {
    if (!component.name.startsWith(prefix)) continue;
    await fetch(`${url}/nifi-api/parameter-contexts/${id}?version=${revision.version}`, { method: "DELETE" });
  }
}
