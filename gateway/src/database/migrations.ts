import { type Kysely, type Migration, Migrator } from "kysely";
import { accountsMigration } from "#identity/migration.ts";
import { cardLinksMigration } from "#identity/card-links-migration.ts";
import { ownSessionsMigration } from "#identity/own-sessions-migration.ts";
import { passkeysMigration } from "#identity/passkeys-migration.ts";
import { secondFactorsMigration } from "#identity/second-factors-migration.ts";
import { securityEventsMigration } from "#identity/security-events-migration.ts";
import { entitiesMigration } from "#entities/migration.ts";
import { revisionsInOrderMigration } from "#entities/revisions-in-order-migration.ts";
import { revisionsMigration } from "#entities/revisions-migration.ts";
import { apiKeysMigration } from "#capabilities/api-keys/migration.ts";
import { auditApiKeyMigration } from "#capabilities/audit/api-key-migration.ts";
import { auditFacetsMigration } from "#capabilities/audit/facets-migration.ts";
import { signInStepsMigration } from "#capabilities/audit/sign-in-steps-migration.ts";
import { auditMigration } from "#capabilities/audit/migration.ts";
import { schemaUpdatesMigration } from "#capabilities/dataset-administration/migration.ts";
import { datasetGroupsMigration } from "#capabilities/dataset-groups/migration.ts";
import { exportsMigration } from "#capabilities/exports/migration.ts";
import { favoritesMigration } from "#capabilities/favorites/migration.ts";
import { feedbackMigration } from "#capabilities/feedback/migration.ts";
import { graphTemplatesMigration } from "#capabilities/graph-templates/migration.ts";
import { noticesMigration } from "#capabilities/notices/migration.ts";
import { savedSearchesMigration } from "#capabilities/saved-searches/migration.ts";

/** In order, in the open. A landed one never changes; the name sorts as the list does. */
export const migrations: Record<string, Migration> = {
  "0001-accounts": accountsMigration,
  "0002-entities": entitiesMigration,
  "0003-favorites": favoritesMigration,
  "0004-dataset-groups": datasetGroupsMigration,
  "0005-saved-searches": savedSearchesMigration,
  "0006-graph-templates": graphTemplatesMigration,
  "0007-api-keys": apiKeysMigration,
  "0008-audit": auditMigration,
  "0009-cac": cardLinksMigration,
  "0010-revisions": revisionsMigration,
  "0011-schema-updates": schemaUpdatesMigration,
  "0012-revisions-in-order": revisionsInOrderMigration,
  "0013-notices": noticesMigration,
  "0014-feedback": feedbackMigration,
  "0015-audit-facets": auditFacetsMigration,
  "0016-own-sessions": ownSessionsMigration,
  "0017-audit-api-keys": auditApiKeyMigration,
  "0018-second-factors": secondFactorsMigration,
  "0019-passkeys": passkeysMigration,
  "0020-security-events": securityEventsMigration,
  "0021-sign-in-steps": signInStepsMigration,
  "0022-exports": exportsMigration,
};

/** Brings the database to the newest shape. Several gateways may start at once: Kysely's migrator takes a database lock. */
export async function migrate(db: Kysely<never>): Promise<void> {
  // Numbers are given before the work is done: a database may hold a later one already.
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error("the database could not be brought to this version", { cause: error });
}
