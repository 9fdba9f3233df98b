import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FlowDeployment, deployFlow } from "./deploy-flow.ts";
import { type DeployFailed, type DeployStep, type DeployStepName, deployStepLabels } from "./deploy-steps.ts";
import { readDeployed } from "./read-nifi.ts";
import { type FakeNifi, startFakeNifi } from "./testing/fake-nifi.ts";
import { changedSample, sampleDefinition, sampleTemplate, testClient } from "./testing/sample-flows.ts";

const name = "weather / storm-ingest";
const waits = { stopMs: 1_500, replaceMs: 1_500, servicesMs: 1_500, startMs: 1_500, settleMs: 150 };

let nifi: FakeNifi;
beforeEach(async () => {
  nifi = await startFakeNifi({ version: "1.18.0" });
});
afterEach(() => nifi.close());

const deploy = (changes: Partial<FlowDeployment> = {}) =>
  deployFlow(testClient(nifi.url, { readTimeoutMs: 2_000 }), { name, content: sampleDefinition, ifRunning: "stop", waits, ...changes });

const failureOf = async (changes: Partial<FlowDeployment> = {}): Promise<DeployFailed> => {
  const failure = await deploy(changes).then(
    () => undefined,
    (error: DeployFailed) => error,
  );
  expect(failure).toMatchObject({ name: "DeployFailed" });
  return failure as DeployFailed;
};

/** A first deployment, running. */
const deployed = async () => {
  const { processGroupId } = await deploy({ startNew: true });
  return { processGroupId };
};

const slower = changedSample(({ flowContents }) => {
  for (const processor of flowContents.processors) processor["schedulingPeriod"] = "7 sec";
});
const periods = () => {
  const contents = nifi.findGroup(name)?.definition["flowContents"] as { processors: { schedulingPeriod: string }[] } | undefined;
  return contents?.processors.map(({ schedulingPeriod }) => schedulingPeriod);
};
const states = (steps: readonly DeployStep[]) => Object.fromEntries(steps.map((step) => [step.name, step.state]));

describe("a first deployment", () => {
  it("creates a stopped process group below the root, with its parameter context", async () => {
    const result = await deploy();
    expect(result).toMatchObject({ replaced: false, running: false, nifiVersion: "1.18.0", warnings: [] });
    expect(nifi.findGroup(name)).toMatchObject({ id: result.processGroupId, running: false });
    expect(nifi.findGroup(name)?.definition["parameterContexts"]).toHaveProperty("fw-ctx");
    expect(states(result.steps)).toEqual({
      "sign-in": "done",
      check: "done",
      stop: "skipped",
      replace: "done",
      "enable-services": "skipped",
      start: "skipped",
    });
  });

  it("is started on request, also if NiFi skips what it is still validating", async () => {
    const { running } = await deploy({ startNew: true });
    expect(running).toBe(true);
    expect(nifi.findGroup(name)?.components).toMatchObject([{ isOn: true }, { isOn: true }]);
    expect(nifi.requests.filter(({ method, path }) => method === "PUT" && path.startsWith("/flow/process-groups/")).length).toBeGreaterThan(
      1,
    );
  });

  it("refuses to take over a group of this name that the portal did not deploy", async () => {
    nifi.addGroup(name, JSON.parse(sampleDefinition) as object);
    const failure = await failureOf();
    expect(failure).toMatchObject({ step: "check", left: "unchanged", reason: "refused", processGroupId: undefined });
    expect(failure.message).toBe(
      `This NiFi already has a process group “${name}” that the portal did not deploy. Rename or delete it in NiFi first. Nothing was changed in NiFi.`,
    );
    expect(nifi.groups()).toHaveLength(1);
  });
});

describe("a later deployment", () => {
  it("replaces the content of the same group and starts it again", async () => {
    const previous = await deployed();
    const result = await deploy({ content: slower, previous });
    expect(result).toMatchObject({ processGroupId: previous.processGroupId, replaced: true, running: true });
    expect(nifi.groups()).toHaveLength(1);
    expect(nifi.findGroup(name)).toMatchObject({ running: true });
    expect(periods()).toEqual(["7 sec", "7 sec"]);
  });

  it("stays stopped if the version before was stopped", async () => {
    const { processGroupId } = await deploy();
    expect(await deploy({ content: slower, previous: { processGroupId } })).toMatchObject({ replaced: true, running: false });
    expect(nifi.findGroup(name)).toMatchObject({ running: false });
  });

  it("keeps the name of the group, whatever the definition is called", async () => {
    const previous = await deployed();
    await deploy({ content: changedSample((flow) => (flow.flowContents["name"] = "something else")), previous });
    expect(nifi.groups()).toMatchObject([{ name }]);
  });

  it("counts as the first one if the group is gone from NiFi", async () => {
    const previous = await deployed();
    nifi.removeGroup(previous.processGroupId);
    const result = await deploy({ previous });
    expect(result.replaced).toBe(false);
    expect(result.processGroupId).not.toBe(previous.processGroupId);
  });

  it("keeps data in the queues that the new version also has", async () => {
    const previous = await deployed();
    nifi.queue(previous.processGroupId, 8, { stuck: true });
    await deploy({ content: slower, previous });
    expect(nifi.findGroup(name)).toMatchObject({ queued: 8, running: true });
  });

  it("is refused on request while the version before runs", async () => {
    const previous = await deployed();
    const failure = await failureOf({ previous, ifRunning: "refuse" });
    expect(failure).toMatchObject({ step: "check", left: "unchanged" });
    expect(failure.message).toBe("The version in NiFi is running: Gen, Log. Nothing was changed in NiFi.");
    expect(nifi.findGroup(name)).toMatchObject({ running: true });
  });

  it("reports every step as it begins and ends", async () => {
    const seen: string[] = [];
    const { steps } = await deploy({ onStep: ({ name: step, state }) => seen.push(`${step} ${state}`) });
    expect(seen.slice(0, 4)).toEqual(["sign-in running", "sign-in done", "check running", "check done"]);
    expect(steps.every(({ durationMs, detail }) => durationMs !== undefined && detail !== "")).toBe(true);
    expect(Object.keys(deployStepLabels)).toEqual(expect.arrayContaining(steps.map((step) => step.name)));
  });
});

describe("draining", () => {
  it("stops the sources, waits for empty queues, and then stops the rest", async () => {
    const previous = await deployed();
    nifi.queue(previous.processGroupId, 40);
    const result = await deploy({ content: slower, previous, ifRunning: "stop-and-drain" });
    expect(nifi.findGroup(name)).toMatchObject({ queued: 0, running: true });
    expect(result.steps.find((step) => step.name === "stop")?.detail).toBe("The previous version is stopped. Its queues are empty.");
  });

  it("that takes too long changes nothing and starts the sources again", async () => {
    const previous = await deployed();
    nifi.queue(previous.processGroupId, 1_200, { stuck: true });
    const failure = await failureOf({ content: slower, previous, ifRunning: "stop-and-drain", drainTimeoutMs: 300 });
    expect(failure).toMatchObject({ step: "stop", left: "put-back", processGroupId: previous.processGroupId });
    expect(failure.message).toBe(
      "1,200 FlowFiles were still in the queues: they did not drain within 0.3 s. The previous version is running again.",
    );
    expect(nifi.findGroup(name)?.components).toMatchObject([{ isOn: true }, { isOn: true }]);
    expect(periods()).not.toContain("7 sec");
  });

  it("ends in time, however many sources NiFi says there are", async () => {
    const previous = await deployed();
    const ids = Array.from({ length: 100_000 }, (_, index) => `source-${index}`);
    nifi.fail(
      { path: /\/download$/ },
      { pretend: () => ({ flowContents: { name, processors: ids.map((id) => ({ instanceIdentifier: id })) } }) },
    );
    const processorStatusSnapshots = ids.map((id) => ({ processorStatusSnapshot: { id, name: id, runStatus: "Running" } }));
    const aggregateSnapshot = { flowFilesQueued: 0, activeThreadCount: 0, processorStatusSnapshots };
    nifi.fail({ path: /\/status/ }, { pretend: () => ({ processGroupStatus: { aggregateSnapshot } }) });
    nifi.fail({ path: /^\/processors\// }, { pretend: () => ({ revision: { version: 0 } }) });
    const failure = await failureOf({ previous, ifRunning: "stop-and-drain", drainTimeoutMs: 500 });
    expect(failure.message).toMatch(/^NiFi stopped only [\d,]+ of 100,000 components in time\. The previous version is running again\.$/);
    expect(failure).toMatchObject({ step: "stop", left: "put-back" });
  });

  it("of a stopped version with queued data is refused", async () => {
    const previous = await deployed();
    nifi.stop(previous.processGroupId);
    nifi.queue(previous.processGroupId, 1);
    expect((await failureOf({ previous, ifRunning: "stop-and-drain" })).message).toMatch(
      /^The version in NiFi is stopped with 1 FlowFile in its queues, which cannot drain\..* Nothing was changed in NiFi\.$/,
    );
  });
});

describe("controller services", () => {
  const service = {
    identifier: "0c0ffee0-0000-1000-8000-000000000001",
    name: "csv-reader",
    type: "org.apache.nifi.csv.CSVReader",
    properties: {},
  };
  const withService = changedSample(({ flowContents }) => {
    flowContents["controllerServices"] = [service];
    Object.assign(flowContents.processors[1]?.["properties"] as object, { "Record Reader": service.identifier });
  });

  it("are enabled before what uses them is started", async () => {
    const result = await deploy({ content: withService, startNew: true });
    expect(result.steps.find((step) => step.name === "enable-services")).toMatchObject({
      state: "done",
      detail: "1 controller service is enabled.",
    });
    expect(nifi.findGroup(name)?.components.every(({ isOn }) => isOn)).toBe(true);
  });

  it("that cannot be enabled fail the deployment with NiFi's reason", async () => {
    const previous = await deployed();
    nifi.invalidate("csv-reader", "'Schema Registry' is invalid because Schema Registry is required");
    const failure = await failureOf({ content: withService, previous });
    expect(failure).toMatchObject({ step: "enable-services", left: "put-back" });
    expect(failure.message).toBe(
      "csv-reader cannot be enabled. NiFi says: 'Schema Registry' is invalid because Schema Registry is required. The previous version is running again.",
    );
    expect(nifi.findGroup(name)?.components).toMatchObject([
      { name: "Gen", isOn: true },
      { name: "Log", isOn: true },
    ]);
  });

  it("that nothing uses only give a warning", async () => {
    nifi.invalidate("csv-reader", "a reason");
    const content = changedSample(({ flowContents }) => (flowContents["controllerServices"] = [service]));
    expect(await deploy({ content, startNew: true })).toMatchObject({
      running: true,
      warnings: ["No component uses csv-reader, which cannot be enabled."],
    });
  });

  it("of a type that this NiFi lacks, or outside of the flow and missing, are refused", async () => {
    const ghost = changedSample(({ flowContents }) => (flowContents["controllerServices"] = [{ ...service, type: "com.example.Ghost" }]));
    expect((await failureOf({ content: ghost })).message).toMatch(/^This NiFi does not have the controller service type Ghost,/);
    const external = changedSample((flow) =>
      Object.assign(flow, { externalControllerServices: { one: { identifier: "one", name: "shared-reader" } } }),
    );
    expect((await failureOf({ content: external })).message).toMatch(/^This NiFi has no controller service shared-reader at its root,/);
  });
});

/** The call that makes each step fail, in a deployment that replaces a running version. */
const breaks: readonly [DeployStepName, string, RegExp][] = [
  ["sign-in", "GET", /^\/flow\/about$/],
  ["check", "GET", /^\/flow\/processor-types$/],
  ["check", "GET", /\/download$/],
  ["stop", "PUT", /^\/flow\/process-groups\/[\w-]+$/],
  ["replace", "POST", /\/replace-requests$/],
  ["replace", "GET", /\/replace-requests\/[\w-]+$/],
  ["enable-services", "GET", /\/controller-services$/],
  ["start", "PUT", /^\/flow\/process-groups\/[\w-]+$/],
];

describe("a step that fails", () => {
  it.each(breaks.map(([step, method, path], at) => ({ step, method, path, at })))(
    "leaves the version before running ($step, $method $path)",
    async ({ step, method, path }) => {
      const previous = await deployed();
      const onStep = (one: DeployStep) => {
        if (one.name === step && one.state === "running") nifi.fail({ method, path, times: 1 }, { status: 500, text: "Out of luck" });
      };
      const failure = await failureOf({ content: slower, previous, onStep });
      expect(failure).toMatchObject({ step, reason: "failed", status: 500, processGroupId: previous.processGroupId });
      expect(failure.message).toContain("NiFi failed with the status 500. NiFi says: Out of luck.");
      expect(failure.left).toBe(step === "sign-in" || step === "check" ? "unchanged" : "put-back");
      expect(nifi.findGroup(name)?.components).toMatchObject([{ isOn: true }, { isOn: true }]);
      expect(periods()).not.toContain("7 sec");
      expect(nifi.groups()).toHaveLength(1);
    },
  );

  it.each(["hang", "reset", "lose-answer", "garbage"] as const)("leaves the version before running (%s)", async (how) => {
    const previous = await deployed();
    nifi.fail({ method: "POST", path: /\/replace-requests$/, times: 1 }, how);
    const failure = await failureOf({ content: slower, previous });
    expect(failure).toMatchObject({ step: "replace", left: "put-back" });
    expect(nifi.findGroup(name)).toMatchObject({ running: true });
    expect(periods()).not.toContain("7 sec");
  });

  it("removes the group of a first deployment", async () => {
    nifi.invalidate("Gen", "'Custom Text' is invalid because of a test");
    const failure = await failureOf({ startNew: true });
    expect(failure).toMatchObject({ step: "start", left: "put-back", processGroupId: undefined });
    expect(failure.message).toBe(
      "Gen cannot be started. NiFi says: 'Custom Text' is invalid because of a test. The new process group is removed again.",
    );
    expect(nifi.groups()).toEqual([]);
  });

  it("removes the group of a first deployment whose answer was lost, and no other group", async () => {
    nifi.fail({ method: "POST", path: /\/upload$/, times: 1 }, "lose-answer");
    expect(await failureOf()).toMatchObject({ step: "replace", left: "put-back", processGroupId: undefined });
    expect(nifi.groups()).toEqual([]);
  });

  it("never removes queued data", async () => {
    nifi.invalidate("Log", "a reason");
    const onStep = ({ name: step, state }: DeployStep) => {
      const group = nifi.findGroup(name);
      if (step === "start" && state === "running" && group) nifi.queue(group.id, 3);
    };
    const failure = await failureOf({ startNew: true, onStep });
    expect(failure).toMatchObject({ left: "changed", processGroupId: nifi.findGroup(name)?.id });
    expect(failure.message).toContain("it is stopped and has 3 FlowFiles in its queues, which would be lost");
    expect(nifi.findGroup(name)).toMatchObject({ running: false, queued: 3 });
  });

  it("does not claim to know the state of a NiFi that no longer answers", async () => {
    const previous = await deployed();
    const onStep = ({ name: step, state }: DeployStep) => {
      if (step === "replace" && state === "running") nifi.fail({ path: /./ }, "reset");
    };
    const failure = await failureOf({ content: slower, previous, onStep });
    expect(failure).toMatchObject({ step: "replace", left: "unknown", processGroupId: previous.processGroupId });
    expect(failure.message).toMatch(/The previous version could not be restored, because NiFi no longer answers; check it in NiFi\.$/);
  });

  it("starts only those components again that ran before", async () => {
    const previous = await deployed();
    nifi.setRunning(previous.processGroupId, "Log", false);
    nifi.invalidate("Log", "a reason");
    const onStep = ({ name: step, state }: DeployStep) => {
      if (step === "start" && state === "failed") nifi.makeValid("Log");
    };
    const stopped = changedSample(({ flowContents }) =>
      flowContents.processors.forEach((one) => (one["name"] = `new ${String(one["name"])}`)),
    );
    nifi.makeValid("Log");
    nifi.invalidate("new Log", "a reason");
    const failure = await failureOf({ content: stopped, previous, onStep });
    expect(failure).toMatchObject({ step: "start", left: "put-back" });
    expect(nifi.findGroup(name)?.components).toMatchObject([
      { name: "Gen", isOn: true },
      { name: "Log", isOn: false },
    ]);
  });

  it("names sensitive values that could not be put back", async () => {
    const previous = await deployed();
    nifi.setSecret(previous.processGroupId, "Gen", "Password");
    nifi.setSecret(previous.processGroupId, "Log", "Password");
    const content = changedSample(({ flowContents }) => {
      flowContents.processors.shift();
      flowContents.connections.splice(0);
    });
    const onStep = ({ name: step, state }: DeployStep) => {
      if (step === "start" && state === "running")
        nifi.fail({ method: "PUT", path: /^\/flow\/process-groups\/[\w-]+$/, times: 1 }, { status: 500 });
    };
    const failure = await failureOf({ content, previous, onStep });
    expect(failure).toMatchObject({ step: "start", left: "put-back" });
    expect(failure.message).toBe(
      "NiFi failed with the status 500. The previous version is running again. Sensitive values of components that were removed are lost; enter them in NiFi: Gen: Password.",
    );
  });

  it("because the new version lacks a connection with data keeps data and version", async () => {
    const previous = await deployed();
    nifi.queue(previous.processGroupId, 5, { stuck: true });
    const failure = await failureOf({ content: changedSample((flow) => flow.flowContents.connections.splice(0)), previous });
    expect(failure).toMatchObject({ step: "replace", left: "put-back" });
    expect(failure.message).toMatch(/the connection currently has data in the queue\. The previous version is running again\.$/);
    expect(nifi.findGroup(name)).toMatchObject({ queued: 5, running: true });
  });
});

describe("content", () => {
  it.each([
    ["yaml: content", "NiFi takes flow definitions in JSON and templates in XML only. This content is neither."],
    ['{"a": 1}', "This JSON is not a flow definition of NiFi: flowContents is missing or wrong."],
    ["{broken", "The flow definition is not valid JSON."],
    ["<bad", "NiFi refused the template. NiFi says: The specified template is not in a valid format."],
    ["<bad/>", "NiFi refused this. NiFi says: Template details must be specified."],
  ])("%s is refused before anything is changed", async (content, sentence) => {
    const failure = await failureOf({ content });
    const isTemplate = content.startsWith("<");
    expect(failure).toMatchObject({ step: isTemplate ? "check" : "sign-in", left: "unchanged" });
    // Nobody signs in for what no NiFi takes.
    expect(nifi.requests.length > 0).toBe(isTemplate);
    expect(failure.message).toBe(`${sentence} Nothing was changed in NiFi.`);
    expect(nifi.groups()).toEqual([]);
  });

  it("with a processor type that this NiFi lacks is refused", async () => {
    const content = changedSample(({ flowContents }) => Object.assign(flowContents.processors[0] ?? {}, { type: "com.example.Ghost" }));
    expect((await failureOf({ content })).message).toBe(
      "This NiFi does not have the processor type Ghost, which the flow uses. Nothing was changed in NiFi.",
    );
  });

  it("as a template becomes a flow definition of the same group, and leaves no template behind", async () => {
    const first = await deploy({ content: sampleTemplate });
    const again = await deploy({ content: sampleTemplate, previous: first });
    expect(again).toMatchObject({ processGroupId: first.processGroupId, replaced: true });
    const contents = JSON.parse(await readDeployed(testClient(nifi.url), first.processGroupId)) as {
      flowContents: Record<string, unknown>;
    };
    expect(contents.flowContents).toMatchObject({ name, processGroups: [{ name: "src", processors: [{ name: "Gen" }, { name: "Log" }] }] });
    expect(nifi.groups()).toHaveLength(1);
    const deletions = nifi.requests.filter(({ method, path }) => method === "DELETE" && path.startsWith("/templates/"));
    expect(deletions).toHaveLength(2);
  });

  it("as a template keeps the parameter contexts of the groups", async () => {
    const inner = (flow: object) => (flow as { flowContents: { processGroups: Record<string, unknown>[] } }).flowContents.processGroups[0];
    const first = await deploy({ content: sampleTemplate });
    nifi.addGroup("another", JSON.parse(sampleDefinition) as object);
    nifi.edit(first.processGroupId, (contents) =>
      Object.assign((contents["processGroups"] as object[])[0] ?? {}, { parameterContextName: "fw-ctx" }),
    );
    await deploy({ content: sampleTemplate, previous: first });
    expect(inner(nifi.findGroup(name)?.definition ?? {})).toMatchObject({ name: "src", parameterContextName: "fw-ctx" });
  });

  it("as a template is refused by a NiFi that has no templates", async () => {
    await nifi.close();
    nifi = await startFakeNifi({ version: "2.0.0" });
    expect((await failureOf({ content: sampleTemplate })).message).toBe(
      "NiFi 2.0.0 has no templates. Export the flow as a flow definition in JSON. Nothing was changed in NiFi.",
    );
    expect(await deploy()).toMatchObject({ nifiVersion: "2.0.0" });
  });
});

it("an unexpected error still says which process group is left", async () => {
  nifi.fail({ method: "DELETE", path: /process-groups/ }, { status: 500 });
  const boom = new Error("boom");
  const failure = await failureOf({
    onStep: ({ name: step, state }) => {
      if (step === "start" && state === "running") throw boom;
    },
  });
  expect(failure).toMatchObject({ processGroupId: nifi.findGroup(name)?.id, left: "changed", unexpected: boom });
  expect(failure.message).toMatch(/^The portal failed\. The new process group could not be removed: /);
});

it("names of types are few and short, and the state of NiFi is still reported", async () => {
  const content = changedSample(({ flowContents }) => {
    const [first] = flowContents.processors;
    flowContents.processors.splice(
      0,
      Infinity,
      ...Array.from({ length: 50 }, (_, at) => ({ ...first, type: `a.T${at}\u0000${"x".repeat(40_000)}` })),
    );
  });
  const { message, steps } = await failureOf({ content });
  expect(message).toMatch(/ and 45 more, |…/);
  expect(message).toMatch(/ Nothing was changed in NiFi\.$/);
  expect(message.length).toBeLessThanOrEqual(1_000);
  expect(steps.every(({ detail }) => detail.length <= 1_000 && !detail.includes("\u0000"))).toBe(true);
});
