import type { NifiClient } from "./client.ts";
import { NifiFailed } from "./failure.ts";
import { identifiersByInstance, readDefinition } from "./flow-content.ts";
import { pollUntil } from "./polling.ts";
import { type PreviousVersion, lostSensitiveValues } from "./previous-version.ts";
import { bindParameterContext, deleteGroup, downloadDefinition, replaceContents } from "./process-groups.ts";
import {
  type RunningComponent,
  countedFlowFiles,
  enableServices,
  isInvalid,
  isRunning,
  namesOf,
  readRunState,
  readServices,
  setEach,
  stopGroup,
  validationErrors,
} from "./running.ts";
import type { Waits } from "./waits.ts";

/** Removes a group that a failed deployment created. Rejects if that would lose data. Returns a sentence. */
export async function removeNew(client: NifiClient, groupId: string, waits: Waits): Promise<string> {
  const { queuedFlowFiles } = await stopGroup(client, groupId, waits.stopMs);
  if (queuedFlowFiles > 0) {
    throw new NifiFailed("refused", `it is stopped and has ${countedFlowFiles(queuedFlowFiles)} in its queues, which would be lost.`);
  }
  await deleteGroup(client, groupId);
  return "The new process group is removed again.";
}

/** Brings back the content, if it was replaced, and starts exactly what ran before. Returns a sentence. */
export async function restorePrevious(
  client: NifiClient,
  previous: PreviousVersion,
  { isReplaced, waits }: { readonly isReplaced: boolean; readonly waits: Waits },
): Promise<string> {
  const { groupId, definition, running } = previous;
  let lost: string[] = [];
  if (isReplaced) {
    await stopGroup(client, groupId, waits.stopMs);
    await replaceContents(client, groupId, definition, waits.replaceMs);
    await bindParameterContext(client, groupId, definition.flowContents.parameterContextName);
    lost = await lostSensitiveValues(client, previous);
  }
  const toEnter =
    lost.length === 0 ? "" : ` Sensitive values of components that were removed are lost; enter them in NiFi: ${lost.join(", ")}.`;
  if (running.size === 0) return `The previous version is back in place, stopped as it was.${toEnter}`;
  try {
    const services = await readServices(client, groupId);
    if (services.length > 0) await enableServices(client, groupId, waits.servicesMs, waits.settleMs);
    await startAgain(client, previous, waits);
  } catch (error) {
    if (lost.length === 0 || !(error instanceof NifiFailed)) throw error;
    throw new NifiFailed(error.reason, `${error.message}${toEnter}`, error.status);
  }
  return `The previous version is running again.${toEnter}`;
}

/** Components that were replaced are validated again before they can start. */
async function startAgain(client: NifiClient, { groupId, running }: PreviousVersion, { startMs, settleMs }: Waits): Promise<void> {
  const identifiers = identifiersByInstance(readDefinition(await downloadDefinition(client, groupId)));
  const startedMs = Date.now();
  let waiting: RunningComponent[] = [];
  await pollUntil(
    startMs,
    () => `${namesOf(waiting)} did not start again`,
    async () => {
      const { components } = await readRunState(client, groupId);
      waiting = components.filter((one) => running.has(identifiers.get(one.id) ?? one.id) && !isRunning(one));
      await setEach(
        client,
        waiting.filter(({ state }) => state === "Stopped"),
        "RUNNING",
        startedMs + startMs,
      );
      return waiting.length === 0 || (waiting.every(isInvalid) && Date.now() - startedMs >= settleMs);
    },
  );
  const [invalid] = waiting;
  if (invalid === undefined) return;
  const [reason = "It is invalid"] = await validationErrors(client, invalid);
  throw new NifiFailed("refused", `it is in place, but ${namesOf([invalid])} cannot be started${client.says(reason)}`);
}
