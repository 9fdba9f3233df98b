import { webhookTargetColumn } from "#capabilities/alerts/webhook-target.ts";
import { apiKeyValueColumn } from "#capabilities/api-keys/value.ts";
import type { EncryptedColumn } from "#secrets/encrypted-column.ts";
import { entitySecretsColumn } from "#entities/secrets.ts";
import { providerTokensColumn } from "#identity/provider-sessions.ts";
import { authenticatorColumn } from "#identity/second-factors.ts";
import { privateKeyColumn } from "#identity/signing-keys.ts";

/** Everything in the database that the master key encrypts. A new master key reencrypts these. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  privateKeyColumn,
  authenticatorColumn,
  providerTokensColumn,
  apiKeyValueColumn,
  entitySecretsColumn,
  webhookTargetColumn,
];
