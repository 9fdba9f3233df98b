import { recordOf } from "@fairway/contract/records";
import { z } from "zod";
import type { ReceivedErrorItem } from "./gateway-error.ts";

const item = z.object({ code: z.string().catch(""), message: z.string().min(1), path: z.string().optional().catch(undefined) });
const errorList = z.object({ errors: z.array(z.unknown()) });

/** Proxies put their message into one of these fields. */
const messageFields = ["message", "detail", "error_description", "error", "title"];
const maxMessageLength = 500;

/**
 * Parses the errors in a response body. Keeps the server's message even with a code or field this version does not know, and
 * finds the message in a proxy's JSON. Empty if there is no message for people, as in an HTML page.
 */
export function parseErrors(text: string): ReceivedErrorItem[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  const errors = errorList.safeParse(body).data?.errors.flatMap((error) => item.safeParse(error).data ?? []) ?? [];
  if (errors.length > 0) return errors;
  const message = findMessage(body);
  return message === undefined ? [] : [{ code: "", message }];
}

function findMessage(body: unknown): string | undefined {
  const fields = recordOf(z.string(), z.unknown()).safeParse(body).data ?? {};
  return messageFields
    .map((field) => fields[field])
    .find((value): value is string => typeof value === "string" && value.trim() !== "" && value.length <= maxMessageLength);
}
