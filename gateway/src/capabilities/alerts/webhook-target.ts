import { createHmac, randomBytes } from "node:crypto";
import { encryptedTextColumn } from "#secrets/encrypted-column.ts";
import { type MasterKey, UnreadableCiphertext } from "#secrets/master-key.ts";

/** URL that messages of an alert are posted to, and the key that signs them. */
export interface WebhookTarget {
  readonly url: string;
  /** `whsec_` and 32 bytes in base64, as Standard Webhooks writes it. */
  readonly secret: string;
}

export const webhookTargetColumn = encryptedTextColumn(
  { table: "alert_webhooks", column: "target", row: { alertId: "alert_id" } },
  ({ alertId }) => `alert-webhook:${alertId}`,
);

const secretPrefix = "whsec_";

export const newWebhookSecret = (): string => secretPrefix + randomBytes(32).toString("base64");

export const encryptTarget = (masterKey: MasterKey, alertId: string, target: WebhookTarget): string =>
  masterKey.encrypt(JSON.stringify(target), webhookTargetColumn.contextOf({ alertId }));

/** Undefined if it was encrypted with another key. */
export function decryptTarget(masterKey: MasterKey, alertId: string, stored: string): WebhookTarget | undefined {
  try {
    return JSON.parse(masterKey.decrypt(stored, webhookTargetColumn.contextOf({ alertId })).toString()) as WebhookTarget;
  } catch (error) {
    if (error instanceof UnreadableCiphertext) return undefined;
    throw error;
  }
}

/** The headers that identify and sign a message: https://www.standardwebhooks.com. `timestamp` is in seconds. */
export function signatureHeaders(secret: string, id: string, timestamp: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
}
