import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import { type AddressPolicy, AddressRefused } from "#outbound/address-policy.ts";
import { alertsLink, testText, webhookBody } from "./messages.ts";
import type { AlertRow } from "./store.ts";
import { DeliveryFailed, postWebhook } from "./webhook-call.ts";
import { decryptTarget, encryptTarget, newWebhookSecret } from "./webhook-target.ts";

/** Stores where messages are posted. Returns the secret of a new address. */
export async function setWebhook(masterKey: MasterKey, trx: Kysely<Database>, alertId: string, url: string | null): Promise<string | null> {
  const stored = await trx.selectFrom("alert_webhooks").select("target").where("alert_id", "=", alertId).executeTakeFirst();
  const known = stored && decryptTarget(masterKey, alertId, stored.target);
  if (url !== null && known?.url === url) {
    await trx.updateTable("alert_webhooks").set({ problem: "", dead_at: null }).where("alert_id", "=", alertId).execute();
    return null;
  }
  // With the messages that wait for it.
  await trx.deleteFrom("alert_webhooks").where("alert_id", "=", alertId).execute();
  if (url === null) return null;
  const secret = newWebhookSecret();
  const target = encryptTarget(masterKey, alertId, { url, secret });
  await trx.insertInto("alert_webhooks").values({ alert_id: alertId, target }).execute();
  return secret;
}

/** Refuses addresses that are known to be invalid without a call; others are refused when the webhook is called. */
export function requireAllowedWebhook(policy: AddressPolicy, webhookUrl: string): void {
  const url = new URL(webhookUrl);
  try {
    (url.protocol === "https:" ? policy : policy.listedOnly()).requireAllowed(url);
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    throw new Refusal("invalid-value", "The portal does not call this address.", { path: "webhookUrl" });
  }
}

interface TestParts {
  readonly db: Kysely<Database>;
  readonly masterKey: MasterKey;
  readonly webhookAddresses: AddressPolicy;
  readonly publicUrl: string | undefined;
}

/** Why the webhook of an alert failed; null if it took a test message, which makes it get messages again. */
export async function testWebhook(
  { db, masterKey, webhookAddresses, publicUrl }: TestParts,
  row: AlertRow,
  signal: AbortSignal,
): Promise<string | null> {
  if (row.webhook_target === null) return null;
  const target = decryptTarget(masterKey, row.id, row.webhook_target);
  if (target === undefined) return "was stored with another master key";
  const event = { type: "alert.test", alert: { id: row.id, name: row.name }, text: testText(row.name), link: alertsLink } as const;
  try {
    await postWebhook(webhookAddresses, target, { id: `msg_${randomUUID()}`, body: webhookBody(event, Date.now(), publicUrl) }, signal);
  } catch (error) {
    if (error instanceof DeliveryFailed) return error.message;
    throw error;
  }
  const changed = db.updateTable("alert_webhooks").set({ problem: "", dead_at: null });
  await changed.where("alert_id", "=", row.id).where("target", "=", row.webhook_target).execute();
  return null;
}
