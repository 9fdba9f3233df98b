/** Compared without regard to case: headers come in any. */
const secretNames = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "password",
  "newpassword",
  "token",
  "access_token",
  "refresh_token",
  "refreshtoken",
  "secret",
]);

const censor = "[hidden]";
/** Deeper than anybody nests what they log; a circle ends here, too. */
const deepest = 6;

/**
 * A log line's fields without the values of whatever has a secret's name, at the top or anywhere below. Plain objects and
 * lists are looked into; instances of classes are left to the serializers, which pick what may be written. Every call of the
 * API passes here several times, so what holds no secret is not copied.
 */
export function hideSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return hidden(fields, 0) as Record<string, unknown>;
}

function hidden(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > deepest) return value;
  if (Array.isArray(value))
    return value.some((item) => hidden(item, depth + 1) !== item) ? value.map((item) => hidden(item, depth + 1)) : value;
  if (depth > 0 && !isPlain(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [name, inner] of Object.entries(value)) {
    const shown = inner !== undefined && secretNames.has(name.toLowerCase()) ? censor : hidden(inner, depth + 1);
    if (shown === inner) continue;
    copy ??= { ...(value as Record<string, unknown>) };
    copy[name] = shown;
  }
  return copy ?? value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
