import { randomUUID } from "node:crypto";
import type { NifiClient } from "./client.ts";
import { checkEnvironment, isTemplateVersion } from "./environment-check.ts";
import { DeployFailed, type DeployStep, Skipped, type StateLeft, StepLog } from "./deploy-steps.ts";
import { NifiFailed } from "./failure.ts";
import {
  type FlowContent,
  type FlowDefinition,
  identifiersByInstance,
  noTemplates,
  readDefinition,
  readFlowContent,
  renamed,
  sourcesIn,
  withContextsOf,
} from "./flow-content.ts";
import { listedNames, plainText } from "./plain-text.ts";
import { type PreviousVersion, readPreviousVersion } from "./previous-version.ts";
import { removeNew, restorePrevious } from "./put-back.ts";
import {
  bindParameterContext,
  convertTemplate,
  downloadDefinition,
  findGroup,
  readVersion,
  replaceContents,
  rootGroups,
  uploadDefinition,
} from "./process-groups.ts";
import {
  countedFlowFiles,
  drainGroup,
  enableServices,
  isInvalid,
  isRunning,
  namesOf,
  readRunState,
  readServices,
  startGroup,
  stopGroup,
  validationErrors,
} from "./running.ts";
import { type Waits, defaultWaits } from "./waits.ts";

interface PreviousDeployment {
  readonly processGroupId: string;
  /** Whether it was of the same content, so that NiFi shows no change. */
  readonly isSame?: boolean | undefined;
}

export interface FlowDeployment {
  /** Of the process group below NiFi's root; the same for every deployment of one flow. */
  readonly name: string;
  /** A flow definition in JSON, or a template in XML, which only NiFi 1.x has. */
  readonly content: string;
  /** The group of the flow's last deployment to this NiFi. If NiFi does not have it any more, this counts as a first deployment. */
  readonly previous?: PreviousDeployment | undefined;
  /**
   * Treatment of a running version. No choice drops queued data.
   * - `stop-and-drain`: stops what brings data in, waits until all queues are empty, then stops the rest
   * - `stop`: stops everything; data stays in its queues, and the deployment fails if the new version lacks one of these connections
   * - `refuse`: fails
   */
  readonly ifRunning: "stop-and-drain" | "stop" | "refuse";
  /** Whether a first deployment is started; default false. Later ones are started if the version before was running. */
  readonly startNew?: boolean | undefined;
  /** Default 120,000. */
  readonly drainTimeoutMs?: number | undefined;
  /** How long NiFi may take for something that it has started; defaults for real flows. */
  readonly waits?: Partial<Waits> | undefined;
  /** Called with every change of a step. Must not throw. */
  readonly onStep?: ((step: DeployStep) => void) | undefined;
}

const defaultDrainMs = 120_000;

export interface DeployedFlow {
  readonly processGroupId: string;
  /** Whether an existing group got new content. */
  readonly replaced: boolean;
  readonly running: boolean;
  readonly nifiVersion: string;
  /** Sentences about what an administrator should look at although the deployment succeeded. */
  readonly warnings: readonly string[];
  readonly steps: readonly DeployStep[];
}

/**
 * Puts a flow into a process group below NiFi's root. Rejects with DeployFailed, after putting back what was there before. Never
 * takes over a group that the portal did not deploy.
 */
export function deployFlow(client: NifiClient, deployment: FlowDeployment): Promise<DeployedFlow> {
  return new Deployment(client, deployment).run();
}

class Deployment {
  readonly #client: NifiClient;
  readonly #deployment: FlowDeployment;
  readonly #waits: Waits;
  readonly #log: StepLog;
  /** Marks what this deployment creates. */
  readonly #clientId = `fairway-${randomUUID()}`;
  readonly #warnings: string[] = [];
  #version = "";
  #previous: PreviousVersion | undefined;
  /** The group of the last deployment, unless NiFi is known not to have it any more. */
  #previousId: string | undefined;
  /** The group that this deployment created. */
  #createdId: string | undefined;
  #progress: "nothing" | "stopping" | "replacing" = "nothing";

  constructor(client: NifiClient, deployment: FlowDeployment) {
    this.#client = client;
    this.#deployment = deployment;
    this.#previousId = deployment.previous?.processGroupId;
    this.#waits = { ...defaultWaits, ...deployment.waits };
    this.#log = new StepLog(deployment.onStep);
  }

  async run(): Promise<DeployedFlow> {
    try {
      return await this.#deploy();
    } catch (error) {
      throw await this.#failure(error);
    }
  }

  async #deploy(): Promise<DeployedFlow> {
    const { startNew = false } = this.#deployment;
    // Nobody signs in for a content that no NiFi takes.
    const read = readFlowContent(this.#deployment.content);
    let definition: FlowDefinition | undefined;
    await this.#log.run("sign-in", () => this.#signIn());
    await this.#log.run("check", async () => {
      this.#previous = await this.#readPrevious();
      definition = await this.#definitionOf(read);
      return checkEnvironment(this.#client, definition, this.#version);
    });
    if (definition === undefined) throw new Error("the check returned without a definition");
    const content = definition;
    await this.#log.run("stop", () => this.#stop());
    const groupId = await this.#replace(content);
    const wasRunning = this.#previous !== undefined && this.#previous.running.size > 0;
    const starts = this.#previous === undefined ? startNew : wasRunning;
    await this.#log.run("enable-services", () => (starts ? this.#enableServices(groupId) : this.#leaveStopped()));
    await this.#log.run("start", () => (starts ? this.#start(groupId) : this.#leaveStopped()));
    if (!starts) await this.#warnOfInvalid(groupId);
    return {
      processGroupId: groupId,
      replaced: this.#previous !== undefined,
      running: starts,
      nifiVersion: this.#version,
      warnings: this.#warnings.map((warning) => plainText(warning)),
      steps: this.#log.steps,
    };
  }

  async #signIn(): Promise<string> {
    await this.#client.signIn();
    this.#version = await readVersion(this.#client);
    return `NiFi ${this.#version} answers at ${this.#client.host}.`;
  }

  async #definitionOf(read: FlowContent): Promise<FlowDefinition> {
    const { name } = this.#deployment;
    const previous = this.#previous?.definition;
    if (read.format === "definition") return renamed(read.definition, name);
    if (!isTemplateVersion(this.#version)) throw new NifiFailed("unsupported", noTemplates(this.#version));
    const scratch = { name: `${name} (converting a template)`, clientId: this.#clientId, others: await rootGroups(this.#client) };
    const converted = renamed(await convertTemplate(this.#client, read.xml, scratch), name);
    // Templates know no parameter contexts.
    return previous === undefined ? converted : withContextsOf(converted, previous);
  }

  async #readPrevious(): Promise<PreviousVersion | undefined> {
    const { name, previous, ifRunning } = this.#deployment;
    const group = previous && (await findGroup(this.#client, previous.processGroupId));
    this.#previousId = group?.id;
    if (group === undefined) {
      const others = await this.#groupsNamed(name);
      if (others.length === 0) return undefined;
      throw new NifiFailed(
        "refused",
        `This NiFi already has a process group “${name}” that the portal did not deploy. Rename or delete it in NiFi first.`,
      );
    }
    const version = await readPreviousVersion(this.#client, group.id);
    if (ifRunning === "refuse" && version.running.size > 0) {
      throw new NifiFailed("refused", `The version in NiFi is running: ${namesOf(version.state.components.filter(isRunning))}.`);
    }
    return version;
  }

  async #stop(): Promise<string | Skipped> {
    const previous = this.#previous;
    if (previous === undefined) return new Skipped("This NiFi has no earlier version of this flow.");
    const { ifRunning, drainTimeoutMs = defaultDrainMs } = this.#deployment;
    const { groupId, running, state, definition } = previous;
    if (running.size === 0) {
      const queued = state.queuedFlowFiles;
      if (ifRunning === "stop-and-drain" && queued > 0) {
        throw new NifiFailed(
          "refused",
          `The version in NiFi is stopped with ${countedFlowFiles(queued)} in its queues, which cannot drain. Start it in NiFi first, or keep the data in the queues.`,
        );
      }
      return new Skipped("The version in NiFi is not running.");
    }
    this.#progress = "stopping";
    if (ifRunning === "stop-and-drain") await drainGroup(this.#client, groupId, new Set(sourcesIn(definition)), drainTimeoutMs);
    const { queuedFlowFiles } = await stopGroup(this.#client, groupId, this.#waits.stopMs);
    const alreadyStopped = state.components.filter((one) => one.state === "Stopped");
    if (alreadyStopped.length > 0) this.#warnings.push(`${namesOf(alreadyStopped)} had been stopped in NiFi before this deployment.`);
    return queuedFlowFiles === 0
      ? "The previous version is stopped. Its queues are empty."
      : `The previous version is stopped. Its queues keep ${countedFlowFiles(queuedFlowFiles)}.`;
  }

  async #replace(definition: FlowDefinition): Promise<string> {
    const { name } = this.#deployment;
    let groupId = "";
    await this.#log.run("replace", async () => {
      this.#progress = "replacing";
      if (this.#previous === undefined) {
        const upload = { name, definition, clientId: this.#clientId, others: await rootGroups(this.#client) };
        groupId = (await uploadDefinition(this.#client, upload)).id;
        this.#createdId = groupId;
        return `The process group “${name}” is created.`;
      }
      groupId = this.#previous.groupId;
      await replaceContents(this.#client, groupId, definition, this.#waits.replaceMs);
      await bindParameterContext(this.#client, groupId, definition.flowContents.parameterContextName);
      const isUnchanged = (await downloadDefinition(this.#client, groupId)) === this.#previous.exported;
      if (!isUnchanged) return `The process group “${name}” has the new content.`;
      if (this.#deployment.previous?.isSame !== true) {
        this.#warnings.push("NiFi shows the same flow as before this deployment. Check there whether it has the new one.");
      }
      return `NiFi says that it replaced the content of the process group “${name}”, and shows the same as before.`;
    });
    return groupId;
  }

  async #enableServices(groupId: string): Promise<string | Skipped> {
    const services = await readServices(this.#client, groupId);
    if (services.length === 0) return new Skipped("The flow has no controller services.");
    const unused = await enableServices(this.#client, groupId, this.#waits.servicesMs, this.#waits.settleMs);
    if (unused.length > 0) this.#warnings.push(`No component uses ${listedNames(unused)}, which cannot be enabled.`);
    const count = services.length - unused.length;
    return count === 1 ? "1 controller service is enabled." : `${count} controller services are enabled.`;
  }

  async #start(groupId: string): Promise<string> {
    const { components } = await startGroup(this.#client, groupId, this.#waits.startMs, this.#waits.settleMs);
    const invalid = components.filter(isInvalid);
    const identifiers = invalid.length === 0 ? new Map<string, string>() : await this.#identifiersIn(groupId);
    const newlyInvalid = invalid.filter(({ id }) => this.#previous?.invalid.has(identifiers.get(id) ?? "") !== true);
    const [first] = newlyInvalid;
    if (first !== undefined) {
      const [reason = "It is invalid."] = await validationErrors(this.#client, first);
      const others = newlyInvalid.length > 1 ? ` ${newlyInvalid.length - 1} more cannot be started either.` : "";
      throw new NifiFailed("refused", `${namesOf([first])} cannot be started${this.#client.says(reason)}${others}`);
    }
    if (invalid.length > 0) this.#warnings.push(`${namesOf(invalid)} is invalid, as in the previous version, and does not run.`);
    const count = components.filter(isRunning).length;
    return count === 1 ? "1 component is running." : `${count} components are running.`;
  }

  #leaveStopped(): Promise<Skipped> {
    return Promise.resolve(
      new Skipped(
        this.#previous === undefined
          ? "A first deployment is left stopped. Start it in NiFi."
          : "The previous version was not running, so this one is not started either.",
      ),
    );
  }

  async #warnOfInvalid(groupId: string): Promise<void> {
    const invalid = (await readRunState(this.#client, groupId)).components.filter(isInvalid);
    if (invalid.length > 0) this.#warnings.push(`${namesOf(invalid)} is not valid in NiFi yet.`);
  }

  /** Puts back what was there, and says why the deployment failed and what is in NiFi now. */
  async #failure(error: unknown): Promise<DeployFailed> {
    const step = this.#log.current;
    const { left, sentence } = await this.#putBack();
    const processGroupId = this.#previousId ?? (left === "put-back" || left === "unchanged" ? undefined : this.#createdId);
    const isExpected = error instanceof NifiFailed;
    const { reason, status, message } = isExpected ? error : new NifiFailed("failed", "The portal failed.");
    // The whole message is cut too; what is in NiFi now has to stay in it.
    const why = plainText(message, Math.max(400, 990 - sentence.length));
    const state = { step, left, processGroupId, steps: this.#log.steps, unexpected: isExpected ? undefined : error };
    return new DeployFailed({ reason, status, message: `${why} ${sentence}` }, state);
  }

  async #putBack(): Promise<{ left: StateLeft; sentence: string }> {
    if (this.#progress === "nothing") return { left: "unchanged", sentence: "Nothing was changed in NiFi." };
    let sentence = "";
    try {
      await this.#log.run(this.#previous === undefined ? "remove-new" : "put-back", async () => {
        sentence = this.#previous === undefined ? await this.#removeCreated() : await this.#restore(this.#previous);
        return sentence;
      });
      return { left: "put-back", sentence };
    } catch (error) {
      const what =
        this.#previous === undefined ? "The new process group could not be removed" : "The previous version could not be restored";
      if (!(error instanceof NifiFailed)) return { left: "unknown", sentence: `${what}, because the portal failed; check it in NiFi.` };
      const isSilent = error.reason === "unreachable" || error.reason === "timed-out";
      return {
        left: isSilent ? "unknown" : "changed",
        sentence: isSilent ? `${what}, because NiFi no longer answers; check it in NiFi.` : `${what}: ${error.message}`,
      };
    }
  }

  #restore(previous: PreviousVersion): Promise<string> {
    return restorePrevious(this.#client, previous, { isReplaced: this.#progress === "replacing", waits: this.#waits });
  }

  async #removeCreated(): Promise<string> {
    // The answer to the upload may have been lost.
    this.#createdId ??= (await this.#groupsNamed(this.#deployment.name)).find(({ revision }) => revision.clientId === this.#clientId)?.id;
    return this.#createdId === undefined ? "NiFi is as it was before." : removeNew(this.#client, this.#createdId, this.#waits);
  }

  async #identifiersIn(groupId: string): Promise<Map<string, string>> {
    return identifiersByInstance(readDefinition(await downloadDefinition(this.#client, groupId)));
  }

  async #groupsNamed(name: string) {
    return (await rootGroups(this.#client)).filter(({ component }) => component?.name === name);
  }
}
