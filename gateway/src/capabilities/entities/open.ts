import type { AdministeredType } from "@fairway/contract/administration";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { AccountParts } from "./account-keeper.ts";
import { groupsKeeper } from "./groups-keeper.ts";
import { storedKeepers } from "./kinds.ts";
import { rolesKeeper } from "./roles-keeper.ts";
import { type Administration, administrationOf } from "./service.ts";
import { usersKeeper } from "./users-keeper.ts";
import { type WarningParts, warningChecks } from "./warnings.ts";

interface Parts extends AccountParts {
  readonly db: Kysely<Database>;
  readonly revisionsPerEntity: number;
  readonly stored: Parameters<typeof storedKeepers>[0];
  readonly addresses: Parameters<typeof storedKeepers>[1];
  readonly warnings: WarningParts;
  readonly jolt: Parameters<typeof storedKeepers>[2];
}

/** Every type that administrators work with, by its path segment. */
export function openAdministration(parts: Parts): Record<AdministeredType, Administration> {
  const keepers = {
    users: usersKeeper(parts),
    groups: groupsKeeper(parts),
    roles: rolesKeeper(parts),
    ...storedKeepers(parts.stored, parts.addresses, parts.jolt),
  };
  const checks = warningChecks(parts.warnings);
  const entries = Object.entries(keepers).map(([type, keeper]) => [
    type,
    administrationOf(parts.db, keeper, { ...parts, checks: checks[type as AdministeredType] }),
  ]);
  return Object.fromEntries(entries) as Record<AdministeredType, Administration>;
}
