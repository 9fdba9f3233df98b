interface ExactJson {
  rawJSON?: (text: string) => object;
  isRawJSON?: (value: unknown) => value is { rawJSON: string };
}
interface Context {
  source?: string;
}
const exact: ExactJson = JSON as ExactJson;

/**
 * Parses JSON. A number that JavaScript would change, such as 12345678901234567890 or 1.50, is kept as it is written: as a
 * `JSON.rawJSON` object, which `JSON.stringify` writes the same way. Browsers without it change such numbers.
 */
export function parseExactly(text: string): unknown {
  const { rawJSON } = exact;
  if (!rawJSON) return JSON.parse(text);
  const revive = (_key: string, value: unknown, context?: Context) =>
    typeof value === "number" && context?.source !== undefined && context.source !== String(value) ? rawJSON(context.source) : value;
  return JSON.parse(text, revive);
}

/** The text of a number that `parseExactly` kept; undefined for every other value. */
export const exactNumber = (value: unknown): string | undefined => (exact.isRawJSON?.(value) ? value.rawJSON : undefined);
