import { censor } from "#secrets/hide-secrets.ts";

/** Compared case-insensitively, because header names may have any case. */
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

/** Deeper than any logged value; also ends circular references. */
const maxDepth = 6;

/**
 * Replaces the values of fields with secret names at any depth of plain objects and lists. Class instances are left to the
 * serializers, which select what is logged. Every API call runs this several times, so values without secrets are not copied.
 */
export function hideSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return hideIn(fields, 0) as Record<string, unknown>;
}

function hideIn(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > maxDepth) return value;
  if (Array.isArray(value))
    return value.some((item) => hideIn(item, depth + 1) !== item) ? value.map((item) => hideIn(item, depth + 1)) : value;
  if (depth > 0 && !isPlain(value)) return value;
  const replaced: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const replacement = inner !== undefined && secretNames.has(name.toLowerCase()) ? censor : hideIn(inner, depth + 1);
    if (replacement !== inner) replaced.push([name, replacement]);
  }
  return replaced.length === 0 ? value : { ...value, ...Object.fromEntries(replaced) };
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
