import { flowChecks } from "@fairway/contract/flow-differences";
import { describe, expect, it } from "vitest";
import { Random, edits, generateFlow } from "#testing/generated-flows.ts";
import { checkFlow } from "./check-flow.ts";
import type { EnvironmentFacts } from "./check-report.ts";
import { realFile } from "./test-flow.ts";

const definition = (group: object, others: object = {}) =>
  JSON.stringify({ flowContents: { identifier: "root", name: "Weather", ...group }, ...others });
const processor = (fields: object) => ({ identifier: "p", name: "P", type: "org.Known", ...fields });
const connected = { connections: [{ identifier: "c", source: { id: "p" }, destination: { id: "q" } }] };

const production: EnvironmentFacts = {
  name: "Production",
  processorTypes: ["org.Known", "org.apache.nifi.processors.standard.GenerateFlowFile", "org.apache.nifi.processors.standard.LogAttribute"],
  controllerServiceTypes: ["org.Pool"],
  parameterContexts: [{ name: "weather", parameters: ["host"] }],
  acceptsTemplates: false,
};

/** Findings of one check; what passed has none. */
function findings(check: string, text: string, environment?: EnvironmentFacts) {
  const { checks } = checkFlow(text, environment);
  return checks
    .filter((one) => one.check === check && one.severity !== "passed")
    .map(({ severity, sentence }) => `${severity}: ${sentence}`);
}

it("finds nothing in a sound flow, and lists every check", () => {
  const { checks, counts } = checkFlow(realFile("nifi-1.18-flow-definition.json"), {
    ...production,
    parameterContexts: [{ name: "fw-ctx", parameters: ["greeting"] }],
  });
  expect(counts).toEqual({ error: 0, warning: 0, info: 0 });
  expect(checks.map(({ check, severity }) => `${check} ${severity}`).toSorted()).toEqual([
    "clear-secrets passed",
    "dangling-connections passed",
    "disabled-services passed",
    "flow-definition passed",
    "parameters passed",
    "processor-types passed",
    "readable passed",
    "self-loops passed",
    "size passed",
    "unconnected-processors passed",
    "unused-parameters passed",
  ]);
});

it("says what cannot be checked without an environment", () => {
  const { checks } = checkFlow(realFile("nifi-1.18-flow-definition.json"));
  expect(checks.filter(({ severity }) => severity === "not-checked").map(({ check, sentence }) => [check, sentence])).toEqual([
    ["processor-types", "Choose an environment to check component types."],
    ["parameters", "Choose an environment to check parameters."],
  ]);
});

it.each([
  [41, "1 more finding of this kind is not listed."],
  [42, "2 more findings of this kind are not listed."],
])("counts those of %i findings that are not listed", (count, sentence) => {
  const processors = Array.from({ length: count }, (_, index) => processor({ identifier: `p${index}` }));
  expect(findings("unconnected-processors", definition({ processors })).at(-1)).toBe(`info: ${sentence}`);
});

describe("the content", () => {
  it.each([
    ["readable", "{", "error: This is not valid JSON: line 1, column 2 is unexpected."],
    ["readable", '<!DOCTYPE a [<!ENTITY b "c">]><a/>', "error: The XML has a DOCTYPE, which templates do not have."],
    ["flow-definition", "[]", "error: This JSON is not a NiFi flow definition: it is not an object."],
    ["flow-definition", "a: 1", "error: NiFi cannot read YAML: this content can be reviewed as text, but not compared or deployed."],
    ["flow-definition", realFile("nifi-1.18-template.xml"), "info: This is a template, which NiFi reads only before version 2."],
    ["flow-definition", "", "error: The content is empty."],
    ["size", `{"flowContents":{"name":"${"é".repeat(2_500_000)}"}}`, "error: The content has 5,000,028 bytes, which is more than 5 MB."],
  ])("%s of %.20s", (check, text, finding) => {
    expect(findings(check, text)).toEqual([finding]);
  });

  it("is a template that the environment does not read", () => {
    const template = realFile("nifi-1.18-template.xml");
    expect(findings("flow-definition", template, production)).toEqual([
      "error: The NiFi of Production cannot read templates. Upload a flow definition (JSON) instead.",
    ]);
    expect(findings("flow-definition", template, { ...production, acceptsTemplates: true })).toEqual([]);
  });
});

it("types that the environment does not have are named once, with how many need them", () => {
  const flow = definition({
    processors: [
      processor({}),
      processor({ name: "Q", type: "com.Odd" }),
      processor({ type: "com.Odd" }),
      processor({ name: "R", type: "com.Rare" }),
    ],
    controllerServices: [{ identifier: "s", name: "S", type: "org.Known" }],
  });
  expect(findings("processor-types", flow, production)).toEqual([
    "error: Production does not have the type Odd, which 2 processors need.",
    'error: Production does not have the type Rare, which the processor "R" needs.',
    'error: Production does not have the type Known, which the controller service "S" needs.',
  ]);
});

describe("parameters", () => {
  const flow = (value: string, parameters: object[], contextName: string | null = "weather") =>
    definition(
      { parameterContextName: contextName, processors: [processor({ properties: { URL: value } })] },
      {
        parameterContexts: {
          weather: { parameters, inheritedParameterContexts: ["base"] },
          base: { parameters: [{ name: "port", value: "1" }], inheritedParameterContexts: ["weather"] },
        },
      },
    );

  it.each([
    ["is in the environment", "#{host}", [], []],
    ["is inherited", "#{port}", [], ['info: Production gets the parameter "port" of the context "weather" with the value in the flow.']],
    [
      "is new",
      "#{path}",
      [{ name: "path", value: "x" }],
      ['info: Production gets the parameter "path" of the context "weather" with the value in the flow.'],
    ],
    [
      "is new without a value",
      "#{login}",
      [{ name: "login", sensitive: true }],
      ['warning: Production does not have the parameter "login" of the context "weather", and the flow has no value for it.'],
    ],
    [
      "is nowhere",
      "a #{'other one'} b",
      [],
      ['error: Neither Production nor the flow has the parameter "other one" of the context "weather".'],
    ],
    ["is escaped", "##{other} ###{host}", [], []],
    ["is an expression", "${other} #{} #{", [], []],
  ])("one that %s", (_, value, parameters, expected) => {
    expect(findings("parameters", flow(value, parameters), production)).toEqual(expected);
  });

  it("of a flow without an environment", () => {
    const notChecked = "not-checked: Choose an environment to check parameters.";
    expect(findings("parameters", flow("#{port}", []))).toEqual([notChecked]);
    expect(findings("parameters", flow("#{other}", []))).toEqual([
      'error: The flow does not have the parameter "other" of the context "weather".',
      notChecked,
    ]);
  });

  it("of a group without a context", () => {
    expect(findings("parameters", flow("#{host}", [], null), production)).toEqual([
      'warning: The processor "P" uses the parameter "host", but its process group has no parameter context.',
    ]);
  });

  it("that nothing uses", () => {
    expect(findings("unused-parameters", flow("#{port}", [{ name: "idle", value: "1" }]))).toEqual([
      'info: Nothing in the flow uses the parameter "idle" of the context "weather".',
    ]);
  });
});

it("secrets in clear are named, but never shown", () => {
  const secret = "hunter2-Passw0rd!";
  const flow = definition(
    {
      processors: [
        processor({
          properties: {
            Password: secret,
            "Proxy Password": "#{proxy}",
            Encrypted: `enc{00ff}`,
            URL: `https://ada:${secret}@example.org`,
            Key: secret,
          },
          propertyDescriptors: { Key: { sensitive: true }, Encrypted: { sensitive: true } },
        }),
      ],
    },
    {
      parameterContexts: {
        weather: {
          parameters: [
            { name: "login", sensitive: true, value: secret },
            { name: "unset", sensitive: true },
          ],
        },
      },
    },
  );
  const clear = 'of the processor "P" contains what looks like a secret, in plain text. Use a sensitive parameter instead.';
  expect(findings("clear-secrets", flow)).toEqual([
    `warning: "Password" ${clear}`,
    `warning: "URL" ${clear}`,
    `warning: "Key" ${clear}`,
    'warning: The parameter "login" of the context "weather" has a value that looks like a secret, in plain text. Remove it and set it in the environment.',
  ]);
  expect(JSON.stringify(checkFlow(flow, production))).not.toContain("hunter2");
});

it("disabled services, connections to nowhere, loops and unconnected processors are found", () => {
  const flow = definition({
    processors: [processor({ properties: { Pool: "s1" } }), { identifier: "q", name: "Q" }, { identifier: "alone", name: "Alone" }],
    controllerServices: [
      { identifier: "s1", name: "Used", scheduledState: "DISABLED" },
      { identifier: "s2", name: "Idle", scheduledState: "DISABLED" },
      { identifier: "s3", name: "On", scheduledState: "ENABLED" },
    ],
    connections: [
      ...connected.connections,
      { identifier: "d", source: { id: "q" }, destination: { id: "q" } },
      { identifier: "e", source: { id: "p" }, destination: { id: "gone", name: "Gone" } },
    ],
  });
  expect(findings("disabled-services", flow)).toEqual([
    'warning: The controller service "Used" is disabled but used.',
    'info: The controller service "Idle" is disabled.',
  ]);
  expect(findings("dangling-connections", flow)).toEqual([
    'error: The connection from "P" to the missing component "Gone" does not connect two components of the flow.',
  ]);
  expect(findings("self-loops", flow)).toEqual(['info: The connection from "Q" to "Q" leads back to where it starts.']);
  expect(findings("unconnected-processors", flow)).toEqual(['info: The processor "Alone" has no connection.']);
});

it("findings without end are counted, worst first", () => {
  const flow = definition({
    processors: Array.from({ length: 3_000 }, (_, index) => ({
      identifier: `p${index}`,
      name: "P",
      properties: { password: `secret ${index}` },
    })),
  });
  const { checks, counts } = checkFlow(flow);
  expect(counts).toEqual({ error: 0, warning: 3_000, info: 3_000 });
  expect(checks.length).toBeLessThan(100);
  expect(checks.filter(({ sentence }) => sentence === "2960 more findings of this kind are not listed.")).toHaveLength(2);
  expect(checks[0]).toMatchObject({ check: "clear-secrets", severity: "warning" });
});

it("findings of any content fit the contract", () => {
  const names = Object.keys(edits);
  for (let seed = 0; seed < 20; seed += 1) {
    const random = new Random(seed);
    const flow = generateFlow(random);
    for (let count = 0; count < 8; count += 1) edits[random.pick(names) ?? ""]?.(flow, random);
    const text = JSON.stringify(flow);
    for (const content of [text, text.slice(0, random.below(text.length)), text.replaceAll('"', ""), text.slice(1)]) {
      const checks = checkFlow(content, random.next() < 0.5 ? production : undefined);
      expect(flowChecks.safeParse(checks).error).toBeUndefined();
      expect(JSON.stringify(checks)).not.toContain("hidden-");
    }
  }
});
