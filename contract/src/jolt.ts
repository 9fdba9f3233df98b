import { z } from "zod";
import { entityId } from "./entities.ts";

/** The transforms that are known. Jolt's Java names stand for them, too, as its `operation` allows. */
const joltOperation = z.enum(["shift", "default", "remove", "sort", "cardinality"]);

const joltStep = z
  .object({
    operation: joltOperation,
    /** Every operation but sort has one. */
    spec: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(({ operation, spec }) => operation === "sort" || spec !== undefined, { path: ["spec"], message: "is needed" });

/** A chain: each step takes what the one before it gives. */
const joltSpec = z.array(joltStep).min(1).max(100);

export const joltSpecification = z.object({
  name: entityId,
  sourceType: z.string().max(200).default(""),
  targetType: z.string().max(200).default(""),
  joltSpec,
});
