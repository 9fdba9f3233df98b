import { validationMessage } from "@fairway/contract/validation-messages";
import type { z } from "zod";
import { issueItems } from "./error-handler.ts";
import { Refusal } from "./refusal.ts";

/**
 * What a schema makes of a value. Refuses with `invalid-request`, one item for each thing that is wrong with it.
 * `what` is said of the whole (`The request body`); `at` leads to where the value stands in what was sent.
 */
export function parsed<T>(schema: z.ZodType<T>, value: unknown, what: string, at: readonly string[] = []): T {
  const result = schema.safeParse(value, { error: validationMessage });
  if (result.success) return result.data;
  throw Refusal.of(issueItems(result.error.issues, what, at));
}
