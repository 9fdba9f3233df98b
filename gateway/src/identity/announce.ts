import type { BaseLogger } from "pino";
import type { Notifications } from "#database/notifications.ts";

export type Log = Pick<BaseLogger, "info" | "warn">;

export type Announcements = Pick<Notifications, "on" | "onReconnect" | "notify">;

/**
 * Tells every gateway of a change that is committed. It stays done when they cannot be told at this moment: what they
 * remember runs out by itself.
 */
export async function announce(announcements: Announcements, log: Log, channel: string, payload: string): Promise<void> {
  try {
    await announcements.notify(channel, payload);
  } catch (error) {
    log.warn({ err: error, channel }, "the other gateways could not be told of a change; they will notice it by themselves");
  }
}
