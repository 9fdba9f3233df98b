/** A field that was sent although its type has none of that name, by the names that lead to it. */
export type UnknownField = readonly string[];

/**
 * Fields of what was sent that the type does not know: the parsed body has none of that name. Saving them away silently would
 * let a typing error pass for a change. At most ten are named.
 */
export function unknownFields(sent: unknown, parsed: unknown): UnknownField[] {
  const found: UnknownField[] = [];
  compare(sent, parsed, [], found);
  return found.slice(0, 10);
}

function compare(sent: unknown, parsed: unknown, path: UnknownField, found: UnknownField[]): void {
  if (found.length >= 10 || !isObject(sent) || !isObject(parsed)) return;
  for (const [name, value] of Object.entries(sent)) {
    const at = [...path, name];
    if (Object.hasOwn(parsed, name)) compare(value, parsed[name], at, found);
    else found.push(at);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
