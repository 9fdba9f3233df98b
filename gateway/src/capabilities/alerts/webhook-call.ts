import { AddressRefused, type AddressPolicy } from "#outbound/address-policy.ts";
import { boundedFetch, CallTimedOut, ResponseRefused } from "#outbound/bounded-fetch.ts";
import { signatureHeaders, type WebhookTarget } from "./webhook-target.ts";

export interface WebhookTimeouts {
  readonly connectMs: number;
  readonly readMs: number;
}

const defaultTimeouts: WebhookTimeouts = { connectMs: 5_000, readMs: 10_000 };
/** Upper bound on a receiver's answer, which is not read. */
const maxAnswerBytes = 65_536;
const gone = 410;

/** The message did not arrive. The message of this error completes "The webhook …", and is shown to the owner. */
export class DeliveryFailed extends Error {
  /** The receiver wants no further messages. */
  readonly isFinal: boolean;
  constructor(message: string, { isFinal = false } = {}) {
    super(message);
    this.isFinal = isFinal;
  }
}

/**
 * Posts a signed message. Without encryption only to addresses that the operator has listed. Rejects with DeliveryFailed unless
 * the answer has a status from 200 to 299; redirects are not followed.
 */
export async function postWebhook(
  policy: AddressPolicy,
  { url, secret }: WebhookTarget,
  message: { readonly id: string; readonly body: string },
  signal: AbortSignal,
  timeouts = defaultTimeouts,
): Promise<void> {
  const target = new URL(url);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Fairway",
    ...signatureHeaders(secret, message.id, Math.floor(Date.now() / 1_000), message.body),
  };
  const allowed = target.protocol === "https:" ? policy : policy.listedOnly();
  let status: number;
  try {
    const call = { service: "webhook", method: "POST", headers, body: message.body, signal, timeouts } as const;
    ({ status } = await boundedFetch(allowed, maxAnswerBytes, target, call));
  } catch (error) {
    throw signal.aborted ? error : new DeliveryFailed(problemOf(error));
  }
  if (status >= 200 && status < 300) return;
  if (status === gone) throw new DeliveryFailed("answered that it is gone (410)", { isFinal: true });
  const redirect = status < 400 ? ", and redirects are not followed" : "";
  throw new DeliveryFailed(`answered with the status ${status}${redirect}`);
}

/** Says little of what the portal's network looks like. */
function problemOf(error: unknown): string {
  if (error instanceof AddressRefused) return "has an address that the portal does not call";
  if (error instanceof CallTimedOut) return "did not answer in time";
  if (error instanceof ResponseRefused) return "answered with more than a message";
  return "could not be reached";
}
