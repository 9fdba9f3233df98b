import { datasetAccessAdministration } from "@fairway/contract/dataset-access-administration";
import { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { Entity, RevisionAction } from "@fairway/contract/entities";
import { type Capability, implement } from "#http/capability.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import type { Engines } from "#query/engines.ts";
import { Keystores } from "#query/rest/keystore.ts";
import { type AccessParts, accessRoutes } from "./access-rules.ts";
import { type DerivedProblemsOf, derivedWarnings } from "./derived-warnings.ts";
import { DataWarnings } from "./data-warnings.ts";
import { keystoreWarnings } from "./keystore-warnings.ts";
import { type Parts as RouteParts, datasetAdministrationRoutes } from "./routes.ts";
import { ruleWarnings } from "./rule-warnings.ts";
import { withReading } from "./reading-storage.ts";
import { type SchemaUpdateParts, SchemaUpdates } from "./schema-updates.ts";

interface Parts extends Omit<RouteParts, "datasets" | "updates">, Omit<SchemaUpdateParts, "save">, Pick<AccessParts, "useAs"> {
  /** Internal datasets. `get` refuses with not-found. `amend` saves a change with a revision, and refuses with not-found. */
  readonly datasets: AccessParts["datasets"] & {
    amend(
      id: string,
      action: RevisionAction,
      by: SignedInUser,
      change: (entity: Entity) => Readonly<Record<string, unknown>>,
    ): Promise<Entity>;
  };
  /** Whether all gateways know datasets with how their text files are read. */
  readonly readingsAreTaken: () => Promise<boolean>;
}

/** Administration of internal datasets beyond editing: descriptions of columns, schema updates and inspection of data. */
export function openDatasetAdministration({ datasets, readingsAreTaken, useAs, ...parts }: Parts): Capability {
  const { db } = parts;
  const access: AccessParts = {
    datasets,
    useAs,
    findReader: (userId) => userWithoutSession(db, userId),
    roleNames: async () => new Set((await db.selectFrom("roles").select("name").execute()).map(({ name }) => name)),
  };
  const save: SchemaUpdateParts["save"] = async (id, columns, by, reading) => {
    const stored = (await readingsAreTaken()) ? reading : undefined;
    return datasets.amend(id, "schema", by, (entity) => ({ ...withReading(entity, stored), schema: { columns } }));
  };
  const updates = new SchemaUpdates({ ...parts, save });
  return {
    routes: {
      datasetAdministration: implement(datasetAdministration, datasetAdministrationRoutes({ ...parts, datasets, updates })),
      datasetAccessAdministration: implement(datasetAccessAdministration, accessRoutes(access)),
    },
    close: () => updates.close(),
  };
}

interface WarningParts {
  readonly derivedProblems: DerivedProblemsOf;
  readonly grantCounts: Parameters<typeof ruleWarnings>[0]["grantCounts"];
  readonly engines: Engines;
  readonly keystoreFolder: string;
}

export interface DatasetWarnings extends Capability {
  readonly checks: {
    readonly derived: ReturnType<typeof derivedWarnings>;
    readonly data: DataWarnings["check"];
    readonly rules: ReturnType<typeof ruleWarnings>;
    readonly keystore: ReturnType<typeof keystoreWarnings>;
  };
}

/** Checks whether the data and keystores of datasets can be used. */
export function openDatasetWarnings({ derivedProblems, grantCounts, engines, keystoreFolder }: WarningParts): DatasetWarnings {
  const data = new DataWarnings(engines);
  return {
    checks: {
      derived: derivedWarnings(derivedProblems),
      data: data.check,
      rules: ruleWarnings({ engines, grantCounts }),
      keystore: keystoreWarnings(new Keystores(keystoreFolder)),
    },
    routes: {},
    close: () => data.close(),
  };
}
