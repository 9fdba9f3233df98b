import type { RouteShape } from "@fairway/contract/route";
import { censor } from "#secrets/hide-secrets.ts";

const maxPathCharacters = 500;
const maxUserAgentCharacters = 300;

/** API keys and JWTs, recognized by their format anywhere in a text. */
const credentials = /fwk_[\w-]+|eyJ[\w-]{10,}[\w.-]*/g;
/** Query parameters that are encoded in a path segment, such as `%3Ftoken=…`. */
const assignments = /\b(\w*(?:token|signature|password|secret|key|code|credential)\w*)=[^&/;\s]+/gi;

/**
 * The readable path of a call: decoded, without the query string and without the values of secret parameters. A slash within a
 * segment stays `%2F`.
 */
export function pathOf(url: string, shape: RouteShape | undefined): string {
  const segments = (url.split(/[?#]/, 1)[0] ?? "").split("/").map(decoded);
  for (const [fromEnd, name] of hiddenSegments(shape)) {
    const index = segments.length - fromEnd;
    if (segments[index] !== undefined) segments[index] = name;
  }
  return oneLine(segments.join("/"), maxPathCharacters);
}

/** Counted from the end, because the contract does not know the prefix of the route. */
function hiddenSegments(shape: RouteShape | undefined): [number, string][] {
  if (shape?.hiddenParams === undefined) return [];
  const names = new Set(shape.hiddenParams.map((name) => `:${name}`));
  const template = shape.path.split("/");
  return template.flatMap((segment, index): [number, string][] => (names.has(segment) ? [[template.length - index, segment]] : []));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll("/", "%2F");
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

export const userAgentOf = (header: string | undefined): string => oneLine(header ?? "", maxUserAgentCharacters);

/** Text on a single line without secrets and control characters, truncated to `maxLength`. */
export function oneLine(text: string, maxLength: number): string {
  // Truncated before the regular expressions run, as a header may be very long.
  const cleaned = wellFormed(text.slice(0, maxLength * 3))
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{fffd}")
    .replaceAll(credentials, censor)
    .replaceAll(assignments, `$1=${censor}`);
  return cleaned.length <= maxLength ? cleaned : `${wellFormed(cleaned.slice(0, maxLength - 1))}…`;
}

/** Replaces lone surrogates. */
const wellFormed = (text: string): string => Buffer.from(text).toString();
