import type { ErrorItem } from "@fairway/contract/errors";

/**
 * Fields of what was sent that the type does not know: the parsed body has none of that name. Saving them away silently would
 * let a typing error pass for a change. At most ten are named.
 */
export function unknownFields(sent: unknown, parsed: unknown): ErrorItem[] {
  const found: ErrorItem[] = [];
  compare(sent, parsed, [], found);
  return found;
}

function compare(sent: unknown, parsed: unknown, path: readonly string[], found: ErrorItem[]): void {
  if (found.length >= 10 || !isObject(sent) || !isObject(parsed)) return;
  for (const [name, value] of Object.entries(sent)) {
    const at = [...path, name];
    if (Object.hasOwn(parsed, name)) compare(value, parsed[name], at, found);
    else if (found.length < 10)
      found.push({ code: "invalid-request", message: `'${at.join(".")}': there is no such field.`, path: at.join(".") });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
