import { userAdministration } from "@fairway/contract/accounts";
import { entityDefinitions } from "@fairway/contract/administration";
import type { EntityRoutes } from "@fairway/contract/entities";
import type { AdministeredType } from "@fairway/contract/entity-types";
import type { BaseLogger } from "pino";
import { type Capability, type Implementation, implement } from "#http/capability.ts";
import type { DatabaseConnection } from "#database/connection.ts";
import type { Identity } from "#identity/identity.ts";
import type { SecurityLimits } from "#identity/security-limits.ts";
import type { AccountParts } from "./account-repository.ts";
import { cleanRevisions } from "./cleaning.ts";
import { groupsRepository } from "./groups-repository.ts";
import { type EntityRegistryParts, entityRepositories } from "./entity-registry.ts";
import { ownChanges } from "./own-changes.ts";
import { rolesRepository } from "./roles-repository.ts";
import { entityHandlers, type GiveAll, userHandlers } from "./routes.ts";
import { type Administration, administrationOf } from "./service.ts";
import { userAdministrationRoutes } from "./user-routes.ts";
import { usersRepository } from "./users-repository.ts";
import { type WarningParts, warningChecks } from "./warnings.ts";

interface Parts extends AccountParts, EntityRegistryParts {
  readonly database: Pick<DatabaseConnection, "db" | "longRunning">;
  readonly identity: AccountParts["identity"] &
    Pick<Identity, "isLocked" | "removeSecondFactors" | "securityEventsOf" | "administeredLinks">;
  readonly warnings: WarningParts;
  /** Checks a dataset that is saved further, and adds how its text files are read. */
  readonly completeDataset?: NonNullable<Parameters<typeof administrationOf>[2]["complete"]>;
  readonly giveAll: GiveAll;
  readonly limits: Pick<SecurityLimits, "revisionsPerEntity" | "revisionDays">;
  /** How long a change waits for others. Default: 5 seconds. */
  readonly changeWaitMs?: number;
  readonly log: Pick<BaseLogger, "info" | "warn">;
}

export interface Entities extends Capability {
  /** By type. */
  readonly administrations: Readonly<Record<AdministeredType, Administration>>;
  /** Runs a user's change of their own account and records a revision of it. */
  readonly recordOwnChange: ReturnType<typeof ownChanges>;
}

/** The administration of entities of every type, including users, groups and roles. */
export function openEntities(parts: Parts): Entities {
  const { identity, limits, log } = parts;
  const { db, longRunning } = parts.database;
  const users = usersRepository(parts);
  const repositories = {
    users,
    groups: groupsRepository(parts),
    roles: rolesRepository(parts),
    ...entityRepositories(parts),
  };
  const administrations = Object.fromEntries(
    Object.entries(repositories).map(([type, repository]) => [
      type,
      administrationOf(longRunning.db, repository, {
        ...limits,
        ...(parts.changeWaitMs === undefined ? {} : { changeWaitMs: parts.changeWaitMs }),
        checks: warningChecks(type as AdministeredType, parts.warnings),
        ...(type === "datasets/internal" && parts.completeDataset !== undefined ? { complete: parts.completeDataset } : {}),
      }),
    ]),
  ) as Record<AdministeredType, Administration>;
  const cleaning = cleanRevisions({ db: longRunning.db, days: limits.revisionDays, log });
  return {
    administrations,
    recordOwnChange: ownChanges({ db, users, ...limits }),
    routes: {
      userAdministration: implement(userAdministration, userAdministrationRoutes({ db, identity, users: administrations.users })),
      [referenceName("users")]: implement(entityDefinitions.users.routes, userHandlers(administrations.users, parts.giveAll)),
      ...Object.fromEntries(
        Object.values(otherDefinitions).map(({ name, routes }): [string, Implementation] => [
          referenceName(name),
          implement<EntityRoutes>(routes, entityHandlers(administrations[name])),
        ]),
      ),
    },
    close: () => cleaning.close(),
  };
}

const { users: _, ...otherDefinitions } = entityDefinitions;

/** The name of a type in the API reference, such as `adminDatasetsInternal`. */
function referenceName(type: string): string {
  return `admin-${type}`.replaceAll(/\W(\w)/g, (_, letter: string) => letter.toUpperCase());
}
