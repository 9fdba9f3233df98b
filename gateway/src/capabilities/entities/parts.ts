import { Refusal } from "#http/refusal.ts";
import type { EntityRepository } from "./entity-repository.ts";

type Draft = Readonly<Record<string, unknown>>;

/** Takes the portal's own fields off a draft. */
export function partsOf(
  repository: EntityRepository,
  draft: Draft,
): { body: Draft; version: number | undefined; enabled: boolean | undefined } {
  // What the portal finds out about an entity is no part of it: programs send back what they were answered.
  const { version, enabled, warnings: _, ...body } = draft;
  if (version !== undefined && !Number.isInteger(version))
    throw new Refusal("invalid-request", "'version': is not a whole number.", { path: "version" });
  if (enabled !== undefined && !repository.canDisable)
    throw new Refusal("invalid-request", `'enabled': a ${repository.noun} cannot be enabled or disabled.`, { path: "enabled" });
  if (enabled !== undefined && typeof enabled !== "boolean")
    throw new Refusal("invalid-request", "'enabled': is neither true nor false.", { path: "enabled" });
  return { body, version: version as number | undefined, enabled };
}
