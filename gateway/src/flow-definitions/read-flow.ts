import { type Flow, FlowUnreadable } from "./flow-model.ts";
import { readJsonFlow } from "./read-json-flow.ts";
import { readXmlTemplate } from "./read-xml-template.ts";
import { readYaml } from "./read-yaml.ts";

/** Recognized from the content, because an iteration has no file name. Anything that is neither JSON nor XML may be YAML. */
export function formatOf(text: string): Flow["format"] {
  const first = /[^\s\uFEFF]/.exec(text)?.[0];
  if (first === "{" || first === "[") return "json";
  return first === "<" ? "xml" : "yaml";
}

/** Throws FlowUnreadable. Its secrets can only be compared with those of flows that this process read. */
export function readFlow(text: string): Flow {
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (content.trim() === "") throw new FlowUnreadable("not-a-flow", "The content is empty.");
  const format = formatOf(content);
  if (format === "json") return readJsonFlow(content);
  // Nothing may precede the XML declaration, but leading white space is harmless.
  return format === "xml" ? readXmlTemplate(content.trimStart()) : readYaml(content);
}
