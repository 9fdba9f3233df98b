import { describe, expect, it } from "vitest";
import { Random, generateFlow } from "#testing/generated-flows.ts";
import { type ComponentFlow, FlowUnreadable } from "./flow-model.ts";
import { readFlow } from "./read-flow.ts";
import { read, realFile } from "./test-flow.ts";

const definition = realFile("nifi-1.18-flow-definition.json");
const template = realFile("nifi-1.18-template.xml");

function refusal(text: string) {
  try {
    readFlow(text);
  } catch (error) {
    if (error instanceof FlowUnreadable) return { reason: error.reason, message: error.message };
    throw error;
  }
  return undefined;
}

const withGroup = (group: object, others: object = {}) =>
  JSON.stringify({ flowContents: { identifier: "root", name: "Root", ...group }, ...others });
const templateOf = (snippet: string) => `<?xml version="1.0"?><template><name>T</name><snippet>${snippet}</snippet></template>`;
const fieldsOf = (flow: ComponentFlow, name: string) =>
  Object.fromEntries([...flow.components.values()].find((one) => one.name === name)?.fields ?? []);

describe("a flow definition of NiFi 1.18", () => {
  it("is read with everything that it configures", () => {
    const flow = read(definition);
    expect(Array.from(flow.components.values(), ({ kind, name }) => `${kind} ${name}`)).toEqual([
      "flow ",
      "process-group src",
      "processor Gen",
      "processor Log",
      "connection ",
      "parameter-context fw-ctx",
      "parameter greeting",
    ]);
    expect(fieldsOf(flow, "Log")).toEqual({
      autoTerminatedRelationships: "success",
      backoffMechanism: "PENALIZE_FLOWFILE",
      bulletinLevel: "WARN",
      bundle: "org.apache.nifi:nifi-standard-nar",
      "bundle.version": "1.18.0",
      concurrentlySchedulableTaskCount: "1",
      executionNode: "ALL",
      maxBackoffPeriod: "10 mins",
      penaltyDuration: "30 sec",
      position: "300, 0",
      "properties.Log FlowFile Properties": "true",
      "properties.Log Level": "info",
      "properties.Log Payload": "false",
      "properties.Output Format": "Line per Attribute",
      "properties.attributes-to-log-regex": ".*",
      "properties.character-set": "UTF-8",
      retryCount: "10",
      runDurationMillis: "0",
      scheduledState: "ENABLED",
      schedulingPeriod: "3 sec",
      schedulingStrategy: "TIMER_DRIVEN",
      yieldDuration: "1 sec",
    });
    expect(fieldsOf(flow, "greeting")).toEqual({ provided: "false", sensitive: "false", value: "hello" });
  });

  it("is the same as its template, component by component", () => {
    expect(fieldsOf(read(template), "Log")).toEqual(fieldsOf(read(definition), "Log"));
    expect(fieldsOf(read(template), "src")).toMatchObject({ flowFileConcurrency: "UNBOUNDED", defaultFlowFileExpiration: "0 sec" });
  });
});

describe("the format", () => {
  it.each([
    ["json", definition],
    ["json", `\uFEFF \n${definition}`],
    ["xml", template],
    ["xml", `\uFEFF\n${template}`],
    ["yaml", "flowContents:\n  name: weather\n"],
    ["yaml", "- a\n- b\n"],
    ["yaml", "# a comment\n---\nname: x\n---\nname: y\n"],
  ])("%s is recognized from the content", (format, text) => {
    expect(readFlow(text).format).toBe(format);
  });
});

describe("a text that is not a flow is refused with a sentence that never quotes it:", () => {
  it.each([
    ["nothing", "", "The content is empty."],
    ["white space", " \n\t ", "The content is empty."],
    ["a list", "[]", "This JSON is not a NiFi flow definition: it is not an object."],
    ["another object", '{"a":1}', "This JSON is not a NiFi flow definition: 'flowContents' is missing."],
    ["contents that are no group", '{"flowContents":[]}', "This JSON is not a NiFi flow definition: 'flowContents' is missing."],
    [
      "the configuration of a NiFi",
      '{"rootGroup":{},"maxTimerDrivenThreadCount":10}',
      "This JSON is not a NiFi flow definition: it is the configuration of a whole NiFi; download the flow definition of a process group instead.",
    ],
    ["another XML", "<html><body/></html>", "This XML is not a NiFi template: the outermost element is not 'template'."],
    ["an empty template", "<template/>", "This XML is not a NiFi template: 'snippet' is missing."],
    ["prose", "hunter2 is my password", "This is not a flow: it is neither JSON nor XML nor structured YAML."],
    ["a number", "42", "This is not a flow: it is neither JSON nor XML nor structured YAML."],
  ])("%s", (_, text, message) => {
    expect(refusal(text)).toEqual({ reason: "not-a-flow", message });
  });

  it.each([
    ["a missing comma", '{\n  "a": "hunter2"\n  "b": 2\n}', "JSON: line 3, column 3"],
    ["a missing end", '{"a": [1, 2', "JSON: line 1, column 12"],
    ["an unquoted value", '{"a": hunter2}', "JSON: line 1, column 7"],
    ["a trailing comma", '{"a": [1,]}', "JSON: line 1, column 10"],
    ["a key without quotes", "{a: 1}", "JSON: line 1, column 2"],
    ["two values", "{} {}", "JSON: line 1, column 4"],
    ["a wrong bracket", '{"a": [1}', "JSON: line 1, column 9"],
    ["an invalid escape", '{"a": "\\x"}', "JSON: line 1, column 8"],
    ["a line break in a text", '{"a": "b\nc"}', "JSON: line 1, column 9"],
    ["a leading zero", '{"a": 012}', "JSON: line 1, column 8"],
    ["an element that is not closed", "<template>\n<name>hunter2</template>", "XML: line 2, column 25"],
    ["an entity that XML does not have", "<template>&hunter2;</template>", "XML: line 1, column 20"],
    ["text behind the end", "<template/>hunter2", "XML: line 1, column 19"],
    ["only an opening bracket", "<", "XML: line 1, column 2"],
    ["an open list", "a: [hunter2\nb: 1", "YAML: line 2, column 1"],
    ["a tab as indentation", "a:\n\tb: hunter2", "YAML: line 2, column 1"],
  ])("%s", (_, text, place) => {
    expect(refusal(text)).toEqual({ reason: "syntax", message: `This is not valid ${place} is unexpected.` });
  });

  it("finds the place in any JSON that is broken anywhere", () => {
    const random = new Random(5);
    const text = JSON.stringify(generateFlow(random, { groups: 2, processorsPerGroup: 1 }), null, 1);
    for (let round = 0; round < 60; round += 1) {
      const at = random.below(text.length);
      const broken = `${text.slice(0, at)}\u0001${text.slice(at + 1)}`;
      const [, line, column] = /line (\d+), column (\d+) is unexpected/.exec(refusal(broken)?.message ?? "") ?? [];
      expect(Number(line)).toBe(broken.slice(0, at).split("\n").length);
      // A broken word or escape is reported where it begins.
      const ahead = at - broken.lastIndexOf("\n", at - 1) - Number(column);
      expect(ahead).toBeGreaterThanOrEqual(0);
      expect(ahead).toBeLessThan(7);
    }
  });
});

describe("dangerous content is refused quickly:", () => {
  const repeat = (text: string, times: number) => text.repeat(times);
  it.each([
    ["JSON lists nested 100,000 deep", repeat("[", 100_000)],
    ["complete JSON nested 100,000 deep", repeat("[", 100_000) + repeat("]", 100_000)],
    ["JSON objects nested 100,000 deep", repeat('{"a":', 100_000)],
    ["more values than a flow has", `[${repeat("1,", 2_000_001)}1]`],
    ["XML nested 100,000 deep", repeat("<a>", 100_000)],
    ["more elements than a template has", `<a>${repeat("<b/>", 500_001)}</a>`],
    ["a DOCTYPE", '<!DOCTYPE template SYSTEM "file:///etc/passwd"><template/>'],
    ["entities of entities", '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><template>&c;</template>'],
    ["YAML lists nested 100,000 deep", `a: ${repeat("[", 100_000)}`],
    ["YAML items nested 100,000 deep", repeat("- ", 100_000)],
    [
      "aliases of aliases",
      `${["a", "b", "c", "d", "e", "f", "g", "h", "i"]
        .map((name, index, all) => `${name}: &${name} [${repeat(`${index === 0 ? "x" : `*${all[index - 1]}`},`, 10)}]`)
        .join("\n")}\n`,
    ],
  ])("%s", (_, text) => {
    expect(refusal(text)).toMatchObject({ reason: "dangerous" });
  });
});

describe("too many", () => {
  it.each([
    ["components", withGroup({ funnels: Array.from({ length: 20_001 }, () => ({})) }), "The flow has more than 20000 components."],
    [
      "values",
      withGroup({ processors: [{ properties: Object.fromEntries(Array.from({ length: 500_001 }, (__, index) => [index, "v"])) }] }),
      "The flow has more than 500000 values.",
    ],
    [
      "nested groups",
      `{"flowContents":${'{"processGroups":['.repeat(120)}{}${"]}".repeat(120)}}`,
      "The flow has process groups nested more than 100 deep.",
    ],
  ])("%s are refused", (_, text, message) => {
    expect(refusal(text)).toEqual({ reason: "too-complex", message });
  });
});

describe("odd flows are read:", () => {
  it("identifiers that are repeated, missing, very long or those of other things", () => {
    const flow = read(
      withGroup({
        processors: [
          { identifier: "root" },
          { identifier: "x" },
          { identifier: "x" },
          {},
          {},
          { identifier: "flow" },
          { identifier: "y".repeat(10_000) },
        ],
      }),
    );
    const ids = [...flow.components.keys()];
    expect(ids.slice(0, 8)).toEqual(["flow", "root", "root#2", "x", "x#2", "processor", "processor#2", "flow#2"]);
    expect(ids[8]?.length).toBe(64);
  });

  it("names and keys that objects already have", () => {
    const hostile = `{"__proto__": {"polluted": "yes"}, "flowContents": {"identifier": "__proto__", "name": "constructor", "__proto__": {"name": "wrong"},
      "processors": [{"identifier": "constructor", "name": "toString", "properties": {"__proto__": "a", "constructor": "b", "hasOwnProperty": null},
      "propertyDescriptors": {"__proto__": {"sensitive": true}}}]}, "parameterContexts": {"__proto__": {"parameters": [{"name": "__proto__", "value": "v"}]}}}`;
    const flow = read(hostile);
    expect(fieldsOf(flow, "toString")).toEqual({
      "properties.__proto__": { fingerprint: expect.any(String), isEncrypted: false },
      "properties.constructor": "b",
    });
    expect(flow.components.get("__proto__")?.name).toBe("constructor");
    expect(Array.from(flow.components.values(), ({ kind }) => kind)).toContain("parameter");
    expect(Object.keys(Object.prototype)).toEqual([]);
    const entries = "<properties><entry><key>__proto__</key><value>a</value></entry></properties>";
    const processor = `<processors><id>p</id><name>P</name><__proto__>x</__proto__><config>${entries}</config></processors>`;
    expect(fieldsOf(read(templateOf(processor)), "P")).toMatchObject({ "properties.__proto__": "a" });
    expect("polluted" in {}).toBe(false);
  });

  it("values of the wrong type in every place", () => {
    const wrong = [null, 1, "x", true, [], {}, [null], [[1]], { a: { b: [1, { c: null }] } }];
    for (const value of wrong) {
      const keys = [
        "identifier",
        "name",
        "type",
        "position",
        "bundle",
        "properties",
        "propertyDescriptors",
        "source",
        "destination",
        "variables",
      ];
      const lists = [
        "processors",
        "processGroups",
        "connections",
        "inputPorts",
        "labels",
        "funnels",
        "remoteProcessGroups",
        "controllerServices",
      ];
      const component = Object.fromEntries([...keys, "comments", "bends", "versionedFlowCoordinates"].map((key) => [key, value]));
      const group = Object.fromEntries(lists.map((list) => [list, [value, component]]));
      const flow = read(
        withGroup(group, { parameterContexts: { a: value, b: { parameters: [value, component] } }, externalControllerServices: value }),
      );
      expect(flow.components.size).toBeGreaterThan(8);
      expect(
        read(withGroup(Object.fromEntries(lists.map((list) => [list, value])), { parameterContexts: value })).components.size,
      ).toBeGreaterThan(1);
    }
  });

  it("connections that lead to nothing", () => {
    const flow = read(withGroup({ connections: [{ identifier: "c", name: "C", source: { id: "gone", name: "Gone" } }] }));
    expect(fieldsOf(flow, "C")).toEqual({ source: { referenceTo: "gone", name: "Gone" } });
  });

  it("controller services by reference, inside the flow and outside", () => {
    const flow = read(
      withGroup(
        {
          controllerServices: [{ identifier: "s", name: "Pool" }],
          processors: [{ identifier: "p", name: "P", properties: { a: "s", b: "outside", c: "nowhere" } }],
        },
        { externalControllerServices: { outside: { identifier: "outside", name: "Shared" } } },
      ),
    );
    expect(fieldsOf(flow, "P")).toEqual({
      "properties.a": { referenceTo: "s", name: "" },
      "properties.b": { referenceTo: "outside", name: "Shared" },
      "properties.c": "nowhere",
    });
  });

  it("everything that templates hold", () => {
    const flow = read(
      templateOf(`
        <controllerServices><id>s</id><name>Pool</name><type>a.B</type><state>DISABLED</state>
          <descriptors><entry><key>Login</key><value><name>Login</name><sensitive>true</sensitive></value></entry></descriptors>
          <properties><entry><key>Login</key><value>hunter2</value></entry><entry><key>Empty</key><value></value></entry></properties></controllerServices>
        <labels><id>l</id><label><![CDATA[a < b &amp; c]]></label><style><entry><key>color</key><value>#fff</value></entry></style></labels>
        <funnels><id>f</id><position><x>1.5</x><y>-2</y></position></funnels>
        <inputPorts><id>i</id><name>in &lt;&#65;&gt;</name><state>RUNNING</state></inputPorts>
        <remoteProcessGroups><id>r</id><name>Site</name><contents><inputPorts><id>ri</id><name>remote in</name></inputPorts></contents></remoteProcessGroups>
        <processGroups><id>g</id><name>Inner</name><contents><processors><id>p</id><name>P</name></processors></contents>
          <variables><entry><key>region</key><value>eu</value></entry></variables></processGroups>
        <connections><id>c</id><source><id>i</id></source><destination><id>ri</id></destination>
          <bends><x>1.0</x><y>2.0</y></bends><bends><x>3.0</x><y>4.0</y></bends>
          <selectedRelationships>b</selectedRelationships><selectedRelationships>a</selectedRelationships></connections>`),
    );
    expect(Array.from(flow.components.values(), ({ kind, id, parentId, name }) => [kind, id, parentId, name].join(" "))).toEqual([
      "flow flow  ",
      "process-group template  T",
      "controller-service s template Pool",
      "input-port i template in <A>",
      "funnel f template ",
      "label l template ",
      "remote-process-group r template Site",
      "remote-port ri r remote in",
      "connection c template ",
      "process-group g template Inner",
      "processor p g P",
    ]);
    expect(fieldsOf(flow, "Pool")).toEqual({
      scheduledState: "DISABLED",
      "properties.Login": { fingerprint: expect.any(String), isEncrypted: false },
      "properties.Empty": "",
    });
    expect(Object.fromEntries(flow.components.get("c")?.fields ?? [])).toEqual({
      source: { referenceTo: "i", name: "" },
      destination: { referenceTo: "ri", name: "" },
      bends: "1, 2; 3, 4",
      selectedRelationships: "a, b",
    });
    expect(Object.fromEntries(flow.components.get("l")?.fields ?? [])).toEqual({ label: "a < b &amp; c", style: '{"color":"#fff"}' });
    expect(Object.fromEntries(flow.components.get("f")?.fields ?? [])).toEqual({ position: "1.5, -2" });
    expect(fieldsOf(flow, "Inner")).toEqual({ "variables.region": "eu" });
  });
});
