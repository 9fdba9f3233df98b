import type { BaseLogger } from "pino";
import type { Notifications } from "#database/notifications.ts";

export type Log = Pick<BaseLogger, "info" | "warn">;

export type Announcements = Pick<Notifications, "on" | "onReconnect" | "notify">;

/**
 * Notifies every gateway of a committed change. A failure is only logged, because caches of the other gateways expire by
 * themselves.
 */
export async function announce(announcements: Announcements, log: Log, channel: string, payload: string): Promise<void> {
  try {
    await announcements.notify(channel, payload);
  } catch (error) {
    log.warn({ err: error, channel }, "the other gateways could not be notified of a change; their caches will expire");
  }
}
