import type { FlowComponentRef } from "@fairway/contract/flow-differences";
import { readableText } from "@fairway/contract/readable-text";

type ComponentRef = Pick<FlowComponentRef, "id" | "groupPath">;

/** The line at which the content of an iteration defines a component, counted from 1; null if it does not name the id. */
export function componentLine(content: string, component: ComponentRef): number | null {
  const text = readableText(content);
  const offset =
    definitionIn(text, component.id, component.groupPath) ?? definitionIn(text, identifierOf(component.id), component.groupPath);
  if (offset === undefined) return null;
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** Ids of components whose identifiers repeat have a suffix, which no file has. */
const identifierOf = (id: string): string => id.replace(/(?:@[\da-f]{8})?(?:#\d+)?$/, "");

function definitionIn(text: string, identifier: string, groupPath: readonly string[]): number | undefined {
  const id = JSON.stringify(identifier);
  const spellings = [`"identifier": ${id}`, `"identifier":${id}`, `"identifier" : ${id}`, `<id>${identifier}</id>`];
  const offsets = spellings.flatMap((spelling) => offsetsOf(text, spelling)).toSorted((one, other) => one - other);
  if (offsets.length > 1 && text.trimStart().startsWith("{")) {
    const groups = groupsAround(text, identifier);
    const own = groups.findIndex((names) => names.length === groupPath.length && names.every((name, index) => name === groupPath[index]));
    if (own >= 0 && groups.length === offsets.length) return offsets[own];
  }
  // Templates name the ends of connections in the same way, but before the components themselves.
  return offsets.at(-1);
}

function offsetsOf(text: string, wanted: string): number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) offsets.push(at);
  return offsets;
}

/** The names of the process groups around each object with this identifier, in the order of the text: copied groups repeat them. */
function groupsAround(text: string, identifier: string): string[][] {
  const found: string[][] = [];
  const visit = (value: unknown, groups: readonly string[]): void => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item, groups);
      return;
    }
    const { name } = value as { name?: unknown };
    const inside = "processors" in value && typeof name === "string" ? [...groups, name] : groups;
    for (const [key, part] of Object.entries(value)) {
      if (key === "identifier" && part === identifier) found.push([...groups]);
      else visit(part, inside);
    }
  };
  try {
    visit(JSON.parse(text), []);
  } catch (error) {
    // A text that is no JSON, or is nested too deeply, has no groups to distinguish.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  return found;
}
