import { userAdministration } from "@fairway/contract/accounts";
import { type AdministeredType, administration } from "@fairway/contract/administration";
import type { EntityRoutes } from "@fairway/contract/entities";
import type { BaseLogger } from "pino";
import { type Capability, type Implementation, implement } from "#capability.ts";
import type { DatabaseConnection } from "#database/connection.ts";
import type { Identity } from "#identity/identity.ts";
import type { SecurityLimits } from "#identity/security-limits.ts";
import type { AccountParts } from "./account-keeper.ts";
import { cleanRevisions } from "./cleaning.ts";
import { groupsKeeper } from "./groups-keeper.ts";
import { storedKeepers } from "./kinds.ts";
import { ownChanges } from "./own-changes.ts";
import { rolesKeeper } from "./roles-keeper.ts";
import { entityHandlers } from "./routes.ts";
import { type Administration, administrationOf } from "./service.ts";
import { userAdministrationRoutes } from "./user-routes.ts";
import { usersKeeper } from "./users-keeper.ts";
import { type WarningParts, warningChecks } from "./warnings.ts";

interface Parts extends AccountParts {
  readonly database: Pick<DatabaseConnection, "db" | "longRunning">;
  readonly identity: AccountParts["identity"] & Pick<Identity, "isLocked" | "removeSecondFactors" | "securityEventsOf">;
  readonly stored: Parameters<typeof storedKeepers>[0];
  readonly addresses: Parameters<typeof storedKeepers>[1];
  readonly jolt: Parameters<typeof storedKeepers>[2];
  readonly warnings: WarningParts;
  readonly limits: Pick<SecurityLimits, "revisionsPerEntity" | "revisionDays">;
  readonly log: Pick<BaseLogger, "info" | "warn">;
}

export interface Entities extends Capability {
  /** By the type's path segment. */
  readonly administrations: Readonly<Record<AdministeredType, Administration>>;
  /** Runs a change that somebody makes of their own account, and records a revision of it. */
  readonly recordOwnChange: ReturnType<typeof ownChanges>;
}

/** Everything that administrators keep: entities of every type, users, groups and roles. */
export function openEntities(parts: Parts): Entities {
  const { identity, limits, log } = parts;
  const { db, longRunning } = parts.database;
  const users = usersKeeper(parts);
  const keepers = {
    users,
    groups: groupsKeeper(parts),
    roles: rolesKeeper(parts),
    ...storedKeepers(parts.stored, parts.addresses, parts.jolt),
  };
  const checks = warningChecks(parts.warnings);
  const administrations = Object.fromEntries(
    Object.entries(keepers).map(([type, keeper]) => [
      type,
      administrationOf(longRunning.db, keeper, { ...limits, checks: checks[type as AdministeredType] }),
    ]),
  ) as Record<AdministeredType, Administration>;
  const cleaning = cleanRevisions({ db: longRunning.db, days: limits.revisionDays, log });
  return {
    administrations,
    recordOwnChange: ownChanges({ db, keeper: users, ...limits }),
    routes: {
      userAdministration: implement(userAdministration, userAdministrationRoutes({ db, identity, users: administrations.users })),
      ...Object.fromEntries(
        Object.entries(administration).map(([type, routes]): [string, Implementation] => [
          referenceName(type),
          implement<EntityRoutes>(routes, entityHandlers(administrations[type as AdministeredType])),
        ]),
      ),
    },
    close: () => cleaning.close(),
  };
}

/** In the API reference: `adminDatasetsInternal`. */
function referenceName(type: string): string {
  return `admin-${type}`.replaceAll(/\W(\w)/g, (_, letter: string) => letter.toUpperCase());
}
