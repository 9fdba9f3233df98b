import {
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  type Event,
  YAMLException,
  parseEvents,
} from "js-yaml";
import { FlowUnreadable, type TextFlow, maxDepth } from "./flow-model.ts";

/** Values of a document after every alias was replaced by what it stands for. */
const maxExpandedValues = 2_000_000;

/** Only checks that it is safe YAML with lists or mappings; see `TextFlow`. Throws FlowUnreadable. Decision 0430. */
export function readYaml(text: string): TextFlow {
  const events = parse(text);
  refuseAliasBomb(text, events);
  const outermost = events.find(({ type }) => type !== EVENT_DOCUMENT)?.type;
  if (outermost !== EVENT_MAPPING && outermost !== EVENT_SEQUENCE) {
    throw new FlowUnreadable("not-a-flow", "This is not a flow: it is neither JSON nor XML nor structured YAML.");
  }
  return { format: "yaml" };
}

function parse(text: string): Event[] {
  try {
    return parseEvents(text, { maxDepth });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    if (error.reason.startsWith("nesting exceeded"))
      throw new FlowUnreadable("dangerous", `The YAML is nested more than ${maxDepth} deep.`);
    const { line, column } = error.mark ?? { line: 0, column: 0 };
    throw new FlowUnreadable("syntax", `This is not valid YAML: line ${line + 1}, column ${column + 1} is unexpected.`);
  }
}

/** A few aliases of aliases stand for more values than fit into memory, though never here, where nothing is expanded. */
function refuseAliasBomb(text: string, events: readonly Event[]): void {
  const sizes = new Map<string, number>();
  const open: { size: number; readonly anchor: string | undefined }[] = [];
  const add = (size: number) => {
    const parent = open.at(-1);
    if (parent === undefined) return;
    parent.size += size;
    if (parent.size > maxExpandedValues) {
      throw new FlowUnreadable("dangerous", `The aliases of the YAML stand for more than ${maxExpandedValues} values.`);
    }
  };
  const anchorOf = (event: { readonly anchorStart: number; readonly anchorEnd: number }) =>
    event.anchorStart < 0 ? undefined : text.slice(event.anchorStart, event.anchorEnd);
  const close = (size: number, anchor: string | undefined) => {
    if (anchor !== undefined) sizes.set(anchor, size);
    add(size);
  };
  for (const event of events) {
    if (event.type === EVENT_SCALAR) close(1, anchorOf(event));
    else if (event.type === EVENT_ALIAS) add(sizes.get(anchorOf(event) ?? "") ?? 1);
    else if (event.type === EVENT_MAPPING || event.type === EVENT_SEQUENCE) open.push({ size: 1, anchor: anchorOf(event) });
    else if (event.type === EVENT_DOCUMENT) open.push({ size: 0, anchor: undefined });
    else if (event.type === EVENT_POP) {
      const ended = open.pop();
      if (ended) close(ended.size, ended.anchor);
    }
  }
}
