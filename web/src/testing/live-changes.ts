import { live } from "@fairway/contract/live";
import { notifications } from "@fairway/contract/notifications";
import { vi } from "vitest";
import { page } from "vitest/browser";
import { useLive } from "#lib/live/live-changes.ts";
import { ada, gateway } from "./open-screen.tsx";

/** The tab that holds this lock follows the stream for all of the user. */
export const lock = `fairway.live.${ada.sub}`;
export const counts = () => gateway.received(notifications.list).length;
export const streams = () => gateway.received(live.stream).length;
export const isHealthy = () => useLive.getState().isHealthy;
export const serveStream = () => gateway.serveEvents(live.stream, { kind: "open", build: null });
export const answerUnread = (unread: number) =>
  gateway.answer(notifications.list, { notifications: [], unread, total: unread, hasMore: false });
export const bell = (unread: number) => page.getByRole("button", { name: `Notifications, ${unread} unread`, exact: true });

export const until = (check: () => void) => vi.waitFor(check, 15_000);

/** Requires fake timers. Moves the clock, in steps that leave responses the time to come, until the check holds. */
export const passUntil = (check: () => boolean, stepMs = 250) =>
  vi.waitUntil(
    async () => {
      await vi.advanceTimersByTimeAsync(stepMs);
      return check();
    },
    { timeout: 30_000, interval: 1 },
  );
