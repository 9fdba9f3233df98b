import { flowChange } from "@fairway/contract/flow-differences";
import { describe, expect, it } from "vitest";
import { definition, compareTexts } from "#testing/flow-texts.ts";

const sentencesOf = (before: string, after: string) => compareTexts(before, after).changes.map(({ sentence }) => sentence);

/** The sentence of one processor that differs in some fields. */
const between = (before: object, after: object) => {
  const withProcessor = (fields: object) =>
    definition({ processors: [{ identifier: "p", name: "Gen", type: "a.b.GenerateFlowFile", ...fields }] });
  return sentencesOf(withProcessor(before), withProcessor(after));
};

describe("a field", () => {
  it.each([
    [
      { schedulingStrategy: "TIMER_DRIVEN" },
      { schedulingStrategy: "CRON_DRIVEN" },
      'The scheduling strategy of the processor "Gen" changed from TIMER_DRIVEN to CRON_DRIVEN.',
    ],
    [
      { schedulingPeriod: "1 sec" },
      { schedulingPeriod: "0 0 * * * ?" },
      'The run schedule of the processor "Gen" changed from "1 sec" to "0 0 * * * ?".',
    ],
    [
      { concurrentlySchedulableTaskCount: 1 },
      { concurrentlySchedulableTaskCount: 4 },
      'The number of concurrent tasks of the processor "Gen" changed from 1 to 4.',
    ],
    [
      { properties: { "Batch Size": "1" } },
      { properties: { "Batch Size": "20" } },
      'The property "Batch Size" of the processor "Gen" changed from 1 to 20.',
    ],
    [{ properties: { URL: null } }, { properties: { URL: "a" } }, 'The property "URL" of the processor "Gen" was set to "a".'],
    [{ properties: { URL: "a" } }, { properties: {} }, 'The property "URL" of the processor "Gen" is no longer set; it was "a".'],
    [
      { properties: { SQL: "a\n b" } },
      { properties: { SQL: "a b" } },
      'The property "SQL" of the processor "Gen" changed only in white space.',
    ],
    [
      { properties: { "generate-ff-custom-text": "a" } },
      {
        properties: { "generate-ff-custom-text": "b" },
        propertyDescriptors: { "generate-ff-custom-text": { displayName: "Custom Text" } },
      },
      'The property "Custom Text" of the processor "Gen" changed from "a" to "b".',
    ],
    [
      { properties: { Script: `${"x".repeat(5_000)}old${"y".repeat(5_000)}` } },
      { properties: { Script: `${"x".repeat(5_000)}new${"y".repeat(5_000)}` } },
      `The property "Script" of the processor "Gen" changed from "…${"x".repeat(40)}old${"y".repeat(115)}…" to "…${"x".repeat(40)}new${"y".repeat(115)}…".`,
    ],
    [
      { autoTerminatedRelationships: ["b", "a"] },
      { autoTerminatedRelationships: ["a", "b", "c, d"] },
      'The automatically terminated relationships of the processor "Gen" changed from "a, b" to "c, d", a, b.',
    ],
    [{ scheduledState: "ENABLED" }, { scheduledState: "DISABLED" }, 'The processor "Gen" was disabled.'],
    [{ scheduledState: "DISABLED" }, { scheduledState: "ENABLED" }, 'The processor "Gen" was enabled.'],
    [{ scheduledState: "ENABLED" }, { scheduledState: "RUNNING" }, 'The processor "Gen" was set to run.'],
    [{ position: { x: 1, y: 2 } }, { position: { x: 2, y: 2 } }, 'The processor "Gen" was placed elsewhere.'],
    [{ comments: "a" }, { comments: "" }, 'The comments of the processor "Gen" are no longer set; they were "a".'],
    [{}, { retryCount: 0 }, 'The number of retries of the processor "Gen" was set to 0.'],
    [{ retryCount: 0 }, {}, 'The number of retries of the processor "Gen" is no longer set; it was 0.'],
    [{}, { concurrentlySchedulableTaskCount: 2 }, 'The number of concurrent tasks of the processor "Gen" was set to 2.'],
    [{}, { runDurationMillis: 25 }, 'The run duration in milliseconds of the processor "Gen" was set to 25.'],
    [{}, { retriedRelationships: ["failure"] }, 'The retried relationships of the processor "Gen" were set to "failure".'],
    [{}, { futureStatus: "x" }, 'The future status of the processor "Gen" was set to "x".'],
    [{}, { futureAddress: "x" }, 'The future address of the processor "Gen" was set to "x".'],
    [{}, { variables: { hosts: "x" } }, 'The variable hosts of the processor "Gen" was set to "x".'],
    [{}, { properties: { Hosts: "x" } }, 'The property "Hosts" of the processor "Gen" was set to "x".'],
    [{ type: "a.b.One" }, { type: "a.b.Two" }, 'The type of the processor "Gen" changed from "a.b.One" to "a.b.Two".'],
    [{ name: "Gen" }, { name: "Generate" }, 'The processor "Gen" was renamed to "Generate".'],
    [
      { futureSetting: { b: [1], a: true } },
      { futureSetting: { a: true, b: [2] } },
      'The future setting of the processor "Gen" changed from "{"a":true,"b":[1]}" to "{"a":true,"b":[2]}".',
    ],
    [
      { bundle: { group: "g", artifact: "a", version: "1" } },
      { bundle: { group: "g", artifact: "a", version: "2" } },
      'The bundle version of the processor "Gen" changed from 1 to 2.',
    ],
  ])("%j → %j", (before, after, sentence) => {
    expect(between(before, after)).toEqual([sentence]);
  });
});

describe("a component", () => {
  const processors = ["A", "B"].map((name) => ({ identifier: name, name, type: "x.y.LogAttribute" }));
  const connection = { identifier: "c", source: { id: "A" }, destination: { id: "B" }, selectedRelationships: ["success"] };
  const inner = { identifier: "inner", name: "Inner", outputPorts: [{ identifier: "out", name: "out" }] };

  it.each([
    ["is added", {}, { processors: processors.slice(1) }, ['The processor "B" (LogAttribute) was added.']],
    ["is removed", { processGroups: [inner] }, {}, ['The process group "Inner" was removed.', 'The output port "out" was removed.']],
    ["is a connection", { processors }, { processors, connections: [connection] }, ['The connection from "A" to "B" (success) was added.']],
    [
      "is a connection that leads elsewhere",
      { processors, processGroups: [inner], connections: [connection] },
      { processors, processGroups: [inner], connections: [{ ...connection, source: { id: "out" } }] },
      ['The source of the connection from "out" in "Inner" to "B" changed from "A" to "out" in "Inner".'],
    ],
    [
      "is a connection to nowhere",
      {},
      { connections: [{ ...connection, source: { id: "gone", name: "Gone" }, destination: {} }] },
      ['The connection from the missing component "Gone" to a missing component (success) was added.'],
    ],
    ["is a label", {}, { labels: [{ identifier: "l", label: "Reads\nall" }] }, ['The label "Reads all" was added.']],
    ["is a funnel", { funnels: [{ identifier: "f" }] }, {}, ["The funnel was removed."]],
    [
      "moves to another group",
      { processors, processGroups: [inner] },
      { processors: processors.slice(1), processGroups: [{ ...inner, processors: processors.slice(0, 1) }] },
      ['The processor "A" moved from the process group "Weather" to the process group "Inner".'],
    ],
    ["has no name", {}, { processors: [{ identifier: "p" }] }, ["The processor without a name was added."]],
    [
      "gets a name",
      { processors: [{ identifier: "p" }] },
      { processors: [{ identifier: "p", name: "P" }] },
      ['The processor without a name was named "P".'],
    ],
  ])("%s", (_, before, after, sentences) => {
    expect(sentencesOf(definition(before), definition(after))).toEqual(sentences);
  });

  it("that refers to a service names the service", () => {
    const services = ["Old", "New"].map((name) => ({ identifier: `service ${name}`, name }));
    const flow = (service: string) =>
      definition({ controllerServices: services, processors: [{ identifier: "p", name: "P", properties: { Pool: service } }] });
    expect(sentencesOf(flow("service Old"), flow("service New"))).toEqual([
      'The property "Pool" of the processor "P" changed from "Old" to "New".',
    ]);
  });
});

it("parameters are described with their context", () => {
  const flow = (parameters: object[]) => definition({}, { parameterContexts: { storms: { parameters } } });
  expect(sentencesOf(flow([]), flow([{ name: "host", value: "a" }]))).toEqual([
    'The parameter "host" of the context "storms" was added with the value "a".',
  ]);
  expect(sentencesOf(flow([{ name: "host", value: "a" }]), flow([{ name: "host", value: "b" }]))).toEqual([
    'The value of the parameter "host" of the context "storms" changed from "a" to "b".',
  ]);
  expect(sentencesOf(flow([{ name: "host" }]), flow([]))).toEqual(['The parameter "host" of the context "storms" was removed.']);
  const { changes } = compareTexts(flow([]), flow([{ name: "host", value: "a" }]));
  expect(changes[0]?.component.groupPath).toEqual(["storms"]);
});

it("services from outside of the flow are described", () => {
  const flow = (externalControllerServices: object) => definition({}, { externalControllerServices });
  const pool = { s: { identifier: "s", name: "Pool" } };
  expect(sentencesOf(flow({}), flow(pool))).toEqual(['The flow now uses the controller service "Pool" from outside of it.']);
  expect(sentencesOf(flow(pool), flow({}))).toEqual(['The flow no longer uses the controller service "Pool" from outside of it.']);
});

it("a new version of a bundle is one change, however many components use it", () => {
  const flow = (version: string) =>
    definition({
      processors: [1, 2, 3].map((id) => ({ identifier: `p${id}`, name: "P", bundle: { group: "g", artifact: "nar", version } })),
    });
  const { changes, counts } = compareTexts(flow("1.18.0"), flow("1.19.0"));
  expect(changes).toMatchObject([
    {
      category: "versions",
      component: { kind: "flow" },
      sentence: "3 components use version 1.19.0 of the bundle g:nar instead of 1.18.0.",
    },
  ]);
  expect(counts).toEqual({ behavior: 0, layout: 0, versions: 1 });
});

it("changes name the groups around a component, and come group by group", () => {
  const group = (name: string, others: object) => ({ identifier: name, name, ...others });
  const flow = (size: string) => {
    const processors = (name: string) => [{ identifier: name, name, properties: { Size: size } }];
    return definition({
      processGroups: [
        group("A", { processGroups: [group("B", { processors: processors("b") })], processors: processors("a") }),
        group("C", { processors: processors("c") }),
      ],
      processors: processors("root p"),
    });
  };
  expect(compareTexts(flow("1"), flow("2")).changes.map(({ component }) => [...component.groupPath, component.name].join("/"))).toEqual([
    "Weather/root p",
    "Weather/A/a",
    "Weather/A/B/b",
    "Weather/C/c",
  ]);
});

describe("secrets", () => {
  const secret = "hunter2-Passw0rd!";
  const other = "correct-horse-Battery1";
  const descriptor = (name: string) => ({ [name]: { name, sensitive: true } });
  const withProperty = (name: string, value: string | null, propertyDescriptors: object = {}) =>
    definition({ processors: [{ identifier: "p", name: "P", properties: { [name]: value }, propertyDescriptors }] });
  const withParameter = (value: string | null, sensitive: boolean, name = "login") =>
    definition({}, { parameterContexts: { c: { parameters: [{ name, value, sensitive }] } } });

  it.each([
    [
      "a sensitive property",
      (value: string | null) => withProperty("Key", value, descriptor("Key")),
      'property "Key" of the processor "P"',
    ],
    [
      "a property with a telling name",
      (value: string | null) => withProperty("Proxy Password", value),
      'property "Proxy Password" of the processor "P"',
    ],
    ["a property in camel case", (value: string | null) => withProperty("apiToken", value), 'property "apiToken" of the processor "P"'],
    [
      "a password in an address",
      (value: string | null) => withProperty("URL", value && `jdbc:x://ada:${value}@db/x`),
      'property "URL" of the processor "P"',
    ],
    [
      "a password in a connection string",
      (value: string | null) => withProperty("URL", value && `jdbc:x;user=ada;password=${value}`),
      'property "URL" of the processor "P"',
    ],
    [
      "a private key",
      (value: string | null) => withProperty("Text", value && `-----BEGIN RSA PRIVATE KEY-----\n${value}`),
      'property "Text" of the processor "P"',
    ],
    ["a sensitive parameter", (value: string | null) => withParameter(value, true), 'value of the parameter "login" of the context "c"'],
    [
      "a parameter with a telling name",
      (value: string | null) => withParameter(value, false, "db.password"),
      'value of the parameter "db.password" of the context "c"',
    ],
    [
      "a setting of another kind",
      (value: string | null) => definition({ remoteProcessGroups: [{ identifier: "r", name: "R", proxyPassword: value }] }),
      'proxy password of the remote process group "R"',
    ],
    [
      "an object with a telling key",
      (value: string | null) => definition({ labels: [{ identifier: "l", label: "L", future: value && { deep: [{ secret: value }] } }] }),
      'future of the label "L"',
    ],
    [
      "a comment with a token",
      (value: string | null) =>
        definition({ funnels: [{ identifier: "f", comments: value && `Authorization: Bearer ${value}abcdefghij` }] }),
      "comments of the funnel",
    ],
  ])("%s only changes", (_, flow, subject) => {
    expect(sentencesOf(flow(secret), flow(other))).toEqual([`The sensitive ${subject} changed.`]);
    const was = subject.startsWith("comments") ? "were" : "was";
    expect(sentencesOf(flow(null), flow(other))).toEqual([`The sensitive ${subject} ${was} set.`]);
    expect(sentencesOf(flow(secret), flow(null))).toEqual([`The sensitive ${subject} ${was} removed.`]);
    expect(sentencesOf(flow(secret), flow(secret))).toEqual([]);
    const everything = JSON.stringify([
      compareTexts(flow(secret), flow(other)),
      compareTexts(definition({}), flow(secret)),
      compareTexts(flow(secret), definition({})),
    ]);
    expect(everything).not.toContain("hunter2");
    expect(everything).not.toContain("horse");
    expect(everything).not.toContain("fingerprint");
  });

  it("are not references to parameters, switches, addresses of tokens or similar", () => {
    const sentences = (name: string, value: string, propertyDescriptors: object = {}) =>
      sentencesOf(withProperty(name, "#{old}", propertyDescriptors), withProperty(name, value, propertyDescriptors)).join("");
    expect(sentences("Password", "#{db.password}", descriptor("Password"))).toBe(
      'The property "Password" of the processor "P" changed from "#{old}" to "#{db.password}".',
    );
    expect(sentences("Token Endpoint URL", "https://example.org")).toContain('to "https://example.org"');
    expect(sentences("Use Password", "true")).toContain('to "true"');
    expect(sentences("Connection", "jdbc:x://ada:${password}@db")).toContain("ada");
  });
});

it("hostile names cannot reorder, hide or break a sentence, nor exceed the contract", () => {
  const hostile = [
    "\u202egnp.exe",
    "a\u200bb",
    "line\nbreak\r\ttab",
    "\ud800",
    "<img src=x onerror=alert(1)>",
    "x".repeat(100_000),
    "😀".repeat(200),
    "\u0000",
    "e\u0301",
  ];
  for (const name of hostile) {
    const flow = (value: string) =>
      definition(
        {
          name,
          processGroups: [
            { identifier: name, name, processors: [{ identifier: `${name}p`, name, type: name, properties: { [name]: value } }] },
          ],
          connections: [
            {
              identifier: `${name}c`,
              name,
              source: { id: "x", name },
              destination: { id: `${name}p` },
              selectedRelationships: [name, value],
            },
          ],
          labels: [{ identifier: `${name}l`, label: name + value }],
          [name]: value,
        },
        { parameterContexts: { [name]: { parameters: [{ name, value }] } } },
      );
    const all = [
      ...compareTexts(flow("1"), flow("2")).changes,
      ...compareTexts(definition({}), flow("1")).changes,
      ...compareTexts(flow(name), flow("")).changes,
    ];
    expect(all.length).toBeGreaterThan(12);
    for (const change of all) {
      expect(flowChange.safeParse(change).error).toBeUndefined();
      expect(JSON.stringify(change)).not.toMatch(/[\u202e\u200b]|(?<!\\)\\u(?:0000|d800)/);
      expect(change.sentence).not.toMatch(/[\n\r\t]|\p{Cs}/u);
    }
  }
});
