import type { Migration } from "kysely";
import { accountsMigration } from "./migrations/0001-accounts.ts";
import { entitiesMigration } from "./migrations/0002-entities.ts";
import { favoritesMigration } from "./migrations/0003-favorites.ts";
import { datasetGroupsMigration } from "./migrations/0004-dataset-groups.ts";
import { savedSearchesMigration } from "./migrations/0005-saved-searches.ts";
import { graphTemplatesMigration } from "./migrations/0006-graph-templates.ts";
import { apiKeysMigration } from "./migrations/0007-api-keys.ts";
import { auditMigration } from "./migrations/0008-audit.ts";
import { cardLinksMigration } from "./migrations/0009-cac.ts";
import { revisionsMigration } from "./migrations/0010-revisions.ts";
import { schemaUpdatesMigration } from "./migrations/0011-schema-updates.ts";
import { revisionsInOrderMigration } from "./migrations/0012-revisions-in-order.ts";
import { noticesMigration } from "./migrations/0013-notices.ts";
import { feedbackMigration } from "./migrations/0014-feedback.ts";
import { auditFacetsMigration } from "./migrations/0015-audit-facets.ts";
import { ownSessionsMigration } from "./migrations/0016-own-sessions.ts";
import { auditApiKeyMigration } from "./migrations/0017-audit-api-keys.ts";
import { secondFactorsMigration } from "./migrations/0018-second-factors.ts";
import { passkeysMigration } from "./migrations/0019-passkeys.ts";
import { securityEventsMigration } from "./migrations/0020-security-events.ts";
import { signInStepsMigration } from "./migrations/0021-sign-in-steps.ts";
import { exportsMigration } from "./migrations/0022-exports.ts";
import { loginFailureCountsMigration } from "./migrations/0023-login-failure-counts.ts";
import { filesetZipsMigration } from "./migrations/0025-fileset-zips.ts";
import { uploadRoomMigration } from "./migrations/0026-upload-room.ts";
import { partUploadsMigration } from "./migrations/0027-part-uploads.ts";
import { descriptionsMigration } from "./migrations/0030-descriptions.ts";
import { catalogNamePartsMigration } from "./migrations/0097-catalog-name-parts.ts";
import { catalogSearchMigration } from "./migrations/0031-catalog-search.ts";
import { datasetUsageMigration } from "./migrations/0032-dataset-usage.ts";
import { datasetProfilesMigration } from "./migrations/0033-dataset-profiles.ts";
import { datasetAnnouncementsMigration } from "./migrations/0034-dataset-announcements.ts";
import { notificationsMigration } from "./migrations/0035-notifications.ts";
import { datasetQualityMigration } from "./migrations/0037-dataset-quality.ts";
import { flowsMigration } from "./migrations/0040-flows.ts";
import { flowDeploymentsMigration } from "./migrations/0041-flow-deployments.ts";
import { readableEnvironmentFactsMigration } from "./migrations/0042-readable-environment-facts.ts";
import { openIdConnectMigration } from "./migrations/0050-openid-connect.ts";
import { callCountsMigration } from "./migrations/0060-call-counts.ts";
import { providerLogoutsMigration } from "./migrations/0061-provider-logouts.ts";
import { uploadPartsMigration } from "./migrations/0062-upload-parts.ts";
import { providerSubjectsMigration } from "./migrations/0063-provider-subjects.ts";
import { boardsMigration } from "./migrations/0064-boards.ts";
import { alertsMigration } from "./migrations/0065-alerts.ts";
import { alertWebhooksMigration } from "./migrations/0066-alert-webhooks.ts";
import { assistantsMigration } from "./migrations/0070-assistants.ts";
import { boardBytesMigration } from "./migrations/0087-board-bytes.ts";
import { checkedUploadsMigration } from "./migrations/0090-checked-uploads.ts";
import { flowReasonsMigration } from "./migrations/0093-flow-reasons.ts";
import { preferencesMigration } from "./migrations/0095-preferences.ts";

export interface PortalMigration extends Migration {
  /**
   * Set if it removes something that an earlier version uses: the migration that replaced it, which the last release must already
   * have. Versions without that one refuse to start afterwards. See docs/releases.md.
   */
  readonly requires?: string;
}

/** In order, keyed by file name, which the database records. A landed migration must never change. */
export const migrations: Record<string, PortalMigration> = {
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
  "0023-login-failure-counts": loginFailureCountsMigration,
  "0025-fileset-zips": filesetZipsMigration,
  "0026-upload-room": uploadRoomMigration,
  "0027-part-uploads": partUploadsMigration,
  "0030-descriptions": descriptionsMigration,
  "0031-catalog-search": catalogSearchMigration,
  "0032-dataset-usage": datasetUsageMigration,
  "0033-dataset-profiles": datasetProfilesMigration,
  "0034-dataset-announcements": datasetAnnouncementsMigration,
  "0035-notifications": notificationsMigration,
  "0037-dataset-quality": datasetQualityMigration,
  "0040-flows": flowsMigration,
  "0041-flow-deployments": flowDeploymentsMigration,
  "0042-readable-environment-facts": readableEnvironmentFactsMigration,
  "0050-openid-connect": openIdConnectMigration,
  "0060-call-counts": callCountsMigration,
  "0061-provider-logouts": providerLogoutsMigration,
  "0062-upload-parts": uploadPartsMigration,
  "0063-provider-subjects": providerSubjectsMigration,
  "0064-boards": boardsMigration,
  "0065-alerts": alertsMigration,
  "0066-alert-webhooks": alertWebhooksMigration,
  "0070-assistants": assistantsMigration,
  "0087-board-bytes": boardBytesMigration,
  "0090-checked-uploads": checkedUploadsMigration,
  "0093-flow-reasons": flowReasonsMigration,
  "0095-preferences": preferencesMigration,
  "0097-catalog-name-parts": catalogNamePartsMigration,
};
