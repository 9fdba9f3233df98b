import type { AuditTables } from "#capabilities/audit/tables.ts";
import type { CardTables } from "#identity/card-tables.ts";
import type { SecondFactorTables } from "#identity/second-factor-tables.ts";
import type { SecurityEventTables } from "#identity/security-event-tables.ts";
import type { AccountTables } from "#identity/tables.ts";
import type { EntityTables } from "#entities/tables.ts";
import type { ApiKeyTables } from "#capabilities/api-keys/tables.ts";
import type { SchemaUpdateTables } from "#capabilities/dataset-administration/tables.ts";
import type { DatasetGroupTables } from "#capabilities/dataset-groups/tables.ts";
import type { ExportTables } from "#capabilities/exports/tables.ts";
import type { FavoriteTables } from "#capabilities/favorites/tables.ts";
import type { FeedbackTables } from "#capabilities/feedback/tables.ts";
import type { GraphTemplateTables } from "#capabilities/graph-templates/tables.ts";
import type { NoticeTables } from "#capabilities/notices/tables.ts";
import type { SavedSearchTables } from "#capabilities/saved-searches/tables.ts";

/** Every table of the application database; each room declares its own beside its code. */
export interface Database
  extends
    AccountTables,
    CardTables,
    SecondFactorTables,
    SecurityEventTables,
    EntityTables,
    ApiKeyTables,
    ExportTables,
    FavoriteTables,
    DatasetGroupTables,
    SchemaUpdateTables,
    SavedSearchTables,
    GraphTemplateTables,
    AuditTables,
    NoticeTables,
    FeedbackTables {}
