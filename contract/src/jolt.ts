import { z } from "zod";
import { entityId, shallow, tooDeep } from "./entities.ts";
import { route } from "./route.ts";

const joltOperation = z.enum(["shift", "default", "remove", "sort", "cardinality"]);

const joltStep = z
  .object({
    operation: joltOperation,
    /** Every operation but sort has one. */
    spec: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(({ operation, spec }) => operation === "sort" || spec !== undefined, { path: ["spec"], message: "is needed" });
export type JoltStep = z.infer<typeof joltStep>;

/** A chain: each step takes what the one before it gives. */
export const joltSpec = z.array(joltStep).min(1).max(100);

export const joltSpecification = z.object({
  name: entityId,
  sourceType: z.string().max(200).default(""),
  targetType: z.string().max(200).default(""),
  /** A text of it is taken, too: so it is kept, since the order of its keys counts. */
  joltSpec: z.preprocess((spec) => (typeof spec === "string" ? parsed(spec) : spec), joltSpec),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The calls on Jolt specifications beside the ones that every type has. */
export const joltTrial = {
  run: route({
    method: "POST",
    path: "/admin/joltSpecifications/try",
    access: { role: "admin" },
    summary: "What a chain makes of an input. Stores nothing.",
    body: z.object({ joltSpec: z.unknown().refine(shallow, tooDeep), input: z.unknown().refine(shallow, tooDeep) }),
    /** Null where nothing is left, as with Jolt. */
    response: z.object({ output: z.unknown() }),
    streamed: true,
  }),
};
