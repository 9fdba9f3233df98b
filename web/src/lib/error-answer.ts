import { z } from "zod";
import type { ReceivedErrorItem } from "./gateway-error.ts";

const item = z.object({ code: z.string().catch(""), message: z.string().min(1), path: z.string().optional().catch(undefined) });
const listed = z.object({ errors: z.array(z.unknown()) });

/** Other servers on the way say it in one of these fields. */
const sentenceFields = ["message", "detail", "error_description", "error", "title"];
const longestSentence = 500;

/**
 * The reasons in a refusal's body. A server's sentence is kept whatever stands around it: a code or a field that this version does
 * not know, or the body of a proxy. Empty where there is no sentence for people, as in an HTML page.
 */
export function errorsOf(text: string): ReceivedErrorItem[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  const errors = listed.safeParse(body).data?.errors.flatMap((one) => item.safeParse(one).data ?? []) ?? [];
  if (errors.length > 0) return errors;
  const sentence = sentenceOf(body);
  return sentence === undefined ? [] : [{ code: "", message: sentence }];
}

function sentenceOf(body: unknown): string | undefined {
  const fields = z.record(z.string(), z.unknown()).safeParse(body).data ?? {};
  return sentenceFields
    .map((field) => fields[field])
    .find((value): value is string => typeof value === "string" && value.trim() !== "" && value.length <= longestSentence);
}
