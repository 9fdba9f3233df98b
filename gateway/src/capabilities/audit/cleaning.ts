import type { RouteShape } from "@fairway/contract/route";

const hidden = "[hidden]";
const pathCharacters = 500;
const userAgentCharacters = 300;

/** API keys and signed tokens are known by their look, wherever they stand. */
const credentials = /fwk_[\w-]+|eyJ[\w-]{10,}[\w.-]*/g;
/** A query that hides in a path's segment, as `%3Ftoken=…`. */
const assignments = /\b(\w*(?:token|signature|password|secret|key|code|credential)\w*)=[^&/;\s]+/gi;

/**
 * The path of a call as people read it: decoded, without the query, and without the values of parameters that open something
 * by themselves. A slash within a segment stays `%2F`.
 */
export function pathOf(url: string, shape: RouteShape | undefined): string {
  const segments = (url.split(/[?#]/, 1)[0] ?? "").split("/").map(decoded);
  for (const [fromEnd, name] of hiddenSegments(shape)) {
    const index = segments.length - fromEnd;
    if (segments[index] !== undefined) segments[index] = name;
  }
  return oneLine(segments.join("/"), pathCharacters);
}

/** Counted from the end, because what stands in front of the route is not the contract's. */
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

export const userAgentOf = (header: string | undefined): string => oneLine(header ?? "", userAgentCharacters);

/** Text the database can store and a screen can show in one line: no secrets, no control characters, not endless. */
export function oneLine(text: string, longest: number): string {
  // Looked at before it is searched for anything: a header may be as long as the server takes.
  const shown = wellFormed(text.slice(0, longest * 3))
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{fffd}")
    .replaceAll(credentials, hidden)
    .replaceAll(assignments, `$1=${hidden}`);
  return shown.length <= longest ? shown : `${wellFormed(shown.slice(0, longest - 1))}…`;
}

/** Halves of characters are no text. */
const wellFormed = (text: string): string => Buffer.from(text).toString();
