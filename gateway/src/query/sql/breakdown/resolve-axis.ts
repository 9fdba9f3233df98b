import type { BreakdownAxis } from "#query/breakdown.ts";
import { EngineFailed } from "#query/engine.ts";
import type { ResolvedAxis, Resolving } from "./resolved-axis.ts";
import { resolveValues } from "./value-axis.ts";

/** Finds the entries of an axis, and how rows get their places among them. */
export function resolveAxis(axis: BreakdownAxis, place: number, resolving: Resolving): Promise<ResolvedAxis> {
  if (axis.kind === "value") return resolveValues(axis, place, resolving);
  throw new EngineFailed("unsupported", `This server does not group by '${axis.kind}' yet.`);
}
