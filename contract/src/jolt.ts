import { z } from "zod";
import { entityId, shallow, tooDeep } from "./entities.ts";
import { route } from "./route.ts";
import { recordOf } from "./records.ts";

const joltOperation = z.enum(["shift", "default", "remove", "sort", "cardinality"]);

const joltStep = z
  .object({
    operation: joltOperation,
    /** Every operation but sort has one. */
    spec: recordOf(z.string(), z.unknown()).optional(),
  })
  .refine(({ operation, spec }) => operation === "sort" || spec !== undefined, { path: ["spec"], message: "is needed" });
export type JoltStep = z.infer<typeof joltStep>;

/** A chain: each step transforms the output of the previous one. */
export const joltSpec = z.array(joltStep).min(1).max(100);

export const joltSpecification = z.object({
  name: entityId,
  sourceType: z.string().max(200).default(""),
  targetType: z.string().max(200).default(""),
  /** Also accepted as JSON text, which is how it is stored, because the order of its keys matters. */
  joltSpec: z.preprocess((spec) => (typeof spec === "string" ? parseJson(spec) : spec), joltSpec),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Calls on Jolt specifications in addition to those that every entity type has. */
export const joltTrial = {
  run: route({
    method: "POST",
    path: "/admin/joltSpecifications/try",
    access: { role: "admin" },
    summary: "The output of a chain for an input. Stores nothing.",
    body: z.object({ joltSpec: z.unknown().refine(shallow, tooDeep), input: z.unknown().refine(shallow, tooDeep) }),
    /** Null if nothing is left, as in Jolt. */
    response: z.object({ output: z.unknown() }),
    streamed: true,
  }),
};
