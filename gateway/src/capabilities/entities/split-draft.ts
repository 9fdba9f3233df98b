import { Refusal } from "#http/refusal.ts";
import type { EntityRepository } from "./entity-repository.ts";

type Draft = Readonly<Record<string, unknown>>;

/** Separates the portal's own fields from the body of a draft. */
export function splitDraft(
  repository: EntityRepository,
  draft: Draft,
): { body: Draft; version: number | undefined; enabled: boolean | undefined } {
  // `warnings` is ignored: clients send back entities as they received them.
  const { version, enabled, warnings: _, ...body } = draft;
  if (version !== undefined && !Number.isInteger(version))
    throw new Refusal("invalid-request", "'version': is not a whole number.", { path: "version" });
  if (enabled !== undefined && !repository.canDisable)
    throw new Refusal("invalid-request", `'enabled': a ${repository.noun} cannot be enabled or disabled.`, { path: "enabled" });
  if (enabled !== undefined && typeof enabled !== "boolean")
    throw new Refusal("invalid-request", "'enabled': is neither true nor false.", { path: "enabled" });
  return { body, version: version as number | undefined, enabled };
}
