import { readableText } from "@fairway/contract/readable-text";

/** The line at which the content of an iteration defines a component, counted from 1; null if it does not name the id. */
export function componentLine(content: string, componentId: string): number | null {
  const text = readableText(content);
  const id = JSON.stringify(componentId);
  const spellings = [`"identifier": ${id}`, `"identifier":${id}`, `"identifier" : ${id}`, `<id>${componentId}</id>`];
  // Templates name the ends of connections in the same way, but before the components themselves.
  const place = Math.max(...spellings.map((spelling) => text.lastIndexOf(spelling)));
  if (place < 0) return null;
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < place; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
