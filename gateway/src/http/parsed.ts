import { validationMessage } from "@fairway/contract/validation-messages";
import type { z } from "zod";
import { issueItems } from "./error-handler.ts";
import { Refusal } from "./refusal.ts";

/**
 * Parses a value. Refuses with `invalid-request` and one item per issue. `subject` names the value (`The request body`);
 * `basePath` is the path of the value in the request.
 */
export function parsed<T>(schema: z.ZodType<T>, value: unknown, subject: string, basePath: readonly string[] = []): T {
  const result = schema.safeParse(value, { error: validationMessage });
  if (result.success) return result.data;
  throw Refusal.of(issueItems(result.error.issues, subject, basePath));
}
