import type { BreakdownAxis } from "#query/breakdown.ts";
import { resolveGroups } from "./groups-axis.ts";
import { resolvePart } from "./part-axis.ts";
import { resolveRanges } from "./range-axis.ts";
import type { ResolvedAxis, Resolving } from "./resolved-axis.ts";
import { resolveTime } from "./time-axis.ts";
import { resolveValues } from "./value-axis.ts";

/** Finds the entries of an axis, and how rows get their places among them. */
export async function resolveAxis(axis: BreakdownAxis, place: number, resolving: Resolving): Promise<ResolvedAxis> {
  switch (axis.kind) {
    case "value":
      return resolveValues(axis, place, resolving);
    case "time":
      return resolveTime(axis, resolving);
    case "part":
      return resolvePart(axis, resolving);
    case "range":
      return resolveRanges(axis, resolving);
    case "groups":
      return resolveGroups(axis, resolving);
    default:
      return axis satisfies never;
  }
}
