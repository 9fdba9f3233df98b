import { expect, it } from "vitest";
import { Random, generateFlow } from "#testing/generated-flows.ts";
import { readFlow } from "./read-flow.ts";
import { realFile } from "./test-flow.ts";

const template = realFile("nifi-1.18-template.xml");
const templateOf = (snippet: string) => `<?xml version="1.0"?><template><name>T</name><snippet>${snippet}</snippet></template>`;

it.each(["JSON", "XML", "YAML"] as const)("reads 5 MB of %s before the test times out", (format) => {
  const largest = 5_000_000;
  const json = JSON.stringify(generateFlow(new Random(1), { groups: 200, processorsPerGroup: 9 }));
  const processor = template.slice(template.indexOf("<processors>"), template.indexOf("</processors>") + "</processors>".length);
  const xml = templateOf(processor.repeat(Math.floor(largest / processor.length) - 1));
  const yaml = "- name: P\n  properties: {a: 1, b: [x, y]}\n".repeat(120_000);
  const text = { JSON: json, XML: xml, YAML: yaml }[format];
  expect(text.length).toBeGreaterThan(4_500_000);
  expect(readFlow(text)).toBeDefined();
});
