import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FlowDeployment, deployFlow } from "../deploy-flow.ts";
import { DeployFailed, type DeployStep } from "../deploy-steps.ts";
import { type FlowDefinition, readDefinition } from "../flow-content.ts";
import { deleteGroup, findGroup, replaceContents, rootGroups } from "../process-groups.ts";
import { probeNifi, readCapabilities, readDeployed } from "../read-nifi.ts";
import { readRunState, setEach } from "../running.ts";
import { deleteContexts, deleteGroups } from "./clean-up.ts";
import { rarely } from "./fake-flow.ts";
import { type changedSample, sampleTemplate, sampleWithContext, testClient } from "./sample-flows.ts";

interface OpenNifi {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Tests of a NiFi of version 1 without sign-in, real or fake. Runs beside other users of the same NiFi: everything that it creates has a
 * name of its own, and is removed.
 */
export function describeNifi(kind: "fake" | "real", open: () => Promise<OpenNifi>): void {
  const waits = { stopMs: 20_000, replaceMs: 30_000, servicesMs: 10_000, startMs: 20_000, settleMs: kind === "real" ? 1_500 : 150 };
  describe(`a ${kind} NiFi`, { timeout: 60_000 }, () => {
    let nifi: OpenNifi;
    beforeAll(async () => {
      nifi = await open();
    });
    afterAll(() => nifi.close());

    const client = () => testClient(nifi.url);
    const contextName = `fairway-test-${randomUUID()}`;
    let name: string;
    let groupId: string | undefined;

    /** The sample with a parameter context that only this run uses. */
    const content = (change?: Parameters<typeof changedSample>[0]): string => sampleWithContext(contextName, change);
    const period = (text: string, value: string): string => {
      const definition = JSON.parse(text) as { flowContents: { processors: Record<string, unknown>[] } };
      for (const processor of definition.flowContents.processors) processor["schedulingPeriod"] = value;
      return JSON.stringify(definition);
    };

    const deploy = async (changes: Partial<FlowDeployment> = {}) => {
      name = groupId === undefined ? `fairway test ${randomUUID()}` : name;
      const previous = groupId === undefined ? undefined : { processGroupId: groupId };
      const result = await deployFlow(client(), {
        name,
        content: content(),
        previous,
        ifRunning: "stop",
        startNew: true,
        waits,
        ...changes,
      });
      groupId = result.processGroupId;
      return result;
    };
    const failureOf = async (changes: Partial<FlowDeployment>): Promise<DeployFailed> => {
      const failure = await deploy(changes).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(DeployFailed);
      return failure as DeployFailed;
    };
    const current = async (): Promise<FlowDefinition> => readDefinition(await readDeployed(client(), groupId ?? ""));
    const running = async () => {
      const { components } = await readRunState(client(), groupId ?? "");
      return components.filter(({ state }) => state === "Running").map((one) => one.name);
    };

    afterEach(async () => {
      await deleteGroups(client(), name);
      groupId = undefined;
    });
    afterAll(() => deleteContexts(nifi.url, contextName));

    it("answers with its version and what it has", async () => {
      expect(await probeNifi(client())).toEqual({ version: "1.18.0", identity: "anonymous" });
      const { processorTypes, acceptsTemplates } = await readCapabilities(client());
      expect(acceptsTemplates).toBe(true);
      expect(processorTypes).toContain("org.apache.nifi.processors.standard.GenerateFlowFile");
      name = "nothing";
    });

    it("gets a flow, starts it, and gets the next version in the same group", async () => {
      const first = await deploy();
      expect(first).toMatchObject({ replaced: false, running: true, warnings: [] });
      expect(await running()).toEqual(expect.arrayContaining(["Gen", "Log"]));
      const second = await deploy({ content: period(content(), "7 sec"), ifRunning: "stop-and-drain" });
      expect(second).toMatchObject({ processGroupId: first.processGroupId, replaced: true, running: true });
      expect((await current()).flowContents).toMatchObject({
        name,
        processors: [{ schedulingPeriod: "7 sec" }, { schedulingPeriod: "7 sec" }],
      });
      expect(await running()).toEqual(expect.arrayContaining(["Gen", "Log"]));
    });

    it("keeps a group that was not deployed here", async () => {
      await deploy();
      const failure = await failureOf({ previous: undefined });
      expect(failure).toMatchObject({ step: "check", left: "unchanged" });
      expect(await running()).toHaveLength(2);
    });

    it("gets the previous version back, running, if the new one cannot start", async () => {
      await deploy();
      const broken = content(({ flowContents }) => {
        for (const processor of flowContents.processors) processor["name"] = `new ${String(processor["name"])}`;
        const [generator] = flowContents.processors;
        Object.assign(generator?.["properties"] as object, { "generate-ff-custom-text": "#{absent}" });
      });
      const failure = await failureOf({ content: broken });
      expect(failure).toMatchObject({ step: "start", left: "put-back", processGroupId: groupId });
      expect(failure.message).toMatch(/^new Gen cannot be started\. NiFi says: .*'absent'.*\. The previous version is running again\.$/);
      expect((await running()).toSorted()).toEqual(["Gen", "Log"]);
    });

    it("gets only those components started again that ran before", async () => {
      await deploy();
      const { components } = await readRunState(client(), groupId ?? "");
      await setEach(
        client(),
        components.filter((one) => one.name === "Gen"),
        "STOPPED",
        Date.now() + 20_000,
      );
      const replaced = content(({ flowContents }) => {
        const [generator] = flowContents.processors;
        Object.assign(generator?.["properties"] as object, { "generate-ff-custom-text": "#{absent}" });
      });
      expect(await failureOf({ content: replaced })).toMatchObject({ step: "start", left: "put-back" });
      expect(await running()).toEqual(["Log"]);
    });

    it("does not keep a new flow that cannot start", async () => {
      const broken = content(({ flowContents }) => delete flowContents["parameterContextName"]);
      const failure = await failureOf({ content: broken });
      expect(failure).toMatchObject({ step: "start", left: "put-back", processGroupId: undefined });
      expect((await rootGroups(client())).filter(({ component }) => component?.name === name)).toEqual([]);
    });

    it("does not lose the data of a connection that the new version lacks", async () => {
      const slowLog = content(({ flowContents }) => Object.assign(flowContents.processors[1] ?? {}, { schedulingPeriod: rarely }));
      await deploy({ content: slowLog });
      // Its destination may still take one, when it is started.
      await expect.poll(async () => (await readRunState(client(), groupId ?? "")).queuedFlowFiles, { timeout: 20_000 }).toBeGreaterThan(1);
      const without = content(({ flowContents }) => {
        flowContents.connections.splice(0);
        Object.assign(flowContents.processors[0] ?? {}, { autoTerminatedRelationships: ["success"] });
      });
      const failure = await failureOf({ content: without });
      expect(failure).toMatchObject({ step: "replace", left: "put-back" });
      expect(failure.message).toMatch(/the connection currently has data in the queue\. The previous version is running again\.$/);
      expect((await readRunState(client(), groupId ?? "")).queuedFlowFiles).toBeGreaterThan(0);
      expect((await current()).flowContents.connections).toHaveLength(1);
    });

    it("binds another parameter context", async () => {
      await deploy();
      const other = `${contextName} other`;
      await deploy({ content: sampleWithContext(other) });
      expect((await current()).flowContents.parameterContextName).toBe(other);
      await deploy();
      expect((await current()).flowContents.parameterContextName).toBe(contextName);
    });

    it("converts templates, and leaves none behind", async () => {
      const before = await templateCount(nifi.url);
      const { processGroupId, running: isStarted } = await deploy({ content: sampleTemplate, startNew: false });
      expect(isStarted).toBe(false);
      expect((await current()).flowContents).toMatchObject({ name, processGroups: [{ name: "src", processors: [{}, {}] }] });
      expect(await deploy({ content: sampleTemplate })).toMatchObject({ processGroupId, replaced: true });
      expect(await templateCount(nifi.url)).toBe(before);
      expect((await rootGroups(client())).filter(({ component }) => component?.name.startsWith(name))).toHaveLength(1);
    });

    it("refuses a template that is none", async () => {
      expect((await failureOf({ content: "<bad" })).message).toMatch(
        /^NiFi refused the template\. NiFi says: .* Nothing was changed in NiFi\.$/,
      );
      expect((await failureOf({ content: "<bad/>" })).message).toMatch(
        /NiFi says: Template details must be specified\. Nothing was changed/,
      );
    });

    it("does not know a group that was deleted", async () => {
      const { processGroupId } = await deploy({ startNew: false });
      await deleteGroup(client(), processGroupId);
      expect(await findGroup(client(), processGroupId)).toBeUndefined();
      await expect(readDeployed(client(), processGroupId)).rejects.toMatchObject({ reason: "missing" });
      const again = await deploy({ startNew: false });
      expect(again).toMatchObject({ replaced: false });
      expect(again.processGroupId).not.toBe(processGroupId);
    });

    it("reports the steps of a deployment", async () => {
      const seen: string[] = [];
      await deploy({ onStep: ({ name: step, state }: DeployStep) => seen.push(`${step} ${state}`) });
      expect(seen.filter((line) => !line.endsWith("running"))).toEqual([
        "sign-in done",
        "check done",
        "stop skipped",
        "replace done",
        "enable-services skipped",
        "start done",
      ]);
    });

    it("replaces content although someone changed the group meanwhile", async () => {
      await deploy({ startNew: false });
      const definition = readDefinition(content());
      await Promise.all([1, 2, 3].map(() => replaceContents(client(), groupId ?? "", definition, 20_000)));
      expect((await current()).flowContents.processors).toHaveLength(2);
    });
  });
}

async function templateCount(url: string): Promise<number> {
  const answer = (await (await fetch(`${url}/nifi-api/flow/templates`)).json()) as { templates: unknown[] };
  return answer.templates.length;
}
