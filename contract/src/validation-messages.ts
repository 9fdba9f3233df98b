import type { z } from "zod";

type Issue = z.core.$ZodRawIssue;

/** Maximum number of unknown fields in one message. */
const maxKeys = 10;

/** A bound with its unit. */
const formatBound = (origin: string, bound: number | bigint): string => {
  if (origin === "string") return `${bound} ${Number(bound) === 1 ? "character" : "characters"}`;
  if (origin === "array" || origin === "set") return `${bound} ${Number(bound) === 1 ? "entry" : "entries"}`;
  return String(bound);
};

const countableOrigins = new Set(["string", "array", "set"]);

const kinds: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

const formats: Record<string, string> = {
  email: "an email address",
  url: "an address (URL)",
  uuid: "an id (UUID)",
  datetime: "a time (ISO 8601)",
  date: "a date (ISO 8601)",
};

/**
 * Message that follows the name of the field: `is missing.` Passed as `error` to a schema's parse. A schema's own messages
 * take precedence, and issues without a message here keep Zod's.
 */
export function validationMessage(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing." : `is not ${kinds[issue.expected] ?? issue.expected}.`;
    case "too_small":
      if (countableOrigins.has(issue.origin))
        return Number(issue.minimum) === 1 ? "is empty." : `needs at least ${formatBound(issue.origin, issue.minimum)}.`;
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}.`;
    case "too_big":
      if (countableOrigins.has(issue.origin)) return `may have at most ${formatBound(issue.origin, issue.maximum)}.`;
      return `must be ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}.`;
    case "invalid_format":
      return formats[issue.format] === undefined ? undefined : `is not ${formats[issue.format]}.`;
    case "invalid_value":
      return issue.input === undefined ? "is missing." : `is not ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}.`;
    case "unrecognized_keys":
      return `There is no such field: ${issue.keys
        .slice(0, maxKeys)
        .map((key) => `'${key}'`)
        .join(", ")}.`;
    case "invalid_union":
      return issue.input === undefined ? "is missing." : "matches none of its allowed forms.";
    case "custom":
    case "invalid_element":
    case "invalid_key":
    case "not_multiple_of":
      break;
  }
  return undefined;
}
